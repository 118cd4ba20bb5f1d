/** Jobs of one model come to workers in the order in which their locks were sealed: nobody is overtaken while waiting. */
import type { MakeChecker } from "./checker.ts";

/** Jobs of one model in the order of their locks. Those that wait no more are dropped when they come up. */
interface Line {
  jobs: number[];
  tickets: number[];
  first: number;
}

const ENDED = -1;
/** Passed places kept at the front of a line before it is cut. */
const SLACK = 1_024;

export const firstComeFirstServed: MakeChecker = (report) => {
  const lines: Line[] = [];
  const modelOf: number[] = [];
  /** The place in the order of locks while the job waits, 0 before and while it runs, `ENDED` after. */
  const ticket: number[] = [];
  let tickets = 0;
  const leave = (_time: number, job: number): void => {
    ticket[job] = ENDED;
  };
  return {
    on: {
      "model.listed": (_time, model) => {
        lines[model] = { jobs: [], tickets: [], first: 0 };
      },
      "job.created": (_time, job, _number, _wallet, model) => {
        modelOf[job] = model;
        ticket[job] = 0;
      },
      "job.locked": (_time, job) => {
        // A slow chain may seal the lock of a job that has timed out meanwhile: nobody waits for a worker then.
        if (ticket[job] === ENDED) return;
        const line = lines[modelOf[job]!]!;
        ticket[job] = ++tickets;
        line.jobs.push(job);
        line.tickets.push(tickets);
      },
      "job.processing": (time, job) => {
        const line = lines[modelOf[job]!]!;
        while (line.first < line.jobs.length && ticket[line.jobs[line.first]!] !== line.tickets[line.first])
          line.first++;
        const next = line.jobs[line.first];
        if (next !== undefined && next !== job && ticket[job]! > 0) {
          report(time, `job ${job}: came to a worker before job ${next}, which has waited longer for the same model`);
        }
        ticket[job] = 0;
        if (line.first > SLACK) {
          line.jobs.splice(0, line.first);
          line.tickets.splice(0, line.first);
          line.first = 0;
        }
      },
      "job.failed": leave,
      "job.refunded": leave,
    },
  };
};
