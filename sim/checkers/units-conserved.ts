/**
 * Units are neither made nor lost: bought = available + locked + settled + redeemed (1, 4.1). What ends a lock uses all of it: charge and
 * difference together, or everything returned. The chain's own totals, told at the end, must be those recomputed here.
 */
import type { MakeChecker } from "./checker.ts";

export const unitsConserved: MakeChecker = (report) => {
  const lock: number[] = [];
  let bought = 0;
  let available = 0;
  let locked = 0;
  let settled = 0;
  let redeemed = 0;

  const balance = (time: number): void => {
    if (bought !== available + locked + settled + redeemed) {
      report(
        time,
        `${bought} units bought, but ${available} available + ${locked} locked + ${settled} settled + ${redeemed} redeemed`,
      );
    }
  };
  const use = (time: number, job: number, units: number, what: string): void => {
    const held = lock[job] ?? 0;
    if (units !== held) report(time, `job ${job}: ${held} units were locked, ${units} ${what}`);
    // Units of a lock that nobody got are nowhere: the books do not balance from here on.
    locked -= held;
    lock[job] = 0;
  };
  return {
    on: {
      "units.bought": (time, _wallet, units) => {
        bought += units;
        available += units;
        balance(time);
      },
      "units.redeemed": (time, _wallet, units) => {
        available -= units;
        redeemed += units;
        balance(time);
      },
      "job.locked": (time, job, _wallet, units) => {
        lock[job] = units;
        available -= units;
        locked += units;
        balance(time);
      },
      "job.paid": (time, job, _wallet, _worker, charged, returned) => {
        use(time, job, charged + returned, "charged and returned");
        available += returned;
        settled += charged;
        balance(time);
      },
      "job.returned": (time, job, _wallet, units) => {
        use(time, job, units, "returned");
        available += units;
        balance(time);
      },
      "dispute.decided": (time, _job, _worker, _fraudulent, units) => {
        available += units;
        settled -= units;
        balance(time);
      },
      "books.closed": (time, ...claimed) => {
        const own = [bought, available, locked, settled, redeemed];
        for (const [index, name] of ["bought", "available", "locked", "settled", "redeemed"].entries()) {
          if (claimed[index] !== own[index]) {
            report(time, `the chain says ${claimed[index]} units ${name}, its transactions say ${own[index]}`);
          }
        }
      },
    },
  };
};
