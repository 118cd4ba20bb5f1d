/**
 * The gateway: takes requests, locks their units, follows each job to its end, and sends the transactions that move its money.
 *
 *     arrival -> lock sent -> (sealed) pending -> processing -> first token -> last token, proof sent
 *             -> (sealed) settling, settlement sent -> (sealed, confirmed) settled
 *
 * A job whose worker drops out fails, one whose worker has not finished 120 s after its creation is refunded to the microsecond; both give all
 * units back. A completed job may be disputed; that moves no money unless the rules say so.
 */
import type { Kernel, Lane } from "../kernel/index.ts";
import { type ChainPort, type ChainSettings, TX, type TxKind } from "../ledger/index.ts";
import type { DisputeResult, ModelInfo } from "../port.ts";
import type { Rules } from "../rules.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { FAILED, REFUSED } from "../trace/kinds.ts";
import type { Arbitration } from "./arbiter.ts";
import { Books } from "./books.ts";
import { deaf, type Ears } from "./ears.ts";
import type { Job, JobTable } from "./job.ts";
import type { Router } from "./router.ts";
import type { Inspection } from "./verifier.ts";
import type { WorkerReports } from "./worker.ts";

/** What `submit` answers instead of a job. */
export const INSUFFICIENT_CREDITS = -1;
export const NO_WORKERS = -2;

