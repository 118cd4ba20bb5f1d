/**
 * Time as the slider shows it: in proportion, but a long span in which nothing happens, such as the day until a verdict, is cut short. Without such
 * spans it is the plain share of the time.
 */

/** A span without events is cut when it is longer than this share of all time, */
const LONG = 0.04;
/** and takes this share of the time that is left. */
const KEPT = 0.03;

export interface Gap {
  readonly from: number;
  readonly to: number;
}

export class Dial {
  /** The spans that are cut, ascending. */
  readonly gaps: readonly Gap[];
  /** Moments, and their places from 0 to 1; straight between them. */
  readonly #times: number[];
  readonly #places: number[];

  /** @param time of the events, ascending, of which `count` are there */
  constructor(from: number, to: number, time: ArrayLike<number>, count: number) {
    const span = Math.max(1, to - from);
    const gaps: Gap[] = [];
    let last = from;
    for (let event = 0; event <= count; event++) {
      const at = event === count ? to : Math.min(to, Math.max(from, time[event] as number));
      if (at - last > span * LONG) gaps.push({ from: last, to: at });
      last = at;
    }
    const busy = span - gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
    // Where nearly nothing happens there is no busy time to set gaps beside.
    this.gaps = busy < span * 0.001 ? [] : gaps;
    this.#times = [from];
    const lengths = [0];
    for (const gap of this.gaps) {
      const before = (lengths.at(-1) as number) + gap.from - (this.#times.at(-1) as number);
      this.#times.push(gap.from, gap.to);
      lengths.push(before, before + Math.min(gap.to - gap.from, busy * KEPT));
    }
    lengths.push((lengths.at(-1) as number) + Math.max(from + 1, to) - (this.#times.at(-1) as number));
    this.#times.push(Math.max(from + 1, to));
    const all = lengths.at(-1) as number;
    this.#places = lengths.map((length) => length / all);
  }

  /** From 0 to 1. */
  placeOf(time: number): number {
    return between(this.#times, this.#places, time);
  }

  timeOf(place: number): number {
    return between(this.#places, this.#times, place);
  }

  /** The end of the gap that a moment lies in; the moment itself where something happens. */
  past(time: number): number {
    return this.gaps.find(({ from, to }) => from < time && time < to)?.to ?? time;
  }
}

function between(xs: readonly number[], ys: readonly number[], x: number): number {
  let low = 0;
  while (low < xs.length - 2 && x >= (xs[low + 1] as number)) low++;
  const [x1, x2, y1, y2] = [xs[low], xs[low + 1], ys[low], ys[low + 1]] as [number, number, number, number];
  const share = x2 === x1 ? 1 : Math.max(0, Math.min(1, (x - x1) / (x2 - x1)));
  return share === 1 ? y2 : y1 + (y2 - y1) * share;
}
