/** Nobody is paid without a proof on-chain, and only the worker that posted it (4.1). */
import type { MakeChecker } from "./checker.ts";

const NONE = -1;

export const paidAfterProof: MakeChecker = (report) => {
  const prover: number[] = [];
  return {
    on: {
      "job.created": (_time, job) => {
        prover[job] = NONE;
      },
      "job.settling": (_time, job, worker) => {
        prover[job] = worker;
      },
      "job.paid": (time, job, _wallet, worker) => {
        if (prover[job] === worker) return;
        const seen = prover[job] === NONE ? "no proof is on-chain" : `the proof is worker ${prover[job]}'s`;
        report(time, `job ${job}: worker ${worker} was paid, but ${seen}`);
      },
    },
  };
};
