/**
 * Ranks alternatives, and says which of them are not distinguishable: differences of all pairs under common random numbers, with Bonferroni's
 * correction, so that all statements together hold with the confidence asked for.
 */
import { invariant } from "../core/index.ts";
import { type Interval, meanInterval, pairedInterval } from "./interval.ts";

export interface Alternative {
  readonly name: string;
  /** One value a replication, the same replications for all. */
  readonly values: readonly number[];
}

export interface Ranked {
  readonly name: string;
  readonly interval: Interval;
  /** How much worse than the best: the paired difference, 0 for the best itself. */
  readonly behind: Interval;
  /** Names of those that it cannot be told from. */
  readonly like: readonly string[];
}

/** The best first. */
export function rank(
  alternatives: readonly Alternative[],
  better: "lower" | "higher",
  confidence: number,
): readonly Ranked[] {
  invariant(alternatives.length > 0, "there is something to rank");
  const pairs = Math.max(1, (alternatives.length * (alternatives.length - 1)) / 2);
  const each = 1 - (1 - confidence) / pairs;
  const sign = better === "lower" ? 1 : -1;
  const rows = alternatives
    .map(({ name, values }) => ({ name, values, interval: meanInterval(values, confidence) }))
    .toSorted((a, b) => sign * (a.interval.mean - b.interval.mean) || (a.name < b.name ? -1 : 1));
  const best = rows[0]!;
  return rows.map(({ name, values, interval }) => ({
    name,
    interval,
    behind: pairedInterval(best.values, values, each),
    like: rows
      .filter((other) => other.name !== name && !differs(pairedInterval(values, other.values, each)))
      .map((other) => other.name),
  }));
}

/** Whether the interval leaves 0 out. */
export function differs({ mean, halfWidth }: Interval): boolean {
  return Math.abs(mean) > halfWidth;
}
