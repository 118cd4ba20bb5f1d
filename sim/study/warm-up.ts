/**
 * MSER-5 (White, 1997; White, Cobb and Spratt, 2000): where a run's start ends to weigh on it.
 *
 * The series is cut into batches of five. Of all starts that may be left out, the one is chosen after which the mean of the rest is known best:
 * the squared standard error, as if batches were independent, is least. No more than half may go; where the least lies there, the run was too
 * short to show its steady state.
 */
const BATCH = 5;

/**
 * Runs whose average tells the warm-up of all replications. They are not among those measured: a replication that chooses what to leave out of
 * itself leaves out its own peaks, and its mean comes out too low.
 */
export const PILOTS = 5;

export interface WarmUp {
  /** How many values from the start on are to be left out. */
  readonly leave: number;
  /** False where no steady state is in sight. */
  readonly settled: boolean;
}

export function warmUp(series: ArrayLike<number>): WarmUp {
  const batches = Math.floor(series.length / BATCH);
  if (batches < 4) return { leave: 0, settled: false };
  const means = new Float64Array(batches);
  for (let batch = 0; batch < batches; batch++) {
    let sum = 0;
    for (let i = 0; i < BATCH; i++) sum += series[batch * BATCH + i]!;
    means[batch] = sum / BATCH;
  }
  // From the end on: each step takes one batch more into mean and sum of squared deviations (Welford, 1962).
  const half = Math.floor(batches / 2);
  let mean = 0;
  let squares = 0;
  let least = Infinity;
  let best = 0;
  for (let from = batches - 1; from >= 0; from--) {
    const count = batches - from;
    const deviation = means[from]! - mean;
    mean += deviation / count;
    squares += deviation * (means[from]! - mean);
    // Equal errors: the longer rest is the better one.
    if (from <= half && squares / (count * count) <= least) {
      least = squares / (count * count);
      best = from;
    }
  }
  return { leave: best * BATCH, settled: best < half };
}

/** Value by value, as far as the shortest of them goes. */
export function averageOf(series: readonly ArrayLike<number>[]): Float64Array {
  const average = new Float64Array(Math.min(...series.map(({ length }) => length)));
  for (const each of series)
    for (let i = 0; i < average.length; i++) average[i] = average[i]! + each[i]! / series.length;
  return average;
}
