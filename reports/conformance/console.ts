/** The report for a person: table, findings in full, open points, what was left out and how to bring it in, the verdict. */
import type { Finding, Report, Row } from "../../conformance/index.ts";
import type { Palette } from "../palette.ts";
import { sectionTable } from "./table.ts";

export interface ConsoleOptions {
  readonly colours: Palette;
  /** Shows the open points and the rows that were left out, too. Default true. */
  readonly details?: boolean;
  /** Lines of an answer that a transcript shows. Default 24. */
  readonly answerLines?: number;
}

/** The whole text, with a newline at its end. */
export function renderReport(report: Report, options: ConsoleOptions): string {
  const details = options.details ?? true;
  const parts = [
    sectionTable(report, options.colours),
    ...(report.findings.length > 0 ? [findings(report, options)] : []),
    ...(details && report.observations.length > 0 ? [openPoints(report, options)] : []),
    ...(details ? leftOut(report, options) : []),
    ...(report.faults.length > 0 ? [faults(report, options)] : []),
    verdict(report, options),
  ];
  return `${parts.join("\n\n")}\n`;
}

const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

function findings(report: Report, options: ConsoleOptions): string {
  const { strong } = options.colours;
  const shown = report.findings.map((finding, index) => findingText(finding, index + 1, options));
  return [strong(`Findings (${report.findings.length})`), ...shown].join("\n\n");
}

/** One finding: what was demanded, expected and seen, the exchanges, and the line that shows it again. */
export function findingText(finding: Finding, number: number, options: ConsoleOptions): string {
  const { bad, doubtful, name, quiet, strong } = options.colours;
  const mark = finding.flaky ? doubtful("flaky") : bad("failed");
  const lines = [
    `${number}. ${mark} ${strong(finding.requirement)} ${finding.title}`,
    ...(finding.title === finding.text ? [] : [`   demanded  ${finding.text}`]),
    ...(finding.from === undefined ? [] : [quiet(`   follows   from ${finding.from}`)]),
    `   expected  ${indent(finding.expected, "             ").trimStart()}`,
    `   seen      ${indent(finding.seen, "             ").trimStart()}`,
    ...(finding.count > 1 ? [quiet(`   times     ${finding.count}`)] : []),
    ...(finding.attempts ?? []).map((attempt) => `   ${attempt}`),
    ...finding.transcript.flatMap(({ curl, answer }) => [
      "",
      indent(curl, "   $ "),
      quiet(indent(firstLines(answer, options.answerLines ?? 24), "     ")),
    ]),
    "",
    `   replay    ${name(finding.replay)}`,
  ];
  return lines.join("\n");
}

function firstLines(text: string, most: number): string {
  const lines = text.split("\n");
  return lines.length <= most ? text : [...lines.slice(0, most), `(${lines.length - most} more lines)`].join("\n");
}

function openPoints(report: Report, options: ConsoleOptions): string {
  const { strong, bad, name } = options.colours;
  const lines = report.observations.map((each) => {
    const choices = each.choices.map(({ choice, count }) => (count === 1 ? choice : `${choice} (${count} times)`));
    const mark = each.contradicted ? bad(" contradicts itself:") : "";
    return `  ${each.requirement.padEnd(7)} ${each.text}\n          ${mark}${name(choices.join("; "))}`;
  });
  return [strong("Open points: what the target chose"), ...lines].join("\n");
}

/** Rows grouped by their reason: the same reason usually holds for many. */
function leftOut(report: Report, options: ConsoleOptions): string[] {
  const { strong, doubtful } = options.colours;
  const group = (status: Row["status"]): string[] => {
    const byReason = new Map<string, string[]>();
    for (const row of report.requirements.filter((each) => each.status === status)) {
      const reason = row.reasons[0] ?? "no reason is known";
      byReason.set(reason, [...(byReason.get(reason) ?? []), row.id]);
    }
    return [...byReason].map(([reason, ids]) => `  ${reason}\n    ${wrap(ids, 100).join("\n    ")}`);
  };
  const inconclusive = group("inconclusive");
  const idle = group("not-exercised");
  return [
    ...(inconclusive.length > 0 ? [[strong(doubtful("Inconclusive")), ...inconclusive].join("\n")] : []),
    ...(idle.length > 0 ? [[strong("Not exercised, and how to"), ...idle].join("\n")] : []),
  ];
}

function wrap(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function faults(report: Report, options: ConsoleOptions): string {
  const { strong, doubtful } = options.colours;
  const lines = report.faults.map(({ case: id, message }) => indent(`${id ?? "the run"}: ${message}`, "  "));
  return [strong(doubtful("Faults of the judge itself (they say nothing of the target)")), ...lines].join("\n");
}

function verdict(report: Report, options: ConsoleOptions): string {
  const { bad, doubtful, good, strong } = options.colours;
  const { counts, run } = report;
  const colour = { conformant: good, "not conformant": bad, inconclusive: doubtful }[report.verdict];
  const because = report.because.length === 0 ? "" : `: ${report.because.join("; ")}`;
  const flaky = counts.flaky === 0 ? "" : ` ${counts.flaky} flaky,`;
  const credits = run.credits.spent === 0 ? "" : `, ${run.credits.spent} of ${run.credits.most} units spent`;
  return [
    `${counts.passed} passed, ${counts.failed} failed,${flaky} ${counts.observed} observed, ${counts.inconclusive} inconclusive, ` +
      `${counts.notExercised} not exercised (${run.exchanges} exchanges${credits})`,
    `${strong(colour(report.verdict))}${because}`,
  ].join("\n");
}
