/** What the gateway says it has sent is sealed or reverted by the chain, and settlements, refunds and verdicts of good locks are not reverted. */
import type { MakeChecker } from "./checker.ts";

/** By job: the transaction that has no answer yet, 0 where there is none. */
type Pending = number[];

export const transactionsAnswered: MakeChecker = (report) => {
  const lock: Pending = [];
  const back: Pending = [];
  const dispute: Pending = [];
  /** Whether units are in escrow for the job: only then must a return succeed. */
  const held: boolean[] = [];
  const names: readonly (readonly [Pending, string])[] = [
    [lock, "lock"],
    [back, "return"],
    [dispute, "dispute"],
  ];
  const gone = (time: number, pending: Pending, job: number, tx: number, what: string): void => {
    if (pending[job] !== tx) report(time, `job ${job}: ${what} sealed as transaction ${tx}, which nobody sent for it`);
    pending[job] = 0;
  };
  return {
    on: {
      "job.created": (time, job, _number, _wallet, _model, _prompt, _units, tx) => {
        for (const [pending, name] of names) {
          if ((pending[job] ?? 0) !== 0) report(time, `job ${job}: forgotten before its ${name} was answered`);
          pending[job] = 0;
        }
        lock[job] = tx;
        held[job] = false;
      },
      "job.locked": (time, job, _wallet, _units, tx) => {
        gone(time, lock, job, tx, "its lock");
        held[job] = true;
      },
      "job.failed": (_time, job, _worker, _reason, _units, tx) => {
        back[job] = tx;
      },
      "job.refunded": (_time, job, _worker, _units, tx) => {
        back[job] = tx;
      },
      "job.returned": (time, job, _wallet, _units, tx) => {
        gone(time, back, job, tx, "its return");
        held[job] = false;
      },
      "job.paid": (_time, job) => {
        held[job] = false;
      },
      "job.disputed": (_time, job, _worker, tx) => {
        dispute[job] = tx;
      },
      "dispute.recorded": (time, job, tx) => gone(time, dispute, job, tx, "its dispute"),
      "tx.resent": (_time, tx, lost, _transaction, subject) => {
        for (const [pending] of names) if (pending[subject] === lost) pending[subject] = tx;
      },
      "tx.reverted": (time, tx, transaction, subject, reason) => {
        // Not the world's fault: what is sent again is told next, and a lock ends its job.
        if (reason === OUT_OF_GAS && transaction !== LOCK) return;
        if (lock[subject] === tx) lock[subject] = 0;
        else if (back[subject] === tx) {
          back[subject] = 0;
          if (held[subject]) report(time, `job ${subject}: its return was reverted, with its units in escrow`);
        } else if (dispute[subject] === tx) {
          dispute[subject] = 0;
          report(time, `job ${subject}: its dispute was reverted`);
        } else if (transaction === VERDICT && dispute[subject] !== 0) {
          // The dispute was lost and is on its way again; so is the verdict, which came before it.
          return;
        } else if (SETTLING.includes(transaction)) {
          report(time, `job ${subject}: its ${transaction === SETTLING[0] ? "settlement" : "verdict"} was reverted`);
        }
      },
    },
    finish: (time) => {
      for (const [pending, name] of names) {
        for (let job = 0; job < pending.length; job++) {
          if (pending[job] !== 0) report(time, `job ${job}: its ${name} was sent and never answered`);
        }
      }
    },
  };
};

const LOCK = 1;
/** A reason of the ledger's. */
const OUT_OF_GAS = 16;
/** Settlement and verdict, as the chain numbers its transactions. */
const VERDICT = 7;
const SETTLING = [3, VERDICT];
