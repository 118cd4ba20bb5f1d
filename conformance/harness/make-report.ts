/** Puts the report together: rows, findings, observations, and the verdict with its reasons. */
import { type RequirementId, requirement } from "../../fixtures/protocol/requirements/index.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { compareIds, findingsFrom } from "../findings/finding.ts";
import type { CaseResult, Finding, HarnessFault, Report, Row } from "../findings/report.ts";
import { countsOf, observationsFrom, rowsFrom, type Weighed } from "../findings/rows.ts";
import { timelineOf } from "../findings/timeline.ts";
import type { Delivery } from "../receiver/receiver.ts";
import type { Plan } from "./plan.ts";
import type { Target } from "./target.ts";

export interface ReportParts {
  readonly target: Target;
  readonly plan: Plan;
  readonly evidence: readonly Weighed[];
  readonly results: readonly CaseResult[];
  readonly faults: readonly HarnessFault[];
  readonly log: readonly Exchange[];
  readonly deliveries: readonly Delivery[];
  readonly cutOff: string | null;
  readonly spent: number;
  /** Rows that the report is about. */
  readonly selected: (row: RequirementId) => boolean;
  /** The command that repeats the run, without selection and path. */
  readonly command: string;
}

/** The findings that some of a run's evidence makes, with their transcripts, stories and replay lines. */
export function findingsOf(
  evidence: readonly Weighed[],
  parts: Pick<ReportParts, "target" | "log" | "deliveries" | "command">,
): readonly Finding[] {
  const { target } = parts;
  const { options } = target;
  const byNumber = new Map(parts.log.map((exchange) => [exchange.number, exchange] as const));
  return findingsFrom(evidence, {
    baseUrl: options.baseUrl,
    secrets: target.secrets,
    exchange: (number) => byNumber.get(number),
    timeline: (numbers) => timelineOf(numbers, parts.log, parts.deliveries, target.secrets),
    replay: (cases, path) =>
      [
        parts.command,
        ...cases.map((each) => `--only ${each}`),
        `--seed ${options.seed}`,
        ...(path === undefined ? [] : [`--path ${path}`]),
      ].join(" "),
  });
}

export function reportFrom(parts: ReportParts): Report {
  const { target, evidence } = parts;
  const { options } = target;
  const rows = rowsFrom(evidence, (row) => whyIdle(row, parts), parts.selected);
  const findings = findingsOf([...evidence, ...contradictions(rows)], parts);
  const { verdict, exitCode, because } = judgeRun(rows, findings, parts);
  const sections = [...new Set(rows.map((row) => row.section))].sort(compareIds);
  return {
    format: "assay-report/1",
    target: {
      baseUrl: options.baseUrl,
      brand: options.brand,
      clock: target.clock.kind,
      capabilities: [...target.controls.capabilities],
      keys: options.keys.length,
      receiver: target.noReceiver ?? (options.inProcessReceiver === undefined ? "over HTTPS" : "in process"),
      chain: options.rpc !== undefined,
    },
    run: {
      seed: options.seed,
      runs: options.runs,
      only: options.only,
      exchanges: parts.log.length,
      credits: { spent: parts.spent, most: options.maxCredits },
      cutOff: parts.cutOff,
    },
    verdict,
    exitCode,
    because,
    counts: countsOf(rows),
    sections: sections.map((section) => ({ section, counts: countsOf(rows.filter((row) => row.section === section)) })),
    findings,
    observations: observationsFrom(evidence),
    requirements: rows,
    cases: parts.results,
    faults: parts.faults,
  };
}

/** Why a row has no evidence at all. */
function whyIdle(id: RequirementId, parts: ReportParts): readonly string[] {
  const row = requirement(id);
  if (row.untestable !== undefined) return [row.untestable];
  if (parts.cutOff !== null) return [parts.cutOff];
  return ["nothing in this run put it to the test"];
}

/** Choices that contradict each other, as faults. */
function contradictions(rows: readonly Row[]): Weighed[] {
  return rows.flatMap((row): Weighed[] => {
    if (row.status !== "failed" || row.failures > 0) return [];
    const source = { case: null, by: "audit:open points" };
    const fault = {
      requirement: row.id,
      title: "the target contradicts itself within one run",
      expected: "one choice throughout the run",
      seen: row.choices.join("; "),
      exchanges: [],
    };
    return [{ kind: "failed", requirement: row.id, source, fault }];
  });
}

function judgeRun(
  rows: readonly Row[],
  findings: readonly Finding[],
  parts: ReportParts,
): Pick<Report, "verdict" | "exitCode" | "because"> {
  const counts = countsOf(rows);
  if (counts.failed > 0) {
    const certain = findings.filter((finding) => !finding.flaky).length;
    return { verdict: "not conformant", exitCode: 1, because: [`${certain} finding${certain === 1 ? "" : "s"}`] };
  }
  const because: string[] = [];
  if (parts.faults.length > 0)
    because.push(`${parts.faults.length} of the cases failed by a fault of the judge itself`);
  if (counts.flaky > 0) because.push(`${counts.flaky} of the requirements failed once and then did not`);
  if (counts.inconclusive > 0)
    because.push(`${counts.inconclusive} of the requirements have evidence that was cut off`);
  if (counts.passed === 0) because.push("nothing was put to the test");
  if (parts.cutOff !== null) because.push(parts.cutOff);
  return because.length === 0
    ? { verdict: "conformant", exitCode: 0, because }
    : { verdict: "inconclusive", exitCode: 3, because };
}
