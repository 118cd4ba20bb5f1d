/** A metric of a study drawn: curves with their intervals, points with theirs, and break-even curves. */
import { findMetric, type PointSummary, type Study } from "../../sim/study/index.ts";
import { figure } from "../charts/figure.ts";
import { draw, Plot } from "../charts/plot.ts";
import { axisText, short } from "../charts/units.ts";
import { intervalText, plain } from "../interval-text.ts";
import { html, type Markup } from "../page/markup.ts";
import { dataTable } from "../page/parts.ts";
import { type Crossing, type Curves, crossingsOf, curvesOf, told, unitOf } from "./curves.ts";

/** All that is drawn of a metric. */
export function metricFigures(study: Study, points: readonly PointSummary[], metric: string): readonly Markup[] {
  const curves = curvesOf(study, points, metric);
  if (curves === undefined) return [dotsFigure(study, points, metric)];
  const crossings = crossingsOf(curves);
  return [
    curvesFigure(study, points, metric, curves),
    ...(crossings.length === 0 ? [] : [breakEvenFigure(study, metric, curves, crossings)]),
  ];
}

/** From one end of the palette to the other, so that neighbours look alike. */
const shade = (index: number, count: number): string =>
  count === 1 ? "var(--c1)" : `color-mix(in oklch, var(--c2) ${Math.round((index * 100) / (count - 1))}%, var(--c3))`;

const withUnit = (name: string, unit: string): string => (unit === "" ? name : `${name} (${unit})`);

function pointsTable(study: Study, points: readonly PointSummary[], metric: string): Markup {
  const rows = points.map(({ point, intervals, replications }) => [
    ...study.factors.map(({ name }) => told(point.factors[name])),
    intervals[metric] ? intervalText(intervals[metric]) : "-",
    replications,
  ]);
  const head = [...study.factors.map(({ name, unit }) => withUnit(name, unitOf(unit))), metric, "replications"];
  const first = study.factors.length;
  return dataTable(`${metric} at every point`, head, rows, [first, first + 1]);
}

function noteOf(study: Study, metric: string): string {
  const what = findMetric(metric)?.what ?? "";
  const several = study.replications > 1;
  const how = several
    ? `Mean of ${study.replications} replications, ${plain(study.confidence * 100)} % intervals.`
    : "Single runs: one draw of chance each.";
  return what === "" ? how : `${what}. ${how}`;
}

function curvesFigure(study: Study, points: readonly PointSummary[], metric: string, curves: Curves): Markup {
  const list = curves.curves;
  const rows = list.flatMap(({ name, points: mine }, index) =>
    mine.map(({ x, mean, halfWidth }) => {
      const reach = Number.isFinite(halfWidth) ? halfWidth : 0;
      return { x, mean, low: mean - reach, high: mean + reach, name, colour: shade(index, list.length) };
    }),
  );
  const crosses = rows.some(({ mean }) => mean < 0) && rows.some(({ mean }) => mean > 0);
  const scale = crosses ? aroundZero(rows.flatMap(({ low, high }) => [low, high])) : { nice: true };
  const drawing = draw(`${metric} along ${curves.along}`, {
    width: 1_100,
    height: 360,
    marginLeft: 60,
    color: { type: "identity" },
    x: axisOf(curves),
    y: { label: withUnit(metric, unitOf(findMetric(metric)?.unit)), grid: true, tickFormat: axisText, ...scale },
    marks: [
      ...(crosses ? [Plot.ruleY([0], { stroke: "var(--ink)" })] : []),
      Plot.areaY(rows, {
        x: "x",
        y1: "low",
        y2: "high",
        z: "name",
        fill: "colour",
        fillOpacity: Math.max(0.05, 0.2 / list.length),
      }),
      Plot.lineY(rows, { x: "x", y: "mean", z: "name", stroke: "colour", strokeWidth: 1.6 }),
      Plot.dot(rows, { x: "x", y: "mean", fill: "colour", r: 2.4 }),
    ],
  });
  const legend = list.map(({ name }, index) => [`${curves.by} ${name}`, shade(index, list.length)] as const);
  return figure({
    title: metric,
    note: noteOf(study, metric),
    drawing,
    table: pointsTable(study, points, metric),
    legend: list.length < 2 ? [] : legend,
    broad: true,
  });
}

/**
 * Where gains are small beside losses, or the other way about, a linear axis hides the change of sign: then it is logarithmic on both sides of
 * zero.
 */
