/**
 * Confidence intervals. Values are one from each independent replication, or one from each batch of a long run; `confidence` is a share, 0.95
 * unless told.
 */
import { invariant } from "../core/index.ts";
import { binomialAtMost, studentQuantile } from "./distributions.ts";

export const CONFIDENCE = 0.95;

export interface Interval {
  readonly mean: number;
  /** Infinity where one value alone says nothing of chance. */
  readonly halfWidth: number;
  readonly count: number;
  readonly confidence: number;
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** The unbiased estimate; NaN of fewer than two values. */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** Student's interval for the mean. There must be a value. */
export function meanInterval(values: readonly number[], confidence = CONFIDENCE): Interval {
  const count = values.length;
  invariant(count > 0, "an interval needs a value");
  const mean = meanOf(values);
  if (count === 1) return { mean, halfWidth: Infinity, count, confidence };
  const halfWidth = studentQuantile((1 + confidence) / 2, count - 1) * Math.sqrt(varianceOf(values) / count);
  return { mean, halfWidth, count, confidence };
}

/**
 * The interval for the mean difference `second - first` of runs that share their random numbers: what both have in common cancels out.
 *
 * @param first one value a replication; `second` the same replications under the other scenario
 */
export function pairedInterval(first: readonly number[], second: readonly number[], confidence = CONFIDENCE): Interval {
  invariant(first.length === second.length, "each replication stands in both halves of a pair");
  return meanInterval(
    second.map((value, index) => value - first[index]!),
    confidence,
  );
}

/** Half-width as a share of the mean; Infinity where the mean is 0 and the half-width is not. */
export function relativeHalfWidth({ mean, halfWidth }: Interval): number {
  return halfWidth === 0 ? 0 : halfWidth / Math.abs(mean);
}

export interface QuantileInterval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** What the order statistics cover exactly: at least what was asked, or less where there are too few values. */
  readonly coverage: number;
}

/** The smallest value that at least this share of the values do not exceed; `ascending` must hold one. */
export function quantileOf(ascending: ArrayLike<number>, share: number): number {
  const count = ascending.length;
  // 0.95 * 100 is 95.00000000000001 in doubles, and the 95th is what is meant.
  const rank = Math.ceil(count * share - 1e-9);
  return ascending[Math.min(count, Math.max(1, rank)) - 1]!;
}

/**
 * An interval for a quantile of the values' own distribution, free of any assumption about it: two order statistics, chosen by the binomial.
 *
 * @param values independent, in any order; at least one
 */
export function quantileInterval(values: readonly number[], share: number, confidence = CONFIDENCE): QuantileInterval {
  const count = values.length;
  invariant(count > 0 && share > 0 && share < 1, "a quantile lies within a sample");
  const ascending = values.toSorted((a, b) => a - b);
  const tail = (1 - confidence) / 2;
  // The number of values below the true quantile is binomial: `low` of them at least, `high` at most.
  let low = Math.floor(count * share);
  while (low > 0 && binomialAtMost(low, count, share) > tail) low--;
  let high = Math.ceil(count * share);
  while (high < count - 1 && binomialAtMost(high, count, share) < 1 - tail) high++;
  return {
    value: quantileOf(ascending, share),
    low: ascending[low]!,
    high: ascending[Math.min(count - 1, high)]!,
    coverage: binomialAtMost(Math.min(count - 1, high), count, share) - binomialAtMost(low, count, share),
  };
}
