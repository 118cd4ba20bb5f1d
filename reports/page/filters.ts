/** The filters above a matrix of requirements. They work by the page's script, and are not there without it. */
import { html, type Markup } from "./markup.ts";
import { badge, STATUSES, type Status } from "./parts.ts";

export interface FilterChoices {
  /** Id of the table that is filtered. */
  readonly table: string;
  /** How many rows have each status; those with none have no button. */
  readonly counts: ReadonlyMap<Status, number>;
  /** Numbers and titles. */
  readonly sections: readonly (readonly [section: string, title: string])[];
  readonly total: number;
  /** A switch of the page's own, before the others. */
  readonly extra?: Markup;
}

export function filters({ table, counts, sections, total, extra }: FilterChoices): Markup {
  const buttons = STATUSES.filter((status) => (counts.get(status) ?? 0) > 0).map(
    (status) =>
      html`<button type="button" class="toggle" aria-pressed="false" data-status="${status}">${badge(status)}<span class="count">${counts.get(status)}</span></button>`,
  );
  return html`<form class="filters" data-table="${table}" role="search" aria-label="Filter the requirements" hidden>
<div class="toggles" role="group" aria-label="Status">${extra}${buttons}</div>
<div class="fields">
<label>Section <select name="section"><option value="">all</option>${sections.map(([id, title]) => html`<option value="${id}">${id} ${title}</option>`)}</select></label>
<label>Kind <select name="kind"><option value="">all</option><option>stated</option><option>inferred</option><option>open</option></select></label>
<label class="grow">Text <input name="text" type="search" placeholder="id or words" autocomplete="off" spellcheck="false"></label>
<button type="reset">Clear</button>
<output aria-live="polite">${total} of ${total} shown</output>
</div></form>`;
}
