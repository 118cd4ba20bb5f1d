/**
 * HTML as values. Whatever is put into a template is escaped, unless it is markup itself: a text that a target chose can never become markup.
 */

/** Text that is HTML already. Made by `html` and `trusted` only. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | null | undefined | false | readonly Content[];

/** A template whose values are escaped: html`<td>${cell}</td>`. Lists are joined; null, undefined and false are nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Markup {
  let text = parts[0] ?? "";
  values.forEach((value, index) => {
    text += rendered(value) + (parts[index + 1] ?? "");
  });
  return new Markup(text);
}

/** Text that is markup because the caller made it so: a style sheet, a script, a drawing of ours. */
export function trusted(text: string): Markup {
  return new Markup(text);
}

function rendered(value: Content): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Markup) return value.text;
  return typeof value === "object" ? value.map(rendered).join("") : escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** The text so that a browser shows it as it is. Control characters, which HTML cannot hold, become U+FFFD. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"'`]/g, (mark) => ENTITIES[mark] ?? mark)
    .replace(/\p{Surrogate}/gu, "\uFFFD")
    .replace(CONTROLS, "\uFFFD");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must go
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;

/** A block of data for the page's script. Nothing within it can end the block. */
export function dataBlock(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => {
    return `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return trusted(`<script type="application/json" id="${escapeHtml(id)}">${json}</script>`);
}
