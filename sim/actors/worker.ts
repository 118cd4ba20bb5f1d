/**
 * Workers: take a job, make its tokens, post the proof.
 *
 * What tells browser from native workers stands in `browser-worker.ts` and `native-worker.ts`; how fast a worker is and how it fails is data of
 * its class. The behaviour set for a model (test controls) goes before that of the class.
 */
import { HOUR, type Stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { type ChainPort, TX } from "../ledger/index.ts";
import { bytesOf, type Clock, type Links } from "../network/index.ts";
import type { Rules } from "../rules.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import type { Conduct } from "./adversaries/index.ts";
import type { Job, JobTable } from "./job.ts";
import type { Assignment, Router } from "./router.ts";
import { CHANCES, HONEST, type WorkerClass } from "./worker-class.ts";
import { Worker } from "./worker-state.ts";

export { CHANCES, type WorkerClass } from "./worker-class.ts";
export { Worker } from "./worker-state.ts";

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
  /** The ways to workers and back; none where messages take no time. */
  links: Links | undefined = undefined;
  /** By which the gateway tells until when it waits for a job; true unless told. */
  gatewayClock: Clock | undefined = undefined;
  readonly all: Worker[] = [];
  #calm = false;
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
  readonly #giveUp: number;
  readonly #unstake: number;
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
    this.#giveUp = kernel.handler((place) => {
      const job = jobs.at(place);
      if (job.working) this.drop(job);
      jobs.release(job);
    });
    this.#return = kernel.handler((place) => this.#comeBack(this.#returning[place]!));
    this.#unstake = kernel.handler((id) => {
      const worker = this.all[id]!;
      chain.submit(TX.unstake, id, worker.kind === "native" ? 1 : 0, worker.stake, 0);
      worker.stake = 0;
    });
  }

  /**
   * A worker joins and stakes. Returns its number.
   *
   * @param staked whether a native one waits for its stake to be sealed; it takes jobs at once unless told
   */
  register(workerClass: WorkerClass, staked = false): number {
    const worker = new Worker(this.all.length, this.#calm ? { ...workerClass, ...HONEST } : workerClass, this.#seed);
    const native = workerClass.kind === "native" ? 1 : 0;
    this.all.push(worker);
    this.#chain.submit(TX.stake, worker.id, native, workerClass.stake, 0);
    worker.stake = workerClass.stake;
    worker.waits = staked && native === 1;
    this.#trace.emit(KIND["worker.registered"], worker.id, native, worker.slots);
    for (const model of worker.models) this.#trace.emit(KIND["worker.hosts"], worker.id, model);
    if (workerClass.label !== undefined) this.#trace.emit(KIND["worker.classed"], worker.id, workerClass.label);
    this.gateway.registered(worker.id);
    if (worker.waits) this.#trace.emit(KIND["worker.down"], worker.id);
    else {
      worker.active = true;
      this.router.join(worker);
    }
    return worker.id;
  }

  /** It was found to have cheated on a job. */
  found(id: number, job: Job): void {
    this.router.ended(this.all[id]!, "cheated", this.#kernel.now - job.startedAt, job.outputTokens);
  }

  /** It takes no further job; what it has begun it ends. */
  expel(id: number): void {
    const worker = this.all[id]!;
    if (!worker.gone) this.#leave(worker);
  }

  /** It leaves of its own will, and takes its stake home once no dispute can be open any more. `abruptly`: it drops what it has begun. */
  leave(id: number, abruptly: boolean): void {
    const worker = this.all[id]!;
    if (worker.gone) return;
    this.#depart(worker);
    if (abruptly) this.dropAll(worker);
    if (worker.stake === 0) return;
    const { disputeWindow, arbitration, jobTimeout } = this.#rules;
    this.#kernel.after(jobTimeout + disputeWindow + arbitration + HOUR, this.#unstake, id);
  }

  /** A fault keeps it away: it takes no job until as many have ended as have begun. */
  down(worker: Worker): void {
    worker.outages++;
    if (!worker.active) return;
    worker.active = false;
    this.#trace.emit(KIND["worker.down"], worker.id);
    this.router.leave(worker);
  }

  /** Such a fault has ended. */
  up(worker: Worker): void {
    worker.outages--;
    this.#rise(worker);
  }

  /** The stake of a worker is in a sealed block: who waited for that begins. */
  staked(id: number): void {
    const worker = this.all[id]!;
    worker.waits = false;
    this.#rise(worker);
  }

  #rise(worker: Worker): void {
    if (worker.active || worker.gone || worker.waits || worker.outages > 0) return;
    worker.active = true;
    this.#trace.emit(KIND["worker.up"], worker.id);
    this.router.join(worker);
  }

  /** The jobs that the worker runs now. */
  running(worker: Worker): Job[] {
    return this.#jobs.filter((job) => job.working && job.worker === worker.id);
  }

  dropAll(worker: Worker): void {
    for (const job of this.running(worker)) this.drop(job);
  }

  /** Its worker drops the job now. */
  drop(job: Job): void {
    this.#kernel.cancel(job.step);
    this.#dropOut(job);
  }

  /** The worker's work stands still until then, and goes on where it stood. */
  stall(worker: Worker, until: number): void {
    const { now } = this.#kernel;
    const longer = until - Math.max(now, worker.stalledUntil);
    if (longer <= 0) return;
    worker.stalledUntil = until;
    for (const job of this.running(worker)) {
      if (job.step === 0) continue;
      this.#kernel.cancel(job.step);
      job.stepAt += longer;
      if (job.lastTokenDueAt >= 0) job.lastTokenDueAt += longer;
      job.step = this.#kernel.at(job.stepAt, job.stepKind, job.job);
    }
  }

  /** The next thing that the worker does for the job, after so long. */
  #next(job: Job, worker: Worker, delay: number, kind: number): void {
    const { now } = this.#kernel;
    const start = Math.max(worker.stalledUntil, now);
    job.stepAt = start + delay;
    job.stepKind = kind;
    job.step = this.#kernel.at(job.stepAt, kind, job.job);
  }

  #depart(worker: Worker): void {
    const { active } = worker;
    worker.gone = true;
    worker.active = false;
    this.#trace.emit(KIND["worker.left"], worker.id);
    if (active) this.router.leave(worker);
  }

  #leave(worker: Worker): void {
    this.#depart(worker);
    const { rejoins } = worker.class;
    if (rejoins === undefined) return;
    let place = this.#returning.indexOf(worker.class);
    if (place < 0) place = this.#returning.push(worker.class) - 1;
    this.#kernel.after(rejoins.after, this.#return, place);
  }

  #comeBack(workerClass: WorkerClass): void {
    const worker = this.register(workerClass, true);
    const { cost } = workerClass.rejoins!;
    if (cost > 0) this.#trace.emit(KIND["worker.spent"], worker, -1, cost);
  }

  /** Stake was taken: a native worker below the minimum takes no further jobs. */
  slashed(id: number, tokens: number): void {
    const worker = this.all[id]!;
    worker.stake -= tokens;
    if (!worker.gone && worker.class.kind === "native" && worker.stake < this.#rules.minimumNativeStake) {
      this.#leave(worker);
    } else this.router.changed(worker);
  }

  /** No worker misbehaves any more, in work that it has not begun; nor do those who join later. */
  calm(): void {
    this.#calm = true;
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
    const firstToken = paced(honest, job.cheat, worker.slowness);
    const drops = behaviour === "failing" || drawn(worker.reliability, kind.failing);
    const first = this.links === undefined ? firstToken : this.#roundTrip(this.links, job, worker, firstToken);
    this.#next(job, worker, first, drops ? this.#drop : this.#first);
    if (kind.clock !== undefined) this.#watch(job, kind.clock);
  }

  /** It was told by the gateway's clock until when the job is wanted, and looks at its own. */
  #watch(job: Job, clock: Clock): void {
    const asked = this.gatewayClock?.read(job.createdAt) ?? job.createdAt;
    job.holds++;
    this.#kernel.at(clock.reaches(asked + this.#rules.jobTimeout, this.#kernel.now), this.#giveUp, job.job);
  }

  /** From the gateway's handing over of a job to the arrival there of its first token. */
  #roundTrip(links: Links, job: Job, worker: Worker, firstToken: number): number {
    const { now } = this.#kernel;
    const { up, down } = links.of("workers", worker.id, worker.class.region);
    const made = now + down.delay(now, bytesOf(job.promptTokens)) + firstToken;
    job.underWay = up.delay(made, bytesOf(1));
    return made + job.underWay - now;
  }

  /** From the arrival of the first token to that of the last, which was made `rest` after it and does not overtake it. */
  #wayBack(links: Links, job: Job, worker: Worker, rest: number): number {
    const { now } = this.#kernel;
    const made = now - job.underWay + rest;
    const arrives =
      made + links.of("workers", worker.id, worker.class.region).up.delay(made, bytesOf(job.plannedTokens));
    return Math.max(0, arrives - now);
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
    const { tokenTime, service, batching } = worker.class;
    const { now } = this.#kernel;
    // How full the batch is counts as it is now.
    const slowness = batching === undefined ? worker.slowness : batched(worker, batching);
    const rest =
      service === undefined
        ? paced(Math.max(0, job.plannedTokens - 1) * tokenTime.draw(worker.speed), job.cheat, slowness)
        : Math.max(0, paced(service.draw(worker.speed), job.cheat, slowness) - (now - job.startedAt));
    this.#next(job, worker, this.links === undefined ? rest : this.#wayBack(this.links, job, worker, rest), this.#last);
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
function paced(time: number, cheat: Conduct | undefined, slowness: number): number {
  const slowed = slowness === 1_000 ? time : Math.round((time * slowness) / 1_000);
  return cheat === undefined ? slowed : Math.round((slowed * cheat.pace) / 1_000);
}

/** Slowness of a worker that runs several jobs in one batch. */
function batched({ slowness, busy }: Worker, batching: number): number {
  return Math.round((slowness * (1_000 + batching * (busy - 1))) / 1_000);
}
