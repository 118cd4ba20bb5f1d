/** A conformance report as Markdown: for a pull request's comment or a job summary. */
import type { Counts, Finding, Report } from "../../conformance/index.ts";

const HEAD = ["section", "passed", "failed", "flaky", "observed", "inconclusive", "not exercised"];

/** The page. `known` findings (of a baseline) are listed apart. */
export function toMarkdown(report: Report, known: readonly Finding[] = []): string {
  const fresh = report.findings.filter((finding) => !known.includes(finding));
  return `${[
    `# assay: ${report.verdict}`,
    `Target \`${report.target.baseUrl}\`, seed ${report.run.seed}, ${report.run.exchanges} exchanges.`,
    ...report.because.map((reason) => `- ${reason}`),
    table([
      HEAD,
      ...report.sections.map(({ section, counts }) => [section, ...numbers(counts)]),
      ["all", ...numbers(report.counts)],
    ]),
    ...(fresh.length > 0 ? ["## Findings", ...fresh.map(block)] : []),
    ...(known.length > 0 ? ["## Known failures", known.map(line).join("\n")] : []),
    ...(report.observations.length > 0
      ? [
          "## Open points",
          table([
            ["requirement", "what is open", "what the target chose"],
            ...report.observations.map((each) => [
              each.requirement,
              each.text,
              each.choices.map(({ choice }) => choice).join(", ") + (each.contradicted ? " (contradicts itself)" : ""),
            ]),
          ]),
        ]
      : []),
  ].join("\n\n")}\n`;
}

const numbers = (counts: Counts): string[] =>
  [counts.passed, counts.failed, counts.flaky, counts.observed, counts.inconclusive, counts.notExercised].map(String);

const line = (finding: Finding): string =>
  `- **${finding.requirement}** ${cell(finding.title)} (\`${finding.fingerprint}\`)`;

function block(finding: Finding): string {
  return [
    `### ${finding.requirement}: ${cell(finding.title)}${finding.flaky ? " (flaky)" : ""}`,
    `${finding.text}${finding.from === undefined ? "" : ` Follows from ${finding.from}.`}`,
    `- expected: ${cell(finding.expected)}\n- seen: ${cell(finding.seen)}`,
    fenced(finding.transcript.flatMap((step) => [step.curl, step.answer]).join("\n")),
    `Replay: \`${finding.replay}\``,
  ].join("\n\n");
}

/** A fence longer than any that the text holds. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}http\n${text}\n${fence}`;
}

function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

/** What a table cell or a heading can hold: one line, no bars, no markup that the target chose. */
const cell = (text: string): string => text.replace(/\s+/g, " ").replace(/[|<>`*_[\]]/g, (mark) => `\\${mark}`);
