/** A finding's story: time runs down, one lane each for HTTP, chain and webhooks. A table, so that it reads aloud and prints. */
import type { Finding } from "../../../conformance/index.ts";
import { html, type Markup } from "../../page/markup.ts";
import type { Lengths } from "./findings.ts";

type Moment = Finding["timeline"][number];

const LANES = ["http", "chain", "webhook"] as const;
const NAMES = { http: "HTTP", chain: "Chain", webhook: "Webhooks" } as const;

/** Milliseconds between two moments that are worth a line of their own. */
const PAUSE = 1_000;

export function timeline(finding: Finding, { steps }: Lengths): Markup | null {
  // Reports of earlier versions have none.
  const all = finding.timeline ?? [];
  if (all.length === 0) return null;
  const moments = all.slice(-steps * 4);
  const used = LANES.filter((lane) => moments.some((moment) => moment.lane === lane));
  const rows = moments.map((moment, index) => {
    const before = moments[index - 1];
    const pause = before === undefined ? 0 : moment.at - (before.until ?? before.at);
    return html`${pause >= PAUSE ? gap(pause, used.length) : null}${row(moment, used)}`;
  });
  return html`<h4>Timeline</h4>
<table class="timeline"><caption class="unseen">What happened around the finding, in order of the service's time</caption>
<thead><tr><th scope="col">Time</th>${used.map((lane) => html`<th scope="col">${NAMES[lane]}</th>`)}</tr></thead>
<tbody>${rows}</tbody></table>`;
}

const gap = (pause: number, lanes: number): Markup =>
  html`<tr class="gap"><td></td><td colspan="${lanes}">${duration(pause)} later</td></tr>`;

function row(moment: Moment, lanes: readonly Moment["lane"][]): Markup {
  const evidence = moment.shown ? " evidence" : "";
  return html`<tr class="lane-${moment.lane}${evidence}"><th scope="row">${stamp(moment.at)}</th>${lanes.map((lane) =>
    lane === moment.lane
      ? html`<td class="here" data-lane="${NAMES[lane]}">${told(moment)}</td>`
      : html`<td class="lane"></td>`,
  )}</tr>`;
}

function told({ lane, what, outcome, at, until, shown, number }: Moment): Markup {
  const took = until !== undefined && until > at ? html` <span class="soft">in ${duration(until - at)}</span>` : null;
  const mark = shown ? html` <span class="mark-evidence">evidence</span>` : null;
  if (lane === "chain")
    return html`<span class="what">${what}</span> <code title="${outcome}">${brief(outcome)}</code>`;
  return html`<span class="what">${what}</span> <b class="outcome ${tone(lane, outcome)}">${outcome}</b>${took}${mark}<span class="soft small no"> no. ${number}</span>`;
}

function tone(lane: Moment["lane"], outcome: string): string {
  if (lane === "webhook") return /answered 2\d\d/.test(outcome) ? "ok" : "off";
  return /^2\d\d$/.test(outcome) ? "ok" : "off";
}

const brief = (hash: string): string => (hash.length > 20 ? `${hash.slice(0, 10)}…${hash.slice(-6)}` : hash);

/** `+1:00.301` */
function stamp(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const seconds = ((milliseconds % 60_000) / 1_000).toFixed(3);
  return `+${minutes}:${seconds.padStart(6, "0")}`;
}

/** `59.4 s`, `2 min 30 s`, `24 h`. */
function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  if (milliseconds < 60_000) return `${Number((milliseconds / 1_000).toFixed(3))} s`;
  const [days, hours, minutes, seconds] = [
    Math.floor(milliseconds / 86_400_000),
    Math.floor(milliseconds / 3_600_000) % 24,
    Math.floor(milliseconds / 60_000) % 60,
    Number(((milliseconds % 60_000) / 1_000).toFixed(3)),
  ];
  const parts = [
    [days, "d"],
    [hours, "h"],
    [minutes, "min"],
    [seconds, "s"],
  ] as const;
  return parts.flatMap(([value, unit]) => (value === 0 ? [] : [`${value} ${unit}`])).join(" ");
}
