/** One replication: a world run to its end, its warm-up left out, every metric read. */
import { type RunOptions, runWorld } from "../run.ts";
import type { WorldOptions } from "../world.ts";
import { batchBounds } from "./batch-means.ts";
import { JobSeries } from "./job-series.ts";
import { jobMetrics, metrics, partyValues, runMetrics } from "./metrics.ts";
import { averageOf, type WarmUp, warmUp } from "./warm-up.ts";

/** `mser5` finds the warm-up in the run itself, which only a long one bears; a number leaves out as many jobs from the start. */
export type WarmUpRule = "mser5" | number;

/** By name of the metric; `null` where the run had nothing to tell. */
export type Values = Readonly<Record<string, number | null>>;

export interface Replication {
  readonly values: Values;
  /** Jobs left out at the start, and whether a steady state was found. */
  readonly warmUp: { readonly jobs: number; readonly settled: boolean };
  readonly jobs: number;
  /** Names the run. */
  readonly traceHash: string;
  readonly violations: number;
  /** The first thing that a checker had to say. */
  readonly violation: string | null;
  readonly complete: boolean;
  /** Kernel events. */
  readonly events: number;
  /** Metrics of jobs, batch by batch, where batches were asked for. */
  readonly batches: readonly Values[];
}

export interface ReplicationOptions {
  readonly warmUp: WarmUpRule;
  /** Cut the jobs after the warm-up into so many batches; none unless told. */
  readonly batches?: number;
  readonly pause?: RunOptions["pause"];
}

export async function replicate(world: WorldOptions, options: ReplicationOptions): Promise<Replication> {
  const series = new JobSeries();
  const result = await runWorld(world, { pause: options.pause, folds: [series] });
  const found =
    options.warmUp === "mser5"
      ? warmUp(series.stays())
      : { leave: Math.min(options.warmUp, series.length), settled: true };
  const after = series.stretch(found.leave, series.length);
  const values: Record<string, number | null> = {};
  for (const metric of metrics) values[metric.name] = metric.scope === "jobs" ? metric.of(after) : null;
  for (const metric of runMetrics) values[metric.name] = metric.of(result.figures);
  Object.assign(values, partyValues(result.figures));
  const bounds = options.batches === undefined ? [] : batchBounds(found.leave, series.length, options.batches);
  const [violation] = result.violations;
  return {
    values,
    warmUp: { jobs: found.leave, settled: found.settled },
    jobs: series.length,
    traceHash: result.hash,
    violations: result.violationCount,
    violation: violation === undefined ? null : `${violation.checker}: ${violation.what}`,
    complete: result.complete,
    events: result.events,
    batches: bounds.map(([from, to]) => {
      const batch = series.stretch(from, to);
      return Object.fromEntries(jobMetrics.map((metric) => [metric.name, metric.of(batch)]));
    }),
  };
}

/** The warm-up that all replications of a world share, found by MSER-5 in the average of runs that are none of them. */
export async function pilot(worlds: readonly WorldOptions[], pause?: RunOptions["pause"]): Promise<WarmUp> {
  const stays: Float64Array[] = [];
  for (const world of worlds) {
    const series = new JobSeries();
    await runWorld(world, { pause, checkers: {}, folds: [series] });
    stays.push(series.stays());
  }
  return warmUp(averageOf(stays));
}
