/** A status badge: the verdict in a few words, as SVG or as the JSON that shields.io renders (https://shields.io/badges/endpoint-badge). */
import type { Report, Verdict } from "../../conformance/index.ts";

const COLOURS: Readonly<Record<Verdict, { readonly name: string; readonly hex: string }>> = {
  conformant: { name: "brightgreen", hex: "#1a7f37" },
  "not conformant": { name: "red", hex: "#b3261e" },
  inconclusive: { name: "lightgrey", hex: "#5c6370" },
};

const LABEL = "assay";

/** `conformant, 212 of 404 requirements tried`: a verdict over three requirements should not look like one over all. */
export function badgeMessage({ verdict, counts, requirements }: Report): string {
  const tried = counts.passed + counts.failed + counts.flaky + counts.observed;
  return `${verdict}, ${tried} of ${requirements.length} tried`;
}

/** For an endpoint that shields.io reads. Ends with a newline. */
export function badgeJson(report: Report): string {
  const { name } = COLOURS[report.verdict];
  return `${JSON.stringify({ schemaVersion: 1, label: LABEL, message: badgeMessage(report), color: name })}\n`;
}

/** Pixels of a letter of Verdana at 11 px, on average: `textLength` makes the browser keep to it. */
const LETTER = 6.6;
const MARGIN = 8;

/** A picture of its own, without fonts or scripts from elsewhere. Ends with a newline. */
export function badgeSvg(report: Report): string {
  const message = badgeMessage(report);
  const [left, right] = [LABEL, message].map((text) => Math.round(text.length * LETTER)) as [number, number];
  const split = left + 2 * MARGIN;
  const width = split + right + 2 * MARGIN;
  const text = (what: string, x: number, length: number): string =>
    `<text x="${x}" y="14" textLength="${length}">${what}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${LABEL}: ${message}">`,
    `<title>${LABEL}: ${message}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${split}" height="20" fill="#444"/>`,
    `<rect x="${split}" width="${width - split}" height="20" fill="${COLOURS[report.verdict].hex}"/></g>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    text(LABEL, MARGIN, left),
    text(message, split + MARGIN, right),
    "</g></svg>\n",
  ].join("");
}
