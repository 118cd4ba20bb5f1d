/** Several conformance reports side by side: implementations by requirement. */
import { type Comparison, compareReports, type Report } from "../../conformance/index.ts";
import { sectionTitle } from "../conformance/sections.ts";
import { documentOf } from "../page/document.ts";
import { filters } from "../page/filters.ts";
import { html, type Markup, trusted } from "../page/markup.ts";
import { badge, bar, groupBy, labelOf, plural, prose, STATUSES, type Status, scrolling } from "../page/parts.ts";

type ComparedRow = Comparison["rows"][number];
type Cell = ComparedRow["statuses"][number];

/** The file's text. `names` says what each report is called, in their order. */
export async function compareHtml(reports: readonly Report[], names: readonly string[]): Promise<string> {
  const comparison = compareReports(reports, names);
  return documentOf({
    name: "compare",
    title: `${names.join(", ")} side by side (assay)`,
    kind: "Comparison",
    sections: [
      { id: "overview", title: "Overview", body: overview(reports, comparison), bare: true },
      ...(names.length === 2 ? [{ id: "changes", title: "What changed", body: changes(comparison) }] : []),
      {
        id: "requirements",
        title: "Requirements",
        count: comparison.rows.length,
        body: matrix(reports, comparison),
      },
    ],
  });
}

function overview(reports: readonly Report[], { names, rows, differing }: Comparison): Markup {
  const lines = reports.map(({ verdict, counts, target, run }, index) => {
    const tone = { conformant: "passed", "not conformant": "failed", inconclusive: "inconclusive" }[verdict];
    return html`<tr><th scope="row"><b>${names[index]}</b><br><span class="soft small target">${target.baseUrl}</span></th><td><b class="verdict s-${tone}">${verdict}</b></td><td>${bar(counts)}</td><td class="number">${counts.passed}</td><td class="number">${counts.failed + counts.flaky}</td><td class="number">${counts.observed}</td><td class="number">${counts.inconclusive}</td><td class="number">${counts.notExercised}</td><td class="number soft">${run.seed}</td></tr>`;
  });
  const table = html`<table class="overview"><caption class="unseen">The reports and how their requirements ended</caption><thead><tr><th scope="col">Report</th><th scope="col">Verdict</th><th scope="col"><span class="unseen">Shares</span></th>${[
    "passed",
    "failed",
    "observed",
    "inconclusive",
    "not exercised",
    "seed",
  ].map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead><tbody>${lines}</tbody></table>`;
  return html`<div class="hero"><div><h1>${plural(reports.length, "report")} side by side</h1><p>${plural(rows.length, "requirement")}, of which ${differing.length} ${differing.length === 1 ? "differs" : "differ"}</p></div></div>
${scrolling("Reports", table)}
${mosaic(reports, names)}`;
}

/** One line of squares a report, so that what differs stands out. */
function mosaic(reports: readonly Report[], names: readonly string[]): Markup {
  const lines = reports.map(
    ({ requirements }, index) =>
      html`<div class="line"><span class="name">${names[index]}</span><span class="cells">${requirements.map(({ id, status }) => html`<i class="s-${status}" data-row="${id}" title="${id} ${labelOf(status)}"></i>`)}</span></div>`,
  );
  return html`<div class="mosaic lines" aria-hidden="true">${lines}</div>`;
}

function changes({ names, regressions, repairs }: Comparison): Markup {
  const list = (title: string, rows: readonly ComparedRow[], none: string): Markup =>
    html`<div><h3>${title} <span class="count">${rows.length}</span></h3>${
      rows.length === 0
        ? html`<p class="soft">${none}</p>`
        : html`<ul class="plain changed">${rows.map(({ id, text }) => html`<li><a class="ref" href="#r-${id}">${id}</a> ${prose(text)}</li>`)}</ul>`
    }</div>`;
  return html`<p class="lead">From ${names[0]} to ${names[1]}.</p><div class="versus">${list("Became worse", regressions, "Nothing.")}${list("Mended", repairs, "Nothing.")}</div>`;
}

function matrix(reports: readonly Report[], { names, rows, differing }: Comparison): Markup {
  const facts = new Map(reports.flatMap(({ requirements }) => requirements.map((row) => [row.id, row] as const)));
  const titles = reports.map(({ findings }) => groupBy(findings, (finding) => finding.requirement));
  const differ = new Set(differing);
  const sections = [...groupBy(rows, ({ id }) => id.split("/", 1)[0] ?? "")];
  const columns = 2 + names.length;
  const line = (row: ComparedRow): Markup => {
    const fact = facts.get(row.id);
    return html`<tr id="r-${row.id}" class="row" data-status="${row.statuses.map((status) => status ?? "absent").join(" ")}" data-kind="${fact?.kind}" data-differs="${differ.has(row) ? "yes" : "no"}" tabindex="-1"><th scope="row"><a class="ref" href="#r-${row.id}">${row.id}</a></th>${row.statuses.map(
      (status, index) =>
        html`<td>${cell(status)}${why(titles[index]?.get(row.id)?.map(({ title }) => title) ?? [], row.text)}</td>`,
    )}<td>${prose(row.text)}</td></tr>\n`;
  };
  const bodies = sections.map(
    ([section, mine]) =>
      html`<tbody data-section="${section}"><tr class="section"><th colspan="${columns}" scope="rowgroup"><span class="ref">${section}</span> ${sectionTitle(section)}</th></tr>${mine.map(line)}</tbody>`,
  );
  const statuses = rows.flatMap((row) => [...new Set(row.statuses)]);
  const counts = new Map(
    STATUSES.map((status) => [status, statuses.filter((each) => each === status).length] as const),
  );
  const extra = html`<button type="button" class="toggle" aria-pressed="${differing.length > 0 ? "true" : "false"}" data-differing="yes">differs<span class="count">${differing.length}</span></button>`;
  return html`${filters({ table: "matrix", counts, sections: sections.map(([section]) => [section, sectionTitle(section)]), total: rows.length, extra })}
${scrolling(
  "Requirements",
  html`<table class="matrix side" id="matrix"><caption class="unseen">How each requirement ended in each report</caption><thead><tr><th scope="col">No.</th>${names.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col">What is demanded</th></tr></thead>${bodies}</table><p class="empty" hidden>No requirement fits these filters.</p>`,
)}`;
}

const cell = (status: Cell): Markup =>
  status === null ? trusted('<span class="badge s-absent">not selected</span>') : badge(status satisfies Status);

/** Titles of what failed, where they say more than the requirement does. */
function why(titles: readonly string[], text: string): Markup | null {
  const told = titles.filter((title) => title !== text);
  return told.length === 0 ? null : html`<span class="why">${told.map((title) => html`${prose(title)}<br>`)}</span>`;
}
