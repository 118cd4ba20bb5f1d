/**
 * Sessions of workers: when they come, how long they stay, and how they go. A browser worker is a tab: it is closed in the middle of a job, and opened
 * again later, as another worker.
 */
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import type { WorkerClass, Workers } from "./worker.ts";

export interface Session {
  /** From the start of the run to its joining; from the start unless told. */
  readonly joins?: Distribution | undefined;
  /** How long it stays; to the end unless told. */
  readonly stays?: Distribution | undefined;
  /** How long it is away before it comes back as another worker; it does not unless told. */
  readonly away?: Distribution | undefined;
  /** Whether it finishes what it has begun; else its jobs fail. */
  readonly drains: boolean;
  /** From then on nobody comes or goes: microseconds. */
  readonly until: number;
}

export class Sessions {
  readonly #kernel: Kernel;
  readonly #workers: Workers;
  readonly #seed: string | number;
  /** By seat: a worker's place in the scenario, which others take after it. */
  readonly #classes: WorkerClass[] = [];
  readonly #dice: Stream[] = [];
  readonly #join: number;
  readonly #end: number;

  constructor(kernel: Kernel, workers: Workers, seed: string | number) {
    this.#kernel = kernel;
    this.#workers = workers;
    this.#seed = seed;
    this.#join = kernel.handler((seat) => this.#sit(seat));
    this.#end = kernel.handler((seat, worker) => this.#rise(seat, worker));
  }

  /** Begins the comings and goings of one worker of a class that has sessions. */
  open(workerClass: WorkerClass): void {
    const seat = this.#classes.push(workerClass) - 1;
    const { joins } = workerClass.session!;
    this.#dice.push(stream(this.#seed, `seat ${seat}`, "sessions"));
    const wait = joins?.draw(this.#dice[seat]!) ?? 0;
    if (wait === 0) this.#sit(seat);
    else this.#after(wait, this.#join, seat);
  }

  #sit(seat: number): void {
    const workerClass = this.#classes[seat]!;
    const { stays } = workerClass.session!;
    const worker = this.#workers.register(workerClass, this.#kernel.now > 0);
    if (stays !== undefined) this.#after(stays.draw(this.#dice[seat]!), this.#end, seat, worker);
  }

  #rise(seat: number, worker: number): void {
    const { drains, away } = this.#classes[seat]!.session!;
    // Who was thrown out meanwhile does not come back by this door.
    const stayed = !this.#workers.all[worker]!.gone;
    this.#workers.leave(worker, !drains);
    if (away !== undefined && stayed) this.#after(away.draw(this.#dice[seat]!), this.#join, seat);
  }

  #after(wait: number, handler: number, seat: number, worker = 0): void {
    const at = this.#kernel.now + wait;
    if (at <= this.#classes[seat]!.session!.until) this.#kernel.at(at, handler, seat, worker);
  }
}
