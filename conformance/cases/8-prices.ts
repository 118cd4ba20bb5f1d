/** Section 8: the price list, and the one limit that counts. Limits that bind one endpoint are tried in its section. */
import { PRICES, TIER_SIZES } from "../../fixtures/protocol/prices.ts";
import { at } from "../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "./case.ts";
import { challenge } from "./support/disputed.ts";
import { sha256 } from "./support/hash.ts";
import { opensDisputes } from "./support/may.ts";
import { chargeFor, modelsToTry, quietBalance } from "./support/money.ts";
import { answered, told } from "./support/refusals.ts";

/** Whether its two prices are those of its tier. */
const isListed = (model: ListedModel): readonly boolean[] => [
  model.credits_per_request === PRICES[model.tier].perRequest,
  model.credits_per_1k_tokens === PRICES[model.tier].perThousand,
];

/**
 * "The live list governs." A target whose whole list is another has other prices, which is told; one that bears the contract's prices but for some
 * model has a mistake.
 */
const list = defineCase({
  id: "8/list",
  title: "the models of a tier are listed at its prices",
  requirements: ["8/5", "8/11"],
  async run(t) {
    const exchange = await t.api.models();
    const models = t.models();
    const own = !models.some((model) => isListed(model).includes(true));
    for (const model of own ? [] : models) {
      const price = PRICES[model.tier];
      t.check("8/5", !isListed(model).includes(false), {
        title: `a ${model.tier} model is not listed at the prices of its tier`,
        expected: `${price.perRequest} units, and ${price.perThousand} per 1,000 tokens`,
        seen: `${model.id}: ${model.credits_per_request} and ${model.credits_per_1k_tokens}`,
        exchanges: exchange,
      });
    }
    for (const model of models) {
      const alike = models.filter((each) => each.tier === model.tier);
      const one = new Set(alike.map((each) => `${each.credits_per_request} ${each.credits_per_1k_tokens}`)).size === 1;
      t.check("8/5", one, {
        title: `models of one tier are listed at several prices`,
        expected: "one price a tier",
        seen: alike.map((each) => `${each.id}: ${each.credits_per_request}, ${each.credits_per_1k_tokens}`),
        exchanges: exchange,
      });
      const whole = Number.isInteger(model.credits_per_request) && Number.isInteger(model.credits_per_1k_tokens);
      t.check("8/11", whole, { expected: "whole units", seen: model, exchanges: exchange });
    }
  },
});

/** Parameters as a number: `1.7B` is 1,700,000,000. Null for what is written in another way. */
function sizeOf(parameters: unknown): number | null {
  const found = typeof parameters === "string" ? /^\s*([\d.]+)\s*([MBT])\b/i.exec(parameters) : null;
  if (found === null) return null;
  const factor = { M: 1e6, B: 1e9, T: 1e12 }[(found[2] ?? "").toUpperCase()] ?? 1;
  return Number(found[1]) * factor;
}

/** "lite: 1B to 3B; standard: 7B to 8B; pro: 13B to 27B; max: 70B and larger." Sizes between the ranges have no tier. */
const sizes = defineCase({
  id: "8/model-sizes",
  title: "a model whose size is that of a tier is in that tier",
  requirements: ["8/8", "8/9"],
  async run(t) {
    const exchange = await t.api.models();
    const data = at(exchange.json, "data");
    for (const model of Array.isArray(data) ? data : []) {
      const size = sizeOf(at(model, t.brand, "parameters"));
      const found = Object.entries(TIER_SIZES).find(([, { from, to }]) => size !== null && size >= from && size <= to);
      t.observe("8/8", `${at(model, t.brand, "tier")} ${at(model, t.brand, "parameters")}`);
      if (found === undefined) continue;
      t.check("8/9", at(model, t.brand, "tier") === found[0], {
        title: "a model is in another tier than its size says",
        expected: found[0],
        seen: `${at(model, "id")}: ${at(model, t.brand, "parameters")}, ${at(model, t.brand, "tier")}`,
        exchanges: exchange,
      });
    }
  },
});

/** Every listed model at its own price, whatever the others of its tier cost. */
const ownPrice = defineCase({
  id: "8/own-price",
  title: "a short completion costs its model's own `credits_per_request`, whole units, plain and streamed",
  requirements: ["8/6", "8/11"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    for (const model of t.home.fresh ? t.models() : [t.model()]) {
      for (const stream of [false, true]) {
        const before = await quietBalance(t);
        const { charge } = await chargeFor(t, await t.complete({ model: model.id, stream }));
        const after = await quietBalance(t);
        t.check("8/6", charge === model.credits_per_request, {
          title: "a short completion is not charged its model's `credits_per_request`",
          expected: `${model.credits_per_request} units for ${model.id}`,
          seen: charge,
        });
        t.check("8/11", [before, after, charge].every(Number.isInteger), {
          title: "a charge or a balance is no whole number of units",
          expected: "whole units",
          seen: [before, after, charge],
        });
      }
    }
  },
});

