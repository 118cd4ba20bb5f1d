/** A job's units come from the wallet that sent it and go back there, whole numbers that are not negative (4.1). */
import type { MakeChecker } from "./checker.ts";

export const ownWallet: MakeChecker = (report) => {
  const owner: number[] = [];
  const check = (time: number, job: number, wallet: number, units: number, what: string): void => {
    if (wallet !== owner[job])
      report(time, `job ${job}: ${units} units ${what} wallet ${wallet}, not of wallet ${owner[job]}`);
    if (units < 0) report(time, `job ${job}: ${units} units ${what} wallet ${wallet}`);
  };
  return {
    on: {
      "job.created": (_time, job, _number, wallet) => {
        owner[job] = wallet;
      },
      "job.locked": (time, job, wallet, units) => check(time, job, wallet, units, "locked of"),
      "job.paid": (time, job, wallet, _worker, _charged, returned) =>
        check(time, job, wallet, returned, "returned, of"),
      "job.returned": (time, job, wallet, units) => check(time, job, wallet, units, "given back, of"),
    },
  };
};
