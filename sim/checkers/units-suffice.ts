/**
 * A request is refused for lack of units only where they lack, and a lock that the chain refuses was overtaken by a withdrawal, or has
 * overtaken units that are on their way back to its wallet and count already (7.2, 7.3, 1).
 *
 * What a wallet can surely spend is what the chain says, less the locks that are sent and not sealed: purchases and refunds on their way only add.
 */
import type { MakeChecker } from "./checker.ts";

/** As the trace numbers them: `REFUSED.insufficientCredits`, `FAILED.lockReverted`. */
const INSUFFICIENT = 1;
const LOCK_REVERTED = 2;
/** One of the ledger's reasons. */
const OUT_OF_GAS = 16;

export const unitsSuffice: MakeChecker = (report) => {
  const sure: number[] = [];
  const redeemedAt: number[] = [];
  /** By wallet: units that were said to come back and are not sealed yet. */
  const back: number[] = [];
  const walletOf: number[] = [];
  const unitsOf: number[] = [];
  const lockOf: number[] = [];
  const createdAt: number[] = [];
  /** Whether the lock was refused for want of gas, whatever the wallet had. */
  const starved: boolean[] = [];
  const move = (wallet: number, units: number): void => {
    sure[wallet] = sure[wallet]! + units;
  };
  return {
    on: {
      "wallet.opened": (_time, wallet) => {
        sure[wallet] = 0;
        redeemedAt[wallet] = -1;
        back[wallet] = 0;
      },
      "units.bought": (_time, wallet, units) => move(wallet, units),
      "units.redeemed": (time, wallet, units) => {
        redeemedAt[wallet] = time;
        move(wallet, -units);
      },
      "job.created": (time, job, _number, wallet, _model, _prompt, units, tx) => {
        walletOf[job] = wallet;
        unitsOf[job] = units;
        lockOf[job] = tx;
        createdAt[job] = time;
        starved[job] = false;
        move(wallet, -units);
      },
      "tx.resent": (_time, tx, lost, _transaction, subject) => {
        if (lockOf[subject] === lost) lockOf[subject] = tx;
      },
      "tx.reverted": (_time, tx, _transaction, subject, reason) => {
        if (lockOf[subject] !== tx) return;
        move(walletOf[subject]!, unitsOf[subject]!);
        starved[subject] = reason === OUT_OF_GAS;
      },
      "job.failed": (time, job, _worker, reason, units) => {
        const wallet = walletOf[job]!;
        back[wallet] = back[wallet]! + units;
        const overtaken = redeemedAt[wallet]! >= createdAt[job]! || back[wallet]! > 0;
        if (reason === LOCK_REVERTED && !starved[job] && !overtaken) {
          report(
            time,
            `job ${job}: taken although wallet ${walletOf[job]} lacked the ${unitsOf[job]} units, and none were redeemed since`,
          );
        }
      },
      "job.paid": (_time, _job, wallet, _worker, _charged, returned) => move(wallet, returned),
      "job.refunded": (_time, job, _worker, units) => {
        back[walletOf[job]!] = back[walletOf[job]!]! + units;
      },
      "job.returned": (_time, _job, wallet, units) => {
        back[wallet] = back[wallet]! - units;
        move(wallet, units);
      },
      "dispute.decided": (_time, job, _worker, _fraudulent, units) => move(walletOf[job]!, units),
      "request.refused": (time, wallet, _model, reason, required) => {
        if (reason === INSUFFICIENT && sure[wallet]! >= required) {
          report(time, `wallet ${wallet}: refused for lack of ${required} units, with ${sure[wallet]} to spend`);
        }
      },
    },
  };
};
