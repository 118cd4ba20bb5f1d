/**
 * How many replications are enough: sequential stopping by relative half-width (Law and Kelton).
 *
 * Replications are looked at in their order, so that what is decided depends on their values and not on which ended first.
 */
import { type Interval, meanInterval, relativeHalfWidth } from "./interval.ts";

export interface Precision {
  /** The half-width that is good enough, as a share of the mean. */
  readonly relative: number;
  readonly confidence: number;
  /** No fewer and no more replications than these. */
  readonly floor: number;
  readonly ceiling: number;
}

/** Whether so many replications are enough; `series` holds the values of each metric that must be precise. */
export function isPrecise(series: readonly (readonly number[])[], precision: Precision): boolean {
  const count = Math.min(...series.map((values) => values.length));
  if (count < Math.max(2, precision.floor)) return false;
  return series.every((values) => relativeHalfWidth(meanInterval(values, precision.confidence)) <= precision.relative);
}

/** How many more replications look necessary, from the spread so far: at least 1, at most up to the ceiling. */
export function stillNeeded(series: readonly (readonly number[])[], precision: Precision): number {
  const count = Math.min(...series.map((values) => values.length));
  const wanted = Math.max(precision.floor, ...series.map((values) => estimate(values, precision)));
  return Math.min(precision.ceiling - count, Math.max(1, wanted - count));
}

function estimate(values: readonly number[], { relative, confidence }: Precision): number {
  if (values.length < 2) return 2;
  const interval: Interval = meanInterval(values, confidence);
  const ratio = relativeHalfWidth(interval) / relative;
  return Number.isFinite(ratio) ? Math.ceil(values.length * ratio * ratio) : Infinity;
}
