/** What the target chose where the contract is open, and what the run did not put to the test, with what would. */
import type { Report, Row } from "../../../conformance/index.ts";
import { html, type Markup } from "../../page/markup.ts";
import { groupBy, prose, scrolling } from "../../page/parts.ts";

export function openPoints({ observations }: Report): Markup {
  const rows = observations.map(({ requirement, text, choices, contradicted }) => {
    const told = choices.map(
      ({ choice, count }) =>
        html`<li><code>${choice}</code>${count > 1 ? html` <span class="soft small">${count} times</span>` : null}</li>`,
    );
    return html`<tr><th scope="row"><a class="ref" href="#r-${requirement}">${requirement}</a></th><td>${prose(text)}</td><td><ul class="plain">${told}</ul>${contradicted ? html`<b class="outcome off">contradicts itself</b>` : null}</td></tr>`;
  });
  const table = html`<table class="matrix"><caption class="unseen">What the target chose where the contract leaves a choice</caption>
<thead><tr><th scope="col">No.</th><th scope="col">What is open</th><th scope="col">What the target chose</th></tr></thead><tbody>${rows}</tbody></table>`;
  return html`<p class="lead">The contract leaves these open. They are observed, never failed, unless a target contradicts itself.</p>
${scrolling("Open points", table)}`;
}

interface Group {
  readonly reason: string;
  readonly rows: readonly Row[];
}

export function leftOut({ requirements }: Report): Markup {
  const undecided = requirements.filter(({ status }) => status === "inconclusive" || status === "not-exercised");
  const groups = [...groupBy(undecided, reasonOf)]
    .map(([reason, rows]): Group => ({ reason, rows }))
    .sort((a, b) => b.rows.length - a.rows.length);
  const inconclusive = groups.filter(({ rows }) => rows.some(({ status }) => status === "inconclusive"));
  const rest = groups.filter((group) => !inconclusive.includes(group));
  const within = rest.filter(({ reason }) => canBeBrought(reason));
  const beyond = rest.filter(({ reason }) => !canBeBrought(reason));
  return html`<p class="lead">Nothing here counts as passed.</p>
${list("Inconclusive: tried, and not decided", inconclusive)}
${list("What would bring more to the test", within)}
${list("What a run of this kind did not show", beyond)}`;
}

const reasonOf = (row: Row): string => row.reasons[0] ?? "no reason is known";

/** A reason that names what is missing, or an option. */
const canBeBrought = (reason: string): boolean => /^needs |--[a-z]/.test(reason);

function list(title: string, groups: readonly Group[]): Markup | null {
  if (groups.length === 0) return null;
  const items = groups.map(
    ({ reason, rows }) =>
      html`<li><p>${prose(reason)}</p><p class="refs">${rows.map(({ id }) => html`<a class="ref" href="#r-${id}">${id}</a> `)}</p></li>`,
  );
  return html`<h3>${title}</h3><ul class="reasons">${items}</ul>`;
}
