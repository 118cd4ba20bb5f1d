/** Each lock in escrow ends in exactly one payment or one return (4.1). */
import type { MakeChecker } from "./checker.ts";

const FREE = 0;
const HELD = 1;
const ENDED = 2;

export const locksEndOnce: MakeChecker = (report) => {
  const state: number[] = [];
  const end = (time: number, job: number, how: string): void => {
    if (state[job] !== HELD) {
      const seen = state[job] === ENDED ? "had ended before" : "did not exist";
      report(time, `job ${job}: ${how} a lock that ${seen}`);
    }
    state[job] = ENDED;
  };
  return {
    on: {
      "job.created": (time, job) => {
        if (state[job] === HELD) report(time, `job ${job}: forgotten while its lock is held`);
        state[job] = FREE;
      },
      "job.locked": (time, job) => {
        if (state[job] !== FREE) report(time, `job ${job}: locked twice`);
        state[job] = HELD;
      },
      "job.paid": (time, job) => end(time, job, "payment from"),
      "job.returned": (time, job) => end(time, job, "return of"),
    },
    finish: (time) => {
      for (let job = 0; job < state.length; job++) {
        if (state[job] === HELD) report(time, `job ${job}: its lock never ended`);
      }
    },
  };
};
