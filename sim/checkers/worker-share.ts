/** A native worker gets 85 % of the charge, a browser worker 75 %; the rest is the treasury's (1). Money is in hundredths of a unit. */
import { WORKER_SHARE_PERCENT } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const workerShare: MakeChecker = (report) => {
  const share: number[] = [];
  return {
    on: {
      "worker.registered": (_time, worker, native) => {
        share[worker] = native === 1 ? WORKER_SHARE_PERCENT.native : WORKER_SHARE_PERCENT.browser;
      },
      "job.paid": (time, job, _wallet, worker, charged, _returned, paid, fee) => {
        if (paid === charged * share[worker]! && paid + fee === charged * 100) return;
        report(
          time,
          `job ${job}: of ${charged} units worker ${worker} got ${paid} hundredths and the treasury ${fee}, not ${share[worker]} % and the rest`,
        );
      },
    },
  };
};
