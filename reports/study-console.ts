/** The results of a study, for people at a terminal. */
import { findMetric, type PointSummary, type Ranked, type Study } from "../sim/study/index.ts";
import { intervalText } from "./interval-text.ts";
import type { Palette } from "./palette.ts";
import { lengthOf, tableOf, terminalWidth } from "./plain-table.ts";

/** A column: what stands above it, and a cell a point. */
interface Column {
  readonly name: string;
  readonly cells: readonly string[];
}

/** The points with the metrics that the study shows, ending with a newline. */
export function renderStudy(
  study: Study,
  points: readonly PointSummary[],
  colours: Palette,
  width = terminalWidth(),
): string {
  const percent = Number((study.confidence * 100).toPrecision(6));
  const fixed: readonly Column[] = [
    { name: "point", cells: points.map(({ point }) => String(point.index)) },
    ...study.factors.map(({ name }) => ({ name, cells: points.map(({ point }) => valueText(point.factors[name])) })),
  ];
  const measured: readonly Column[] = [
    ...study.metrics.map((name) => ({
      name: `${name}${unitOf(name)}`,
      cells: points.map(({ intervals }) => (intervals[name] ? intervalText(intervals[name]) : "-")),
    })),
    ...(study.warmUp === "mser5" && points.some(({ replications }) => replications > 0)
      ? [
          {
            name: "warm-up",
            cells: points.map(({ warmUp, replications }) =>
              replications > 0 ? `${warmUp.jobs} jobs${warmUp.settled ? "" : " *"}` : "",
            ),
          },
        ]
      : []),
  ];
  const unsettled = study.warmUp === "mser5" && points.some(({ warmUp }) => !warmUp.settled);
  const several = study.replications > 1;
  return `${[
    `${colours.strong(study.name)}  ${study.points.length} points, ${study.replications} ${several ? "replications each" : "replication each: single runs, not yet findings"}`,
    ...(several ? [`mean ± half-width at ${percent} % confidence (Student)`] : []),
    "",
    fitted(fixed, measured, width),
    ...(unsettled
      ? ["", colours.doubtful("* no steady state in sight after half of the pilot: longer runs would tell more")]
      : []),
  ].join("\n")}\n`;
}

/** One table; where it is too wide, its long names in two lines; and then as many tables as it takes, each with the points. */
function fitted(fixed: readonly Column[], measured: readonly Column[], width: number): string {
  const table = (columns: readonly Column[], heads: readonly ((name: string) => string)[]): string => {
    const rows = Array.from({ length: fixed[0]?.cells.length ?? 0 }, (_, row) =>
      columns.map(({ cells }) => cells[row] ?? ""),
    );
    return tableOf([...heads.map((head) => columns.map(({ name }) => head(name))), ...rows], Number.POSITIVE_INFINITY);
  };
  const fits = (text: string): boolean => text.split("\n").every((line) => lengthOf(line) <= width);
  const plain = table([...fixed, ...measured], [(name) => name]);
  if (fits(plain)) return plain;
  const split = (name: string): number => name.lastIndexOf(".") + 1;
  const heads = [(name: string) => name.slice(0, split(name)), (name: string) => name.slice(split(name))];
  const tables: Column[][] = [];
  for (const column of measured) {
    const last = tables.at(-1);
    if (last !== undefined && fits(table([...fixed, ...last, column], heads))) last.push(column);
    else tables.push([column]);
  }
  return tables.map((columns) => table([...fixed, ...columns], heads)).join("\n\n");
}

export function renderRanking(
  study: Study,
  compare: NonNullable<Study["compare"]>,
  ranked: readonly Ranked[],
  colours: Palette,
): string {
  const better = compare.better ?? "lower";
  const rows = ranked.map(({ name, interval, behind, like }, place) => [
    String(place + 1),
    name,
    intervalText(interval),
    place === 0 ? "the best" : `+ ${intervalText({ ...behind, mean: Math.abs(behind.mean) })}`,
    like.length === 0 ? "told apart from all others" : colours.doubtful(`not distinguishable from ${like.join(", ")}`),
  ]);
  const percent = Number((study.confidence * 100).toPrecision(6));
  return `${[
    "",
    `${colours.strong(`${compare.factor} by ${compare.metric}`)}${unitOf(compare.metric)}, ${better} is better; all comparisons together hold with ${percent} % confidence`,
    tableOf([["", compare.factor, compare.metric, "behind the best", ""], ...rows]),
  ].join("\n")}\n`;
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "-");
}

function unitOf(metric: string): string {
  const unit = findMetric(metric)?.unit ?? "1";
  return unit === "1" ? "" : ` [${unit}]`;
}
