/**
 * `npm run fraud-study`: runs scenarios/studies/fraud.yaml and disputes.yaml and writes docs/fraud-study.md with their figures: deterrence frontiers and
 * break-even curves, measured and by the closed form.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { drawing } from "../reports/charts/drawing.ts";
import { Plot } from "../reports/charts/plot.ts";
import { intervalText, plain } from "../reports/interval-text.ts";
import { deterringLoss, expectedProfit } from "../sim/study/index.ts";
import { CONFIDENCE, type Measured, measured } from "./fraud/measured.ts";

/** 85 % of the 8 units of an answer of up to 500 tokens of the standard tier. */
const GAIN = 6.8;

const root = fileURLToPath(new URL("../", import.meta.url));
const audits = await measured("fraud.yaml", "audit_rate", "junk", {
  profit: (rate, slash) => expectedProfit(rate, GAIN, slash),
  deterring: (rate) => deterringLoss(rate, GAIN),
});
const { study, points, rates, slashes, frontier, covered, cheats } = audits;
// A verdict comes after the payment: who is found out keeps its pay.
const disputes = await measured("disputes.yaml", "dispute_rate", "forger", {
  profit: (rate, slash) => GAIN - rate * slash,
  deterring: (rate) => GAIN / rate,
});

const ruled = Array.from({ length: 80 }, (_, index) => 0.01 * 50 ** (index / 79));
writeFileSync(
  `${root}docs/fraud-study.svg`,
  drawing("Audit rate against slash: where cheating pays, with the measured frontier and the closed form", {
    width: 720,
    height: 420,
    x: { type: "log", label: "audit rate", tickFormat: (rate: number) => `${plain(rate * 100)} %`, ticks: rates },
    y: { type: "log", label: "slash, tokens worth a unit each", tickFormat: plain, ticks: slashes },
    color: {
      legend: false,
      domain: ["cheating pays", "not distinguishable", "cheating does not pay"],
      range: ["var(--c2)", "var(--c5)", "var(--c3)"],
    },
    marks: [
      Plot.dot(points, { x: "rate", y: "slash", fill: "verdict", r: 4, fillOpacity: 0.55 }),
      Plot.line(
        ruled.map((rate) => ({ rate, slash: deterringLoss(rate, GAIN) })),
        { x: "rate", y: "slash", stroke: "var(--ink)" },
      ),
      Plot.ruleX(frontier, { x: "rate", y1: "low", y2: "high", stroke: "var(--c1)", strokeWidth: 3 }),
      Plot.dot(frontier, { x: "rate", y: "estimate", stroke: "var(--c1)", fill: "#ffffff", r: 4 }),
    ],
  }),
);
const shown = [5, 40, 120, 500];
writeFileSync(
  `${root}docs/fraud-study-break-even.svg`,
  drawing("Expected profit of one junk job over the audit rate, for four slashes, with intervals and the closed form", {
    width: 720,
    height: 360,
    x: { type: "log", label: "audit rate", tickFormat: (rate: number) => `${plain(rate * 100)} %`, ticks: rates },
    y: { label: "profit of one junk job, units", domain: [-30, 8], clamp: true, grid: true },
    color: { type: "categorical", domain: shown, range: ["var(--c1)", "var(--c3)", "var(--c4)", "var(--c2)"] },
    marks: [
      Plot.ruleY([0], { stroke: "var(--ink)" }),
      ...shown.map((slash) =>
        Plot.line(
          ruled
            .map((rate) => ({ rate, slash, profit: expectedProfit(rate, GAIN, slash) }))
            .filter(({ profit }) => profit > -30),
          { x: "rate", y: "profit", stroke: "slash" },
        ),
      ),
      Plot.ruleX(
        points.filter(({ slash, interval }) => shown.includes(slash) && interval.mean > -28),
        {
          x: "rate",
          y1: ({ interval }) => interval.mean - interval.halfWidth,
          y2: ({ interval }) => interval.mean + interval.halfWidth,
          stroke: "slash",
          strokeWidth: 3,
          strokeOpacity: 0.5,
        },
      ),
    ],
  }),
);

const percent = (share: number): string => `${plain(share * 100)} %`;

