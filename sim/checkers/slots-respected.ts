/** A worker runs no more jobs at once than it has slots, none after it has left, and lets go only of what it holds. */
import type { MakeChecker } from "./checker.ts";

const NOBODY = -1;

export const slotsRespected: MakeChecker = (report) => {
  const slots: number[] = [];
  const busy: number[] = [];
  const left: boolean[] = [];
  const holder: number[] = [];
  return {
    on: {
      "worker.registered": (_time, worker, _native, count) => {
        slots[worker] = count;
        busy[worker] = 0;
        left[worker] = false;
      },
      "worker.left": (_time, worker) => {
        left[worker] = true;
      },
      "job.created": (_time, job) => {
        holder[job] = NOBODY;
      },
      "job.processing": (time, job, worker) => {
        if (left[worker]) report(time, `worker ${worker}: took job ${job} after it had left`);
        if (++busy[worker]! > slots[worker]!) {
          report(time, `worker ${worker}: ${busy[worker]} jobs at once, with ${slots[worker]} slots`);
        }
        holder[job] = worker;
      },
      "slot.freed": (time, worker, job) => {
        if (holder[job] !== worker) report(time, `worker ${worker}: let go of job ${job}, which it does not hold`);
        holder[job] = NOBODY;
        busy[worker]!--;
      },
    },
    finish: (time) => {
      for (let worker = 0; worker < busy.length; worker++) {
        if (busy[worker]! > 0) report(time, `worker ${worker}: ${busy[worker]} slots taken for ever`);
      }
    },
  };
};
