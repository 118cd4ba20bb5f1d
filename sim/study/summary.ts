/** What a finished study says: an interval for each metric at each point, and a ranking where one was asked for. */
import { canonicalJson } from "../core/index.ts";
import { type Interval, meanInterval, meanOf } from "./interval.ts";
import { metricsIn } from "./metrics.ts";
import { type Ranked, rank } from "./ranking.ts";
import type { Point, Study } from "./study.ts";
import type { Outcome } from "./task.ts";

export interface PointSummary {
  readonly point: Point;
  readonly replications: number;
  /** Jobs left out of each replication, and whether the pilot saw a steady state. */
  readonly warmUp: { readonly jobs: number; readonly settled: boolean };
  /** By metric; `null` where no replication had anything to tell. */
  readonly intervals: Readonly<Record<string, Interval | null>>;
}

/** The replications of each point in their order, by index of the point. */
export function byPoint(study: Study, outcomes: Iterable<Outcome>): readonly (readonly Outcome[])[] {
  const rows: Outcome[][] = study.points.map(() => []);
  for (const outcome of outcomes) {
    if (outcome.run !== undefined && outcome.replication < study.replications) rows[outcome.point]?.push(outcome);
  }
  for (const each of rows) each.sort((a, b) => a.replication - b.replication);
  return rows;
}

/** The values of a metric in these outcomes, without those that have none. */
export function valuesOfMetric(outcomes: readonly Outcome[], metric: string): readonly number[] {
  return outcomes.map(({ run }) => run?.values[metric] ?? null).filter((value) => value !== null);
}

export function summarise(study: Study, outcomes: Iterable<Outcome>): readonly PointSummary[] {
  const all = [...outcomes];
  const known = metricsIn(all.flatMap(({ run }) => (run === undefined ? [] : [run.values])));
  const settled = new Map(
    all.filter(({ kind }) => kind === "pilot").map(({ point, warmUp }) => [point, warmUp.settled]),
  );
  return byPoint(study, all).map((rows, index) => ({
    point: study.points[index]!,
    replications: rows.length,
    warmUp: { jobs: rows[0]?.warmUp.jobs ?? 0, settled: settled.get(index) ?? true },
    intervals: Object.fromEntries(
      known.map(({ name }) => {
        const values = valuesOfMetric(rows, name);
        return [name, values.length === 0 ? null : meanInterval(values, study.confidence)];
      }),
    ),
  }));
}

/**
 * The values of a factor, ranked by a metric. Each replication gives each value one number: the mean over all points that have it, so that under
 * common random numbers the numbers of one replication are a fair pair.
 *
 * @returns undefined where a replication is missing somewhere or has nothing to tell
 */
export function ranking(
  study: Study,
  outcomes: Iterable<Outcome>,
  compare: NonNullable<Study["compare"]>,
): readonly Ranked[] | undefined {
  const rows = byPoint(study, outcomes);
  const names = [...new Set(study.points.map(({ factors }) => nameOfValue(factors[compare.factor])))];
  const alternatives = names.map((name) => {
    const points = study.points.filter(({ factors }) => nameOfValue(factors[compare.factor]) === name);
    const series = points.map(({ index }) => valuesOfMetric(rows[index]!, compare.metric));
    const complete = series.every((values) => values.length === study.replications);
    return {
      name,
      values: complete
        ? Array.from({ length: study.replications }, (_, at) => meanOf(series.map((values) => values[at]!)))
        : [],
    };
  });
  if (alternatives.some(({ values }) => values.length === 0)) return undefined;
  return rank(alternatives, compare.better ?? "lower", study.confidence);
}

function nameOfValue(value: unknown): string {
  return typeof value === "string" ? value : canonicalJson(value ?? null);
}
