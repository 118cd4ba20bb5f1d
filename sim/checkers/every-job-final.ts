/** Every job ends, once, as settled, failed or refunded (3.1); what a stuck job waits for is named. */
import type { MakeChecker } from "./checker.ts";

const STAGES = ["its lock", "a worker", "its first token", "its last token", "its proof", "its settlement", "nothing"];
const FINAL = 6;

export const everyJobFinal: MakeChecker = (report) => {
  const stage: number[] = [];
  const reach =
    (reached: number) =>
    (_time: number, job: number): void => {
      if (stage[job] !== FINAL) stage[job] = reached;
    };
  const end = (time: number, job: number): void => {
    if (stage[job] === FINAL) report(time, `job ${job}: ended twice`);
    stage[job] = FINAL;
  };
  return {
    on: {
      "job.created": (time, job) => {
        if (stage[job] !== undefined && stage[job] !== FINAL) report(time, `job ${job}: forgotten before its end`);
        stage[job] = 0;
      },
      "job.locked": reach(1),
      "job.processing": reach(2),
      "job.firstToken": reach(3),
      "job.lastToken": reach(4),
      "job.settling": reach(5),
      "job.settled": end,
      "job.failed": end,
      "job.refunded": end,
    },
    finish: (time) => {
      for (let job = 0; job < stage.length; job++) {
        if (stage[job] !== FINAL) report(time, `job ${job}: not final, it waits for ${STAGES[stage[job]!]}`);
      }
    },
  };
};
