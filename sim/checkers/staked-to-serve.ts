/** A native worker has at least 1,000 tokens at stake when it takes a job (1). */
import { MINIMUM_NATIVE_STAKE } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const stakedToServe: MakeChecker = (report) => {
  const native: number[] = [];
  const stake: number[] = [];
  return {
    on: {
      "worker.registered": (_time, worker, isNative) => {
        native[worker] = isNative;
        stake[worker] = 0;
      },
      "stake.deposited": (_time, worker, tokens) => {
        stake[worker] = stake[worker]! + tokens;
      },
      "stake.withdrawn": (_time, worker, tokens) => {
        stake[worker] = stake[worker]! - tokens;
      },
      "stake.slashed": (_time, worker, tokens) => {
        stake[worker] = stake[worker]! - tokens;
      },
      "job.processing": (time, job, worker) => {
        if (native[worker] === 1 && stake[worker]! < MINIMUM_NATIVE_STAKE) {
          report(time, `worker ${worker}: took job ${job} with a stake of ${stake[worker]} tokens`);
        }
      },
    },
  };
};
