/**
 * The one place of the simulator that reads a real clock: the edge where virtual time meets the wall. Everything else is told the time.
 */

/** Real time, for whoever paces a service or waits for a socket. */
export interface WallClock {
  /** Milliseconds, with fractions, from an arbitrary start; never goes back. */
  readonly elapsed: () => number;
  /** Unix time in milliseconds. */
  readonly unixMs: () => number;
  /** Calls back after some milliseconds; the returned function cancels. */
  readonly after: (milliseconds: number, run: () => void) => () => void;
}

const LONGEST_TIMER = 2_147_483_647;

export const wallClock: WallClock = {
  elapsed: () => performance.now(),
  unixMs: () => Date.now(),
  after(milliseconds, run) {
    const timer = setTimeout(run, Math.min(Math.max(0, Math.ceil(milliseconds)), LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};

/** Waits for some work, for at most so many milliseconds. */
export function withinWall(clock: WallClock, milliseconds: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, resolve);
    const done = (): void => {
      cancel();
      resolve();
    };
    work.then(done, done);
  });
}
