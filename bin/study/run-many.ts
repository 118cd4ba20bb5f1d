/** `assay run` with more than one run, or one long run in batches: every figure with its interval. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { palette, wantsColour } from "../../reports/palette.ts";
import { progressLine } from "../../reports/progress.ts";
import { renderBatches, renderPair, renderReplications } from "../../reports/replications-console.ts";
import { AssayError } from "../../sim/core/index.ts";
import { buildScenario, loadScenario } from "../../sim/scenario/index.ts";
import {
  batchesAreTooShort,
  byPoint,
  CONFIDENCE,
  findMetric,
  isPrecise,
  jobMetrics,
  lagOneCorrelation,
  meanInterval,
  metrics,
  metricsIn,
  type Outcome,
  type Precision,
  REPLICATIONS,
  replicate,
  type Study,
  stillNeeded,
  studyOf,
  valuesOfMetric,
} from "../../sim/study/index.ts";
import type { Streams } from "../commands/run.ts";
import { conduct } from "./conduct.ts";
import { engineHere } from "./engine.ts";
import { warmUpRule } from "./options.ts";
import type { Runner } from "./runner.ts";

export interface ManyOptions {
  readonly scenario: string;
  readonly against?: string | undefined;
  readonly trace?: string | undefined;
  readonly seed?: string | undefined;
  readonly replications?: number | undefined;
  /** `2%` */
  readonly precision?: string | undefined;
  readonly metric?: readonly string[] | undefined;
  readonly floor: number;
  readonly ceiling: number;
  readonly warmUp: string;
  readonly json: boolean;
  readonly quiet: boolean;
}

const EXIT_INTERRUPTED = 130;

/** What is made precise unless told. */
const PRECISE = ["sojourn.mean"];

interface Side {
  readonly study: Study;
  readonly outcomes: Map<string, Outcome>;
}

/** @returns 0; 1 where an invariant was broken or a run failed; 130 where Ctrl-C ended it */
export async function runMany(options: ManyOptions, runner: Runner, streams: Streams): Promise<number> {
  const wanted = checkedMetrics(options.metric);
  const precision = precisionOf(options);
  const sides = [options.scenario, options.against]
    .filter((file) => file !== undefined)
    .map((file): Side => {
      const { trace, seed } = options;
      return { study: studyOf(file, { trace, seed, warmUp: warmUpRule(options.warmUp) }), outcomes: new Map() };
    });
  // One seed for both: what differs is the scenario alone.
  const [first, second] = sides.map((side) => ({ ...side, study: { ...side.study, seed: sides[0]!.study.seed } }));
  const stop = new AbortController();
  const interrupt = (): void => stop.abort();
  process.once("SIGINT", interrupt);
  let count = options.replications ?? (precision === undefined ? REPLICATIONS : Math.max(2, precision.floor));
  try {
    for (;;) {
      for (const side of [first!, second].filter((each) => each !== undefined)) {
        const failed = await conductSide(side, count, runner, options, streams, stop.signal);
        if (failed !== undefined) return failed;
      }
      const series = (precision === undefined ? [] : (wanted ?? PRECISE)).map((name) => {
        const values = valuesOf(first!, count, name);
        if (values.length === count) return values;
        throw noValue(name);
      });
      if (precision === undefined || isPrecise(series, precision) || count >= precision.ceiling) break;
      // No further than half as much again: the spread that tells how many are needed is itself an estimate.
      count += Math.min(stillNeeded(series, precision), Math.max(1, Math.ceil(count / 2)), precision.ceiling - count);
    }
  } finally {
    process.off("SIGINT", interrupt);
  }
  return tell(first!, second, count, precision, wanted, options, streams);
}

