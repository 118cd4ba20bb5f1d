/**
 * The router: brings jobs to workers.
 *
 * A job goes to a free worker that hosts its model; when none is free it waits, and a worker that becomes free takes the job that has waited
 * longest among its models. Workers in turn: from the last one chosen on, the next that is free.
 */
import type { Behaviour } from "../port.ts";
import type { Job } from "./job.ts";
import type { Worker } from "./worker.ts";

/** Hands a job to a worker that has a free slot. */
export interface Assignment {
  take(job: Job, worker: Worker): void;
  /** The job has ended without its worker. */
  abandon(job: Job): void;
}

/** The workers of one model, and the jobs that wait for them. */
class Pool {
  behaviour: Behaviour = "normal";
  hosts = 0;
  /** Workers with a free slot, one bit each. */
  #bits = new Int32Array(4);
  #free = 0;
  #cursor = 0;
  head: Job | undefined = undefined;
  #tail: Job | undefined = undefined;

  list(worker: number, free: boolean): void {
    const word = worker >>> 5;
    if (word >= this.#bits.length) {
      const grown = new Int32Array(Math.max(word + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    if (free) this.#bits[word] = this.#bits[word]! | (1 << (worker & 31));
    else this.#bits[word] = this.#bits[word]! & ~(1 << (worker & 31));
    this.#free += free ? 1 : -1;
  }

  /** The next free worker in turn; -1 when none is free. */
  next(): number {
    if (this.#free === 0) return -1;
    const bits = this.#bits;
    let word = this.#cursor >>> 5;
    let rest = bits[word]! & (-1 << (this.#cursor & 31));
    while (rest === 0) {
      word = word + 1 === bits.length ? 0 : word + 1;
      rest = bits[word]!;
    }
    const worker = word * 32 + 31 - Math.clz32(rest & -rest);
    this.#cursor = (worker + 1) % (bits.length * 32);
    return worker;
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
  #tickets = 0;

  constructor(models: number) {
    this.#pools = Array.from({ length: models }, () => new Pool());
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
    const worker = pool.behaviour === "absent" ? -1 : pool.next();
    if (worker >= 0) this.#assign(job, this.#workers[worker]!);
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
      const worker = pool.next();
      if (worker < 0) return;
      const job = pool.head;
      pool.unqueue(job);
      this.#assign(job, this.#workers[worker]!);
    }
  }

  #assign(job: Job, worker: Worker): void {
    worker.busy++;
    this.#refresh(worker);
    this.workers.take(job, worker);
  }

  /** Lists the worker as free or not, where that has changed. */
  #refresh(worker: Worker): void {
    const free = worker.active && worker.busy < worker.slots;
    if (free === worker.listed) return;
    worker.listed = free;
    for (let i = 0; i < worker.models.length; i++) this.#pools[worker.models[i]!]!.list(worker.id, free);
  }
}
