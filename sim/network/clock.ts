/**
 * A clock that is not true: it runs fast or slow by so many parts in a million, and jumps at times.
 *
 * Two readings matter: how long a timer of the party really takes (a monotonic clock drifts and does not jump), and what its time of day says
 * (which does both).
 */
const MILLION = 1_000_000;

export interface ClockSpec {
  /** Microseconds that it gains in a second; negative where it is slow. */
  readonly driftPpm: number;
  /** Microseconds by which it is set at a true time; negative backwards. In order of time. */
  readonly jumps: readonly { readonly at: number; readonly by: number }[];
}

export class Clock {
  readonly #spec: ClockSpec;

  constructor(spec: ClockSpec) {
    this.#spec = spec;
  }

  /** True microseconds that pass until a timer of so many fires. */
  lasts(timer: number): number {
    return Math.round((timer * MILLION) / (MILLION + this.#spec.driftPpm));
  }

  /** The time of day that it shows at a true time. */
  read(time: number): number {
    let shown = time + Math.floor((time * this.#spec.driftPpm) / MILLION);
    for (const { at, by } of this.#spec.jumps) if (at <= time) shown += by;
    return shown;
  }

  /** The first true time from `from` on at which it shows `shown`, or later. */
  reaches(shown: number, from: number): number {
    let since = from;
    let ahead = 0;
    for (const { at, by } of [...this.#spec.jumps, { at: Infinity, by: 0 }]) {
      if (at > since) {
        let time = Math.max(since, Math.ceil(((shown - ahead) * MILLION) / (MILLION + this.#spec.driftPpm)));
        // The quotient is rounded, and may be so to the wrong side.
        while (time < at && this.read(time) < shown) time++;
        if (time < at) return time;
        since = at;
      }
      ahead += by;
    }
    return since;
  }

  /** By how much a timer of so many microseconds may be wrong. */
  timerError(timer: number): number {
    return Math.abs(this.lasts(timer) - timer);
  }

  /** By how much the true span may differ from one that is read off the time of day, where no two jumps fall into it. */
  spanError(span: number): number {
    const jump = Math.max(0, ...this.#spec.jumps.map(({ by }) => Math.abs(by)));
    // The longest: the clock is slow, and was set back meanwhile. Both readings are rounded down.
    const longest = Math.ceil(((span + jump + 1) * MILLION) / (MILLION - Math.abs(this.#spec.driftPpm)));
    return longest - span;
  }
}
