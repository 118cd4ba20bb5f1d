/** Section 7.2: `insufficient_credits`. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "../case.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { answered, told } from "../support/refusals.ts";

const ROWS = ["7.2/1", "7.2/2", "7/6"] as const;

/** One 402, held against the wallet that it speaks of. */
async function judgeShortage(t: CaseContext, answer: Exchange, wallet: Wallet, model: ListedModel): Promise<void> {
  const detail = (name: string): unknown => at(answer.json, "error", "details", name);
  const [remaining, required] = [detail("credits_remaining"), detail("credits_required")];
  if (answer.status !== 402 || errorCode(answer) !== "insufficient_credits") {
    t.fail("7.2/1", {
      title: "a lack of units is not refused with 402",
      expected: "402 insufficient_credits",
      seen: `${told(answer)} on ${model.tier}`,
      exchanges: answer,
    });
    return;
  }
  const integers = Number.isInteger(remaining) && Number.isInteger(required);
  t.check("7.2/1", integers && Number(required) > Number(remaining) && typeof detail("tier") === "string", {
    title: "`details` of a 402 lack an integer, the larger requirement, or the tier",
    expected: "integers `credits_remaining` < `credits_required`, and a string `tier`",
    seen: at(answer.json, "error", "details"),
    exchanges: answer,
  });
  const balance = await quietBalance(t, wallet);
  t.check("7.2/2", remaining === balance, {
    title: "`details.credits_remaining` of a 402 is not the account's balance",
    expected: `${balance} units`,
    seen: remaining,
    exchanges: [answer, ...t.exchanges.slice(-1)],
  });
  t.check("7.2/2", detail("tier") === model.tier, {
    title: "`details.tier` of a 402 is not the tier of the requested model",
    expected: model.tier,
    seen: detail("tier"),
    exchanges: answer,
  });
  t.check("7/6", at(answer.json, "error", "type") === "payment_error", {
    expected: "payment_error",
    seen: at(answer.json, "error", "type"),
    exchanges: answer,
  });
}

/** "wallet lacks units for the tier": one unit too few, in each tier, with enough for a cheaper one, with nothing at all. */
const shortage = defineCase({
  id: "7.2/shortage",
  title: "a lack of units is refused with 402 and details that are true, in every tier, plain and streamed",
  requirements: ROWS,
  async run(t) {
    for (const model of modelsToTry(t)) {
      for (const credits of [model.credits_per_request - 1, 0]) {
        const wallet = await t.wallet({ credits });
        for (const stream of [false, true]) {
          const answer = answered(t, await wallet.api.say({ model: model.id, stream }, { cost: 0 }));
          await judgeShortage(t, answer, wallet, model);
        }
      }
    }
  },
});

/** The balance that a 402 tells is that of the moment: after requests were paid, failed, and units bought. */
const later = defineCase({
  id: "7.2/shortage-later",
  title: "a 402 tells the balance that is left after requests, a failed job and a top-up",
  requirements: ROWS,
  async run(t) {
    const cheap = t.model();
    const dear = t.models().at(-1) ?? cheap;
    const wallet = await t.wallet({ credits: cheap.credits_per_request + dear.credits_per_request - 1 });
    await t.complete({}, wallet.api);
    await quietBalance(t, wallet);
    await judgeShortage(t, answered(t, await wallet.api.say({ model: dear.id }, { cost: 0 })), wallet, dear);
    if (t.has("behaviours")) {
      await t.behave(cheap, "failing");
      await wallet.api.say();
      await t.behave(cheap, "normal");
      await quietBalance(t, wallet);
      await judgeShortage(t, answered(t, await wallet.api.say({ model: dear.id }, { cost: 0 })), wallet, dear);
    }
    await wallet.topUp(100);
    let left = await quietBalance(t, wallet);
    while (left >= dear.credits_per_request) {
      await t.complete({ model: dear.id }, wallet.api);
      left = await quietBalance(t, wallet);
    }
    await judgeShortage(t, answered(t, await wallet.api.say({ model: dear.id }, { cost: 0 })), wallet, dear);
  },
});

/** What a 402 requires is what it takes: exactly so much is enough, for a short request and for a long one. */
const required = defineCase({
  id: "7.2/required",
  title: "a wallet with exactly `credits_required` is served, and one with a unit less is not",
  requirements: ["7.2/1", "8/7"],
  async run(t) {
    for (const model of modelsToTry(t)) {
      for (const changes of [{}, { stream: true }, { max_tokens: 2_400 }]) {
        const request = { model: model.id, ...changes };
        const poor = await t.wallet({ credits: 0 });
        const refused = answered(t, await poor.api.say(request, { cost: 0 }));
        const needed = at(refused.json, "error", "details", "credits_required");
        if (refused.status !== 402 || typeof needed !== "number")
          return t.giveUp(`an empty wallet got ${told(refused)}`);
        const short = await t.wallet({ credits: needed - 1 });
        const almost = answered(t, await short.api.say(request, { cost: 0 }));
        // The flat price may be all that is asked for up front (4.1/49); then a unit less is still enough for it.
        const enough = "max_tokens" in changes && almost.status === 200;
        t.check("8/7", almost.status === 402 || enough, {
          title: "a wallet one unit below `credits_required` is served",
          expected: "402",
          seen: `${told(almost)} with ${needed - 1} units on ${model.tier}`,
        });
        const exact = await t.wallet({ credits: needed });
        const answer = answered(t, await exact.api.say(request));
        t.check("7.2/1", answer.status === 200, {
          title: "a wallet with exactly `credits_required` is refused",
          expected: "200",
          seen: `${told(answer)} with ${needed} units on ${model.tier}`,
        });
      }
    }
  },
});

export const creditCases = [shortage, later, required];
