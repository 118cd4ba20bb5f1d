/**
 * `npm run fraud-study`: runs scenarios/studies/fraud.yaml and writes docs/fraud-study.md with its figures: the deterrence frontier and the
 * break-even curves, measured and by the closed form.
 */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { conduct } from "../bin/study/conduct.ts";
import { engineHere } from "../bin/study/engine.ts";
import { inline, threads } from "../bin/study/runner.ts";
import { drawing } from "../reports/charts/drawing.ts";
import { Plot } from "../reports/charts/plot.ts";
import { intervalText, plain } from "../reports/interval-text.ts";
import {
  byPoint,
  crossing,
  deterringLoss,
  differs,
  expectedProfit,
  loadStudy,
  meanInterval,
  type Outcome,
  valuesOfMetric,
} from "../sim/study/index.ts";

/** 85 % of the 8 units of an answer of up to 500 tokens of the standard tier. */
const GAIN = 6.8;
const METRIC = "party.junk.perCheat";
const CONFIDENCE = 0.95;

const root = fileURLToPath(new URL("../", import.meta.url));
const study = loadStudy(`${root}scenarios/studies/fraud.yaml`);
const outcomes = new Map<string, Outcome>();
const runner = process.argv.includes("--inline") ? inline : threads(availableParallelism());
const { failures } = await conduct(study, {
  runner,
  engine: await engineHere(),
  signal: new AbortController().signal,
  outcomes,
  keep: (task, text) => outcomes.set(task.key, JSON.parse(text) as Outcome),
});
await runner.close();
if (failures.length > 0) throw new Error(failures[0]!.message);

const rows = byPoint(study, outcomes.values());
const points = study.points.map(({ index, factors }) => {
  const [rate, slash] = [Number(factors.audit_rate), Number(factors.slash)];
  const values = valuesOfMetric(rows[index]!, METRIC);
  const interval = meanInterval(values, CONFIDENCE);
  const verdict = !differs(interval)
    ? "not distinguishable"
    : interval.mean > 0
      ? "cheating pays"
      : "cheating does not pay";
  return { rate, slash, values, interval, verdict, truth: expectedProfit(rate, GAIN, slash) };
});
const rates = [...new Set(points.map(({ rate }) => rate))];
const slashes = [...new Set(points.map(({ slash }) => slash))];
/** All frontiers together hold with the confidence asked for. */
const each = 1 - (1 - CONFIDENCE) / rates.length;
const frontier = rates.map((rate) => {
  const row = points.filter((point) => point.rate === rate);
  const found = crossing(
    slashes,
    row.map(({ values }) => values),
    each,
  );
  if (found === undefined) throw new Error(`no frontier at an audit rate of ${rate}`);
  const truth = deterringLoss(rate, GAIN);
  return { rate, ...found, truth, inside: found.low <= truth && truth <= found.high };
});
const covered = points.filter(({ interval, truth }) => Math.abs(interval.mean - truth) <= interval.halfWidth).length;

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
const cheats = meanInterval(rows.flatMap((row) => valuesOfMetric(row, "cheats.committed")));
writeFileSync(
  `${root}docs/fraud-study.md`,
  `# When junk does not pay

A worker that returns junk is paid for it unless an audit refuses the proof, which costs the worker \`slash\` tokens of its stake. How much must be
audited, and how much be at stake, so that junk does not pay? Made by \`npm run fraud-study\` from
[scenarios/studies/fraud.yaml](../scenarios/studies/fraud.yaml): ${rates.length} audit rates by ${slashes.length} stakes, ${study.replications} replications of each
point with common random numbers, ${plain(Math.round(cheats.mean))} junk jobs in a replication on average.

An answer of up to 500 tokens of the standard tier costs 8 units, of which a native worker gets 85 %: 6.8 units, at no cost, since junk is made of nothing.
A token is worth one unit here. So by the closed form a junk job brings (1 - q) * 6.8 - q * slash at an audit rate of q, and the smallest slash that
deters is 6.8 * (1 - q) / q.

![The deterrence frontier](fraud-study.svg)

The line is the closed form. Blue: the frontier as measured, with its interval. Dots: the points of the study; red where junk pays, green where it does
not, ochre where ${study.replications} replications cannot tell (each at ${percent(CONFIDENCE)}).

| audit rate | closed form | measured | interval | closed form within |
|---:|---:|---:|---:|---|
${frontier.map(({ rate, truth, estimate, low, high, inside }) => `| ${percent(rate)} | ${truth.toFixed(1)} | ${estimate.toFixed(1)} | ${low.toFixed(1)} to ${high.toFixed(1)} | ${inside ? "yes" : "**no**"} |`).join("\n")}

All ${rates.length} intervals together hold with ${percent(CONFIDENCE)} confidence (Bonferroni; each is Fieller's, from the replications on both sides of the
frontier). Of the ${points.length} points, ${covered} have the closed form's profit within their own interval of ${percent(CONFIDENCE)}; points of one audit rate share
their random numbers, so they miss together.

## Break-even curves

![Expected profit over the audit rate](fraud-study-break-even.svg)

The expected profit of one junk job over the audit rate, for a slash of 5 (blue), 40 (green), 120 (purple) and 500 tokens (red): lines by the closed form, bars
the measured intervals. Profit per junk job at some of the points, units:

| audit rate | ${shown.map((slash) => `slash ${slash}`).join(" | ")} |
|---:|${shown.map(() => "---:|").join("")}
${rates.map((rate) => `| ${percent(rate)} | ${shown.map((slash) => intervalText(points.find((point) => point.rate === rate && point.slash === slash)!.interval)).join(" | ")} |`).join("\n")}
`,
);
console.log(
  `${frontier.filter(({ inside }) => inside).length} of ${rates.length} frontiers and ${covered} of ${points.length} points hold the closed form`,
);
