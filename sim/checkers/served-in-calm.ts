/** Liveness: once faults have stopped (`calm.began`), a request is not refused for lack of workers, and each job settles, also the last. */
import type { MakeChecker } from "./checker.ts";

/** As the trace numbers it: `REFUSED.noWorkers`. */
const NO_WORKERS = 2;

export const servedInCalm: MakeChecker = (report) => {
  let calm = false;
  const waiting = new Set<number>();
  const lost =
    (how: string) =>
    (time: number, job: number): void => {
      if (waiting.delete(job)) report(time, `job ${job}: ${how} although nothing was at fault any more`);
    };
  return {
    on: {
      "calm.began": () => {
        calm = true;
      },
      "request.refused": (time, wallet, model, reason) => {
        if (calm && reason === NO_WORKERS) {
          report(time, `wallet ${wallet}: no worker for model ${model} although nothing was at fault any more`);
        }
      },
      "job.created": (_time, job) => {
        if (calm) waiting.add(job);
      },
      "job.settled": (_time, job) => {
        if (calm) waiting.delete(job);
      },
      "job.failed": lost("failed"),
      "job.refunded": lost("timed out"),
    },
    finish: (time) => {
      for (const job of waiting) report(time, `job ${job}: never settled although nothing was at fault any more`);
    },
  };
};
