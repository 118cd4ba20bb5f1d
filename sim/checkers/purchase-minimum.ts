/** Nobody buys fewer than 100 units at once (1, 8). */
import { MINIMUM_PURCHASE } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const purchaseMinimum: MakeChecker = (report) => ({
  on: {
    "units.bought": (time, wallet, units) => {
      if (units < MINIMUM_PURCHASE)
        report(time, `wallet ${wallet}: a purchase of ${units} units, not ${MINIMUM_PURCHASE} or more`);
    },
  },
});