function aroundZero(values: readonly number[]): Plot.ScaleOptions {
  const [most, least] = [Math.max(...values), -Math.min(...values)];
  const small = Math.min(most, least);
  if (small <= 0 || Math.max(most, least) < 20 * small) return { nice: true };
  const constant = 10 ** Math.floor(Math.log10(small));
  const powers: number[] = [];
  for (let power = constant; power <= Math.max(most, least); power *= 10) powers.push(power);
  const ticks = [...powers.map((power) => -power).reverse(), 0, ...powers];
  return { type: "symlog", constant, ticks: ticks.filter((tick) => tick >= -least && tick <= most) };
}

function axisOf({ along, unit, log }: Curves): Plot.ScaleOptions {
  return { label: withUnit(along, unit), ...(log ? { type: "log" as const, tickFormat: "~g", ticks: 8 } : {}) };
}

function breakEvenFigure(study: Study, metric: string, curves: Curves, crossings: readonly Crossing[]): Markup {
  const placed = crossings.flatMap(({ curve, at, low, high }) =>
    curve.at === null ? [] : [{ by: curve.at, at, low, high }],
  );
  const log =
    placed.length > 1 &&
    Math.min(...placed.map(({ by }) => by)) > 0 &&
    Math.max(...placed.map(({ by }) => by)) > 20 * Math.min(...placed.map(({ by }) => by));
  const drawing =
    placed.length < 2
      ? html``
      : draw(`Where ${metric} is zero`, {
          width: 1_100,
          height: 320,
          marginLeft: 60,
          x: {
            label: withUnit(curves.by, curves.byUnit),
            ...(log ? { type: "log" as const, tickFormat: "~g", ticks: 8 } : {}),
          },
          y: { ...axisOf(curves), grid: true },
          marks: [
            Plot.areaY(placed, { x: "by", y1: "low", y2: "high", fill: "var(--c6)", fillOpacity: 0.16 }),
            Plot.ruleX(placed, { x: "by", y1: "low", y2: "high", stroke: "var(--c6)" }),
            Plot.lineY(placed, { x: "by", y: "at", stroke: "var(--c6)", strokeWidth: 1.6 }),
            Plot.dot(placed, { x: "by", y: "at", fill: "var(--c6)", r: 3 }),
          ],
        });
  const rows = crossings.map(({ curve, at, low, high }) => [
    curve.name === "" ? "all" : curve.name,
    short(at),
    short(low),
    short(high),
  ]);
  const head = [
    curves.by === "" ? "" : withUnit(curves.by, curves.byUnit),
    withUnit(curves.along, curves.unit),
    "at least",
    "at most",
  ];
  return figure({
    title: `Break-even of ${metric}`,
    note: `Where it changes its sign along ${curves.along}: by its means, by a straight line between neighbouring points. The bounds are where the edges of the ${plain(study.confidence * 100)} % intervals do.`,
    drawing,
    table: dataTable(`Break-even of ${metric}`, head, rows),
    broad: true,
  });
}

/** For factors that are names: a line a point. */
function dotsFigure(study: Study, points: readonly PointSummary[], metric: string): Markup {
  const rows = points.flatMap(({ point, intervals }) => {
    const interval = intervals[metric];
    if (interval === null || interval === undefined) return [];
    const reach = Number.isFinite(interval.halfWidth) ? interval.halfWidth : 0;
    const label = study.factors.map(({ name }) => told(point.factors[name])).join(", ");
    return [
      {
        label: label === "" ? study.name : label,
        mean: interval.mean,
        low: interval.mean - reach,
        high: interval.mean + reach,
      },
    ];
  });
  const shown = rows.slice(0, MOST_DOTS);
  const longest = Math.max(4, ...shown.map(({ label }) => label.length));
  const drawing = draw(metric, {
    width: 1_100,
    height: 70 + shown.length * 22,
    marginLeft: Math.min(320, 16 + longest * 6.6),
    x: { label: withUnit(metric, unitOf(findMetric(metric)?.unit)), grid: true, nice: true, tickFormat: axisText },
    y: { label: null, domain: [...new Set(shown.map(({ label }) => label))], tickSize: 0 },
    marks: [
      Plot.ruleY(shown, { y: "label", x1: "low", x2: "high", stroke: "var(--c1)", strokeWidth: 2 }),
      Plot.dot(shown, { y: "label", x: "mean", fill: "var(--c1)", r: 3.4 }),
    ],
  });
  const cut = rows.length > shown.length ? ` The first ${MOST_DOTS} points are drawn; the table has all.` : "";
  return figure({
    title: metric,
    note: `${noteOf(study, metric)}${cut}`,
    drawing,
    table: pointsTable(study, points, metric),
    broad: true,
  });
}

const MOST_DOTS = 60;
