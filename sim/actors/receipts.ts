/**
 * Receipts: what a sealed block means to those who sent its transactions, and what it means that one was undone.
 */
import { invariant } from "../core/index.ts";
import {
  type Block,
  type ChainNames,
  type ChainPort,
  type ChainReader,
  type Outcome,
  REVERT,
  TX,
  type TxKind,
} from "../ledger/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import type { Gateway } from "./gateway.ts";
import type { JobTable } from "./job.ts";

export interface ReceiptsOptions {
  readonly trace: Trace<WorldKinds>;
  readonly jobs: JobTable;
  /** Where the chain has names of its own, they stand beside the events. */
  readonly names?: ChainNames | undefined;
  readonly gateway: () => Gateway;
  readonly port: () => ChainPort;
  /** Hears of stakes. */
  readonly staked?: ((worker: number) => void) | undefined;
}

/** Kinds whose subject is a job. */
const ABOUT_JOBS: ReadonlySet<TxKind> = new Set([
  TX.lock,
  TX.proof,
  TX.settle,
  TX.refund,
  TX.giveBack,
  TX.dispute,
  TX.verdict,
]);
/** What the gateway sends once more, with more gas. (A lock that fails ends its job instead.) */
const SENT_AGAIN: ReadonlySet<TxKind> = new Set([TX.proof, TX.settle, TX.refund, TX.giveBack, TX.dispute]);

/** Reads blocks, transaction by transaction. */
export class Receipts implements ChainReader {
  readonly #options: ReceiptsOptions;
  /** Transactions that were undone, with the outcomes that they had. */
  readonly #undone = new Map<number, Outcome>();

  constructor(options: ReceiptsOptions) {
    this.#options = options;
  }

  sealed(block: Block): void {
    const { trace, names } = this.#options;
    if (names !== undefined) trace.annotate("hash", names.blockHash(block.number));
    trace.emit(KIND["block.sealed"], block.number, block.count);
    for (let i = 0; i < block.count; i++) {
      if (this.#undone.size > 0 && this.#undone.has(block.tx[i]!)) this.#readAgain(block, i);
      else {
        // Nobody forgets a job while a block that speaks of it can be undone.
        if (block.revocable && ABOUT_JOBS.has(block.kind[i]!)) this.#options.jobs.at(block.subject[i]!).holds++;
        this.#read(block, i);
      }
    }
  }

  undone(block: Block): void {
    const { trace, jobs } = this.#options;
    const gateway = this.#options.gateway();
    trace.emit(KIND["block.undone"], block.number, block.count);
    for (let i = block.count - 1; i >= 0; i--) {
      const [tx, kind, subject] = [block.tx[i]!, block.kind[i]!, block.subject[i]!];
      this.#undone.set(tx, block.outcome[i]!);
      trace.emit(KIND["tx.undone"], tx, kind, subject);
      if (block.outcome[i] === REVERT.ok && ABOUT_JOBS.has(kind)) gateway.undone(kind, jobs.at(subject), tx);
    }
  }

  final(block: Block): void {
    const { jobs } = this.#options;
    for (let i = 0; i < block.count; i++) {
      if (ABOUT_JOBS.has(block.kind[i]!)) jobs.release(jobs.at(block.subject[i]!));
    }
  }

  resent(tx: number, lost: number, kind: TxKind, subject: number): void {
    this.#options.gateway().resent(kind, this.#options.jobs.at(subject), tx, lost);
  }

  /** Whether a transaction came before the one that it needs, which was lost or failed and is on its way again. */
  #early(kind: TxKind, subject: number, party: number): boolean {
    const { jobs } = this.#options;
    if (kind === TX.verdict) return jobs.at(subject).disputeTx !== 0 && !jobs.at(subject).disputeRecorded;
    if (kind === TX.slash) return jobs.at(party).disputeTx !== 0 && jobs.at(party).decided < 0;
    return false;
  }

  #readAgain(block: Block, i: number): void {
    const { trace, names, jobs } = this.#options;
    const [tx, kind, subject] = [block.tx[i]!, block.kind[i]!, block.subject[i]!];
    invariant(this.#undone.get(tx) === block.outcome[i], "what is sealed again in the same order comes out the same");
    this.#undone.delete(tx);
    if (names !== undefined) trace.annotate("hash", names.hash(tx));
    trace.emit(KIND["tx.resealed"], tx, kind, subject);
    if (block.outcome[i] === REVERT.ok && ABOUT_JOBS.has(kind)) {
      this.#options.gateway().resealed(kind, jobs.at(subject), tx);
    }
  }

  #read(block: Block, i: number): void {
    const { trace, names, jobs } = this.#options;
    const gateway = this.#options.gateway();
    const tx = block.tx[i]!;
    const kind = block.kind[i]!;
    const subject = block.subject[i]!;
    const amount = block.amount[i]!;
    const extra = block.extra[i]!;
    const outcome = block.outcome[i]!;
    const done = outcome === REVERT.ok;
    if (names !== undefined) trace.annotate("hash", names.hash(tx));
    if (!done) trace.emit(KIND["tx.reverted"], tx, kind, subject, outcome);
    if (outcome === REVERT.outOfGas && SENT_AGAIN.has(kind)) {
      this.resent(this.#options.port().submit(kind, subject, block.party[i]!, amount, extra), tx, kind, subject);
      return;
    }
    if (!done && this.#early(kind, subject, block.party[i]!)) {
      const again = this.#options.port().submit(kind, subject, block.party[i]!, amount, extra);
      trace.emit(KIND["tx.resent"], again, tx, kind, subject);
      return;
    }
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
        if (!done) break;
        trace.emit(KIND["stake.deposited"], subject, amount, tx);
        this.#options.staked?.(subject);
        break;
      case TX.unstake:
        if (done) trace.emit(KIND["stake.withdrawn"], subject, amount, tx);
        break;
    }
  }
}
