/** Stake is neither made nor lost: staked = active + slashed + unstaked, for every worker, and none goes below zero (1, 6.1). */
import type { MakeChecker } from "./checker.ts";

export const stakeConserved: MakeChecker = (report) => {
  const active: number[] = [];
  let staked = 0;
  let slashed = 0;
  let unstaked = 0;
  const move = (time: number, worker: number, tokens: number): void => {
    const now = (active[worker] ?? 0) + tokens;
    active[worker] = now;
    if (now < 0) report(time, `worker ${worker}: a stake of ${now} tokens`);
  };
  return {
    on: {
      "stake.deposited": (time, worker, tokens) => {
        staked += tokens;
        move(time, worker, tokens);
      },
      "stake.withdrawn": (time, worker, tokens) => {
        unstaked += tokens;
        move(time, worker, -tokens);
      },
      "stake.slashed": (time, worker, tokens) => {
        slashed += tokens;
        move(time, worker, -tokens);
      },
      "stakes.closed": (time, ...claimed) => {
        const sum = active.reduce((total, tokens) => total + tokens, 0);
        const own = [staked, sum, slashed, unstaked];
        for (const [index, name] of ["staked", "active", "slashed", "unstaked"].entries()) {
          if (claimed[index] !== own[index]) {
            report(time, `the chain says ${claimed[index]} tokens ${name}, its transactions say ${own[index]}`);
          }
        }
      },
    },
  };
};
