/** The report of one run as one HTML file: figures, charts with their numbers, and the network in motion. */
import type { Series } from "../../../sim/metrics/series.ts";
import type { RunResult } from "../../../sim/run.ts";
import { clock, units } from "../../charts/units.ts";
import { documentOf, type PageSection } from "../../page/document.ts";
import { type Content, html, type Markup } from "../../page/markup.ts";
import { copyable, plural, whole } from "../../page/parts.ts";
import { latencyFigures, nothingServed, quantileTable } from "./latency.ts";
import { moneyFigures } from "./money.ts";
import { disputeFigures, loadFigures, outcomeFigures } from "./over-time.ts";

export interface RunPage {
  readonly name: string;
  readonly file: string;
  readonly result: RunResult;
  readonly series: Series;
  /** The part of the run in which jobs came and went, where that is much less than all of it. */
  readonly busy?: Series | undefined;
  /** The command that makes the run again. */
  readonly replay: string;
  /** The network in motion, with the data that its script reads; absent where none was wanted. */
  readonly motion?: { readonly body: Markup; readonly data: Markup } | undefined;
}

/** The file's text. */
export function runHtml(page: RunPage): Promise<string> {
  const { motion } = page;
  return documentOf({
    name: "run",
    title: `${page.name}: a run (assay)`,
    kind: "Run report",
    sections: sectionsOf(page),
    data: motion === undefined ? [] : [motion.data],
  });
}

function sectionsOf(page: RunPage): readonly PageSection[] {
  const { result, series, motion } = page;
  const busy = page.busy ?? series;
  const money = moneyFigures(series, busy, result.figures);
  const disputes = disputeFigures(series);
  const served = series.times.wait.count > 0;
  return [
    { id: "summary", title: "Summary", body: summary(page), bare: true },
    ...(result.violationCount === 0
      ? []
      : [{ id: "violations", title: "Broken invariants", count: result.violationCount, body: violations(result) }]),
    ...(motion === undefined ? [] : [{ id: "motion", title: "In motion", body: motion.body }]),
    { id: "outcomes", title: "Outcomes", body: html`${cutNote(page)}${charts(outcomeFigures(busy))}` },
    {
      id: "latency",
      title: "Latency",
      body: served ? html`${quantileTable(series)}${charts(latencyFigures(series))}` : nothingServed(),
    },
    { id: "load", title: "Load", body: html`${cutNote(page)}${charts(loadFigures(busy))}` },
    ...(money.length === 0 ? [] : [{ id: "money", title: "Money", body: charts(money) }]),
    ...(disputes.length === 0 ? [] : [{ id: "disputes", title: "Disputes", body: charts(disputes) }]),
  ];
}

/** Why the charts end before the run does. */
const cutNote = ({ busy, series }: RunPage): Markup | null =>
  busy === undefined
    ? null
    : html`<p class="lead">Until ${clock(busy.end)}, when the last job ended; the run went on to ${clock(series.end)}.</p>`;

const charts = (figures: readonly Markup[]): Markup => html`<div class="charts">${figures}</div>`;

function summary({ name, file, result, replay }: RunPage): Markup {
  const { figures, violationCount, checkers, complete } = result;
  const { jobs, requests, workers, units: books, disputes, stake, deliveries } = figures;
  const tone = violationCount > 0 ? "failed" : complete ? "passed" : "inconclusive";
  const held =
    violationCount > 0
      ? `${plural(violationCount, "violation")} of ${checkers} invariants`
      : `all ${checkers} invariants held${complete ? "" : " so far; the run was ended early"}`;
  const refused = requests.insufficientCredits + requests.noWorkers;
  const numbers: readonly (readonly [number, string, string])[] = [
    [jobs.settled, "settled", "passed"],
    [jobs.refunded, "refunded at 120 s", "inconclusive"],
    [jobs.failed, "failed", "failed"],
    [refused, "refused", "observed"],
    ...(jobs.unfinished > 0 ? [[jobs.unfinished, "unfinished", "flaky"] as const] : []),
  ];
  const kind = (which: "native" | "browser"): string =>
    workers[which].workers === 0
      ? "none"
      : `${whole(workers[which].workers)} with ${whole(workers[which].slots)} slots, ${(workers[which].utilisation * 100).toFixed(1)} % busy`;
  const facts: readonly (readonly [string, Content])[] = [
    ["Requests", whole(requests.arrived)],
    ["Simulated time", clock(result.time)],
    ["Seed", String(result.seed)],
    ["Native workers", kind("native")],
    ["Browser workers", kind("browser")],
    ["Units bought", whole(books.bought)],
    ["Paid to workers", units(workers.native.paid + workers.browser.paid)],
    ["Kept by the treasury", units(figures.treasury)],
    ["Disputes", `${whole(disputes.opened)}, ${whole(disputes.fraudulent)} found fraudulent`],
    ["Stake slashed", `${whole(stake.slashed)} of ${whole(stake.deposited)} tokens`],
    [
      "Webhook deliveries",
      deliveries.created === 0 ? "none" : `${whole(deliveries.delivered)} of ${whole(deliveries.created)}`,
    ],
    ["Trace", html`${whole(result.traceEvents)} events, hash <code>${result.hash}</code>`],
  ];
  return html`<div class="hero s-${tone}"><span class="seal" aria-hidden="true">${violationCount > 0 ? "✕" : complete ? "✓" : "?"}</span><div>
<h1 class="plain">${name}</h1><p class="target">${file}</p><p>${held}</p></div></div>
<ul class="tally">${numbers.map(([count, label, status]) => html`<li class="s-${status}${count === 0 ? " none" : ""}"><b>${whole(count)}</b> ${label}</li>`)}</ul>
<p class="note">A single run: one draw of chance, not yet a finding.</p>
<h2 class="unseen">The run in figures</h2>
<dl class="facts">${facts.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
<h3 class="again">The same run again</h3>
${copyable(replay, "command")}`;
}

function violations({ violations: list, violationCount }: RunResult): Markup {
  const cut = violationCount - list.length;
  return html`<ul class="plain">${list.map(
    ({ checker, time, what }) =>
      html`<li><b>${checker}</b> <span class="soft">at ${clock(time)}</span><pre class="text">${what}</pre></li>`,
  )}</ul>${cut > 0 ? html`<p class="soft">and ${cut} more</p>` : null}`;
}
