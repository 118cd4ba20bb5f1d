/** No wallet spends or redeems more than it has, and nothing that is locked (1, 7.2). */
import type { MakeChecker } from "./checker.ts";

export const balancesNotNegative: MakeChecker = (report) => {
  const available: number[] = [];
  const walletOf: number[] = [];
  const move = (time: number, wallet: number, units: number): void => {
    const now = (available[wallet] ?? 0) + units;
    available[wallet] = now;
    if (now < 0) report(time, `wallet ${wallet}: a balance of ${now} units`);
  };
  return {
    on: {
      "wallet.opened": (_time, wallet) => {
        available[wallet] = 0;
      },
      "units.bought": (time, wallet, units) => move(time, wallet, units),
      "units.redeemed": (time, wallet, units) => move(time, wallet, -units),
      "job.created": (_time, job, _number, wallet) => {
        walletOf[job] = wallet;
      },
      "job.locked": (time, _job, wallet, units) => move(time, wallet, -units),
      "job.paid": (time, _job, wallet, _worker, _charged, returned) => move(time, wallet, returned),
      "dispute.decided": (time, job, _worker, _fraudulent, units) => {
        if (units !== 0) move(time, walletOf[job]!, units);
      },
      "job.returned": (time, _job, wallet, units) => move(time, wallet, units),
    },
  };
};
