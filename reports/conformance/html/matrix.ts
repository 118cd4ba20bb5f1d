/** Every requirement with how it ended, by section. */
import type { Finding, Report, Row } from "../../../conformance/index.ts";
import { filters } from "../../page/filters.ts";
import { html, type Markup } from "../../page/markup.ts";
import { badge, bar, countOf, groupBy, plural, prose, STATUSES, scrolling } from "../../page/parts.ts";
import { sectionTitle } from "../sections.ts";

export function matrix(report: Report): Markup {
  const { sections, counts, requirements } = report;
  const findings = groupBy(report.findings, (finding) => finding.requirement);
  const groups = sections.map(({ section, counts: mine }) => {
    const rows = requirements.filter((row) => row.section === section);
    return html`<tbody data-section="${section}"><tr class="section"><th colspan="4" scope="rowgroup"><span class="ref">${section}</span> ${sectionTitle(section)} ${bar(mine)}<span class="soft small">${passedOf(mine.passed + mine.observed, rows.length)}</span></th></tr>
${rows.map((row) => line(row, findings.get(row.id) ?? []))}</tbody>`;
  });
  const table = html`<table class="matrix" id="matrix"><caption class="unseen">Every requirement of the contract and how it ended this run</caption>
<thead><tr><th scope="col">No.</th><th scope="col">Status</th><th scope="col">What is demanded</th><th scope="col">Kind</th></tr></thead>
${groups}</table><p class="empty" hidden>No requirement fits these filters.</p>`;
  return html`${filters({
    table: "matrix",
    counts: new Map(STATUSES.map((status) => [status, countOf(counts, status)] as const)),
    sections: sections.map(({ section }) => [section, sectionTitle(section)]),
    total: requirements.length,
  })}
${scrolling("Requirements", table)}`;
}

const passedOf = (good: number, all: number): string => `${good} of ${all} passed or observed`;

function line(row: Row, findings: readonly Finding[]): Markup {
  return html`<tr id="r-${row.id}" class="row" data-status="${row.status}" data-kind="${row.kind}" tabindex="-1"><th scope="row"><a class="ref" href="#r-${row.id}">${row.id}</a></th><td>${badge(row.status)}</td><td>${prose(row.text)}${detail(row, findings)}</td><td class="soft">${row.kind}</td></tr>
`;
}

function detail(row: Row, findings: readonly Finding[]): Markup | null {
  if (findings.length > 0) {
    const links = findings.map(
      ({ fingerprint, title }) =>
        html`<li><a href="#f-${fingerprint}">${title === row.text ? html`the finding of ${row.id}` : prose(title)}</a></li>`,
    );
    return html`<ul class="why">${links}</ul>`;
  }
  if (row.choices.length > 0) return html`<span class="why">chose: ${row.choices.join("; ")}</span>`;
  if (row.reasons.length > 0) return html`<span class="why">${row.reasons.join("; ")}</span>`;
  return row.passes > 1 ? html`<span class="why quiet">${plural(row.passes, "proof")}</span>` : null;
}
