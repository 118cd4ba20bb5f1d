/**
 * The verifier: runs some of the jobs again before they are paid (4.1: escrow is released after the proof has passed verification).
 *
 * It audits a share of all proofs, drawn by its own dice, and takes its time over each; payment waits. It errs: a sound proof is refused as often
 * as the false-positive rate says, a fraud that can be seen passes as often as the false-negative rate says. A refusal is a dispute that comes
 * with its verdict: the worker is slashed, the client gets all units back, and nobody is paid.
 */
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import type { Gateway } from "./gateway.ts";
import type { Job, JobTable } from "./job.ts";
import { CHANCES } from "./worker.ts";

/** Probabilities are counted in `CHANCES`. */
export interface Verification {
  readonly auditRate: number;
  readonly falsePositive: number;
  readonly falseNegative: number;
  /** From the sealed proof to the result, microseconds. */
  readonly delay: Distribution;
  /** What an audit costs the network, hundredths of a unit. */
  readonly cost: number;
  /** Whether a worker found fraudulent, by audit or by verdict, is thrown out. */
  readonly expel: boolean;
}

/** Who may look at a proof before it is paid. */
export interface Inspection {
  /** The job's proof is in a sealed block. True: `audited` will be told later, and payment waits for it. */
  inspects(job: Job): boolean;
}

export class Verifier implements Inspection {
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #jobs: JobTable;
  readonly #gateway: Gateway;
  #settings: Verification;
  readonly #choices: Stream;
  readonly #errors: Stream;
  readonly #delays: Stream;
  readonly #done: number;

  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    jobs: JobTable,
    gateway: Gateway,
    settings: Verification,
    seed: string | number,
  ) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#jobs = jobs;
    this.#gateway = gateway;
    this.#settings = settings;
    this.#choices = stream(seed, "verifier", "choices");
    this.#errors = stream(seed, "verifier", "errors");
    this.#delays = stream(seed, "verifier", "delays");
    this.#done = kernel.handler((job) => this.#tell(jobs.at(job)));
  }

  /** It errs no more. */
  calm(): void {
    this.#settings = { ...this.#settings, falsePositive: 0, falseNegative: 0 };
  }

  inspects(job: Job): boolean {
    const { auditRate, delay } = this.#settings;
    if (this.#choices.below(CHANCES) >= auditRate) return false;
    job.holds++;
    this.#kernel.after(delay.draw(this.#delays), this.#done, job.job);
    return true;
  }

  #tell(job: Job): void {
    const { falsePositive, falseNegative, cost } = this.#settings;
    const error = this.#errors.below(CHANCES) < (job.visible ? falseNegative : falsePositive);
    const rejected = job.visible !== error;
    this.#trace.emit(KIND["audit.done"], job.job, job.worker, rejected ? 1 : 0, cost);
    this.#gateway.audited(job, !rejected);
    this.#jobs.release(job);
  }
}
