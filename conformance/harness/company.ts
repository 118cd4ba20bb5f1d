/**
 * Cases that go on beside each other share one budget. What they reserve is an upper bound, and what they spent can only be read while none of them is
 * under way: so a case whose cost no longer fits waits until those before it have ended, rather than be left out for units that come back.
 */
import type { Budget } from "./budget.ts";

export interface Company {
  /** Runs `work`, a case that may take up to `cost`, as soon as the budget bears it. */
  admit(cost: number, work: () => Promise<void>): Promise<void>;
  /** Reads the balances, unless other cases are under way. */
  settle(): Promise<void>;
}

/** `read` reads the balances of the keys that have spent. */
export function makeCompany(budget: Budget, read: () => Promise<void>): Company {
  let under = 0;
  let waiting: (() => void)[] = [];
  return {
    async admit(cost, work) {
      while (under > 0 && !budget.affords(cost)) await new Promise<void>((resolve) => waiting.push(resolve));
      under += 1;
      try {
        await work();
      } finally {
        under -= 1;
        const next = waiting;
        waiting = [];
        for (const resume of next) resume();
      }
    },
    async settle() {
      if (under <= 1) await read();
    },
  };
}
