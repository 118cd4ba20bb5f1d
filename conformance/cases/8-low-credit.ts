/** Section 8: the default threshold of `credit.low`. Section 6 tries the event in full. */
import { at } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { settledJob } from "./support/jobs.ts";
import { quietBalance } from "./support/money.ts";

const ARRIVES_WITHIN = 60_000;

/** "Default `credit.low` threshold: 100 units": at 100 there is no event, at one price below there is, and it says so. */
const threshold = defineCase({
  id: "8/low-credit",
  title: "`credit.low` comes when the balance falls below 100 units, not at 100, and names that threshold",
  requirements: ["8/2", "6.1/12"],
  needs: ["receiver", "wallets"],
  async run(t) {
    const model = t.model();
    const limit = t.controls.lowCreditThreshold;
    const wallet = await t.wallet({ credits: limit + model.credits_per_request });
    const hook = await t.subscribe({ events: ["credit.low"], api: wallet.api });
    await t.complete({}, wallet.api);
    const at100 = await quietBalance(t, wallet);
    if (at100 !== limit) t.giveUp("the balance did not come to the threshold");
    await t.clock.advanceUntil(() => hook.endpoint.deliveries.length > 0, { within: 10_000, step: 1_000 });
    for (const row of ["8/2", "6.1/12"] as const) {
      t.check(row, hook.endpoint.of("credit.low").length === 0, {
        title: "`credit.low` comes although the balance is not below the threshold",
        expected: "no event at the threshold",
        seen: hook.endpoint.of("credit.low").map((delivery) => delivery.text),
      });
    }
    if (limit < model.credits_per_request) return;
    await t.complete({}, wallet.api);
    const came = await t.clock.advanceUntil(() => hook.endpoint.of("credit.low").length > 0, {
      within: ARRIVES_WITHIN,
      step: 1_000,
    });
    const told = at(hook.endpoint.of("credit.low").at(-1)?.json, "data", "threshold");
    t.check("8/2", came && told === limit, {
      title: came ? "`credit.low` names another threshold" : "no `credit.low` comes below the threshold",
      expected: `${limit} units`,
      seen: came ? told : "no event",
    });
  },
});

/** Tokens of a completion that costs a threshold of 100 units by one reading of the price or another, in less than 120 s. */
const DEAR_TOKENS = 3_000;

/** Nothing is below the threshold, too: one charge takes a wallet from it, or from above it, to exactly 0. */
const lastUnit = defineCase({
  id: "8/low-credit-at-zero",
  title: "`credit.low` comes when one charge takes the balance to exactly 0",
  requirements: ["6.1/7"],
  needs: ["receiver", "wallets", "behaviours"],
  async run(t) {
    const model = t.models().reduce((a, b) => (b.credits_per_request > a.credits_per_request ? b : a));
    await t.behave(model, "normal", DEAR_TOKENS);
    const dear = { model: model.id, max_tokens: DEAR_TOKENS };
    const probe = await t.wallet({ credits: 20 * model.credits_per_request });
    const job = await settledJob(t, (await t.complete(dear, probe.api)).jobId, probe.api);
    const price = at(job.json, "credits_charged");
    if (typeof price !== "number" || price < t.controls.lowCreditThreshold)
      return t.leaveOut("no completion of this service costs as many units as the threshold has");
    const wallet = await t.wallet({ credits: price });
    const hook = await t.subscribe({ events: ["credit.low"], api: wallet.api });
    t.accepted(await wallet.api.say(dear), "a chat that takes the whole balance");
    if ((await quietBalance(t, wallet)) !== 0) t.giveUp("the balance did not come to 0");
    const came = await t.clock.advanceUntil(() => hook.endpoint.of("credit.low").length > 0, {
      within: ARRIVES_WITHIN,
      step: 1_000,
    });
    t.check("6.1/7", came, {
      title: "no `credit.low` comes at a balance of 0",
      expected: "credit.low",
      seen: "no event",
      exchanges: hook.created,
    });
  },
});

export const section8Events = [threshold, lastUnit];
