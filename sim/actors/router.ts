/**
 * The router: brings jobs to workers.
 *
 * A job goes to a free worker that hosts its model, which one the routing policy says; when none is free it waits, and a worker that becomes free
 * takes the job that has waited longest among its models.
 */
import { AssayError, stream } from "../core/index.ts";
import type { Behaviour } from "../port.ts";
import type { Job } from "./job.ts";
import { type JobEnd, type MakePolicy, policies, type RoutingPolicy } from "./routing/index.ts";
import type { Worker } from "./worker.ts";

/** Hands a job to a worker that has a free slot. */
export interface Assignment {
  take(job: Job, worker: Worker): void;
  /** The job has ended without its worker. */
  abandon(job: Job): void;
}

/** The jobs that wait for the workers of one model, and who chooses among these. */
class Pool {
  behaviour: Behaviour = "normal";
  hosts = 0;
  readonly policy: RoutingPolicy;
  head: Job | undefined = undefined;
  #tail: Job | undefined = undefined;

  constructor(policy: RoutingPolicy) {
    this.policy = policy;
  }

  enqueue(job: Job): void {
    job.queued = true;
    job.next = undefined;
    job.previous = this.#tail;
    if (this.#tail === undefined) this.head = job;
    else this.#tail.next = job;
    this.#tail = job;
  }

  unqueue(job: Job): void {
    job.queued = false;
    if (job.previous === undefined) this.head = job.next;
    else job.previous.next = job.next;
    if (job.next === undefined) this.#tail = job.previous;
    else job.next.previous = job.previous;
    job.next = undefined;
    job.previous = undefined;
  }
}

export class Router {
  /** Set by the world. */
  workers!: Assignment;
  readonly #pools: Pool[];
  readonly #workers: Worker[] = [];
  /** Whether the policy wants to hear of loads, and of how jobs end. */
  readonly #watches: boolean;
  readonly #learns: boolean;
  #tickets = 0;

  /** @param policy makes the policy of each model; workers in turn unless told */
  constructor(models: number, policy: MakePolicy = policies["round-robin"], seed: string | number = 1) {
    this.#pools = Array.from({ length: models }, (_, model) => {
      return new Pool(policy(stream(seed, `router, model ${model}`, "choices")));
    });
    this.#watches = this.#pools.some((pool) => pool.policy.changed !== undefined);
    this.#learns = this.#pools.some((pool) => pool.policy.ended !== undefined);
  }

  /** Workers that serve the model now. */
  hosts(model: number): number {
    const pool = this.#pools[model]!;
    return pool.behaviour === "absent" ? 0 : pool.hosts;
  }

  behaviour(model: number): Behaviour {
    return this.#pools[model]!.behaviour;
  }

  /** How all workers of a model behave from now on, for jobs that they have not yet taken. */
  setBehaviour(model: number, behaviour: Behaviour): void {
    this.#pools[model]!.behaviour = behaviour;
    if (behaviour !== "absent") this.#drain(model);
  }

  join(worker: Worker): void {
    this.#workers[worker.id] = worker;
    for (const model of worker.models) this.#pools[model]!.hosts++;
    this.#refresh(worker);
    for (const model of worker.models) this.#drain(model);
  }

  /** The worker takes no further job; `worker.active` is false by now. */
  leave(worker: Worker): void {
    for (const model of worker.models) this.#pools[model]!.hosts--;
    this.#refresh(worker);
  }

  /** Finds a worker for a job whose units are in escrow. */
  seek(job: Job): void {
    const pool = this.#pools[job.model]!;
    const worker = pool.behaviour === "absent" ? -1 : pool.policy.choose();
    if (worker >= 0) this.#assign(job, this.#chosen(worker));
    else {
      job.ticket = this.#tickets++;
      pool.enqueue(job);
    }
  }

  /** The job has ended: it waits no longer, or its worker need not go on. */
  abandon(job: Job): void {
    if (job.queued) this.#pools[job.model]!.unqueue(job);
    else if (job.working) this.workers.abandon(job);
  }

  /** A slot of the worker has become free. */
  freed(worker: Worker): void {
    if (worker.active) {
      const job = this.#longestWaiting(worker);
      if (job !== undefined) {
        this.#pools[job.model]!.unqueue(job);
        this.#assign(job, worker);
        return;
      }
    }
    this.#refresh(worker);
  }

  /** The worker's stake has changed. */
  changed(worker: Worker): void {
    this.#refresh(worker);
  }

  /** A job has ended at the worker, after so many microseconds and tokens there. */
  ended(worker: Worker, end: JobEnd, time: number, tokens: number): void {
    if (!this.#learns) return;
    for (const model of worker.models) this.#pools[model]!.policy.ended?.(worker, end, time, tokens);
  }

  #longestWaiting(worker: Worker): Job | undefined {
    let longest: Job | undefined;
    const { models } = worker;
    for (let i = 0; i < models.length; i++) {
      const pool = this.#pools[models[i]!]!;
      const { head } = pool;
      if (head === undefined || pool.behaviour === "absent") continue;
      if (longest === undefined || head.ticket < longest.ticket) longest = head;
    }
    return longest;
  }

  #drain(model: number): void {
    const pool = this.#pools[model]!;
    while (pool.head !== undefined && pool.behaviour !== "absent") {
      const worker = pool.policy.choose();
      if (worker < 0) return;
      const job = pool.head;
      pool.unqueue(job);
      this.#assign(job, this.#chosen(worker));
    }
  }

  #assign(job: Job, worker: Worker): void {
    worker.busy++;
    this.#refresh(worker);
    this.workers.take(job, worker);
  }

  #chosen(id: number): Worker {
    const worker = this.#workers[id];
    if (worker?.listed === true) return worker;
    throw new AssayError({
      what: "The routing policy chose a worker that is not free.",
      where: "routing",
      seen: id,
      expected: "the id of a worker that was added and not removed since, or -1",
    });
  }

  /** Lists the worker as free or not, where that has changed. */
  #refresh(worker: Worker): void {
    const free = worker.active && worker.busy < worker.slots;
    const { models } = worker;
    if (free === worker.listed) {
      if (free && this.#watches) for (const model of models) this.#pools[model]!.policy.changed?.(worker);
      return;
    }
    worker.listed = free;
    for (let i = 0; i < models.length; i++) {
      const { policy } = this.#pools[models[i]!]!;
      if (free) policy.add(worker);
      else policy.remove(worker);
    }
  }
}
