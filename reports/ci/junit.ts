/** A conformance report as JUnit XML: a suite for each section, a test case for each requirement. */
import { create } from "xmlbuilder2";
import type { Finding, Report, Row } from "../../conformance/index.ts";

interface TestCase {
  readonly "@classname": string;
  readonly "@name": string;
  readonly failure?: { readonly "@message": string; readonly "@type": string; readonly "#": string };
  readonly error?: { readonly "@message": string };
  readonly skipped?: { readonly "@message": string };
}

/** The XML text. `known` findings (of a baseline) are told as skipped, not as failures. Nothing unexercised counts as passed. */
export function toJUnit(report: Report, known: readonly Finding[] = []): string {
  const suites = report.sections.map(({ section }) =>
    suiteOf(
      `section ${section}`,
      report.requirements.filter((row) => row.section === section).map((row) => caseOf(row, report, known)),
    ),
  );
  const faults = report.faults.map((fault) => ({
    "@classname": "assay.harness",
    "@name": fault.case ?? "run",
    error: { "@message": fault.message },
  }));
  const testsuite = faults.length === 0 ? suites : [...suites, suiteOf("harness", faults)];
  return create(
    { version: "1.0", encoding: "UTF-8", invalidCharReplacement: "\uFFFD" },
    { testsuites: { testsuite } },
  ).end({
    prettyPrint: true,
  });
}

function suiteOf(name: string, testcase: readonly TestCase[]): object {
  const having = (part: keyof TestCase): number => testcase.filter((each) => each[part] !== undefined).length;
  return {
    "@name": name,
    "@tests": testcase.length,
    "@failures": having("failure"),
    "@errors": having("error"),
    "@skipped": having("skipped"),
    testcase,
  };
}

function caseOf(row: Row, report: Report, known: readonly Finding[]): TestCase {
  const test = { "@classname": `assay.${row.section}`, "@name": `${row.id} ${row.text}` };
  if (row.status === "passed" || row.status === "observed") return test;
  const findings = report.findings.filter((finding) => finding.requirement === row.id);
  const titles = findings.map((finding) => finding.title).join("; ");
  if (row.status !== "failed") return { ...test, skipped: { "@message": whyNot(row) } };
  if (findings.length > 0 && findings.every((finding) => known.includes(finding))) {
    return { ...test, skipped: { "@message": `known failure: ${titles}` } };
  }
  const failure = { "@message": titles || row.text, "@type": "requirement", "#": findings.map(textOf).join("\n\n") };
  return { ...test, failure };
}

const whyNot = (row: Row): string => [row.status.replace("-", " "), ...row.reasons].join(": ");

/** One finding as plain text. */
function textOf(finding: Finding): string {
  const steps = finding.transcript.flatMap((step) => [step.curl, step.answer]);
  return [`expected: ${finding.expected}`, `seen: ${finding.seen}`, ...steps, `replay: ${finding.replay}`].join("\n");
}
