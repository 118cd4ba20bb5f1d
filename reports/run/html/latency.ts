/** How long jobs took: the distribution and its quantiles. */
import type { Distribution, Series } from "../../../sim/metrics/series.ts";
import { QUANTILES } from "../../../sim/metrics/series.ts";
import { figure } from "../../charts/figure.ts";
import { draw, Plot, TONES } from "../../charts/plot.ts";
import { percent, seconds } from "../../charts/units.ts";
import { html, type Markup } from "../../page/markup.ts";
import { dataTable, scrolling, whole } from "../../page/parts.ts";

const KINDS = [
  ["wait", "Wait for a worker", TONES[1]],
  ["firstToken", "Time to first token", TONES[2]],
  ["sojourn", "Time to last token", TONES[0]],
] as const;

/** Bars of the histogram: eight to a doubling are too many, one too few. */
const BARS = 44;

export function latencyFigures({ times }: Series): readonly Markup[] {
  const seen = KINDS.filter(([kind]) => times[kind].count > 0);
  return [...seen.map(([kind, title, colour]) => histogram(title, times[kind], colour)), curves(times, seen)];
}

/** The quantiles, one row a kind of time. */
export function quantileTable({ times }: Series): Markup {
  const rows = KINDS.filter(([kind]) => times[kind].count > 0).map(([kind, title]) => [
    title,
    whole(times[kind].count),
    ...times[kind].quantiles.map(seconds),
  ]);
  const head = [
    "",
    "jobs",
    ...QUANTILES.map((thousandths) => (thousandths === 1_000 ? "max" : `p${thousandths / 10}`)),
  ];
  return scrolling("Quantiles", dataTable("From arrival, quantiles within 0.1 %", head, rows));
}

interface Bar {
  readonly from: number;
  readonly to: number;
  readonly share: number;
  readonly count: number;
}

/** Equal steps, or equal ratios where a few took far longer than most. */
function barsOf({ bins, count, max, quantiles }: Distribution): {
  readonly bars: readonly Bar[];
  readonly log: boolean;
} {
  const [p1 = 1, p50 = 1, p999 = max] = [quantiles[0], quantiles[4], quantiles[9]];
  const log = p999 > 10 * p50;
  const least = Math.max(1_000, p1 / 2);
  const most = max * 1.0001;
  const ratio = most / least;
  const edge = (index: number): number => (log ? least * ratio ** (index / BARS) : (most * index) / BARS);
  const bars = Array.from({ length: BARS }, (_, index) => ({
    from: edge(index),
    to: edge(index + 1),
    share: 0,
    count: 0,
  }));
  for (const [last, many] of bins) {
    const at = log ? Math.log(Math.max(last, least) / least) / Math.log(ratio) : last / most;
    const bar = bars[Math.min(BARS - 1, Math.floor(at * BARS))];
    if (bar !== undefined) bar.count += many;
  }
  for (const bar of bars) bar.share = bar.count / count;
  return { bars, log };
}

function histogram(title: string, times: Distribution, colour: string): Markup {
  const { bars, log } = barsOf(times);
  const [p50, p95] = [times.quantiles[4] ?? 0, times.quantiles[7] ?? 0];
  const marks = [
    { at: p50 / 1e6, name: `p50 ${seconds(p50)}` },
    { at: p95 / 1e6, name: `p95 ${seconds(p95)}` },
  ];
  const [first, last] = [bars[0]?.from ?? 0, bars.at(-1)?.to ?? 1].map((edge) => (log ? Math.log(edge) : edge)) as [
    number,
    number,
  ];
  // In two rows, on the side of their line where there is room.
  const name = (index: number, dy: number) => {
    const at = (marks[index]?.at ?? 0) * 1e6;
    const early = ((log ? Math.log(Math.max(at, 1)) : at) - first) / (last - first) < 0.4;
    return Plot.text(marks.slice(index, index + 1), {
      x: "at",
      text: "name",
      frameAnchor: "top",
      dy,
      dx: early ? 4 : -4,
      textAnchor: early ? "start" : "end",
      fill: "var(--soft)",
    });
  };
  const drawing = draw(`${title}: how the jobs are spread`, {
    height: 250,
    marginTop: 58,
    x: {
      label: `seconds${log ? " (logarithmic)" : ""}`,
      type: log ? "log" : "linear",
      ...(log ? { tickFormat: "~g", ticks: 6 } : {}),
    },
    y: { label: "share of jobs, %", grid: true, percent: true },
    marks: [
      Plot.rectY(
        bars.map((bar) => ({ ...bar, from: bar.from / 1e6, to: bar.to / 1e6 })),
        { x1: "from", x2: "to", y: "share", fill: colour, fillOpacity: 0.8, inset: 0.3 },
      ),
      Plot.ruleY([0], { stroke: "var(--strong-line)" }),
      Plot.ruleX(marks, { x: "at", stroke: "var(--ink)", strokeDasharray: "2,3", insetTop: -18 }),
      name(0, -15),
      name(1, -29),
    ],
  });
  const rows = bars
    .filter(({ count }) => count > 0)
    .map(({ from, to, count, share }) => [
      `${seconds(Math.round(from))} to ${seconds(Math.round(to))}`,
      whole(count),
      percent(share),
    ]);
  return figure({
    title,
    drawing,
    table: dataTable(`${title}, ${whole(times.count)} jobs`, ["Time", "jobs", "share"], rows),
  });
}

/** Shares of jobs that took no longer. */
function curves(times: Series["times"], seen: readonly (typeof KINDS)[number][]): Markup {
  const points = seen.flatMap(([kind, title, colour]) => {
    const { bins, count } = times[kind];
    const every = Math.max(1, Math.floor(bins.length / 160));
    let sum = 0;
    return bins.flatMap(([last, many], index) => {
      sum += many;
      const kept = index % every === 0 || index === bins.length - 1;
      return kept ? [{ title, colour, time: last / 1e6, share: sum / count }] : [];
    });
  });
  const drawing = draw("Share of jobs that took no longer", {
    height: 250,
    marginTop: 54,
    x: { label: "seconds" },
    y: { label: "share of jobs, %", grid: true, percent: true, domain: [0, 100] },
    marks: [
      Plot.ruleY([0], { stroke: "var(--strong-line)" }),
      Plot.line(points, { x: "time", y: "share", z: "title", stroke: "colour", strokeWidth: 1.8, curve: "step-after" }),
    ],
  });
  const rows = QUANTILES.map((thousandths, index) => [
    percent(thousandths / 1_000),
    ...seen.map(([kind]) => seconds(times[kind].quantiles[index] ?? -1)),
  ]);
  return figure({
    title: "Share of jobs that took no longer",
    drawing,
    legend: seen.map(([, title, colour]) => [title, colour] as const),
    table: dataTable("Quantiles", ["Share of jobs", ...seen.map(([, title]) => title)], rows),
  });
}

export const nothingServed = (): Markup => html`<p class="soft">No job reached a worker.</p>`;
