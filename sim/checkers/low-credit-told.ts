/** `credit.low` is told when a balance falls below the threshold, not at it (6.1), and with the balance there is. */
import { DEFAULT_LOW_CREDIT_THRESHOLD } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const lowCreditTold: MakeChecker = (report) => ({
  on: {
    "credit.low": (time, wallet, remaining, threshold) => {
      if (threshold !== DEFAULT_LOW_CREDIT_THRESHOLD || remaining >= threshold || remaining < 0) {
        report(time, `wallet ${wallet}: told as low with ${remaining} units, at a threshold of ${threshold}`);
      }
    },
  },
});
