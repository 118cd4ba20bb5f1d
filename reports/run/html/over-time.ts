/** Load, utilisation, outcomes and verdicts over the time of a run. */
import type { Counted, Level, Series } from "../../../sim/metrics/series.ts";
import { type Figure, figure } from "../../charts/figure.ts";
import { draw, Plot, TONES } from "../../charts/plot.ts";
import { axisText, clock, percent, short, timeUnit, units } from "../../charts/units.ts";
import type { Markup } from "../../page/markup.ts";
import { dataTable, whole } from "../../page/parts.ts";

/** A line or an area: one number a bucket. */
interface Track {
  readonly name: string;
  readonly colour: string;
  readonly values: readonly number[];
  readonly show: (value: number) => string;
}

const [GREEN, ORANGE, BLUE, PURPLE, , RED] = TONES;

export function loadFigures(series: Series): readonly Markup[] {
  const mean = (level: Level): readonly number[] => perTime(series, series.integrals[level]);
  const busy = (kind: "Native" | "Browser"): readonly number[] =>
    series.integrals[`busy${kind}`].map((work, index) => {
      const there = series.integrals[`slots${kind}`][index] ?? 0;
      return there === 0 ? 0 : work / there;
    });
  const has = (level: Level): boolean => series.integrals[level].some((value) => value > 0);
  const use = [
    ...(has("slotsNative") ? [{ name: "native workers", colour: GREEN, values: busy("Native"), show: percent }] : []),
    ...(has("slotsBrowser")
      ? [{ name: "browser workers", colour: ORANGE, values: busy("Browser"), show: percent }]
      : []),
  ];
  const most = [...series.largest.mostWaiting];
  return [
    timeFigure(series, {
      title: "Jobs in the network",
      note: "Mean over each interval, from arrival to settlement; waiting jobs have no worker yet.",
      axis: "jobs",
      tracks: [
        { name: "in flight", colour: BLUE, values: mean("inFlight"), show: short },
        { name: "waiting", colour: ORANGE, values: mean("waiting"), show: short },
        { name: "most waiting at once", colour: RED, values: most, show: whole },
      ],
      drawn: 2,
    }),
    timeFigure(series, {
      title: "Utilisation",
      note: "Share of slot time spent on jobs.",
      axis: "% of slot time",
      tracks: use,
      share: true,
    }),
  ];
}

export function outcomeFigures(series: Series): readonly Markup[] {
  const track = (name: string, counted: Counted, colour: string): Track => ({
    name,
    colour,
    values: series.counts[counted],
    show: whole,
  });
  const all = [
    track("settled", "settled", GREEN),
    track("refunded at 120 s", "refunded", ORANGE),
    track("failed", "failed", RED),
    track("refused", "refused", BLUE),
  ];
  const seen = all.filter(({ values }) => values.some((value) => value > 0));
  const longest = series.largest.longestSojourn.map((time) => time / 1e6);
  const mean = series.counts.sojourn.map((sum, index) => {
    const finished = series.counts.finished[index] ?? 0;
    return finished === 0 ? 0 : sum / finished / 1e6;
  });
  const inSeconds = (value: number): string => `${value.toFixed(2)} s`;
  return [
    stackFigure(series, "What became of requests", "Each counted when it ended.", "requests", seen),
    timeFigure(series, {
      title: "Time to the last token",
      note: "Of the jobs that finished in each interval.",
      axis: "seconds",
      tracks: [
        { name: "mean", colour: GREEN, values: mean, show: inSeconds },
        { name: "longest", colour: ORANGE, values: longest, show: inSeconds },
      ],
    }),
  ];
}

export function disputeFigures(series: Series): readonly Markup[] {
  const { counts } = series;
  const track = (name: string, counted: Counted, colour: string): Track => ({
    name,
    colour,
    values: counts[counted],
    show: whole,
  });
  const disputes = [
    track("opened", "disputed", BLUE),
    track("verdict: fraudulent", "fraudulent", RED),
    track("verdict: honest", "honest", GREEN),
  ].filter(({ values }) => values.some((value) => value > 0));
  if (disputes.length === 0) return [];
  return [
    timeFigure(series, {
      title: "Disputes",
      axis: "disputes",
      note: "Verdicts come 24 hours after.",
      tracks: disputes,
    }),
    timeFigure(series, {
      title: "Stake slashed",
      note: "Sum since the start.",
      axis: "tokens",
      tracks: [{ name: "slashed", colour: PURPLE, values: running(counts.slashed), show: whole }],
    }),
  ];
}

