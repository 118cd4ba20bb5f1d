/**
 * A job's record, and the table of all of them.
 *
 * A job is named by its place in the table. A place is given again when the job has ended and nobody speaks of it any more, so memory does not
 * grow with the number of jobs finished; a table that retains its jobs never gives a place twice. `holds` counts who still speaks of the job:
 * transactions under way, a timer, a worker, a dispute that may come.
 */
import { invariant } from "../core/index.ts";
import type { JobStatus, JobView } from "../port.ts";
import type { Conduct } from "./adversaries/index.ts";

export class Job implements JobView {
  readonly job: number;
  /** Counts all jobs of the run. */
  number = 0;
  status: JobStatus = "pending";
  wallet = 0;
  model = 0;
  worker = -1;
  promptTokens = 0;
  outputTokens = 0;
  /** Tokens that the worker is going to make. */
  plannedTokens = 0;
  locked = 0;
  charged = 0;
  returned = 0;
  createdAt = 0;
  startedAt = -1;
  firstTokenAt = -1;
  lastTokenAt = -1;
  lastTokenDueAt = -1;
  completedAt = -1;
  lockTx = 0;
  proofTx = 0;
  settlementTx = 0;
  refundTx = 0;
  disputeTx = 0;
  honestProof = true;

  holds = 0;
  /** Units that the gateway's books have taken from the wallet for this job. */
  booked = 0;
  /** The 120-second timer. */
  deadline = 0;
  /** Whether its worker has a slot taken by it. */
  working = false;
  /** The worker's next step, 0 when none is due; when it is due, and which handler makes it. */
  step = 0;
  stepAt = 0;
  stepKind = 0;
  /** How long its first token was on its way to the gateway. */
  underWay = 0;
  /** How its worker cheats on it; undefined where it does not. */
  cheat: Conduct | undefined = undefined;
  /** Whether running the job again shows a fraud. */
  visible = false;
  /** The timer of its confirmations, 0 when none runs. */
  confirmation = 0;
  /** It was settled, and then its settlement was undone. */
  unsettled = false;
  /** The dispute is in a sealed block. */
  disputeRecorded = false;
  /** Its proof was refused by an audit, and the job fails as soon as the dispute is recorded. */
  refused = false;
  /** The arbiter's timer, 0 when none runs. */
  arbitration = 0;
  /** The sealed verdict: 1 fraudulent, 0 honest, -1 none. */
  decided = -1;
  /** Neighbours in the router's queue. */
  next: Job | undefined = undefined;
  previous: Job | undefined = undefined;
  queued = false;
  /** Place in the order of queueing. */
  ticket = 0;
  /** The place in the table is to be given again. */
  vacant = false;

  constructor(job: number) {
    this.job = job;
  }

  /** Whether the worker has made its last token or the job has ended: nothing is left for the deadline to interrupt. */
  get finished(): boolean {
    return this.lastTokenAt >= 0 || this.completedAt >= 0;
  }

  /** A transaction about it was lost, and another stands in its place. */
  renameTx(lost: number, tx: number): void {
    if (this.lockTx === lost) this.lockTx = tx;
    else if (this.proofTx === lost) this.proofTx = tx;
    else if (this.settlementTx === lost) this.settlementTx = tx;
    else if (this.refundTx === lost) this.refundTx = tx;
    else if (this.disputeTx === lost) this.disputeTx = tx;
  }
}

export class JobTable {
  /** Jobs opened so far. */
  opened = 0;
  readonly #retain: boolean;
  readonly #jobs: Job[] = [];
  readonly #free: number[] = [];

  constructor(retain: boolean) {
    this.#retain = retain;
  }

  /** A fresh record with no holds. */
  open(): Job {
    const free = this.#free.pop();
    const job = free === undefined ? new Job(this.#jobs.length) : this.#jobs[free]!;
    if (free === undefined) this.#jobs.push(job);
    else reset(job);
    job.vacant = false;
    job.number = this.opened++;
    return job;
  }

  at(job: number): Job {
    return this.#jobs[job]!;
  }

  find(job: number): Job | undefined {
    return this.#jobs[job];
  }

  /** Those that fulfil a condition, by place. Looks at every place: for what is rare. */
  filter(condition: (job: Job) => boolean): Job[] {
    return this.#jobs.filter((job) => !job.vacant && condition(job));
  }

  /** Places ever used: the most jobs that were spoken of at once. */
  get size(): number {
    return this.#jobs.length;
  }

  /** One party fewer speaks of the job. */
  release(job: Job): void {
    invariant(job.holds > 0, "a job is let go as often as it was held");
    job.holds--;
    if (job.holds > 0 || job.completedAt < 0 || job.vacant || this.#retain) return;
    job.vacant = true;
    this.#free.push(job.job);
  }
}

/** Fields that every job sets on its way before anyone reads them are left as they are. */
function reset(job: Job): void {
  job.status = "pending";
  job.worker = -1;
  job.outputTokens = 0;
  job.charged = 0;
  job.returned = 0;
  job.startedAt = -1;
  job.firstTokenAt = -1;
  job.lastTokenAt = -1;
  job.lastTokenDueAt = -1;
  job.completedAt = -1;
  job.proofTx = 0;
  job.settlementTx = 0;
  job.refundTx = 0;
  job.disputeTx = 0;
  job.honestProof = true;
  job.step = 0;
  job.confirmation = 0;
  job.unsettled = false;
  job.disputeRecorded = false;
  job.arbitration = 0;
  job.decided = -1;
}
