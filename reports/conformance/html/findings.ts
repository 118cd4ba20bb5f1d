/** Each finding in full: what was demanded, expected beside seen, its story in time, and lines to paste. */
import type { Finding, Report } from "../../../conformance/index.ts";
import { html, type Markup } from "../../page/markup.ts";
import { badge, copyable, plural, prose } from "../../page/parts.ts";
import { timeline } from "./timeline.ts";

/** How much of a transcript a page shows. */
export interface Lengths {
  readonly steps: number;
  readonly characters: number;
}

/** The first ones stand open. */
const OPEN = 3;

export function findingsSection({ findings }: Report, lengths: Lengths, full: boolean): Markup {
  return html`<div class="tools"><button type="button" data-all="open" hidden>Open all</button><button type="button" data-all="close" hidden>Close all</button></div>
${full ? null : html`<p class="note">Long transcripts are shortened here. The JSON report holds them whole.</p>`}
<ol class="findings">${findings.map((finding, index) => one(finding, index < OPEN, lengths))}</ol>`;
}

function one(finding: Finding, open: boolean, lengths: Lengths): Markup {
  const { fingerprint, requirement, title, text, from, severity, count, flaky, kind } = finding;
  const id = `f-${fingerprint}`;
  return html`<li class="finding ${flaky ? "s-flaky" : "s-failed"}" id="${id}"><details${open ? html` open` : null}>
<summary>${badge(flaky ? "flaky" : "failed")}<span class="ref">${requirement}</span><h3>${prose(title)}</h3>${count > 1 ? html`<span class="times">${count} times</span>` : null}</summary>
<div class="body">
<p class="demand">${title === text ? null : html`${prose(text)} `}<a href="#r-${requirement}">${kind}, ${severity} severity</a>${from === undefined ? null : html`<br><span class="soft">Follows from ${from}.</span>`}</p>
<div class="versus"><div><h4>Expected</h4><pre class="text">${shorten(finding.expected, lengths)}</pre></div><div><h4>Seen</h4><pre class="text seen">${shorten(finding.seen, lengths)}</pre></div></div>
${attempts(finding)}
${timeline(finding, lengths)}
${transcript(finding, lengths)}
<h4>Show it again</h4>
${copyable(finding.replay, "replay line")}
<p class="soft small">Found by ${finding.by}${finding.cases.length === 0 ? "" : ` in ${finding.cases.join(", ")}`}. Fingerprint <code>${fingerprint}</code>.</p>
</div></details></li>
`;
}

function attempts({ attempts: list = [] }: Finding): Markup | null {
  if (list.length === 0) return null;
  return html`<h4>Attempts</h4><ul class="plain">${list.map((attempt) => html`<li><pre class="text">${attempt}</pre></li>`)}</ul>`;
}

function transcript({ transcript: all }: Finding, lengths: Lengths): Markup | null {
  if (all.length === 0) return null;
  const steps = all.slice(-lengths.steps);
  const cut = all.length - steps.length;
  return html`<h4>${plural(all.length, "exchange")}</h4>
${cut > 0 ? html`<p class="soft small">The last ${steps.length} of them.</p>` : null}<ol class="exchanges">${steps.map(
    ({ number, curl, answer }) =>
      html`<li><span class="soft small">No. ${number}</span>${copyable(curl, `curl line of exchange ${number}`)}<pre class="answer">${shorten(answer, lengths)}</pre></li>`,
  )}</ol>`;
}

function shorten(text: string, { characters }: Lengths): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters)}… (${text.length - characters} more characters)`;
}
