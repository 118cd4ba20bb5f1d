/**
 * The figures that a study records of each replication: name, unit and meaning. What is said here becomes the data dictionary.
 *
 * Figures of jobs leave the warm-up out. Figures of the run count everything from its first to its last microsecond, since books must balance.
 */
import type { Figures } from "../metrics/index.ts";
import type { PartyFigures } from "../metrics/ledger-of-parties.ts";
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
  run("cheats.committed", "jobs", "Jobs on which a worker cheated", ({ cheats }) => committed(cheats)),
  run("cheats.paid", "jobs", "Cheats that were paid all the same", ({ cheats }) => cheats.paid),
  run("cheats.found", "jobs", "Cheats refused by an audit or convicted on a dispute", ({ cheats }) => {
    return cheats.refused + cheats.convicted;
  }),
  run("cheats.wronged", "jobs", "Honest jobs refused by an audit or called fraudulent", ({ cheats }) => cheats.wronged),
  run(
    "clients.costPerAnswer",
    "units",
    "What clients spent, less what they got back, for each answer on which nobody cheated",
    (figures) => {
      const { parties, jobs, cheats } = figures;
      const spent = parties.reduce((sum, { role, net }) => (role === "client" ? sum - net : sum), 0);
      return share(spent / 100, jobs.settled - cheats.paid);
    },
  ),
  run("deliveries.failedShare", "1", "Share of webhook deliveries given up after the last attempt", (figures) => {
    return share(figures.deliveries.failed, figures.deliveries.created);
  }),
];

export const metrics: readonly (JobMetric | RunMetric)[] = [...jobMetrics, ...runMetrics];

/** What is recorded of each party of the scenario, as `party.<name>.<what>`. */
const PARTY: Readonly<
  Record<
    string,
    { readonly unit: string; readonly what: string; of(party: PartyFigures, figures: Figures): number | null }
  >
> = {
  total: {
    unit: "units",
    what: "Profit or loss: revenue less costs, and tokens at the scenario's price",
    of: ({ total }) => total / 100,
  },
  net: { unit: "units", what: "Revenue less costs, without tokens", of: ({ net }) => net / 100 },
  costs: {
    unit: "units",
    what: "Work and identities, charges and checks, audits and compensation",
    of: ({ costs }) => costs / 100,
  },
  slashed: { unit: "tokens", what: "Stake lost; by the treasury, taken", of: ({ slashed }) => slashed },
  refunds: {
    unit: "units",
    what: "Units held for jobs that failed or timed out, and given back",
    of: ({ refunds }) => refunds / 100,
  },
  jobs: { unit: "jobs", what: "Jobs that it was paid for, or paid for", of: ({ jobs }) => jobs },
  perJob: {
    unit: "units",
    what: "Profit or loss for each job created in the run",
    of: ({ total }, { jobs }) => share(total / 100, jobs.created),
  },
  perCheat: {
    unit: "units",
    what: "Profit or loss for each job of the run on which somebody cheated",
    of: ({ total }, { cheats }) => share(total / 100, committed(cheats)),
  },
};

function committed(cheats: Figures["cheats"]): number {
  return Object.values(cheats.committed).reduce((sum, count) => sum + count, 0);
}

/** The values of all parties of a run, by name of the metric. */
export function partyValues(figures: Figures): Readonly<Record<string, number | null>> {
  return Object.fromEntries(
    figures.parties.flatMap((party) =>
      Object.entries(PARTY).map(([what, { of }]) => [`party.${party.name}.${what}`, of(party, figures)]),
    ),
  );
}

/** A metric of that name, also of a party that only some scenario has. */
export function findMetric(name: string): Metric | undefined {
  const known = metrics.find((metric) => metric.name === name);
  const [, party, what] = /^party\.(.+)\.(\w+)$/.exec(name) ?? [];
  if (known !== undefined || party === undefined || what === undefined || !Object.hasOwn(PARTY, what)) return known;
  return { name, unit: PARTY[what]!.unit, scope: "run", what: `${PARTY[what]!.what}, of ${party}` };
}

/** All metrics that these values have: first those of every run, then those of parties, in order of name. */
export function metricsIn(values: Iterable<Readonly<Record<string, unknown>>>): readonly Metric[] {
  const names = new Set<string>();
  for (const each of values) for (const name of Object.keys(each)) if (name.startsWith("party.")) names.add(name);
  return [...metrics, ...[...names].sort().map((name) => findMetric(name)!)];
}
