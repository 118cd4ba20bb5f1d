/**
 * Workers: take a job, make its tokens, post the proof.
 *
 * What tells browser from native workers stands in `browser-worker.ts` and `native-worker.ts`; how fast a worker is and how it fails is data of
 * its class. The behaviour set for a model (test controls) goes before that of the class.
 */
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { type ChainPort, TX } from "../ledger/index.ts";
import type { Rules, WorkerKind } from "../rules.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import type { Conduct, Rejoining } from "./adversaries/index.ts";
import type { Job, JobTable } from "./job.ts";
import type { Assignment, Router } from "./router.ts";
import type { Candidate } from "./routing/index.ts";

/** Workers that are alike. Probabilities are counted in `CHANCES`. */
export interface WorkerClass {
  readonly kind: WorkerKind;
  readonly models: readonly number[];
  /** Jobs that one worker runs at once. */
  readonly slots: number;
  /** Tokens staked on joining. */
  readonly stake: number;
  /** Microseconds to the first token, and further microseconds for each token of the prompt. */
  readonly firstToken: Distribution;
  readonly promptTokenTime: number;
  /** Microseconds between output tokens, drawn once a job. */
  readonly tokenTime: Distribution;
  /** Where given, the whole time at the worker, whatever the tokens. */
  readonly service?: Distribution | undefined;
  /** Posts a proof that is not the hash of what it delivers. */
  readonly dishonest: number;
  /** Takes a job and never finishes. */
  readonly silent: number;
  /** Takes a job and drops it. */
  readonly failing: number;
  /** Whether a worker goes on with a job that timed out; its slot stays taken until the end, and it is not paid. */
  readonly worksLate: boolean;
  /** Its place in the scenario, where the scenario names its classes. */
  readonly label?: number | undefined;
  /** What work costs it, in hundredths of a unit: for each job that it takes, and for each thousand tokens that it makes. */
  readonly cost?: { readonly perJob: number; readonly perThousandTokens: number } | undefined;
  /** How it cheats, and how often. */
  readonly cheats?: { readonly conduct: Conduct; readonly share: number } | undefined;
  /** Thrown out, it comes back under a new face. */
  readonly rejoins?: Rejoining | undefined;
}

/** A probability of 1. */
export const CHANCES = 1_000_000_000;

/** What a class is without its faults. */
const HONEST = { dishonest: 0, silent: 0, failing: 0, cheats: undefined } as const;

export class Worker implements Candidate {
  readonly id: number;
  readonly kind: WorkerKind;
  class: WorkerClass;
  readonly models: readonly number[];
  readonly slots: number;
  readonly firstToken: number;
  readonly tokenTime: number;
  readonly speed: Stream;
  readonly honesty: Stream;
  readonly reliability: Stream;
  /** Of those that cheat only. */
  readonly temptation: Stream | undefined;
  busy = 0;
  active = false;
  /** Whether the router lists it as free. */
  listed = false;
  stake = 0;

  constructor(id: number, workerClass: WorkerClass, seed: string | number) {
    this.id = id;
    this.class = workerClass;
    this.kind = workerClass.kind;
    this.models = workerClass.models;
    this.slots = workerClass.slots;
    this.firstToken = workerClass.firstToken.mean;
    this.tokenTime = workerClass.tokenTime.mean;
    this.speed = stream(seed, `worker ${id}`, "speed");
    this.honesty = stream(seed, `worker ${id}`, "honesty");
    this.reliability = stream(seed, `worker ${id}`, "reliability");
    this.temptation = workerClass.cheats && stream(seed, `worker ${id}`, "temptation");
  }
}

/** What workers tell the gateway. */
export interface WorkerReports {
  taken(job: Job): void;
  firstToken(job: Job): void;
  lastToken(job: Job): void;
  dropped(job: Job): void;
  registered(worker: number): void;
}

