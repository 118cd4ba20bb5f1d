/** Small parts that pages share: statuses, texts to copy, bars, tables with a caption. */
import type { Counts, Row } from "../../conformance/index.ts";
import { type Content, html, type Markup } from "./markup.ts";

export type Status = Row["status"];

/** In the order in which a reader cares. */
export const STATUSES: readonly Status[] = ["failed", "flaky", "inconclusive", "passed", "observed", "not-exercised"];

const LABELS: Readonly<Record<Status, string>> = {
  failed: "failed",
  flaky: "flaky",
  inconclusive: "inconclusive",
  passed: "passed",
  observed: "observed",
  "not-exercised": "not exercised",
};

/** Marks that tell statuses apart without colour. */
const GLYPHS: Readonly<Record<Status, string>> = {
  failed: "✕",
  flaky: "≈",
  inconclusive: "?",
  passed: "✓",
  observed: "○",
  "not-exercised": "–",
};

export const labelOf = (status: Status): string => LABELS[status] ?? status;

/** `✕ failed`, in the status's colour. */
export function badge(status: Status): Markup {
  return html`<span class="badge s-${status}"><span class="glyph" aria-hidden="true">${GLYPHS[status]}</span>${labelOf(status)}</span>`;
}

/** How many rows ended so, by status. */
export function countOf(counts: Counts, status: Status): number {
  return status === "not-exercised" ? counts.notExercised : counts[status];
}

/** A bar as wide as its parts are many. What it says stands in text beside it. */
export function bar(counts: Counts): Markup {
  const parts = STATUSES.filter((status) => countOf(counts, status) > 0);
  return html`<span class="stack" aria-hidden="true">${parts.map(
    (status) => html`<i class="s-${status}" style="flex-grow:${countOf(counts, status)}"></i>`,
  )}</span>`;
}

/** A text with a button that copies it. `what` names it for a screen reader: `replay line`. */
export function copyable(text: string, what: string, language: "sh" | "text" = "sh"): Markup {
  return html`<div class="copy"><pre class="${language}" tabindex="0" role="group" aria-label="${what}"><code>${text}</code></pre><button type="button" class="copier" aria-label="Copy the ${what}" hidden>Copy</button></div>`;
}

/** What stands in a box that scrolls sideways by itself where the page is too narrow for it. */
export function scrolling(label: string, content: Markup): Markup {
  return html`<div class="wide" role="region" aria-label="${label}" tabindex="0">${content}</div>`;
}

/** A table; numbers are aligned right where `numeric` names the column. The first cell of a row is its heading. */
export function dataTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Content[])[],
  numeric: readonly number[] = head.slice(1).map((_, index) => index + 1),
): Markup {
  const kind = (column: number): Content => (numeric.includes(column) ? html` class="number"` : null);
  return html`<table class="data"><caption>${caption}</caption><thead><tr>${head.map(
    (cell, column) => html`<th scope="col"${kind(column)}>${cell}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${row.map((cell, column) => (column === 0 ? html`<th scope="row"${kind(0)}>${cell}</th>` : html`<td${kind(column)}>${cell}</td>`))}</tr>`,
  )}</tbody></table>`;
}

/** Values in groups, each group and all groups in the order of their first. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => string,
): ReadonlyMap<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** Our own prose, in which words between backticks are code. */
export function prose(text: string): Markup {
  const parts = text.split("`");
  return html`${parts.map((part, index) => {
    if (index % 2 === 0) return part;
    return index < parts.length - 1 ? html`<code>${part}</code>` : `\`${part}`;
  })}`;
}

/** `1 finding`, `2 findings`. */
export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** `172,921` */
export const whole = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
