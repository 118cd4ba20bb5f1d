/** Variants that differ in what the world does, or in how answers are written. */

import { chargeBy, PRICES, type PriceScheme } from "../../fixtures/protocol/prices.ts";
import { HOUR, SECOND } from "../core/index.ts";
import { send } from "../facade/http.ts";
import type { Override } from "../facade/index.ts";
import { answers, bodies, failure, network, rules } from "../facade/overrides.ts";
import type { Tier } from "../rules.ts";
import type { Variant } from "./variant.ts";

const variant = (id: string, title: string, override: Override): Variant => ({ id, title, override });

/** Charges by one reading of the price; locks cover whatever may be charged up to the bound. */
function priced(scheme: PriceScheme, edge: number): Override {
  const charge = (tier: Tier, tokens: number): number => chargeBy(scheme, PRICES[tier], tokens, edge);
  return rules(() => ({
    charge,
    // Just past the edge a reading may be below the flat price.
    estimate: (tier, maxTokens, expected) =>
      Math.max(charge(tier, 0), charge(tier, expected), maxTokens >= 0 ? charge(tier, maxTokens) : 0),
  }));
}

/** A burst limit that strikes each so manyth request, and says when to come again. */
const refusingEach = (count: number, retryAfter: string): Override => ({
  middleware: (inside) => {
    let requests = 0;
    return (request, response, next) => {
      if (++requests % count !== 0) return next(request, response);
      const refusal = { status: 429, code: "rate_limited", message: "Too many requests from this address." };
      return send(response, { ...inside.door.refuse(inside, refusal), headers: { "retry-after": retryAfter } });
    };
  },
});

