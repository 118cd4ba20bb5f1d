/** A conformance report as GitHub workflow commands, which the runner shows as annotations. */
import type { Finding, Report } from "../../conformance/index.ts";

/** One line for each finding and each fault of the harness. `known` findings become notices, flaky ones warnings. */
export function toAnnotations(report: Report, known: readonly Finding[] = []): string {
  const findings = report.findings.map((finding) => {
    const level = known.includes(finding) ? "notice" : finding.flaky ? "warning" : "error";
    const text = `${finding.title}\nexpected: ${finding.expected}\nseen: ${finding.seen}\nreplay: ${finding.replay}`;
    return command(level, `assay ${finding.requirement}`, text);
  });
  const faults = report.faults.map((fault) =>
    command("warning", "assay harness", `${fault.case ?? "run"}: ${fault.message}`),
  );
  return [...findings, ...faults].map((each) => `${each}\n`).join("");
}

function command(level: string, title: string, message: string): string {
  return `::${level} title=${property(title)}::${data(message)}`;
}

/** Per cent, line ends, and in properties also colon and comma, are what the runner's parser would trip over. */
const data = (text: string): string => text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
const property = (text: string): string => data(text).replace(/:/g, "%3A").replace(/,/g, "%2C");
