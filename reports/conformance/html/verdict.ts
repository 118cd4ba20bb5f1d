/** The head of the report: verdict, what was judged and how, and every requirement as a small square. */
import type { Report, Row } from "../../../conformance/index.ts";
import { html, type Markup } from "../../page/markup.ts";
import { countOf, labelOf, plural, STATUSES, whole } from "../../page/parts.ts";
import { sectionTitle } from "../sections.ts";

const SEAL = { conformant: "✓", "not conformant": "✕", inconclusive: "?" } as const;
const TONE = { conformant: "passed", "not conformant": "failed", inconclusive: "inconclusive" } as const;
const WORDS = { conformant: "Conformant", "not conformant": "Not conformant", inconclusive: "Inconclusive" } as const;

export function verdict(report: Report): Markup {
  return html`<div class="hero s-${TONE[report.verdict]}">
  <span class="seal" aria-hidden="true">${SEAL[report.verdict]}</span>
  <div>
    <h1>${WORDS[report.verdict]}</h1>
    <p class="target">${report.target.baseUrl}</p>
    ${report.because.length === 0 ? null : html`<p class="because">${report.because.join("; ")}</p>`}
  </div>
</div>
${tally(report)}
${mosaic(report)}
${facts(report)}`;
}

function tally({ counts }: Report): Markup {
  const shown = STATUSES.filter((status) => status !== "flaky" || counts.flaky > 0);
  return html`<ul class="tally">${shown.map(
    (status) =>
      html`<li class="s-${status}${countOf(counts, status) === 0 ? " none" : ""}"><b>${countOf(counts, status)}</b> ${labelOf(status)}</li>`,
  )}</ul>`;
}

/** One square a requirement, a group a section. The table below says the same to those who cannot see it. */
function mosaic(report: Report): Markup {
  const groups = report.sections.map(({ section }) => {
    const rows = report.requirements.filter((row) => row.section === section);
    return html`<div class="group"><span class="name" title="${sectionTitle(section)}">${section}</span><span class="cells">${rows.map(cell)}</span></div>`;
  });
  return html`<div class="mosaic" aria-hidden="true">${groups}</div>`;
}

const cell = (row: Row): Markup =>
  html`<i class="s-${row.status}" data-row="${row.id}" title="${row.id} ${labelOf(row.status)}: ${row.text}"></i>`;

/** Wallets that the test controls opened and filled cost nobody anything. */
function unitsSpent({ target, run }: Report): string {
  if (target.keys === 0) return target.capabilities.includes("wallets") ? "none but of test wallets" : "none";
  return `${whole(run.credits.spent)} of at most ${whole(run.credits.most)}`;
}

function facts(report: Report): Markup {
  const { target, run } = report;
  const entries: readonly (readonly [string, string])[] = [
    ["Requests", whole(run.exchanges)],
    ["Units spent", unitsSpent(report)],
    ["Clock", target.clock],
    ["Test controls", target.capabilities.length === 0 ? "none" : target.capabilities.join(", ")],
    ["Keys given", target.keys === 0 ? "none" : String(target.keys)],
    ["Webhook receiver", target.receiver],
    ["Settlement chain", target.chain ? "read" : "not given"],
    ["Brand", target.brand],
    ["Selection", run.only.length === 0 ? "everything" : run.only.join(", ")],
    ["Seed", `${run.seed}, ${plural(run.runs, "run")} a property`],
    ...(run.cutOff === null ? [] : [["Ended early", run.cutOff] as const]),
  ];
  return html`<h2 class="unseen">What was judged, and how</h2>
<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
