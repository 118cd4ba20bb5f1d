/**
 * What goes wrong with workers, and when: a fault begins at a time, strikes a drawn share of those it is meant for, lasts, and may come again.
 *
 * | kind | what it does |
 * |---|---|
 * | crash | drops every job that the worker runs, and takes none until the end |
 * | stall | stands still: what it has begun goes on at the end, what it takes meanwhile begins then |
 * | slow | jobs taken meanwhile take a multiple of their time |
 * | drop | drops a share of the running jobs, in mid-stream; lasts no time |
 */

import { CHANCES, type Worker, type Workers } from "../actors/index.ts";
import { type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { FAULT } from "../trace/kinds.ts";

export interface WorkerFault {
  readonly kind: "crash" | "stall" | "slow" | "drop";
  /** Place in the scenario's list. */
  readonly place: number;
  /** Microseconds: the first beginning, how long it lasts, and from one beginning to the next; 0 where it comes once. */
  readonly at: number;
  readonly lasts: number;
  readonly every: number;
  /** It does not begin after that. */
  readonly until: number;
  /** Of the workers that it is meant for (of the jobs, for `drop`), how many it strikes, counted in `CHANCES`. */
  readonly share: number;
  /** `slow`: time that work takes, in thousandths of the usual. */
  readonly slowness: number;
  readonly strikes: (worker: Worker) => boolean;
}

const NUMBER = {
  crash: FAULT.crashedWorkers,
  stall: FAULT.stalledWorkers,
  slow: FAULT.slowWorkers,
  drop: FAULT.droppedJobs,
} as const;

export class WorkerFaults {
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #workers: Workers;
  readonly #faults: readonly WorkerFault[];
  readonly #dice: readonly Stream[];
  /** By fault: whom it has struck and not let go. */
  readonly #struck: (readonly Worker[])[] = [];
  readonly #begin: number;
  readonly #end: number;

  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    workers: Workers,
    faults: readonly WorkerFault[],
    seed: string | number,
  ) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#workers = workers;
    this.#faults = faults;
    this.#dice = faults.map(({ place }) => stream(seed, `fault ${place}`, "strikes"));
    this.#begin = kernel.handler((index) => this.#strike(index));
    this.#end = kernel.handler((index) => this.#let(index));
  }

  start(): void {
    for (const [index, { at, until }] of this.#faults.entries()) {
      if (at <= until) this.#kernel.at(at, this.#begin, index);
    }
  }

  #strike(index: number): void {
    const { kind, place, lasts, every, until, share, slowness, strikes } = this.#faults[index]!;
    const { now } = this.#kernel;
    const dice = this.#dice[index]!;
    const hit = (): boolean => dice.below(CHANCES) < share;
    const meant = this.#workers.all.filter((worker) => !worker.gone && strikes(worker));
    this.#trace.emit(KIND["fault.began"], NUMBER[kind], place);
    if (kind === "drop") {
      for (const worker of meant) {
        for (const job of this.#workers.running(worker)) if (hit()) this.#workers.drop(job);
      }
    } else {
      const struck = meant.filter(hit);
      this.#struck[index] = struck;
      for (const worker of struck) {
        if (kind === "crash") {
          this.#workers.down(worker);
          this.#workers.dropAll(worker);
        } else if (kind === "stall") this.#workers.stall(worker, now + lasts);
        else worker.slowness = slowness;
      }
    }
    this.#kernel.at(now + lasts, this.#end, index);
    if (every > 0 && now + every <= until) this.#kernel.at(now + every, this.#begin, index);
  }

  #let(index: number): void {
    const { kind, place } = this.#faults[index]!;
    for (const worker of this.#struck[index] ?? []) {
      if (kind === "crash") this.#workers.up(worker);
      else if (kind === "slow") worker.slowness = 1_000;
    }
    this.#struck[index] = [];
    this.#trace.emit(KIND["fault.ended"], NUMBER[kind], place);
  }
}
