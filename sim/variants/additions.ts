/** Variants that say more than the contract asks, or heed what it does not speak of otherwise. */
import { chargeBy, PRICE_SCHEMES, type Price } from "../../fixtures/protocol/prices.ts";
import { parseTarget, send } from "../facade/http.ts";
import type { Changes } from "../facade/index.ts";
import { job, model, rules, within } from "../facade/overrides.ts";
import type { Tier } from "../rules.ts";
import type { Variant } from "./variant.ts";

/** Prices of a list that has none of the contract's. */
const OWN_PRICES: Readonly<Record<Tier, Price>> = {
  lite: { perRequest: 3, perThousand: 2 },
  standard: { perRequest: 10, perThousand: 5 },
  pro: { perRequest: 21, perThousand: 11 },
  max: { perRequest: 50, perThousand: 25 },
};

const [usual] = PRICE_SCHEMES;

function ownPrices(): Changes {
  const charge = (tier: Tier, tokens: number): number =>
    usual === undefined ? 0 : chargeBy(usual, OWN_PRICES[tier], tokens, 500);
  return {
    ...model((body, inside) =>
      within(body, inside.brand.extension, (live) => {
        const price = OWN_PRICES[live.tier as Tier];
        return { ...live, credits_per_request: price.perRequest, credits_per_1k_tokens: price.perThousand };
      }),
    ),
    ...rules(() => ({
      charge,
      estimate: (tier, maxTokens, expected) => charge(tier, maxTokens >= 0 ? maxTokens : expected),
    })),
  };
}

export const additions: readonly Variant[] = [
  {
    id: "jobs-tell-more",
    title: "A job tells besides how deep its settlement lies and when it was read",
    override: () => {
      let reads = 0;
      return job((body) => {
        reads += 1;
        const more = { ...body, reads, read_by: { count: reads } };
        return within(
          within(more, "on_chain", (chain) => ({ ...chain, confirmations: reads })),
          "usage",
          (usage) => ({ ...usage, reads }),
        );
      });
    },
  },
  {
    id: "unknown-queries-refused",
    title: "A query of an endpoint that has none is refused",
    override: {
      middleware: () => (request, response, next) => {
        if (!/^\/v1\/(models|account)[^?]*\?./.test(request.target)) return next(request, response);
        const error = { code: "invalid_request", message: "No such parameter.", type: "x", param: "query", docs: "x" };
        return send(response, { status: 400, body: { error } });
      },
    },
  },
  {
    id: "unknown-cursor-unheeded",
    title: "A cursor that names no job is not heeded",
    override: {
      middleware: (inside) => (request, response, next) => {
        const { query } = parseTarget(request.target);
        const cursor = query.get("before") ?? query.get("after");
        const known = cursor === null || inside.jobs.find(cursor) !== undefined;
        const target = known ? request.target : request.target.replace(/([?&])(?:before|after)=[^&]*/, "$1");
        return next({ ...request, target }, response);
      },
    },
  },
  { id: "prices-of-its-own", title: "The list has other prices than the contract, in every tier", override: ownPrices },
];
