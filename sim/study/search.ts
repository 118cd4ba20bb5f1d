/**
 * Stochastic bisection: the place where a noisy metric crosses a target, with an interval.
 *
 * A place is looked at with more and more replications until its interval leaves the target out, or a ceiling is reached. What is told below and
 * what is told above close in on the crossing; where a place cannot be told from the target, the search goes on to both sides of it. The
 * answer is the interval between the nearest place told below and the nearest one told above. Its confidence holds for all looks together
 * (Bonferroni), for a metric that only rises or only falls.
 */
import { AssayError } from "../core/index.ts";
import { type Interval, meanInterval } from "./interval.ts";

export interface SearchOptions {
  readonly from: number;
  readonly to: number;
  readonly target: number;
  readonly confidence: number;
  /** How near the two ends of the answer must be, as a share of the way from `from` to `to`. */
  readonly tolerance: number;
  /** Replications at a place: the first look, and the most. */
  readonly floor: number;
  readonly ceiling: number;
  /** Whether places are whole numbers. */
  readonly integer: boolean;
}

export interface Look {
  readonly at: number;
  readonly interval: Interval;
  /** -1 below the target, 1 above, 0 not distinguishable. */
  readonly side: -1 | 0 | 1;
}

export interface Found {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
  /** Whether the metric rises from low to high. */
  readonly rises: boolean;
  /** All places, in order of place. */
  readonly looks: readonly Look[];
}

/**
 * @param measure the first so many replications at a place; the same replications, and so the same random numbers, at all places
 * @returns undefined where `measure` has given up
 * @throws AssayError where the metric does not cross the target between the two ends
 */
export async function search(
  options: SearchOptions,
  measure: (at: number, replications: number) => Promise<readonly number[] | undefined>,
): Promise<Found | undefined> {
  const { from, to, target, tolerance, floor, ceiling, integer } = options;
  const width = integer ? 1 : (to - from) * tolerance;
  const halvings = halvingsOf((to - from) / width);
  const doublings = halvingsOf(ceiling / floor) + 1;
  const each = 1 - (1 - options.confidence) / ((2 * halvings + 2) * doublings);
  const looks = new Map<number, Look>();
  const lookAt = async (at: number): Promise<Look | undefined> => {
    const known = looks.get(at);
    if (known !== undefined) return known;
    for (let count = floor; ; count = Math.min(ceiling, count * 2)) {
      const values = await measure(at, count);
      if (values === undefined) return undefined;
      const interval = meanInterval(values, each);
      const clear = Math.abs(interval.mean - target) > interval.halfWidth;
      if (!clear && count < ceiling) continue;
      const look: Look = { at, interval, side: clear ? (interval.mean > target ? 1 : -1) : 0 };
      looks.set(at, look);
      return look;
    }
  };
  const [first, last] = [await lookAt(from), await lookAt(to)];
  if (first === undefined || last === undefined) return undefined;
  if (first.side === 0 || last.side === 0 || first.side === last.side) throw noCrossing(first, last, target);
  /** Closes in on the edge of those places that are told on the side of `near`. */
  const close = async (near: number, far: number, side: number): Promise<readonly [number, number] | undefined> => {
    let [told, other] = [near, far];
    while (Math.abs(other - told) > width) {
      const middle = integer ? Math.round((told + other) / 2) : (told + other) / 2;
      if (middle === told || middle === other) break;
      const look = await lookAt(middle);
      if (look === undefined) return undefined;
      if (look.side === side) told = middle;
      else other = middle;
    }
    return [told, other];
  };
  const low = await close(from, to, first.side);
  // What the first search has told of the other side needs not be looked for again.
  const above = [...looks.values()].filter(({ at, side }) => side === last.side && at > (low?.[0] ?? from));
  const high = low && (await close(Math.min(...above.map(({ at }) => at)), low[0], last.side));
  if (low === undefined || high === undefined) return undefined;
  const ordered = [...looks.values()].toSorted((a, b) => a.at - b.at);
  return {
    estimate: estimateOf(ordered, target, low[0], high[0]),
    low: low[0],
    high: high[0],
    rises: first.side < 0,
    looks: ordered,
  };
}

/** How often one halves until no more than 1 is left, at least once. */
function halvingsOf(ratio: number): number {
  let count = 1;
  for (let left = ratio / 2; left > 1; left /= 2) count++;
  return count;
}

/** Where the line through the means crosses the target, between the two ends. */
function estimateOf(looks: readonly Look[], target: number, low: number, high: number): number {
  const within = looks.filter(({ at }) => at >= low && at <= high);
  for (let index = 1; index < within.length; index++) {
    const [a, b] = [within[index - 1]!, within[index]!];
    const [left, right] = [a.interval.mean - target, b.interval.mean - target];
    if (left === 0) return a.at;
    if (left * right <= 0) return a.at + ((b.at - a.at) * left) / (left - right);
  }
  return (low + high) / 2;
}

function noCrossing(first: Look, last: Look, target: number): AssayError {
  const tell = ({ at, interval: { mean, halfWidth }, side }: Look): string => {
    const word = ["below", "not distinguishable from", "above"][side + 1]!;
    return `${Number(mean.toPrecision(4))} ± ${Number(halfWidth.toPrecision(2))} at ${at}, ${word} ${target}`;
  };
  return new AssayError({
    what: "The metric does not cross the target between the two ends.",
    where: "--between, --target",
    seen: `${tell(first)}; ${tell(last)}`,
    expected: "one end clearly below the target and one clearly above",
    hint: "widen --between, move --target, or let --ceiling allow more replications",
  });
}
