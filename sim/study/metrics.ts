/**
 * The figures that a study records of each replication: name, unit and meaning. What is said here becomes the data dictionary.
 *
 * Figures of jobs leave the warm-up out. Figures of the run count everything from its first to its last microsecond, since books must balance.
 */
import type { Figures } from "../metrics/index.ts";
import { type Column, FATE, type Stretch } from "./job-series.ts";

export interface Metric {
  readonly name: string;
  /** `s`, `1` for shares and counts, `units`, `tokens`, `jobs`. */
  readonly unit: string;
  readonly scope: "jobs" | "run";
  readonly what: string;
}

/** Read from the jobs after the warm-up. */
export interface JobMetric extends Metric {
  readonly scope: "jobs";
  of(jobs: Stretch): number | null;
}

/** Read from the figures of the whole run. */
export interface RunMetric extends Metric {
  readonly scope: "run";
  of(figures: Figures): number | null;
}

const TIMES: readonly (readonly [Column, string])[] = [
  ["wait", "from a job's creation until a worker takes it"],
  ["firstToken", "from a job's creation to its first token"],
  ["sojourn", "from a job's creation to its last token, of jobs that were finished"],
];

function timesOf([column, what]: (typeof TIMES)[number]): readonly JobMetric[] {
  const metric = (suffix: string, of: JobMetric["of"], text: string): JobMetric => ({
    name: `${column}.${suffix}`,
    unit: "s",
    scope: "jobs",
    what: `${text} time ${what}`,
    of,
  });
  return [
    metric("mean", (jobs) => jobs.mean(column), "Mean"),
    metric("p50", (jobs) => jobs.quantile(column, 0.5), "Median"),
    metric("p95", (jobs) => jobs.quantile(column, 0.95), "95th percentile of the"),
    metric("p99", (jobs) => jobs.quantile(column, 0.99), "99th percentile of the"),
  ];
}

const fate = (name: keyof typeof FATE, what: string): JobMetric => ({
  name: `jobs.${name}Share`,
  unit: "1",
  scope: "jobs",
  what,
  of: (jobs) => jobs.share(FATE[name]),
});

export const jobMetrics: readonly JobMetric[] = [
  ...TIMES.flatMap(timesOf),
  fate("settled", "Share of jobs that were settled"),
  fate("failed", "Share of jobs that failed"),
  fate("refunded", "Share of jobs refunded by the time-out of 120 s"),
];

const run = (name: string, unit: string, what: string, of: RunMetric["of"]): RunMetric => ({
  name,
  unit,
  scope: "run",
  what,
  of,
});

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

export const runMetrics: readonly RunMetric[] = [
  run("requests.arrived", "1", "Requests that came", ({ requests }) => requests.arrived),
  run("requests.refusedShare", "1", "Share of requests refused for lack of units or of workers", ({ requests }) =>
    share(requests.insufficientCredits + requests.noWorkers, requests.arrived),
  ),
  run("jobs.created", "1", "Jobs made of those requests", ({ jobs }) => jobs.created),
  run("native.utilisation", "1", "Share of the native workers' slot time spent on jobs", ({ workers }) =>
    workers.native.workers === 0 ? null : workers.native.utilisation,
  ),
  run("browser.utilisation", "1", "Share of the browser workers' slot time spent on jobs", ({ workers }) =>
    workers.browser.workers === 0 ? null : workers.browser.utilisation,
  ),
  run("units.bought", "units", "Units that clients bought", ({ units }) => units.bought),
  run("units.settled", "units", "Units that settled jobs have cost, less those that verdicts gave back", (figures) => {
    return figures.units.settled;
  }),
  run("native.paid", "units", "Units paid to native workers", ({ workers }) => workers.native.paid / 100),
  run("browser.paid", "units", "Units paid to browser workers", ({ workers }) => workers.browser.paid / 100),
  run("treasury", "units", "Units that the treasury kept", ({ treasury }) => treasury / 100),
  run("disputes.opened", "1", "Disputes opened", ({ disputes }) => disputes.opened),
  run("disputes.fraudulent", "1", "Disputes decided against the worker", ({ disputes }) => disputes.fraudulent),
  run("disputes.honest", "1", "Disputes decided for the worker", ({ disputes }) => disputes.honest),
  run("stake.slashed", "tokens", "Stake taken after verdicts of fraud", ({ stake }) => stake.slashed),
  run("workers.left", "1", "Workers that left, those slashed below the minimum included", ({ left }) => left),
  run("deliveries.failedShare", "1", "Share of webhook deliveries given up after the last attempt", (figures) => {
    return share(figures.deliveries.failed, figures.deliveries.created);
  }),
];

export const metrics: readonly (JobMetric | RunMetric)[] = [...jobMetrics, ...runMetrics];

export function findMetric(name: string): JobMetric | RunMetric | undefined {
  return metrics.find((metric) => metric.name === name);
}