export class Gateway implements WorkerReports {
  /** Set by the world. */
  router!: Router;
  arbiter!: Arbitration;
  verifier: Inspection | undefined = undefined;
  ears: Ears = deaf;
  readonly books = new Books();
  /** Units that the last submission needed. */
  required = 0;
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #chain: ChainPort;
  readonly #jobs: JobTable;
  readonly #rules: Rules;
  readonly #models: readonly ModelInfo[];
  readonly #deadlines: Lane;
  readonly #confirmations: Lane | undefined;

  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    chain: ChainPort,
    settings: ChainSettings,
    jobs: JobTable,
    rules: Rules,
    models: readonly ModelInfo[],
  ) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#chain = chain;
    this.#jobs = jobs;
    this.#rules = rules;
    this.#models = models;
    this.#deadlines = kernel.lane(
      rules.jobTimeout,
      kernel.handler((job) => this.#deadline(jobs.at(job))),
    );
    if (settings.confirmations > 0) {
      this.#confirmations = kernel.lane(
        settings.confirmations * settings.blockTime,
        kernel.handler((job) => this.#confirmed(jobs.at(job))),
      );
    }
  }

  // Wallets

  /** Opens a wallet with that many units, bought on the chain. Below the minimum purchase the rest is redeemed again. */
  openWallet(units: number, population = 0): number {
    const wallet = this.books.open();
    this.#trace.emit(KIND["wallet.opened"], wallet, population);
    if (units === 0) return wallet;
    const bought = Math.max(units, this.#rules.minimumPurchase);
    this.#chain.submit(TX.buy, wallet, 0, bought, 0);
    if (bought > units) this.#chain.submit(TX.withdraw, wallet, 0, bought - units, 1);
    this.books.move(wallet, units);
    this.books.toppedUp(wallet, this.#kernel.now);
    return wallet;
  }

  /** Buys units in the web app; they can be spent at once. */
  topUp(wallet: number, units: number): void {
    const { books } = this;
    this.#chain.submit(TX.buy, wallet, 0, units, 0);
    books.move(wallet, this.#rules.topUp(units));
    books.toppedUp(wallet, this.#kernel.now);
    this.ears.toppedUp(wallet, units, books.available(wallet));
  }

  // Requests

  /** @returns the job, or why there is none: `INSUFFICIENT_CREDITS` (then `required` says how many it takes) or `NO_WORKERS` */
  submit(wallet: number, model: number, promptTokens: number, outputTokens: number, maxTokens: number): number {
    const rules = this.#rules;
    const planned = maxTokens >= 0 ? Math.min(outputTokens, maxTokens) : outputTokens;
    const required = rules.estimate(this.#models[model]!.tier, maxTokens, planned);
    this.required = required;
    const before = this.books.available(wallet);
    if (!rules.covers(before, required)) {
      this.#trace.emit(KIND["request.refused"], wallet, model, REFUSED.insufficientCredits, required);
      return INSUFFICIENT_CREDITS;
    }
    if (this.router.hosts(model) === 0) {
      this.#trace.emit(KIND["request.refused"], wallet, model, REFUSED.noWorkers, 0);
      return NO_WORKERS;
    }
    const job = this.#jobs.open();
    job.wallet = wallet;
    job.model = model;
    job.promptTokens = promptTokens;
    job.plannedTokens = planned;
    job.locked = required;
    job.booked = required;
    job.createdAt = this.#kernel.now;
    // One hold for the transaction, one for the timer.
    job.holds = 2;
    job.lockTx = this.#chain.submit(TX.lock, job.job, wallet, required, job.number);
    job.deadline = this.#deadlines.start(job.job);
    this.#trace.emit(KIND["job.created"], job.job, job.number, wallet, model, promptTokens, required, job.lockTx);
    this.books.move(wallet, -required);
    const after = this.books.available(wallet);
    if (rules.lowCredit(before, after, rules.lowCreditThreshold)) {
      this.#trace.emit(KIND["credit.low"], wallet, after, rules.lowCreditThreshold);
      this.ears.lowCredit(wallet, after);
    }
    return job.job;
  }

  // What workers report

  taken(job: Job): void {
    job.status = "processing";
    job.startedAt = this.#kernel.now;
    this.#trace.emit(KIND["job.processing"], job.job, job.worker);
    this.ears.processing(job);
  }

  firstToken(job: Job): void {
    this.#trace.emit(KIND["job.firstToken"], job.job, job.worker);
    this.ears.firstToken(job);
  }

  lastToken(job: Job): void {
    job.lastTokenAt = this.#kernel.now;
    this.#stopDeadline(job);
    this.#trace.emit(KIND["job.lastToken"], job.job, job.worker, job.outputTokens);
    this.ears.lastToken(job);
  }

  dropped(job: Job): void {
    if (job.completedAt >= 0) return;
    job.returned = this.#rules.refundOnFailure(job.locked);
    this.#giveBack(job, TX.giveBack);
    this.#fail(job, FAILED.workerDropped);
  }

  registered(worker: number): void {
    this.ears.registered(worker);
  }

  // What the chain reports: the transaction is in a sealed block, or was reverted there

  lockSealed(job: Job, tx: number, done: boolean): void {
    if (done) {
      this.#trace.emit(KIND["job.locked"], job.job, job.wallet, job.locked, tx);
      if (job.completedAt < 0) {
        this.ears.locked(job);
        this.router.seek(job);
      }
    } else {
      this.books.move(job.wallet, job.booked);
      job.booked = 0;
      if (job.completedAt < 0) this.#fail(job, FAILED.lockReverted);
    }
    this.#jobs.release(job);
  }

  proofSealed(job: Job, tx: number, done: boolean): void {
    if (done) {
      this.#trace.emit(KIND["job.settling"], job.job, job.worker, job.honestProof ? 1 : 0, tx);
      if (job.status === "processing") job.status = "settling";
      if (this.verifier?.inspects(job) !== true) this.#settle(job);
    }
    this.#jobs.release(job);
  }

  /** An audit has ended. A refused proof goes to the chain as a dispute with its verdict; the job fails when that is recorded, as of units given back the escrow hears none. */
  audited(job: Job, sound: boolean): void {
    // Too late to be heard, the refusal comes to nothing.
    const heard = !sound && (job.disputeTx !== 0 || this.dispute(job, true).ok);
    if (!heard) {
      this.#settle(job);
      return;
    }
    this.arbiter.decide(job, true);
    if (job.disputeRecorded) this.#refuse(job);
    else job.refused = true;
  }

  settlementSealed(
    job: Job,
    tx: number,
    done: boolean,
    charged: number,
    returned: number,
    paid: number,
    fee: number,
  ): void {
    if (done) {
      this.#trace.emit(KIND["job.paid"], job.job, job.wallet, job.worker, charged, returned, paid, fee, tx);
      this.books.move(job.wallet, returned);
      job.booked = 0;
      job.charged = charged;
      job.returned = returned;
      this.#confirm(job);
    }
    this.#jobs.release(job);
  }

  returnSealed(job: Job, tx: number, done: boolean, units: number): void {
    if (done) this.#trace.emit(KIND["job.returned"], job.job, job.wallet, units, tx);
    this.#jobs.release(job);
  }

  purchaseSealed(wallet: number, tx: number, done: boolean, units: number): void {
    if (done) this.#trace.emit(KIND["units.bought"], wallet, units, tx);
    else this.books.move(wallet, -this.#rules.topUp(units));
  }

  /** `known`: the books have counted it already. */
  withdrawalSealed(wallet: number, tx: number, done: boolean, units: number, known: boolean): void {
    if (!done) return;
    this.#trace.emit(KIND["units.redeemed"], wallet, units, tx);
    if (!known) this.books.move(wallet, -units);
  }

  // Disputes

  /** Section 4.7; `hashesDiffer`: the client's hash is not the one that the worker posted. */
  dispute(job: Job, hashesDiffer: boolean): DisputeResult {
    const rules = this.#rules;
    // Before the proof is on-chain there is nothing to compare with.
    if (job.status !== "settling" && job.status !== "settled" && job.status !== "disputed") {
      return { ok: false, error: "not_completed" };
    }
    if (!rules.mayDispute(this.#kernel.now, job.lastTokenAt, rules.disputeWindow)) {
      return { ok: false, error: "window_expired" };
    }
    if (job.disputeTx !== 0) return { ok: false, error: "already_disputed" };
    if (!rules.opensDispute(hashesDiffer)) return { ok: true, opened: false, tx: 0 };
    job.status = "disputed";
    // One hold for the transaction, one until the verdict.
    job.holds += 2;
    job.disputeTx = this.#chain.submit(TX.dispute, job.job, 0, 0, 0);
    this.#trace.emit(KIND["job.disputed"], job.job, job.worker, job.disputeTx);
    this.arbiter.open(job);
    this.ears.disputed(job);
    return { ok: true, opened: true, tx: job.disputeTx };
  }

  disputeSealed(job: Job, tx: number, done: boolean): void {
    if (done) {
      job.disputeRecorded = true;
      this.#trace.emit(KIND["dispute.recorded"], job.job, tx);
    }
    if (job.refused) this.#refuse(job);
    this.#jobs.release(job);
  }

  verdictSealed(job: Job, tx: number, done: boolean, units: number, fraudulent: boolean): void {
    if (done) {
      this.#trace.emit(KIND["dispute.decided"], job.job, job.worker, fraudulent ? 1 : 0, units, tx);
      this.books.move(job.wallet, units);
      job.decided = fraudulent ? 1 : 0;
      if (job.completedAt >= 0 && job.status === "disputed") job.status = this.#rules.statusAfterVerdict(fraudulent);
    }
    this.#jobs.release(job);
  }

  slashSealed(worker: number, job: number, tx: number, done: boolean, tokens: number): void {
    if (!done) return;
    this.#trace.emit(KIND["stake.slashed"], worker, tokens, job, tx);
    this.ears.slashed(worker, job, tokens, tx);
  }

  // The ends of a job

  #refuse(job: Job): void {
    job.refused = false;
    job.returned = this.#rules.refundOnFailure(job.locked);
    this.#giveBack(job, TX.giveBack);
    this.#fail(job, FAILED.proofRejected);
  }

  #settle(job: Job): void {
    const rules = this.#rules;
    const charged = rules.charge(this.#models[job.model]!.tier, job.outputTokens);
    const returned = rules.difference(job.locked, charged);
    for (let i = 0; i < rules.settlementsPerJob; i++) {
      job.holds++;
      job.settlementTx = this.#chain.submit(TX.settle, job.job, job.worker, charged, returned);
    }
  }

  // What a troubled chain reports: the transaction is in no block any more, is in one again, or has another number

  undone(kind: TxKind, job: Job, tx: number): void {
    if (kind === TX.proof && job.status === "settling") job.status = "processing";
    if (kind !== TX.settle || job.settlementTx !== tx) return;
    if (this.#kernel.cancel(job.confirmation)) this.#jobs.release(job);
    job.confirmation = 0;
    if (job.completedAt < 0 || !this.#rules.followsChain) return;
    if (job.status === "settled") job.status = "settling";
    job.completedAt = -1;
    job.unsettled = true;
    this.#trace.emit(KIND["job.unsettled"], job.job, tx);
  }

  resealed(kind: TxKind, job: Job, tx: number): void {
    if (kind === TX.proof && job.status === "processing") job.status = "settling";
    if (kind !== TX.settle || job.settlementTx !== tx || job.completedAt >= 0) return;
    this.#confirm(job);
  }

  resent(kind: TxKind, job: Job, tx: number, lost: number): void {
    job.renameTx(lost, tx);
    this.#trace.emit(KIND["tx.resent"], tx, lost, kind, job.job);
  }

  /** The settlement is sealed: confirmations are waited for, where there are any. */
  #confirm(job: Job): void {
    if (this.#confirmations === undefined) this.#settled(job);
    else {
      job.holds++;
      job.confirmation = this.#confirmations.start(job.job);
    }
  }

  #confirmed(job: Job): void {
    job.confirmation = 0;
    this.#settled(job);
    this.#jobs.release(job);
  }

  #settled(job: Job): void {
    if (job.status === "settling") job.status = "settled";
    else if (job.decided >= 0) job.status = this.#rules.statusAfterVerdict(job.decided === 1);
    job.completedAt = this.#kernel.now;
    if (job.unsettled) {
      // Whoever waited has been told already.
      job.unsettled = false;
      this.#trace.emit(KIND["job.resettled"], job.job);
      return;
    }
    this.#trace.emit(KIND["job.settled"], job.job);
    this.ears.settled(job);
  }

  #deadline(job: Job): void {
    if (this.#rules.refundsAtDeadline(job.finished)) this.#refund(job);
    this.#jobs.release(job);
  }

  #refund(job: Job): void {
    job.status = "refunded";
    job.completedAt = this.#kernel.now;
    job.returned = this.#rules.refundOnTimeout(job.locked);
    this.#giveBack(job, TX.refund);
    this.#trace.emit(KIND["job.refunded"], job.job, job.worker, job.returned, job.refundTx);
    this.ears.refunded(job);
    this.router.abandon(job);
  }

  #fail(job: Job, reason: number): void {
    job.status = "failed";
    job.completedAt = this.#kernel.now;
    this.#stopDeadline(job);
    this.#trace.emit(KIND["job.failed"], job.job, job.worker, reason, job.returned, job.refundTx);
    this.ears.failed(job);
  }

  /** The books count the units at once; the chain follows. */
  #giveBack(job: Job, kind: typeof TX.refund | typeof TX.giveBack): void {
    if (job.booked > 0) this.books.move(job.wallet, job.returned);
    job.booked = 0;
    job.holds++;
    job.refundTx = this.#chain.submit(kind, job.job, 0, job.returned, 0);
  }

  #stopDeadline(job: Job): void {
    if (this.#rules.endStopsTimer && this.#kernel.cancel(job.deadline)) this.#jobs.release(job);
  }
}
