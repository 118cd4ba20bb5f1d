/** A calibration for people at a terminal, and its quantile plots as a drawing. */
import { type Calibrated, type Calibration, NEAR } from "../sim/study/index.ts";
import { drawing } from "./charts/drawing.ts";
import { Plot } from "./charts/plot.ts";
import { plain } from "./interval-text.ts";
import type { Palette } from "./palette.ts";
import { tableOf } from "./plain-table.ts";

export function renderCalibration(calibration: Calibration, colours: Palette): string {
  const { file, requests, rate, variation, correlation, dispersion, parts } = calibration;
  const renewal =
    Math.abs(correlation) < 3 / Math.sqrt(requests) && dispersion < 1.5 * Math.max(1, variation * variation);
  return `${[
    `${colours.strong(file)}  ${plain(requests)} requests, ${plain(rate)} a second`,
    `gaps        coefficient of variation ${variation.toFixed(2)}, neighbours' correlation ${correlation.toFixed(3)}, dispersion of counts a minute ${dispersion.toFixed(2)}`,
    renewal
      ? "            independent gaps describe them"
      : colours.doubtful(
          "            the rate changes over time: independent gaps keep its mean and spread, not its swings",
        ),
    ...parts.flatMap((part) => ["", ...partLines(part, colours)]),
  ].join("\n")}\n`;
}

function partLines({ name, unit, fits, p, quantiles, spec }: Calibrated, colours: Palette): readonly string[] {
  const [best] = fits;
  const rows = fits.map(({ family, parameters, distance, aic }) => [
    family,
    Object.entries(parameters)
      .map(([parameter, value]) => `${parameter} ${plain(value)}`)
      .join(", "),
    distance.toFixed(4),
    (aic - best!.aic).toFixed(1),
  ]);
  const taken =
    typeof spec === "string"
      ? `taken       ${spec}`
      : `taken       ${colours.doubtful(`${spec.values.length} recorded quantiles: no family is within ${NEAR} of the record`)}`;
  return [
    colours.strong(name),
    tableOf([["", "parameters", "KS distance", "AIC behind"], ...rows]),
    tableOf([
      ["quantile", ...quantiles.map(([share]) => `${plain(share * 100)} %`)],
      [`recorded [${unit}]`, ...quantiles.map(([, recorded]) => plain(recorded))],
      [best!.family, ...quantiles.map(([, , fitted]) => plain(fitted))],
    ]),
    `p ${p.toFixed(2)} (of ${best!.family}, by parametric bootstrap${p < 0.05 ? ": with so many values the difference shows" : ""})`,
    taken,
  ];
}

/** Recorded against fitted quantiles of each part, on logarithmic scales; a fit without fault lies on the line. */
export function quantilePlot({ parts, file }: Calibration): string {
  const dots = parts.flatMap(({ name, values, fits }) => {
    const ascending = values.toSorted();
    const count = Math.min(200, ascending.length);
    return Array.from({ length: count }, (_, index) => {
      const share = (index + 0.5) / count;
      return { name, recorded: ascending[Math.floor(share * ascending.length)]!, fitted: fits[0]!.quantile(share) };
    });
  });
  const ends = parts.flatMap(({ name }) => {
    const own = dots.filter((dot) => dot.name === name);
    const [low, high] = [
      Math.min(...own.map(({ recorded }) => recorded)),
      Math.max(...own.map(({ recorded }) => recorded)),
    ];
    return [low, high].map((at) => ({ name, recorded: at, fitted: at }));
  });
  return drawing(
    `Quantile plots of ${file}: gaps in seconds, prompts and answers in tokens, recorded against the best fit`,
    {
      width: 720,
      height: 420,
      grid: true,
      x: { type: "log", label: "recorded quantile", tickFormat: plain },
      y: { type: "log", label: "fitted quantile", tickFormat: plain },
      color: { domain: parts.map(({ name }) => name), range: ["var(--c1)", "var(--c2)", "var(--c3)"] },
      marks: [
        Plot.line(ends, { x: "recorded", y: "fitted", z: "name", stroke: "var(--c6)" }),
        Plot.dot(dots, { x: "recorded", y: "fitted", fill: "name", r: 2 }),
        Plot.text(
          ends.filter((_, index) => index % 2 === 1),
          { x: "recorded", y: "fitted", text: "name", dy: -10 },
        ),
      ],
    },
  );
}