async function conductSide(
  { study, outcomes }: Side,
  replications: number,
  runner: Runner,
  { quiet }: ManyOptions,
  { err, env }: Streams,
  signal: AbortSignal,
): Promise<number | undefined> {
  let line: ReturnType<typeof progressLine> | undefined;
  const { failures, interrupted } = await conduct(
    { ...study, replications },
    {
      runner,
      engine: await engineHere(),
      signal,
      outcomes,
      keep: (task, text) => outcomes.set(task.key, JSON.parse(text) as Outcome),
      progress: (ended, total, found) => {
        if (quiet) return;
        line ??= progressLine(err, { unit: "runs", total: total - found, colours: palette(wantsColour(err, env)) });
        line.tell(ended - found);
      },
    },
  );
  line?.end();
  if (interrupted) {
    err.write("stopped: nothing is told of replications that did not all end; assay sweep keeps them\n");
    return EXIT_INTERRUPTED;
  }
  for (const { task, message } of failures.slice(0, 3)) {
    err.write(`A run failed, seed ${task.seeds[0]}:\n  ${message.replaceAll("\n", "\n  ")}\n`);
  }
  return failures.length > 0 ? 1 : undefined;
}

const rowsOf = ({ study, outcomes }: Side, count: number): readonly Outcome[] =>
  byPoint({ ...study, replications: count }, outcomes.values())[0]!;

const valuesOf = (side: Side, count: number, metric: string): readonly number[] =>
  valuesOfMetric(rowsOf(side, count), metric);

function tell(
  first: Side,
  second: Side | undefined,
  count: number,
  precision: Precision | undefined,
  wanted: readonly string[] | undefined,
  options: ManyOptions,
  { out, env }: Streams,
): number {
  const colours = palette(wantsColour(out, env));
  const rows = rowsOf(first, count);
  const others = second === undefined ? undefined : rowsOf(second, count);
  const pilot = (side: Side): { jobs: number; settled: boolean } | undefined =>
    [...side.outcomes.values()].find(({ kind }) => kind === "pilot")?.warmUp;
  const known = metricsIn(rows.map(({ run }) => run!.values));
  const figures = (wanted ?? known.map(({ name }) => name)).map((name) => {
    const values = valuesOfMetric(rows, name);
    return { metric: findMetric(name)!, values, others: others && valuesOfMetric(others, name) };
  });
  const result = {
    name: first.study.name,
    file: options.scenario,
    seed: first.study.seed,
    replications: count,
    confidence: CONFIDENCE,
    warmUp: pilot(first) ?? { jobs: rows[0]?.warmUp.jobs ?? 0, settled: true },
    against: second && { name: second.study.name, file: options.against!, warmUp: pilot(second) },
    precision:
      precision &&
      ({
        relative: precision.relative,
        reached: isPrecise(
          (wanted ?? PRECISE).map((name) => valuesOfMetric(rows, name)),
          precision,
        ),
        metrics: wanted ?? PRECISE,
      } as const),
    figures,
    runs: rows.map(({ seeds, run }) => ({ seed: seeds[0]!, hash: run!.traceHash })),
  };
  if (options.json) {
    const told = figures.map(({ metric, values, others: theirs }) => ({
      name: metric.name,
      unit: metric.unit,
      interval: values.length === 0 ? null : meanInterval(values),
      values,
      ...(theirs === undefined ? {} : { against: theirs }),
    }));
    out.write(`${JSON.stringify({ ...result, figures: told }, null, 2)}\n`);
  } else out.write(second === undefined ? renderReplications(result, colours) : renderPair(result, colours));
  const broken = [...rows, ...(others ?? [])].filter(({ run }) => run!.violations > 0);
  for (const { seeds, run } of broken.slice(0, 3)) out.write(`seed ${seeds[0]}: ${run!.violation}\n`);
  return broken.length > 0 ? 1 : 0;
}

