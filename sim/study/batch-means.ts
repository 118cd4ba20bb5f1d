/** Batch means: one long run cut into batches that are long enough to be as good as independent replications. */
import { meanOf } from "./interval.ts";

/** From and to (not included) of each batch; what does not fill the last one is left out at the start, where the run is least settled. */
export function batchBounds(from: number, to: number, batches: number): readonly (readonly [number, number])[] {
  const size = Math.floor((to - from) / batches);
  const start = to - size * batches;
  return Array.from({ length: batches }, (_, index) => [start + index * size, start + (index + 1) * size] as const);
}

/**
 * The correlation of neighbouring values, from -1 to 1: von Neumann's ratio as an estimate that two trends at the ends do not bend. 0 where all
 * values are equal.
 */
export function lagOneCorrelation(values: readonly number[]): number {
  const count = values.length;
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (count < 3 || squares === 0) return 0;
  let products = 0;
  for (let i = 1; i < count; i++) products += (values[i]! - mean) * (values[i - 1]! - mean);
  const ends = ((values[0]! - mean) ** 2 + (values[count - 1]! - mean) ** 2) / (2 * squares);
  return products / squares + ends;
}

/** Whether neighbouring batches go together more than independent ones would in 95 of 100 cases: the batches are too short. */
export function batchesAreTooShort(values: readonly number[]): boolean {
  const count = values.length;
  // Under independence the estimate is about normal with variance (n - 2) / (n^2 - 1).
  return lagOneCorrelation(values) > 1.645 * Math.sqrt((count - 2) / (count * count - 1));
}
