/** The frame of a page: one file, nothing from outside, and a policy that lets no other script run than its own. */
import { createHash } from "node:crypto";
import { type Assets, assetsOf, type PageName } from "./assets.ts";
import { type Content, html, type Markup, trusted } from "./markup.ts";

export interface Page {
  readonly name: PageName;
  readonly title: string;
  /** What kind of page it is, beside the mark: `Conformance report`. */
  readonly kind: string;
  readonly sections: readonly PageSection[];
  /** Data blocks for the script, before it. */
  readonly data?: readonly Markup[];
}

/** A part of the page that the contents list names. */
export interface PageSection {
  readonly id: string;
  /** Its heading; the first section's is the page's own, and drawn by the section itself. */
  readonly title: string;
  /** A number beside the title in the contents. */
  readonly count?: number | undefined;
  readonly body: Markup;
  /** The section draws its heading itself. */
  readonly bare?: boolean;
}

/** The whole file. */
export async function documentOf(page: Page): Promise<string> {
  return render(page, await assetsOf(page.name));
}

function render(page: Page, { css, js }: Assets): string {
  // A style or script cannot hold its own end tag.
  const style = css.replaceAll("</", "<\\/");
  const script = js.replaceAll("</", "<\\/").trim();
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${page.title}</title>
<link rel="icon" href="${ICON}">
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#${page.sections[0]?.id ?? "top"}">Skip to the content</a>
<header class="bar">
  <div class="brand">${MARK}<span class="wordmark">assay</span><span class="kind">${page.kind}</span></div>
  <nav aria-label="Contents"><ul>${page.sections.map(entry)}</ul></nav>
  <button type="button" class="theme" id="theme" aria-label="Theme: as the system" hidden><span aria-hidden="true"></span></button>
</header>
<main>
${page.sections.map(section)}
</main>
<footer class="end"><p>Made by assay. This file is whole: it loads nothing, and sends nothing.</p></footer>
<div id="announce" class="unseen" role="status" aria-live="polite"></div>
${page.data ?? []}
<script>${trusted(script)}</script>
</body>
</html>
`.text;
  return text;
}

const entry = ({ id, title, count }: PageSection): Markup =>
  html`<li><a href="#${id}">${title}${count === undefined ? null : html` <span class="count">${count}</span>`}</a></li>`;

function section({ id, title, count, body, bare }: PageSection): Markup {
  const heading: Content = bare
    ? null
    : html`<h2 id="${id}-title">${title}${count === undefined ? null : html` <span class="count">${count}</span>`}</h2>`;
  const label = bare ? html`aria-label="${title}"` : html`aria-labelledby="${id}-title"`;
  return html`<section id="${id}" ${label} tabindex="-1">${heading}${body}</section>\n`;
}

/** The assayer's hallmark: a cartouche with a ticked balance. */
const DRAWING =
  '<path d="M5 2h14l4 5v10l-4 5H5l-4-5V7z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>' +
  '<path d="M7 12.4l3.4 3.6L17.2 8.4" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>';
const MARK = trusted(
  `<svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">${DRAWING}</svg>`,
);
const ICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" color="#0f6b6b">${DRAWING}</svg>`,
)}`;
