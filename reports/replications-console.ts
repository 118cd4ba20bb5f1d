/** Figures with their intervals, for people at a terminal: of replications, of a pair of scenarios, of the batches of one run. */
import {
  differs,
  type Interval,
  type Metric,
  meanInterval,
  pairedInterval,
  quantileInterval,
} from "../sim/study/index.ts";
import { intervalText, plain } from "./interval-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

interface Heading {
  readonly name: string;
  readonly file: string;
  readonly seed: string;
  readonly confidence: number;
  readonly warmUp: { readonly jobs: number; readonly settled: boolean };
}

export interface ReplicationsResult extends Heading {
  readonly replications: number;
  readonly precision?:
    | { readonly relative: number; readonly reached: boolean; readonly metrics: readonly string[] }
    | undefined;
  readonly against?: { readonly name: string; readonly file: string } | undefined;
  readonly figures: readonly {
    readonly metric: Metric;
    readonly values: readonly number[];
    readonly others?: readonly number[] | undefined;
  }[];
}

/** From so many runs on it is told where nine of ten lie. */
const MANY = 20;

export function renderReplications(result: ReplicationsResult, colours: Palette): string {
  const { figures, replications, confidence } = result;
  const many = replications >= MANY;
  const rows = figures
    .filter(({ values }) => values.length > 0)
    .map(({ metric, values }) => [
      metric.name,
      intervalText(meanInterval(values, confidence)),
      unitText(metric),
      ...(many && values.length >= MANY ? [tenthText(values, confidence)] : []),
    ]);
  return lines(
    heading(result, `${replications} replications`, colours),
    ...precisionLines(result, colours),
    "",
    tableOf([
      ["", `mean ± half-width, ${percent(confidence)}`, "", ...(many ? ["nine of ten runs lie below"] : [])],
      ...rows,
    ]),
    "",
    `replay      assay run ${result.file} --seed ${result.seed}-0 (to ${result.seed}-${replications - 1})`,
  );
}

/** Where nine of ten runs lie: a quantile of the runs with its own interval, free of any assumption. */
function tenthText(values: readonly number[], confidence: number): string {
  const { value, low, high, coverage } = quantileInterval(values, 0.9, confidence);
  const sure = coverage >= confidence ? "" : `, ${percent(coverage)}`;
  return low === high ? plain(value) : `${plain(value)} (${plain(low)} to ${plain(high)}${sure})`;
}

export function renderPair(result: ReplicationsResult, colours: Palette): string {
  const { figures, replications, confidence, against } = result;
  const rows = figures
    .filter(({ values, others = [] }) => values.length === replications && others.length === replications)
    .map(({ metric, values, others = [] }) => {
      const difference = pairedInterval(values, others, confidence);
      return [
        metric.name,
        intervalText(meanInterval(values, confidence)),
        intervalText(meanInterval(others, confidence)),
        signed(difference),
        unitText(metric),
        verdict(difference, colours),
      ];
    });
  return lines(
    heading(result, `${replications} pairs of runs with common random numbers`, colours),
    `against     ${against!.name}  ${colours.quiet(against!.file)}`,
    ...precisionLines(result, colours),
    "",
    tableOf([["", "first", "second", `second - first, ${percent(confidence)}`, "", ""], ...rows]),
  );
}

export interface BatchesResult extends Heading {
  readonly batches: number;
  readonly size: number;
  readonly jobs: number;
  readonly hash: string;
  readonly figures: readonly {
    readonly metric: Metric;
    readonly values: readonly number[];
    readonly correlation: number;
    readonly short: boolean;
  }[];
}

export function renderBatches(result: BatchesResult, colours: Palette): string {
  const { figures, confidence, batches, size } = result;
  const rows = figures
    .filter(({ values }) => values.length > 0)
    .map(({ metric, values, correlation, short }) => [
      metric.name,
      intervalText(meanInterval(values, confidence)),
      unitText(metric),
      correlation.toFixed(2),
      short ? colours.doubtful("batches too short: the interval is too narrow") : "",
    ]);
  return lines(
    heading(result, `one run in ${batches} batches of ${size} jobs`, colours),
    "",
    tableOf([["", `mean ± half-width, ${percent(confidence)}`, "", "neighbours' correlation", ""], ...rows]),
    "",
    `trace       hash ${colours.strong(result.hash)}`,
  );
}

function heading({ name, file, seed, warmUp }: Heading, how: string, colours: Palette): string {
  const left = `warm-up     ${warmUp.jobs === 0 ? "no jobs" : `the first ${warmUp.jobs} jobs of each run`} left out`;
  return [
    `${colours.strong(name)}  ${colours.quiet(file)}`,
    `${how}, seed ${seed}`,
    warmUp.settled
      ? left
      : `${left}; ${colours.doubtful("no steady state in sight after half of a run: these are figures of a start")}`,
  ].join("\n");
}

function precisionLines({ precision }: ReplicationsResult, colours: Palette): readonly string[] {
  if (precision === undefined) return [];
  const asked = `${precision.metrics.join(", ")} within ${percent(precision.relative)}`;
  return [`precision   ${precision.reached ? asked : colours.doubtful(`${asked}: not reached at the ceiling`)}`];
}

function verdict(difference: Interval, colours: Palette): string {
  if (difference.mean === 0 && difference.halfWidth === 0) return colours.quiet("equal in every pair");
  if (!differs(difference)) return colours.doubtful("not distinguishable");
  return difference.mean > 0 ? "the second is higher" : "the second is lower";
}

function signed(difference: Interval): string {
  const text = intervalText(difference);
  return difference.mean > 0 ? `+${text}` : text;
}

const unitText = ({ unit }: Metric): string => (unit === "1" ? "" : unit);

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

const lines = (...texts: readonly string[]): string => `${texts.join("\n")}\n`;
