/** Stake is taken only after a verdict of fraud against that worker, and once for it (6.1). */
import type { MakeChecker } from "./checker.ts";

const NOBODY = -1;

export const slashedForFraud: MakeChecker = (report) => {
  /** By job: the worker found fraudulent and not yet slashed. */
  const guilty: number[] = [];
  return {
    on: {
      "dispute.decided": (_time, job, worker, fraudulent) => {
        guilty[job] = fraudulent === 1 ? worker : NOBODY;
      },
      "stake.slashed": (time, worker, tokens, job) => {
        if (guilty[job] !== worker)
          report(time, `worker ${worker}: ${tokens} tokens slashed without a verdict on job ${job}`);
        guilty[job] = NOBODY;
      },
    },
  };
};