/** What a wallet went through before it stands at the edge: nothing, a paid request, a top-up. */
async function poorWallet(t: CaseContext, units: number, past: "new" | "spent" | "topped"): Promise<Wallet> {
  if (past === "new") return await t.wallet({ credits: units });
  if (past === "topped" && units >= 100) {
    const wallet = await t.wallet({ credits: units - 100 });
    await wallet.topUp(100);
    return wallet;
  }
  const cheap = t.model();
  const wallet = await t.wallet({ credits: units + cheap.credits_per_request });
  await t.complete({}, wallet.api);
  await quietBalance(t, wallet);
  return wallet;
}

/** "A request whose tier costs more than the balance fails with 402": more than, not as much as. */
const exact = defineCase({
  id: "8/exact",
  title:
    "a balance of exactly the price pays, one unit less does not: every tier, plain and streamed, new and used wallets",
  requirements: ["8/7", "8/6"],
  async run(t) {
    for (const model of modelsToTry(t)) {
      const price = model.credits_per_request;
      for (const past of ["new", "spent"] as const) {
        for (const stream of [false, true]) {
          const request = { model: model.id, stream };
          const short = await poorWallet(t, price - 1, past);
          const refused = answered(t, await short.api.say(request, { cost: 0 }));
          t.check("8/7", refused.status === 402, {
            title: `a balance one unit below the price pays for a ${stream ? "stream" : "completion"}`,
            expected: "402",
            seen: `${told(refused)} with ${price - 1} units on ${model.tier}`,
          });
          const enough = await poorWallet(t, price, past);
          const answer = answered(t, await enough.api.say(request));
          t.check("8/7", answer.status === 200, {
            title: `a balance of exactly the price does not pay for a ${stream ? "stream" : "completion"}`,
            expected: "200",
            seen: `${told(answer)} with ${price} units on ${model.tier}`,
          });
          const after = await quietBalance(t, enough);
          t.check("8/6", answer.status !== 200 || after === 0, {
            title: "exactly the price is not what a request takes",
            expected: "0 units left",
            seen: after,
          });
        }
      }
    }
  },
});

/** A top-up lifts the limit by what it adds, from nothing and from almost enough. */
const topUp = defineCase({
  id: "8/topup",
  title:
    "a wallet that was one unit short is served after a top-up, and again until the units are spent, no more often",
  requirements: ["8/7"],
  async run(t) {
    const dear = t.models().at(-1) ?? t.model();
    const price = dear.credits_per_request;
    for (const credits of [0, price - 1]) {
      const wallet = await t.wallet({ credits });
      const before = answered(t, await wallet.api.say({ model: dear.id }, { cost: 0 }));
      t.check("8/7", before.status === 402, { expected: "402", seen: told(before) });
      const bought = Math.max(100, price);
      await wallet.topUp(bought);
      const affordable = Math.floor((credits + bought) / price);
      for (let index = 0; index < affordable; index++) {
        const answer = answered(t, await wallet.api.say({ model: dear.id }));
        await quietBalance(t, wallet);
        t.check("8/7", answer.status === 200, {
          title: "units that were bought do not pay for as many requests as they should",
          expected: `200 for request ${index + 1} of ${affordable}`,
          seen: told(answer),
        });
      }
      const after = answered(t, await wallet.api.say({ model: dear.id }, { cost: 0 }));
      t.check("8/7", after.status === 402, {
        title: "a wallet is served more often than its units pay for",
        expected: "402",
        seen: told(after),
      });
    }
  },
});

/** "Arbitration window after a dispute: 24 hours." */
const arbitration = defineCase({
  id: "8/arbitration",
  title: "a dispute that is opened tells an arbitration window of 24 hours",
  requirements: ["8/1"],
  cost: (prices) => prices.flat,
  async run(t) {
    opensDisputes(t);
    for (const stream of [false, true]) {
      const done = await t.complete({ stream });
      const answer = answered(t, await challenge(t, done, sha256(`${done.text} (not what was said)`)));
      t.accepted(answer, "a dispute within the window");
      t.check("8/1", at(answer.json, "arbitration_window_hours") === 24, {
        expected: "24",
        seen: at(answer.json, "arbitration_window_hours"),
      });
    }
  },
});

export const section8Prices = [list, sizes, ownPrice, exact, topUp, arbitration];
