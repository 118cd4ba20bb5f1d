/** The results of a study, for people at a terminal. */
import { findMetric, type PointSummary, type Ranked, type Study } from "../sim/study/index.ts";
import { intervalText } from "./interval-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

/** The points with the metrics that the study shows, ending with a newline. */
export function renderStudy(study: Study, points: readonly PointSummary[], colours: Palette): string {
  const percent = Number((study.confidence * 100).toPrecision(6));
  const head = [
    "point",
    ...study.factors.map(({ name }) => name),
    ...study.metrics.map((name) => `${name}${unitOf(name)}`),
    ...(study.warmUp === "mser5" ? ["warm-up"] : []),
  ];
  const rows = points.map(({ point, intervals, warmUp, replications }) => [
    String(point.index),
    ...study.factors.map(({ name }) => valueText(point.factors[name])),
    ...study.metrics.map((name) => {
      const interval = intervals[name];
      return interval ? intervalText(interval) : "-";
    }),
    ...(study.warmUp === "mser5" && replications > 0 ? [`${warmUp.jobs} jobs${warmUp.settled ? "" : " *"}`] : []),
  ]);
  const unsettled = study.warmUp === "mser5" && points.some(({ warmUp }) => !warmUp.settled);
  const several = study.replications > 1;
  return `${[
    `${colours.strong(study.name)}  ${study.points.length} points, ${study.replications} ${several ? "replications each" : "replication each: single runs, not yet findings"}`,
    ...(several ? [`mean ± half-width at ${percent} % confidence (Student)`] : []),
    "",
    tableOf([head, ...rows]),
    ...(unsettled
      ? ["", colours.doubtful("* no steady state in sight after half of the pilot: longer runs would tell more")]
      : []),
  ].join("\n")}\n`;
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
