/**
 * When a cheat pays: the closed form, and the same from simulated runs.
 *
 * A cheat brings `gain` unless it is caught, with probability `caught`, and then costs `loss`. It pays as long as
 * (1 - caught) * gain > caught * loss.
 */
import { invariant } from "../core/index.ts";
import { meanInterval } from "./interval.ts";

/** Expected profit of one cheat. */
export function expectedProfit(caught: number, gain: number, loss: number): number {
  return (1 - caught) * gain - caught * loss;
}

/** The smallest loss that deters; Infinity where nobody is ever caught. */
export function deterringLoss(caught: number, gain: number): number {
  return ((1 - caught) * gain) / caught;
}

export interface Crossing {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

const STEPS = 4_000;

/**
 * Where a falling metric crosses 0: all places at which its interval holds 0 (Fieller's way, which needs no ratio of means and so has no bias).
 *
 * @param at where the metric was measured, ascending
 * @param series for each place one value a replication, the same replications everywhere; between two places each replication is taken to be linear
 * @returns undefined where the metric does not cross 0 between the first and the last place
 */
export function crossing(
  at: readonly number[],
  series: readonly (readonly number[])[],
  confidence: number,
): Crossing | undefined {
  invariant(at.length === series.length && at.length >= 2, "a crossing lies between two places");
  const first = at[0]!;
  const last = at.at(-1)!;
  let low: number | undefined;
  let high: number | undefined;
  let estimate: number | undefined;
  for (let step = 0; step <= STEPS; step++) {
    const x = first + ((last - first) * step * step) / (STEPS * STEPS);
    const { mean, halfWidth } = meanInterval(between(at, series, x), confidence);
    if (estimate === undefined && mean <= 0) estimate = x;
    if (Math.abs(mean) > halfWidth) continue;
    low ??= x;
    high = x;
  }
  if (estimate === undefined || low === undefined || high === undefined) return undefined;
  return { estimate, low, high };
}

/** The value of each replication at x. */
function between(at: readonly number[], series: readonly (readonly number[])[], x: number): readonly number[] {
  let right = 1;
  while (right < at.length - 1 && at[right]! < x) right++;
  const share = (x - at[right - 1]!) / (at[right]! - at[right - 1]!);
  return series[right - 1]!.map((value, index) => value + share * (series[right]![index]! - value));
}