/** The frontier as rows of a table. */
const frontierRows = ({ frontier }: Measured): string =>
  frontier
    .map(
      ({ rate, truth, estimate, low, high, inside }) =>
        `| ${percent(rate)} | ${truth.toFixed(1)} | ${estimate.toFixed(1)} | ${low.toFixed(1)} to ${high.toFixed(1)} | ${inside ? "yes" : "**no**"} |`,
    )
    .join("\n");
/** Profit of one cheat at some of the points, as rows of a table. */
const profitRows = ({ points, rates }: Measured): string =>
  rates
    .map((rate) => {
      const at = (slash: number) => points.find((point) => point.rate === rate && point.slash === slash)!.interval;
      return `| ${percent(rate)} | ${shown.map((slash) => intervalText(at(slash))).join(" | ")} |`;
    })
    .join("\n");
writeFileSync(
  `${root}docs/fraud-study.md`,
  `# When junk does not pay

A worker that returns junk is paid for it unless an audit refuses the proof, which costs the worker \`slash\` tokens of its stake. How much must be
audited, and how much be at stake, so that junk does not pay? Made by \`npm run fraud-study\` from
[scenarios/studies/fraud.yaml](../scenarios/studies/fraud.yaml): ${rates.length} audit rates by ${slashes.length} stakes, ${study.replications} replications of each
point with common random numbers, ${plain(Math.round(cheats))} junk jobs in a replication on average.

An answer of up to 500 tokens of the standard tier costs 8 units, of which a native worker gets 85 %: 6.8 units, at no cost, since junk is made of nothing.
A token is worth one unit here. So by the closed form a junk job brings (1 - q) * 6.8 - q * slash at an audit rate of q, and the smallest slash that
deters is 6.8 * (1 - q) / q.

![The deterrence frontier](fraud-study.svg)

The line is the closed form. Blue: the frontier as measured, with its interval. Dots: the points of the study; red where junk pays, green where it does
not, ochre where ${study.replications} replications cannot tell (each at ${percent(CONFIDENCE)}).

| audit rate | closed form | measured | interval | closed form within |
|---:|---:|---:|---:|---|
${frontierRows(audits)}

All ${rates.length} intervals together hold with ${percent(CONFIDENCE)} confidence (Bonferroni; each is Fieller's, from the replications on both sides of the
frontier). Of the ${points.length} points, ${covered} have the closed form's profit within their own interval of ${percent(CONFIDENCE)}; points of one audit rate share
their random numbers, so they miss together.

## Break-even curves

![Expected profit over the audit rate](fraud-study-break-even.svg)

The expected profit of one junk job over the audit rate, for a slash of 5 (blue), 40 (green), 120 (purple) and 500 tokens (red): lines by the closed form, bars
the measured intervals. Profit per junk job at some of the points, units:

| audit rate | ${shown.map((slash) => `slash ${slash}`).join(" | ")} |
|---:|${shown.map(() => "---:|").join("")}
${profitRows(audits)}

## Disputes instead of audits

A proof of something else than what was delivered is seen by any client that compares hashes ([scenarios/studies/disputes.yaml](../scenarios/studies/disputes.yaml)).
The verdict comes after the payment, so who is found out keeps its pay and loses stake: a forged job brings 6.8 - d * slash where a share d of jobs is
compared, and the smallest slash that deters is 6.8 / d. ${disputes.rates.length} dispute rates by ${disputes.slashes.length} stakes, ${disputes.study.replications} replications each, ${plain(Math.round(disputes.cheats))} forged jobs in
a replication on average.

| dispute rate | closed form | measured | interval | closed form within |
|---:|---:|---:|---:|---|
${frontierRows(disputes)}

Of the ${disputes.points.length} points, ${disputes.covered} have the closed form's profit within their own interval. Profit per forged job, units:

| dispute rate | ${shown.map((slash) => `slash ${slash}`).join(" | ")} |
|---:|${shown.map(() => "---:|").join("")}
${profitRows(disputes)}
`,
);
for (const {
  study: { name },
  frontier: lines,
  rates: of,
  covered: held,
  points: all,
} of [audits, disputes]) {
  const inside = lines.filter((line) => line.inside).length;
  console.log(`${name}: ${inside} of ${of.length} frontiers and ${held} of ${all.length} points hold the closed form`);
}
