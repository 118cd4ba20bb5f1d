/** A job whose worker has not finished 120 s after its creation is refunded then, not before and not later, and in full (3.1, 4.1). */
import { micros } from "../../fixtures/protocol/limits.ts";
import type { MakeChecker } from "./checker.ts";

export const refundOnTime: MakeChecker = (report) => {
  const createdAt: number[] = [];
  const units: number[] = [];
  /** 1 while nothing has stopped the clock. */
  const running: number[] = [];
  /** By how much the gateway's clock may misjudge the 120 s; a true one does not. */
  let skew = 0;
  return {
    on: {
      "clock.skewed": (_time, timeout) => {
        skew = timeout;
      },
      "job.created": (time, job, _number, _wallet, _model, _prompt, locked) => {
        createdAt[job] = time;
        units[job] = locked;
        running[job] = 1;
      },
      "job.lastToken": (time, job) => {
        running[job] = 0;
        const age = time - createdAt[job]!;
        if (age > micros.jobTimeout + skew)
          report(time, `job ${job}: still running ${age} us after its creation, and no refund`);
      },
      "job.failed": (_time, job) => {
        running[job] = 0;
      },
      "job.refunded": (time, job, _worker, returned) => {
        const age = time - createdAt[job]!;
        if (running[job] !== 1) report(time, `job ${job}: refunded although it had finished`);
        if (Math.abs(age - micros.jobTimeout) > skew)
          report(time, `job ${job}: refunded ${age} us after its creation, not ${micros.jobTimeout}`);
        if (returned !== units[job]) report(time, `job ${job}: ${returned} units refunded of ${units[job]} locked`);
        running[job] = 0;
      },
    },
    finish: (time) => {
      for (let job = 0; job < running.length; job++) {
        if (running[job] === 1 && time - createdAt[job]! > micros.jobTimeout) {
          report(time, `job ${job}: neither finished nor refunded`);
        }
      }
    },
  };
};
