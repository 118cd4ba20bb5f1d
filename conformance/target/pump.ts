/**
 * The pump: moves a manual clock on in steps while requests are waited for, and only then.
 *
 * There is one pump a run, however many requests wait: time moves for all of them together. Steps are fine at first, so that a stream's
 * chunks are seen apart, and coarse later, when all that can come is a time-out.
 */

/** Somebody who waits for an answer. */
interface Waiter {
  settled: boolean;
  readonly since: number;
  readonly limit: number;
  /** Whether the times of its pieces matter. */
  readonly fine: boolean;
  readonly expire: () => void;
}

export interface PumpOptions {
  readonly now: () => number;
  /** Moves the clock by whole milliseconds. */
  readonly move: (milliseconds: number) => Promise<unknown>;
  /** Resolves when what was sent has arrived and what came of it is here. */
  readonly settle: () => Promise<void>;
  /** Resolves when what came of a move is here. */
  readonly arrive: () => Promise<void>;
}

export interface Pump {
  /**
   * Moves time until `work` settles; after `limit` milliseconds of the service's time calls `expire`, which must make it settle. A `fine` wait
   * takes smaller steps.
   */
  during<T>(work: Promise<T>, limit: number, expire: () => void, fine?: boolean): Promise<T>;
}

/** Milliseconds of the next step, for a request that has waited so long: of a `fine` one, or of any other. */
export function stepAfter(waited: number, fine: boolean): number {
  if (waited >= 10_000) return 1_000;
  if (!fine) return 500;
  return waited < 500 ? 100 : 250;
}

export function makePump(options: PumpOptions): Pump {
  const waiters = new Set<Waiter>();
  let running: Promise<void> | null = null;
  let joined = false;

  const run = async (): Promise<void> => {
    for (;;) {
      // What was only just sent must have arrived before time moves for it.
      if (joined) {
        joined = false;
        await options.settle();
      }
      const waiting = [...waiters].filter((waiter) => !waiter.settled);
      if (waiting.length === 0) return;
      const waited = waiting.map((waiter) => options.now() - waiter.since);
      const late = waiting.filter((waiter, index) => (waited[index] ?? 0) >= waiter.limit);
      for (const waiter of late) waiter.expire();
      const fine = waiting.some((waiter) => waiter.fine);
      if (late.length > 0) joined = true;
      else {
        await options.move(stepAfter(Math.min(...waited), fine));
        await options.arrive();
      }
    }
  };

  return {
    async during(work, limit, expire, fine = true) {
      const waiter: Waiter = { settled: false, since: options.now(), limit, fine, expire };
      const settled = (): void => {
        waiter.settled = true;
        waiters.delete(waiter);
      };
      work.then(settled, settled);
      waiters.add(waiter);
      joined = true;
      // The pump stops when nobody waits, perhaps just now: whoever still waits starts it again.
      while (!waiter.settled) {
        running ??= run().finally(() => {
          running = null;
        });
        try {
          await Promise.race([work, running]);
        } catch (error) {
          // A pump that fails (a dead control port, the end of the run) must not leave anybody waiting for ever.
          if (!waiter.settled) expire();
          settled();
          throw error;
        }
      }
      return await work;
    },
  };
}