export const worlds: readonly Variant[] = [
  // Section 4.1, prices
  variant(
    "price-by-started-thousand",
    "Past 500 tokens each started 1,000 of all tokens is billed, and the flat price is not",
    priced({ reading: "started", rounding: "up", basis: "all" }, 500),
  ),
  variant(
    "price-pro-rata",
    "Past 500 tokens all tokens are billed by the thousandth, rounded up",
    priced({ reading: "pro-rata", rounding: "up", basis: "all" }, 500),
  ),
  variant(
    "price-pro-rata-down",
    "Past 500 tokens all tokens are billed by the thousandth, rounded down: to nothing in the cheapest tier",
    priced({ reading: "pro-rata", rounding: "down", basis: "all" }, 500),
  ),
  variant(
    "price-pro-rata-beyond",
    "Tokens past 500 are billed by the thousandth besides the flat price, rounded to the nearest unit",
    priced({ reading: "pro-rata", rounding: "nearest", basis: "beyond" }, 500),
  ),
  variant(
    "price-edge-450",
    "The flat price holds up to 450 tokens",
    priced({ reading: "flat-plus-started", rounding: "up", basis: "beyond" }, 450),
  ),
  variant(
    "price-edge-550",
    "The flat price holds up to 550 tokens",
    priced({ reading: "flat-plus-started", rounding: "up", basis: "beyond" }, 550),
  ),
  variant(
    "price-edge-512-started",
    "Past 512 tokens each started 1,000 of all tokens is billed",
    priced({ reading: "started", rounding: "up", basis: "all" }, 512),
  ),
  variant(
    "generous-locks",
    "Past the flat range twice the estimate is locked, and the difference given back",
    rules((honest) => ({
      estimate(tier, bound, expected) {
        const estimate = honest.estimate(tier, bound, expected);
        return estimate > honest.charge(tier, 0) ? 2 * estimate : estimate;
      },
    })),
  ),
  variant(
    "estimate-within-balance",
    "A wallet that can pay the flat price but not the estimate is served within its balance",
    network((honest) => ({
      submit(request, listener) {
        const result = honest.submit(request, listener);
        const narrow = !result.ok && result.error === "insufficient_credits" && request.outputTokens <= 500;
        return narrow && request.maxTokens > 500 ? honest.submit({ ...request, maxTokens: -1 }, listener) : result;
      },
    })),
  ),

  // Section 3.1, disputes
  variant(
    "fraud-compensated",
    "A verdict of fraud gives the charge back",
    rules(() => ({
      compensation: (fraudulent, charged) => (fraudulent ? charged : 0),
    })),
  ),
  variant(
    "disputed-after-verdict",
    "A job stays `disputed` after the verdict",
    rules(() => ({ statusAfterVerdict: () => "disputed" })),
  ),
  variant(
    "settling-not-disputable",
    "A job can be disputed once it has settled",
    network((honest) => ({
      dispute: (job, differ) => {
        const status = honest.job(job)?.status;
        const early = status === "settling" || status === "processing";
        return early ? { ok: false, error: "not_completed" } : honest.dispute(job, differ);
      },
    })),
  ),

  // Section 6.1
  variant(
    "low-credit-each-charge",
    "`credit.low` is sent at each lock below the threshold",
    rules(() => ({
      lowCredit: (before, after, threshold) => after < threshold && after < before,
    })),
  ),

  // The chain and the market
  variant("slow-chain", "A block takes two seconds, and a settlement is confirmed two blocks later", {
    world: () => ({ chain: { blockTime: 2 * SECOND, confirmations: 2 } }),
  }),
  variant("fast-chain", "A block takes twenty milliseconds", {
    world: () => ({ chain: { blockTime: SECOND / 50, confirmations: 0 } }),
  }),
  variant("ids-with-slashes", "Model ids have an owner, a slash and a space in them", {
    world: (honest) => ({ models: honest.models.map((model) => ({ ...model, id: `open lab/${model.id}` })) }),
  }),
  variant("two-models", "Only two models are offered, of the tiers `pro` and `lite`", {
    world: (honest) => {
      const kept = [2, 6];
      return {
        models: kept.map((index) => honest.models[index]!),
        workers: honest.workers.flatMap((group) => {
          const models = group.class.models.map((index) => kept.indexOf(index)).filter((index) => index >= 0);
          return models.length === 0 ? [] : [{ ...group, class: { ...group.class, models } }];
        }),
      };
    },
  }),

  // Sections 4.5, 4.7, 4.10
  variant(
    "others-things-forbidden",
    "What is another wallet's is refused as not allowed, with 403, and not as unknown",
    () => {
      let strange = false;
      return {
        door: (honest) => ({
          owns(owner, wallet, purpose) {
            strange = owner !== wallet && purpose !== "cursor";
            return honest.owns(owner, wallet, purpose);
          },
          refuse(inside, refusal) {
            const told = strange ? { ...refusal, status: 403, code: "forbidden" } : refusal;
            strange = false;
            return honest.refuse(inside, told);
          },
        }),
      };
    },
  ),

  // How answers are written
  variant(
    "pretty-json",
    "JSON is written with line breaks and indented",
    answers((answer) =>
      answer.text === "" ? answer : { ...answer, text: JSON.stringify(JSON.parse(answer.text), null, 2) },
    ),
  ),
  variant(
    "more-fields",
    "Every object bears fields that the contract does not have",
    bodies((body) => (Array.isArray(body) ? body : { ...body, livemode: false, request_cost: null })),
  ),
  variant(
    "json-with-charset",
    "The Content-Type of JSON names its charset",
    answers((answer) => ({
      ...answer,
      headers:
        answer.text === "" ? answer.headers : { ...answer.headers, "content-type": "application/json; charset=utf-8" },
    })),
  ),
  variant(
    "errors-with-null-details",
    "Details that an error does not have are null",
    failure(undefined, (error) => ({ details: null, ...error })),
  ),
  variant(
    "errors-with-details",
    "Every error has details, empty where there is nothing to tell",
    failure(undefined, (error) => ({
      details: {},
      ...error,
    })),
  ),
  variant(
    "bursts-refused",
    "Every thirtieth request is answered 429 and may be sent again at once",
    refusingEach(30, "0"),
  ),
  variant(
    "bursts-refused-for-a-second",
    "Every twenty-third request is answered 429 and may be sent again after a second",
    refusingEach(23, "1"),
  ),
  variant(
    "median-of-a-day",
    "Live data of models is that of half a day ago",
    network((honest) => {
      const shown = new Map<number, { at: number; latency: number }>();
      return {
        medianFirstToken(model) {
          const known = shown.get(model);
          if (known !== undefined && honest.now - known.at < 12 * HOUR) return known.latency;
          const latency = honest.medianFirstToken(model);
          shown.set(model, { at: honest.now, latency });
          return latency;
        },
      };
    }),
  ),
];
