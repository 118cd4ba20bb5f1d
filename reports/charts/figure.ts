/** A chart with its caption, and the same numbers as a table for those who read rather than look. */
import { html, type Markup } from "../page/markup.ts";
import { scrolling } from "../page/parts.ts";

export interface Figure {
  readonly title: string;
  /** What to see in it, or what to beware of. */
  readonly note?: string | undefined;
  readonly drawing: Markup;
  readonly table: Markup;
  /** Takes the whole width of the page. */
  readonly broad?: boolean;
  /** Names of the series with their colours, in order. */
  readonly legend?: readonly (readonly [name: string, colour: string])[];
}

export function figure({ title, note, drawing, table, broad, legend = [] }: Figure): Markup {
  return html`<figure class="chart${broad ? " broad" : ""}"><figcaption><h3>${title}</h3>${note === undefined ? null : html`<p class="soft small">${note}</p>`}</figcaption>
${legend.length === 0 ? null : html`<ul class="legend">${legend.map(([name, colour]) => html`<li><i style="background:${colour}"></i>${name}</li>`)}</ul>`}
${scrolling(`${title}, drawn`, drawing)}
<details class="fold"><summary>The numbers of “${title}”</summary>${scrolling(`${title}, numbers`, table)}</details></figure>
`;
}
