/** Nobody is paid without a proof on-chain, and only the worker that posted it (4.1). */
import type { MakeChecker } from "./checker.ts";

const NONE = -1;

export const paidAfterProof: MakeChecker = (report) => {
  /** By job: who has posted a proof and was not paid for it yet. */
  const prover: number[] = [];
  return {
    on: {
      "job.settling": (_time, job, worker) => {
        prover[job] = worker;
      },
      "job.paid": (time, job, _wallet, worker) => {
        const posted = prover[job] ?? NONE;
        prover[job] = NONE;
        if (posted === worker) return;
        const seen = posted === NONE ? "no proof is on-chain" : `the proof is worker ${posted}'s`;
        report(time, `job ${job}: worker ${worker} was paid, but ${seen}`);
      },
    },
  };
};
