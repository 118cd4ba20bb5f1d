/**
 * A job is settled while its settlement is in a sealed block, and at no other time: where the service and the chain disagree, the chain is right
 * (1). After a reorganisation that undoes a settlement the job leaves `settled`; once it is sealed again the job comes back.
 */
import type { MakeChecker } from "./checker.ts";

/** A settlement, as the chain numbers its transactions. */
const SETTLEMENT = 3;

export const settledFollowsChain: MakeChecker = (report) => {
  /** By job: whether its settlement is in a sealed block, and whether it is told as settled. */
  const onChain: boolean[] = [];
  const told: boolean[] = [];
  const wasTold: boolean[] = [];
  /** Jobs whose settlement the reorganisation under way has undone. */
  const undone: number[] = [];
  const settles = (time: number, job: number): void => {
    if (onChain[job] !== true) report(time, `job ${job}: told as settled, while no block holds its settlement`);
    told[job] = true;
    wasTold[job] = true;
  };
  return {
    on: {
      "job.created": (_time, job) => {
        onChain[job] = false;
        told[job] = false;
        wasTold[job] = false;
      },
      "job.paid": (_time, job) => {
        onChain[job] = true;
      },
      "job.settled": settles,
      "job.resettled": settles,
      "job.unsettled": (time, job) => {
        if (told[job] !== true) report(time, `job ${job}: leaves settled without having been told so`);
        told[job] = false;
      },
      "tx.undone": (_time, _tx, transaction, subject) => {
        if (transaction !== SETTLEMENT || onChain[subject] !== true) return;
        onChain[subject] = false;
        undone.push(subject);
      },
      "tx.resealed": (_time, _tx, transaction, subject) => {
        if (transaction === SETTLEMENT) onChain[subject] = true;
      },
      "chain.reorganised": (time) => {
        for (const job of undone.splice(0)) {
          if (told[job] === true) report(time, `job ${job}: still told as settled, after its settlement was undone`);
        }
      },
    },
    finish: (time) => {
      for (let job = 0; job < onChain.length; job++) {
        if (wasTold[job] === true && told[job] !== true) {
          report(time, `job ${job}: was settled and never came back to it after its settlement was undone`);
        }
      }
    },
  };
};
