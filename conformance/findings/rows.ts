/**
 * From evidence to rows. Failed beats all; a row whose evidence is mixed or was cut off is inconclusive; what was never put to the test is
 * not exercised. Nothing but a pass is a pass.
 */
import { type RequirementId, requirement, requirements } from "../../fixtures/protocol/requirements/index.ts";
import type { Evidence, RowStatus } from "./evidence.ts";
import type { Counts, Observation, Row } from "./report.ts";

/** Said of a row that its case tried, and came to nothing with. */
export const NO_DECISION = "the case came to no decision";

/** Evidence as the rows take it: a failure may be known to be flaky. */
export type Weighed = Evidence & { readonly flaky?: boolean };

/** One row for each requirement that `selected` lets through, in the contract's order. `idle` tells why a row without evidence has none. */
export function rowsFrom(
  evidence: readonly Weighed[],
  idle: (requirement: RequirementId) => readonly string[],
  selected: (requirement: RequirementId) => boolean = () => true,
): readonly Row[] {
  const byRow = grouped(evidence);
  return requirements
    .filter((row) => selected(row.id))
    .map((row) => rowOf(row.id, byRow.get(row.id) ?? [], idle(row.id)));
}

function grouped(evidence: readonly Weighed[]): ReadonlyMap<RequirementId, Weighed[]> {
  const groups = new Map<RequirementId, Weighed[]>();
  for (const each of evidence) {
    const group = groups.get(each.requirement);
    if (group === undefined) groups.set(each.requirement, [each]);
    else group.push(each);
  }
  return groups;
}

function rowOf(id: RequirementId, evidence: readonly Weighed[], idle: readonly string[]): Row {
  const row = requirement(id);
  const status = statusOf(evidence, contradicted(evidence));
  const reasons = evidence.flatMap((each) =>
    each.kind === "inconclusive" || (each.kind === "not-exercised" && status === "not-exercised") ? [each.reason] : [],
  );
  const told = status === "not-exercised" && reasons.length === 0 ? idle : reasons;
  return {
    id,
    section: row.section,
    kind: row.kind,
    text: row.text,
    status,
    reasons: status === "not-exercised" || status === "inconclusive" ? unique(told).sort(easiestFirst).slice(0, 3) : [],
    passes: evidence.filter((each) => each.kind === "passed").length,
    failures: evidence.filter((each) => each.kind === "failed").length,
    choices: unique(evidence.flatMap((each) => (each.kind === "observed" ? [each.choice] : []))),
  };
}

/** What is least to bring comes first, and what tells nothing last. */
function easiestFirst(a: string, b: string): number {
  const vague = (reason: string): number => Number(reason.includes(NO_DECISION));
  return vague(a) - vague(b) || a.length - b.length || (a < b ? -1 : 1);
}

function statusOf(evidence: readonly Weighed[], contradiction: boolean): RowStatus {
  const some = (kind: Evidence["kind"]): boolean => evidence.some((each) => each.kind === kind);
  if (contradiction || evidence.some((each) => each.kind === "failed" && each.flaky !== true)) return "failed";
  if (some("failed")) return "flaky";
  if (some("inconclusive")) return "inconclusive";
  if (some("observed")) return "observed";
  return some("passed") ? "passed" : "not-exercised";
}

/** Whether choices that had to be consistent differ. */
export function contradicted(evidence: readonly Weighed[]): boolean {
  const choices = evidence.flatMap((each) => (each.kind === "observed" && each.consistent ? [each.choice] : []));
  return new Set(choices).size > 1;
}

/** What was chosen at the open points, in the contract's order; choices in the order in which they were first seen. */
export function observationsFrom(evidence: readonly Weighed[]): readonly Observation[] {
  const byRow = grouped(evidence.filter((each) => each.kind === "observed"));
  return requirements.flatMap((row): Observation[] => {
    const seen = byRow.get(row.id) ?? [];
    if (seen.length === 0) return [];
    const counts = new Map<string, number>();
    for (const each of seen) {
      if (each.kind === "observed") counts.set(each.choice, (counts.get(each.choice) ?? 0) + 1);
    }
    const choices = [...counts].map(([choice, count]) => ({ choice, count }));
    return [{ requirement: row.id, text: row.text, choices, contradicted: contradicted(seen) }];
  });
}

/** How many rows ended in which way. */
export function countsOf(rows: readonly Row[]): Counts {
  const count = (status: RowStatus): number => rows.filter((row) => row.status === status).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    flaky: count("flaky"),
    observed: count("observed"),
    inconclusive: count("inconclusive"),
    notExercised: count("not-exercised"),
  };
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
