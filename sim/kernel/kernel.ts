/**
 * The kernel of a discrete-event simulation: a clock, a list of timers, and a loop that moves from one timer to the next.
 *
 * It knows no domain word and no wall clock. Events fire in one total order, by time and among equal times in the order in which they were
 * started, so a run is a function of its inputs. A timer is four numbers `(time, handler, a, b)`: handlers are registered once and no object
 * is made per event.
 */
import { AssayError } from "../core/index.ts";
import { EventQueue, NONE } from "./queue.ts";

/** What runs when a timer fires, with the two numbers that the timer was started with. */
export type Handler = (a: number, b: number) => void;

export class Kernel {
  /** Integer microseconds since the start of the run. */
  now = 0;
  /** Events that have run. */
  processed = 0;
  readonly #handlers: Handler[] = [];
  readonly #queue = new EventQueue();
  #stopped = false;

  /** Registers a handler. Returns the number by which timers name it. */
  handler(fn: Handler): number {
    return this.#handlers.push(fn) - 1;
  }

  /**
   * Starts a timer that fires at `time`, which is an integer and not in the past.
   *
   * @returns a handle for `cancel`; never 0 or negative
   */
  at(time: number, handler: number, a = 0, b = 0): number {
    if (!this.#reachable(time)) throw this.#badTime(time);
    const queue = this.#queue;
    return queue.handle(queue.push(time, handler, a, b));
  }

  /** Starts a timer that fires `delay` microseconds from now. */
  after(delay: number, handler: number, a = 0, b = 0): number {
    return this.at(this.now + delay, handler, a, b);
  }

  /**
   * Opens a lane: a queue of timers that all wait for the same time. Starting and cancelling cost O(1) however many are pending, which suits
   * time limits that nearly always are cancelled.
   */
  lane(delay: number, handler: number): Lane {
    if (!this.#reachable(this.now + delay)) throw this.#badTime(this.now + delay);
    return new Lane(this, this.#queue, delay, handler);
  }

  /** @returns false when the timer has fired or was cancelled before */
  cancel(timer: number): boolean {
    return this.#queue.cancel(timer);
  }

  /** Time of the next event, Infinity when there is none. */
  next(): number {
    return this.#queue.peek();
  }

  /** Runs the next event. Returns false when there is none. */
  step(): boolean {
    return this.run(1) === 1;
  }

  /** Runs all events up to and including `time`, then stands at `time`; after `stop()` it stands at the event that called it. */
  runUntil(time: number): void {
    if (!this.#reachable(time)) throw this.#badTime(time);
    this.#loop(time, Infinity);
    if (!this.#stopped) this.now = time;
  }

  /** Runs events until none is left or `maxEvents` have run. Returns how many ran. */
  run(maxEvents = Infinity): number {
    return this.#loop(Infinity, maxEvents);
  }

  /** Called by a handler: the run ends after this event. */
  stop(): void {
    this.#stopped = true;
  }

  #loop(until: number, maxEvents: number): number {
    const queue = this.#queue;
    const handlers = this.#handlers;
    this.#stopped = false;
    let count = 0;
    while (count < maxEvents) {
      const slot = queue.pop(until);
      if (slot === NONE) break;
      count++;
      this.processed++;
      this.now = queue.time[slot]!;
      handlers[queue.handler[slot]!]!(queue.a[slot]!, queue.b[slot]!);
      if (this.#stopped) break;
    }
    return count;
  }

  #reachable(time: number): boolean {
    return time >= this.now && time <= Number.MAX_SAFE_INTEGER && Math.floor(time) === time;
  }

  #badTime(time: number): AssayError {
    return new AssayError({
      what: "The clock cannot be at this time.",
      seen: time,
      expected: `an integer from ${this.now} (now) to 2^53 - 1`,
      hint: "delays are whole microseconds; round what was drawn or computed",
    });
  }
}

/** Timers of one delay and one handler. Made by `Kernel.lane`. */
export class Lane {
  /** Microseconds from start to firing. */
  readonly delay: number;
  readonly #kernel: Kernel;
  readonly #queue: EventQueue;
  readonly #handler: number;
  readonly #lane: number;

  constructor(kernel: Kernel, queue: EventQueue, delay: number, handler: number) {
    this.delay = delay;
    this.#kernel = kernel;
    this.#queue = queue;
    this.#handler = handler;
    this.#lane = queue.openLane();
  }

  /** Starts a timer `delay` microseconds from now. Returns a handle for `Kernel.cancel`. */
  start(a = 0, b = 0): number {
    const queue = this.#queue;
    return queue.handle(queue.append(this.#lane, this.#kernel.now + this.delay, this.#handler, a, b));
  }
}
