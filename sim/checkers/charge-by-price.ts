/**
 * A job is charged what section 8 says: the flat price up to roughly 500 output tokens, and past that a price by the thousand. How rough 500 is, and
 * what the price by the thousand is of, the contract leaves open: the charge is between the least and the most of all honest readings.
 */
import { chargeBy, FLAT_EDGE, PRICE_SCHEMES, PRICES, TIERS } from "../../fixtures/protocol/prices.ts";
import type { MakeChecker } from "./checker.ts";

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function boundsOf(tier: number, tokens: number): Bounds {
  const price = PRICES[TIERS[tier]!];
  const edges = tokens <= FLAT_EDGE.usual ? [FLAT_EDGE.usual] : [FLAT_EDGE.minimum, FLAT_EDGE.usual, FLAT_EDGE.maximum];
  const honest = edges.flatMap((edge) => PRICE_SCHEMES.map((scheme) => chargeBy(scheme, price, tokens, edge)));
  return { least: Math.min(...honest), most: Math.max(...honest) };
}

export const chargeByPrice: MakeChecker = (report) => {
  const tierOf: number[] = [];
  const tier: number[] = [];
  const tokens: number[] = [];
  /** By tier and number of tokens, as they come up. */
  const known = TIERS.map(() => new Map<number, Bounds>());
  return {
    on: {
      "model.listed": (_time, model, ofTier) => {
        tierOf[model] = ofTier;
      },
      "job.created": (_time, job, _number, _wallet, model) => {
        tier[job] = tierOf[model]!;
        tokens[job] = -1;
      },
      "job.lastToken": (_time, job, _worker, outputTokens) => {
        tokens[job] = outputTokens;
      },
      "job.paid": (time, job, _wallet, _worker, charged) => {
        const of = tier[job]!;
        const made = tokens[job]!;
        if (made < 0) {
          report(time, `job ${job}: paid before its last token`);
          return;
        }
        let bounds = known[of]!.get(made);
        if (bounds === undefined) {
          bounds = boundsOf(of, made);
          known[of]!.set(made, bounds);
        }
        const { least, most } = bounds;
        if (charged >= least && charged <= most) return;
        const expected = least === most ? `${least}` : `${least} to ${most}`;
        report(time, `job ${job}: ${charged} units for ${made} tokens, not ${expected}`);
      },
    },
  };
};