export class Workers implements Assignment {
  /** Set by the world. */
  gateway!: WorkerReports;
  router!: Router;
  readonly all: Worker[] = [];
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #chain: ChainPort;
  readonly #jobs: JobTable;
  readonly #rules: Rules;
  readonly #seed: string | number;
  readonly #first: number;
  readonly #last: number;
  readonly #drop: number;
  readonly #return: number;
  /** Classes whose workers come back. */
  readonly #returning: WorkerClass[] = [];

  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    chain: ChainPort,
    jobs: JobTable,
    rules: Rules,
    seed: string | number,
  ) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#chain = chain;
    this.#jobs = jobs;
    this.#rules = rules;
    this.#seed = seed;
    this.#first = kernel.handler((job) => this.#makeFirstToken(jobs.at(job)));
    this.#last = kernel.handler((job) => this.#makeLastToken(jobs.at(job)));
    this.#drop = kernel.handler((job) => this.#dropOut(jobs.at(job)));
    this.#return = kernel.handler((place) => this.#comeBack(this.#returning[place]!));
  }

  /** A worker joins and stakes; it takes jobs from now on. Returns its number. */
  register(workerClass: WorkerClass): number {
    const worker = new Worker(this.all.length, workerClass, this.#seed);
    const native = workerClass.kind === "native" ? 1 : 0;
    this.all.push(worker);
    this.#chain.submit(TX.stake, worker.id, native, workerClass.stake, 0);
    worker.stake = workerClass.stake;
    worker.active = true;
    this.#trace.emit(KIND["worker.registered"], worker.id, native, worker.slots);
    for (const model of worker.models) this.#trace.emit(KIND["worker.hosts"], worker.id, model);
    if (workerClass.label !== undefined) this.#trace.emit(KIND["worker.classed"], worker.id, workerClass.label);
    this.gateway.registered(worker.id);
    this.router.join(worker);
    return worker.id;
  }

  /** It was found to have cheated on a job. */
  found(id: number, job: Job): void {
    this.router.ended(this.all[id]!, "cheated", this.#kernel.now - job.startedAt, job.outputTokens);
  }

  /** It takes no further job; what it has begun it ends. */
  expel(id: number): void {
    const worker = this.all[id]!;
    if (!worker.active) return;
    this.#leave(worker);
  }

  #leave(worker: Worker): void {
    worker.active = false;
    this.#trace.emit(KIND["worker.left"], worker.id);
    this.router.leave(worker);
    const { rejoins } = worker.class;
    if (rejoins === undefined) return;
    let place = this.#returning.indexOf(worker.class);
    if (place < 0) place = this.#returning.push(worker.class) - 1;
    this.#kernel.after(rejoins.after, this.#return, place);
  }

  #comeBack(workerClass: WorkerClass): void {
    const worker = this.register(workerClass);
    const { cost } = workerClass.rejoins!;
    if (cost > 0) this.#trace.emit(KIND["worker.spent"], worker, -1, cost);
  }

  /** Stake was taken: a native worker below the minimum takes no further jobs. */
  slashed(id: number, tokens: number): void {
    const worker = this.all[id]!;
    worker.stake -= tokens;
    if (worker.active && worker.class.kind === "native" && worker.stake < this.#rules.minimumNativeStake) {
      this.#leave(worker);
    } else this.router.changed(worker);
  }

  /** No worker misbehaves any more, in work that it has not begun. */
  calm(): void {
    for (const worker of this.all) worker.class = { ...worker.class, ...HONEST };
  }

  take(job: Job, worker: Worker): void {
    job.worker = worker.id;
    job.working = true;
    job.holds++;
    this.gateway.taken(job);
    const { class: kind } = worker;
    const behaviour = this.router.behaviour(job.model);
    job.honestProof = behaviour !== "dishonest" && !drawn(worker.honesty, kind.dishonest);
    job.visible = !job.honestProof;
    job.cheat = kind.cheats === undefined ? undefined : this.#tempt(job, worker, kind.cheats);
    if (job.cheat?.withholds === true) return;
    if (behaviour === "silent" || drawn(worker.reliability, kind.silent)) return;
    const honest = kind.firstToken.draw(worker.speed) + job.promptTokens * kind.promptTokenTime;
    const firstToken = paced(honest, job.cheat);
    const drops = behaviour === "failing" || drawn(worker.reliability, kind.failing);
    job.step = this.#kernel.after(firstToken, drops ? this.#drop : this.#first, job.job);
  }

  #tempt(job: Job, worker: Worker, { conduct, share }: NonNullable<WorkerClass["cheats"]>): Conduct | undefined {
    const dice = worker.temptation!;
    if (!drawn(dice, share)) return undefined;
    job.honestProof &&= conduct.hashFits;
    job.visible = !job.honestProof || !drawn(dice, conduct.resemblance);
    this.#trace.emit(KIND["job.cheated"], job.job, worker.id, conduct.how);
    return conduct;
  }

  /** What the job has cost its worker by now. */
  #spend(job: Job, worker: Worker, tokens: number): void {
    const { cost } = worker.class;
    if (cost === undefined) return;
    const honest = cost.perJob + Math.round((cost.perThousandTokens * tokens) / 1_000);
    const amount = job.cheat === undefined ? honest : Math.round((honest * job.cheat.effort) / 1_000);
    if (amount > 0) this.#trace.emit(KIND["worker.spent"], worker.id, job.job, amount);
  }

  abandon(job: Job): void {
    const worker = this.all[job.worker]!;
    if (worker.class.worksLate && job.step !== 0) return;
    this.#kernel.cancel(job.step);
    job.step = 0;
    this.#spend(job, worker, this.#madeBy(job));
    this.router.ended(worker, "timed-out", this.#kernel.now - job.startedAt, job.outputTokens);
    this.#free(job, worker);
  }

  #makeFirstToken(job: Job): void {
    const worker = this.all[job.worker]!;
    const { tokenTime, service } = worker.class;
    const { now } = this.#kernel;
    const rest =
      service === undefined
        ? paced(Math.max(0, job.plannedTokens - 1) * tokenTime.draw(worker.speed), job.cheat)
        : Math.max(0, paced(service.draw(worker.speed), job.cheat) - (now - job.startedAt));
    job.step = this.#kernel.after(rest, this.#last, job.job);
    if (job.completedAt >= 0) return;
    job.outputTokens = job.plannedTokens;
    job.firstTokenAt = now;
    job.lastTokenDueAt = now + rest;
    this.gateway.firstToken(job);
  }

  #makeLastToken(job: Job): void {
    const worker = this.all[job.worker]!;
    job.step = 0;
    this.#spend(job, worker, job.plannedTokens);
    if (job.completedAt >= 0) this.#trace.emit(KIND["job.late"], job.job, worker.id);
    if (job.completedAt < 0 || this.#rules.paysLateWork()) {
      job.holds++;
      job.proofTx = this.#chain.submit(TX.proof, job.job, worker.id, 0, job.honestProof ? 1 : 0);
    }
    if (job.completedAt < 0) this.gateway.lastToken(job);
    const end = job.completedAt < 0 ? "finished" : "timed-out";
    this.router.ended(worker, end, this.#kernel.now - job.startedAt, job.outputTokens);
    this.#free(job, worker);
  }

  #dropOut(job: Job): void {
    job.step = 0;
    const worker = this.all[job.worker]!;
    this.#spend(job, worker, this.#madeBy(job));
    this.gateway.dropped(job);
    this.router.ended(worker, "dropped", this.#kernel.now - job.startedAt, job.outputTokens);
    this.#free(job, worker);
  }

  /** Tokens that the worker has made by now, none before the first, all at the time of the last. */
  #madeBy({ plannedTokens, firstTokenAt, lastTokenDueAt }: Job): number {
    if (firstTokenAt < 0) return 0;
    const whole = lastTokenDueAt - firstTokenAt;
    return whole === 0 ? plannedTokens : Math.floor((plannedTokens * (this.#kernel.now - firstTokenAt)) / whole);
  }

  #free(job: Job, worker: Worker): void {
    job.working = false;
    worker.busy--;
    this.#trace.emit(KIND["slot.freed"], worker.id, job.job);
    this.#jobs.release(job);
    this.router.freed(worker);
  }
}

function drawn(dice: Stream, chance: number): boolean {
  return chance > 0 && dice.below(CHANCES) < chance;
}

/** Time that the work takes, given how the worker goes about it. */
function paced(time: number, cheat: Conduct | undefined): number {
  return cheat === undefined ? time : Math.round((time * cheat.pace) / 1_000);
}
