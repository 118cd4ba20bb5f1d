/**
 * The arbiter: decides each dispute when the arbitration window ends, right as often as its accuracy says, unless somebody decides it before.
 */
import { MINUTE, type Stream, stream } from "../core/index.ts";
import type { Kernel, Lane } from "../kernel/index.ts";
import { type ChainPort, TX } from "../ledger/index.ts";
import type { Rules } from "../rules.ts";
import type { Job, JobTable } from "./job.ts";
import { CHANCES, type Workers } from "./worker.ts";

/** Between two looks for a dispute that is not on the chain yet. */
const PATIENCE = MINUTE;

/** Where disputes go. */
export interface Arbitration {
  open(job: Job): void;
  /** Ends the arbitration of a job. */
  decide(job: Job, fraudulent: boolean): boolean;
}

export class Arbiter implements Arbitration {
  readonly #kernel: Kernel;
  readonly #chain: ChainPort;
  readonly #workers: Workers;
  readonly #rules: Rules;
  readonly #accuracy: number;
  readonly #expels: boolean;
  readonly #dice: Stream;
  readonly #hearing: number;
  readonly #hearings: Lane;

  /**
   * @param accuracy probability of a right verdict, counted in `CHANCES`
   * @param expels whether a worker found fraudulent is thrown out
   */
  constructor(
    kernel: Kernel,
    chain: ChainPort,
    jobs: JobTable,
    workers: Workers,
    rules: Rules,
    seed: string | number,
    accuracy: number,
    expels: boolean,
  ) {
    this.#kernel = kernel;
    this.#chain = chain;
    this.#workers = workers;
    this.#rules = rules;
    this.#accuracy = accuracy;
    this.#expels = expels;
    this.#dice = stream(seed, "arbiter", "verdicts");
    this.#hearing = kernel.handler((job) => this.#hear(jobs.at(job)));
    this.#hearings = kernel.lane(rules.arbitration, this.#hearing);
  }

  open(job: Job): void {
    job.arbitration = this.#hearings.start(job.job);
  }

  /** Ends the arbitration of a job. False where none runs. */
  decide(job: Job, fraudulent: boolean): boolean {
    if (job.arbitration === 0) return false;
    this.#kernel.cancel(job.arbitration);
    job.arbitration = 0;
    const compensation = this.#rules.compensation(fraudulent, job.charged);
    this.#chain.submit(TX.verdict, job.job, job.worker, compensation, fraudulent ? 1 : 0);
    if (!fraudulent) return true;
    this.#workers.found(job.worker, job);
    if (this.#expels) this.#workers.expel(job.worker);
    // What another slash on its way will leave is not known to the chain yet, so it is counted here.
    const tokens = this.#rules.slash(this.#workers.all[job.worker]!.stake);
    if (tokens === 0) return true;
    this.#chain.submit(TX.slash, job.worker, job.job, tokens, 0);
    this.#workers.slashed(job.worker, tokens);
    return true;
  }

  #hear(job: Job): void {
    // The escrow hears no verdict on a dispute that it does not know: one whose transaction was lost on its way is waited for.
    if (!job.disputeRecorded) {
      job.arbitration = this.#kernel.after(PATIENCE, this.#hearing, job.job);
      return;
    }
    const right = this.#dice.below(CHANCES) < this.#accuracy;
    this.decide(job, right === job.visible);
  }
}
