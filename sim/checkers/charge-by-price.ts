/**
 * A job is charged what section 8 says: the flat price up to 500 output tokens, and beyond that no less, and no more than a further price for
 * each started thousand. Readings of "roughly 500" lie in between.
 */
import { FLAT_EDGE, PRICES, TIERS } from "../../fixtures/protocol/prices.ts";
import type { MakeChecker } from "./checker.ts";

export const chargeByPrice: MakeChecker = (report) => {
  const tierOf: number[] = [];
  const tier: number[] = [];
  const tokens: number[] = [];
  return {
    on: {
      "model.listed": (_time, model, ofTier) => {
        tierOf[model] = ofTier;
      },
      "job.created": (_time, job, _number, _wallet, model) => {
        tier[job] = tierOf[model]!;
      },
      "job.lastToken": (_time, job, _worker, outputTokens) => {
        tokens[job] = outputTokens;
      },
      "job.paid": (time, job, _wallet, _worker, charged) => {
        const price = PRICES[TIERS[tier[job]!]!];
        const made = tokens[job]!;
        const least = price.perRequest;
        const most = made <= FLAT_EDGE.usual ? least : least + price.perThousand * Math.ceil(made / 1_000);
        if (charged >= least && charged <= most) return;
        const expected = least === most ? `${least}` : `${least} to ${most}`;
        report(time, `job ${job}: ${charged} units for ${made} tokens, not ${expected}`);
      },
    },
  };
};