/** One long run, its warm-up left out, cut into batches. */
export async function runBatches(options: ManyOptions, batches: number, { out, err, env }: Streams): Promise<number> {
  const loaded = loadScenario(options.scenario);
  const world = buildScenario(loaded, { seed: options.seed, trace: options.trace });
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  const line = options.quiet
    ? undefined
    : progressLine(err, { unit: "events", colours: palette(wantsColour(err, env)) });
  process.once("SIGINT", interrupt);
  const rule = warmUpRule(options.warmUp);
  try {
    const run = await replicate(world, {
      warmUp: rule,
      batches,
      pause: async ({ events }) => {
        line?.tell(events);
        await nextTurn();
        return !interrupted;
      },
    });
    line?.end();
    if (!run.complete) return EXIT_INTERRUPTED;
    const size = Math.floor((run.jobs - run.warmUp.jobs) / batches);
    if (size < 1) {
      throw new AssayError({
        what: "The run is too short for so many batches.",
        where: "--batches",
        seen: `${run.jobs - run.warmUp.jobs} jobs after the warm-up`,
        expected: `many more than ${batches}`,
        hint: "let the scenario last longer, or make replications",
      });
    }
    const wanted = checkedMetrics(options.metric) ?? jobMetrics.map(({ name }) => name);
    const figures = wanted.map((name) => {
      const metric = findMetric(name)!;
      if (metric.scope === "run") {
        throw new AssayError({
          what: "This metric is one of the whole run and has no batches.",
          where: "--metric",
          seen: name,
          expected: `one of ${jobMetrics.map((each) => each.name).join(", ")}`,
          hint: "--replications gives it an interval",
        });
      }
      const values = run.batches.map((batch) => batch[name] ?? null).filter((value) => value !== null);
      const short = values.length > 2 && batchesAreTooShort(values);
      return { metric, values, correlation: lagOneCorrelation(values), short };
    });
    const result = {
      name: loaded.scenario.name ?? options.scenario,
      file: options.scenario,
      seed: String(world.seed),
      batches,
      size,
      jobs: run.jobs,
      confidence: CONFIDENCE,
      warmUp: run.warmUp,
      hash: run.traceHash,
    };
    if (options.json) {
      const told = figures.map(({ metric, values, ...rest }) => {
        const interval = values.length === 0 ? null : meanInterval(values);
        return { name: metric.name, unit: metric.unit, interval, ...rest };
      });
      out.write(`${JSON.stringify({ ...result, figures: told }, null, 2)}\n`);
    } else out.write(renderBatches({ ...result, figures }, palette(wantsColour(out, env))));
    if (run.violations > 0) out.write(`${run.violations} invariants broken: ${run.violation}\n`);
    return run.violations > 0 ? 1 : 0;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

function checkedMetrics(names: readonly string[] | undefined): readonly string[] | undefined {
  for (const name of names ?? []) {
    if (findMetric(name) === undefined) {
      throw new AssayError({
        what: "There is no such metric.",
        where: "--metric",
        seen: name,
        expected: `one of ${metrics.map((metric) => metric.name).join(", ")}`,
      });
    }
  }
  return names === undefined || names.length === 0 ? undefined : names;
}

function noValue(metric: string): AssayError {
  return new AssayError({
    what: "This metric has no value in some run, so it cannot be made precise.",
    where: "--metric",
    seen: metric,
    expected: "a metric that every run of the scenario has",
  });
}

function precisionOf({ precision, floor, ceiling }: ManyOptions): Precision | undefined {
  if (precision === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(precision.trim());
  const relative = match === null ? Number(precision) : Number(match[1]) / 100;
  if (!(relative > 0 && relative < 1)) {
    throw new AssayError({
      what: "This is no precision.",
      where: "--precision",
      seen: precision,
      expected: "the half-width as a share of the mean, such as 2% or 0.02",
    });
  }
  if (!(floor >= 2 && ceiling >= floor)) {
    throw new AssayError({
      what: "These bounds hold no number of replications.",
      where: "--floor, --ceiling",
      seen: `${floor} to ${ceiling}`,
      expected: "2 <= floor <= ceiling",
    });
  }
  return { relative, confidence: CONFIDENCE, floor, ceiling };
}
