/** A dispute is heard within 60 s of the last token of a completed job, once, and decided when its 24 hours have passed or before (3.1, 4.7). */
import { micros } from "../../fixtures/protocol/limits.ts";
import { HOUR } from "../core/index.ts";
import type { MakeChecker } from "./checker.ts";

const NEVER = -1;

/** What a verdict may take to reach the chain. */
const GRACE = HOUR;

export const disputeWindow: MakeChecker = (report) => {
  const lastTokenAt: number[] = [];
  const disputedAt: number[] = [];
  const open = new Set<number>();
  /** By how much the gateway's clock may misjudge the 60 s; a true one does not. */
  let skew = 0;
  return {
    on: {
      "clock.skewed": (_time, _timeout, window) => {
        skew = window;
      },
      "job.created": (_time, job) => {
        lastTokenAt[job] = NEVER;
        disputedAt[job] = NEVER;
      },
      "job.lastToken": (time, job) => {
        lastTokenAt[job] = time;
      },
      "job.disputed": (time, job) => {
        const last = lastTokenAt[job]!;
        if (last === NEVER) report(time, `job ${job}: disputed before it was complete`);
        else if (time - last > micros.disputeWindow + skew) {
          report(
            time,
            `job ${job}: disputed ${time - last} us after its last token, not within ${micros.disputeWindow}`,
          );
        }
        if (disputedAt[job] !== NEVER) report(time, `job ${job}: disputed twice`);
        disputedAt[job] = time;
        open.add(job);
      },
      "dispute.decided": (time, job) => {
        if (!open.delete(job)) report(time, `job ${job}: a verdict without a dispute`);
        else if (time - disputedAt[job]! > micros.arbitrationWindow + GRACE) {
          report(time, `job ${job}: decided ${time - disputedAt[job]!} us after the dispute`);
        }
      },
    },
    finish: (time) => {
      for (const job of open) {
        if (time - disputedAt[job]! > micros.arbitrationWindow)
          report(time, `job ${job}: its dispute was never decided`);
      }
    },
  };
};
