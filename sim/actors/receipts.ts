/**
 * Receipts: what a sealed block means to those who sent its transactions.
 */
import { type Block, type ChainNames, REVERT, TX } from "../ledger/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import type { Gateway } from "./gateway.ts";
import type { JobTable } from "./job.ts";

/** Reads a sealed block, transaction by transaction. Where the chain has names of its own, they stand beside the events. */
export function readReceipts(
  block: Block,
  trace: Trace<WorldKinds>,
  gateway: Gateway,
  jobs: JobTable,
  names?: ChainNames | undefined,
): void {
  if (names !== undefined) trace.annotate("hash", names.blockHash(block.number));
  trace.emit(KIND["block.sealed"], block.number, block.count);
  for (let i = 0; i < block.count; i++) {
    const tx = block.tx[i]!;
    const kind = block.kind[i]!;
    const subject = block.subject[i]!;
    const amount = block.amount[i]!;
    const extra = block.extra[i]!;
    const done = block.outcome[i] === REVERT.ok;
    if (names !== undefined) trace.annotate("hash", names.hash(tx));
    if (!done) trace.emit(KIND["tx.reverted"], tx, kind, subject, block.outcome[i]!);
    switch (kind) {
      case TX.lock:
        gateway.lockSealed(jobs.at(subject), tx, done);
        break;
      case TX.proof:
        gateway.proofSealed(jobs.at(subject), tx, done);
        break;
      case TX.settle:
        gateway.settlementSealed(jobs.at(subject), tx, done, amount, extra, block.paid[i]!, block.fee[i]!);
        break;
      case TX.refund:
      case TX.giveBack:
        gateway.returnSealed(jobs.at(subject), tx, done, amount);
        break;
      case TX.buy:
        gateway.purchaseSealed(subject, tx, done, amount);
        break;
      case TX.withdraw:
        gateway.withdrawalSealed(subject, tx, done, amount, extra === 1);
        break;
      case TX.dispute:
        gateway.disputeSealed(jobs.at(subject), tx, done);
        break;
      case TX.verdict:
        gateway.verdictSealed(jobs.at(subject), tx, done, amount, extra === 1);
        break;
      case TX.slash:
        gateway.slashSealed(subject, block.party[i]!, tx, done, amount);
        break;
      case TX.stake:
        if (done) trace.emit(KIND["stake.deposited"], subject, amount, tx);
        break;
      case TX.unstake:
        if (done) trace.emit(KIND["stake.withdrawn"], subject, amount, tx);
        break;
    }
  }
}
