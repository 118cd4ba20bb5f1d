/**
 * A request that is about to be made. Nothing is sent until it is awaited or started:
 *
 *     const exchange = await t.api.account();          // sent, pumped, answered
 *     const pending = t.api.say({ ... }).start();      // sent; the case moves the clock by itself
 *     await t.clock.advance(119_999);
 *     pending.settled;                                 // false: not answered yet
 *     const late = await pending.finish();             // pumped until it is answered
 */
import type { Arrival, Exchange } from "./exchange.ts";

/** A request in flight, not pumped. */
export interface Pending {
  /** Whether the whole answer has come, or the network has failed. Exact after `clock.settle()` or `clock.advance()`. */
  readonly settled: boolean;
  /** Status of the answer as soon as its head has come; 0 before. */
  readonly status: number;
  /** The pieces of the body that have come so far. */
  readonly arrivals: readonly Arrival[];
  /** Settles by itself when the answer has come; moves no time. It never rejects. */
  readonly done: Promise<Exchange>;
  /** Moves the clock until the answer has come. */
  finish(): Promise<Exchange>;
  /** Leaves: closes the connection. `done` resolves with the ending `aborted`. */
  abort(): void;
}

/** A request not yet sent. Awaiting it twice sends it once. */
export interface Call extends PromiseLike<Exchange> {
  start(): Pending;
}