export function payFigure(series: Series): Markup {
  const { counts } = series;
  const track = (name: string, counted: Counted, colour: string): Track => ({
    name,
    colour,
    values: running(counts[counted]).map((value) => value / 100),
    show: (value) => units(Math.round(value * 100)),
  });
  const tracks = [
    track("native workers", "paidNative", GREEN),
    track("browser workers", "paidBrowser", ORANGE),
    track("treasury", "fees", PURPLE),
  ].filter(({ values }) => (values.at(-1) ?? 0) > 0);
  return stackFigure(series, "Paid so far", "Sum since the start, in units.", "units", tracks, true);
}

interface TimeFigure {
  readonly title: string;
  readonly note: string;
  readonly axis: string;
  readonly tracks: readonly Track[];
  /** A share between 0 and 1. */
  readonly share?: boolean;
  /** How many of the tracks are drawn; the table has all. */
  readonly drawn?: number;
}

function timeFigure(series: Series, { title, note, axis, tracks, share, drawn = tracks.length }: TimeFigure): Markup {
  const points = pointsOf(series, tracks.slice(0, drawn));
  const drawing = draw(`${title} over time`, {
    ...axes(series, axis),
    ...(share ? { y: { label: axis, grid: true, percent: true, nice: true, domain: [0, mostShown(points)] } } : {}),
    marks: [
      Plot.ruleY([0], { stroke: "var(--strong-line)" }),
      ...(drawn > 1
        ? []
        : [
            Plot.areaY(points, {
              x: "time",
              y1: 0,
              y2: "value",
              fill: "colour",
              fillOpacity: 0.1,
              curve: "step-after",
            }),
          ]),
      Plot.lineY(points, { x: "time", y: "value", z: "name", stroke: "colour", strokeWidth: 1.6, curve: "step-after" }),
    ],
  });
  return told(series, title, note, tracks, drawing, drawn);
}

/** The top of an axis of shares, in per cent: what is there fills the drawing, and a little is still seen to be little. */
function mostShown(points: readonly Point[]): number {
  const most = Math.max(...points.map(({ value }) => value * 100), 0);
  return Math.min(100, Math.max(10, most * 1.2));
}

function stackFigure(
  series: Series,
  title: string,
  note: string,
  axis: string,
  tracks: readonly Track[],
  area = false,
): Markup {
  const points = pointsOf(series, tracks);
  const order = { z: "name", order: tracks.map(({ name }) => name) };
  const drawing = draw(`${title} over time`, {
    ...axes(series, axis),
    marks: [
      area
        ? Plot.areaY(points, { x: "time", y: "value", fill: "colour", fillOpacity: 0.75, ...order })
        : Plot.rectY(points, {
            x1: "time",
            x2: "until",
            y: "value",
            fill: "colour",
            fillOpacity: 0.85,
            inset: 0.2,
            ...order,
          }),
      Plot.ruleY([0], { stroke: "var(--strong-line)" }),
    ],
  });
  return told(series, title, note, tracks, drawing, tracks.length);
}

function told(
  series: Series,
  title: string,
  note: string,
  tracks: readonly Track[],
  drawing: Markup,
  drawn: number,
): Markup {
  const rows = (tracks[0]?.values ?? []).map((_, index) => [
    clock(index * series.width),
    ...tracks.map(({ values, show }) => show(values[index] ?? 0)),
  ]);
  const every = `Intervals of ${series.width / 1e6} s`;
  const shown: Figure = {
    title,
    note,
    drawing,
    table: dataTable(every, ["From", ...tracks.map(({ name }) => name)], rows),
    legend: tracks.length < 2 ? [] : tracks.slice(0, drawn).map(({ name, colour }) => [name, colour] as const),
  };
  return figure(shown);
}

function axes({ end }: Series, label: string): Plot.PlotOptions {
  const unit = timeUnit(end);
  return {
    x: { label: unit.name, domain: [0, end / unit.microseconds] },
    y: { label, grid: true, zero: true, nice: true, tickFormat: axisText },
  };
}

interface Point {
  readonly time: number;
  readonly until: number;
  readonly value: number;
  readonly name: string;
  readonly colour: string;
}

/** A last point closes the step of the last bucket. */
function pointsOf({ width, end }: Series, tracks: readonly Track[]): Point[] {
  const unit = timeUnit(end).microseconds;
  return tracks.flatMap(({ name, colour, values }) => {
    const points = values.map((value, index) => ({
      time: (index * width) / unit,
      until: Math.min(end, (index + 1) * width) / unit,
      value,
      name,
      colour,
    }));
    const last = points.at(-1);
    return last === undefined ? points : [...points, { ...last, time: last.until }];
  });
}

/** Integrals divided by the time of their bucket. */
function perTime({ width, end }: Series, integrals: readonly number[]): readonly number[] {
  return integrals.map((sum, index) => sum / Math.max(1, Math.min(width, end - index * width)));
}

function running(values: readonly number[]): readonly number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
