/** The conformance report as one HTML file. Everything a target said is escaped; nothing is loaded from outside. */
import type { Report } from "../../../conformance/index.ts";
import { documentOf, type PageSection } from "../../page/document.ts";
import { html, type Markup } from "../../page/markup.ts";
import { dataTable, plural } from "../../page/parts.ts";
import { findingsSection, type Lengths } from "./findings.ts";
import { matrix } from "./matrix.ts";
import { leftOut, openPoints } from "./open-points.ts";
import { verdict } from "./verdict.ts";

/** What a page may weigh, bytes; longer transcripts are shortened until it does. */
const HEAVIEST = 4_500_000;

/** Exchanges that a page may show in all: a browser opens it at once all the same. */
const MOST_STEPS = 2_000;

/** From the longest transcripts to the shortest. */
const LENGTHS: readonly Lengths[] = [
  { steps: 12, characters: 4_000 },
  { steps: 12, characters: 1_200 },
  { steps: 6, characters: 800 },
  { steps: 3, characters: 400 },
  { steps: 1, characters: 200 },
];

/** The file's text. */
export async function conformanceHtml(report: Report): Promise<string> {
  let text = "";
  for (const lengths of LENGTHS) {
    const last = lengths === LENGTHS.at(-1);
    if (!last && stepsOf(report, lengths) > MOST_STEPS) continue;
    text = await documentOf({
      name: "conformance",
      title: `${report.verdict}: ${report.target.baseUrl} (assay)`,
      kind: "Conformance report",
      sections: sectionsOf(report, lengths),
    });
    if (Buffer.byteLength(text) <= HEAVIEST) break;
  }
  return text;
}

function stepsOf({ findings }: Report, { steps }: Lengths): number {
  return findings.reduce((sum, { transcript }) => sum + Math.min(steps, transcript.length), 0);
}

function sectionsOf(report: Report, lengths: Lengths): readonly PageSection[] {
  const { findings, observations, requirements, faults } = report;
  const idle = requirements.filter(({ status }) => status === "not-exercised" || status === "inconclusive");
  const full = lengths === LENGTHS[0];
  return [
    { id: "verdict", title: "Verdict", body: verdict(report), bare: true },
    ...(findings.length === 0
      ? []
      : [{ id: "findings", title: "Findings", count: findings.length, body: findingsSection(report, lengths, full) }]),
    ...(faults.length === 0
      ? []
      : [{ id: "faults", title: "Faults of the judge", count: faults.length, body: faultList(report) }]),
    { id: "requirements", title: "Requirements", count: requirements.length, body: matrix(report) },
    ...(observations.length === 0
      ? []
      : [{ id: "open-points", title: "Open points", count: observations.length, body: openPoints(report) }]),
    ...(idle.length === 0
      ? []
      : [{ id: "left-out", title: "Not exercised", count: idle.length, body: leftOut(report) }]),
    { id: "cases", title: "Cases", count: report.cases.length, body: caseList(report) },
  ];
}

function faultList({ faults }: Report): Markup {
  return html`<p class="lead">These say nothing of the target. The run ends inconclusive at best.</p>
<ul class="plain">${faults.map((fault) => html`<li><b>${fault.case ?? "the run"}</b><pre class="text">${fault.message}</pre></li>`)}</ul>`;
}

function caseList({ cases }: Report): Markup {
  const rows = cases.map(({ id, title, outcome, exchanges, attempts, reason }) => [
    html`<code>${id}</code>`,
    html`${title}${reason === undefined ? null : html`<br><span class="soft">${reason}</span>`}`,
    outcome.replace("-", " "),
    exchanges,
    attempts,
  ]);
  const table = dataTable(
    "Every case of the run",
    ["Case", "What it tries", "Outcome", "Exchanges", "Attempts"],
    rows,
    [3, 4],
  );
  return html`<details class="fold"><summary>${plural(cases.length, "case")}, in the order in which they ran</summary>
<div class="wide" role="region" aria-label="Cases" tabindex="0">${table}</div></details>`;
}
