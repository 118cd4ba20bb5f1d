/** From faults to findings: duplicates merged, transcripts made, each with the line that replays it. */
import { requirement } from "../../fixtures/protocol/requirements/index.ts";
import { toAnswer, toCurl } from "../exchange/curl.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redact.ts";
import { hash32 } from "../target/random.ts";
import type { Evidence, Fault } from "./evidence.ts";
import type { Finding, Moment, Severity } from "./report.ts";
import type { Weighed } from "./rows.ts";

export type Failure = Extract<Evidence, { kind: "failed" }> & {
  readonly flaky?: boolean;
  readonly attempts?: readonly string[];
};

/** What the words of a finding are made with. */
export interface FindingContext {
  readonly baseUrl: string;
  readonly secrets: Secrets;
  readonly exchange: (number: number) => Exchange | undefined;
  readonly timeline: (exchanges: readonly number[]) => readonly Moment[];
  /** The command that replays a case, or the whole run when there is none. */
  readonly replay: (cases: readonly string[], path: string | undefined) => string;
}

/** Exchanges shown of one finding; the sequence was shrunk already, and the last ones tell most. */
const LONGEST_TRANSCRIPT = 12;

/** Eight hex digits that name a fault. */
export function fingerprint(fault: Pick<Fault, "requirement" | "title">): string {
  return hash32(`${fault.requirement}\n${fault.title}`).toString(16).padStart(8, "0");
}

/** All findings of a run, in the contract's order, then by title. */
export function findingsFrom(evidence: readonly Weighed[], context: FindingContext): readonly Finding[] {
  const groups = new Map<string, Failure[]>();
  for (const each of evidence) {
    if (each.kind !== "failed") continue;
    const key = fingerprint(each.fault);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].map(([key, failures]) => findingOf(key, failures, context)).sort(inOrder);
}

function findingOf(key: string, failures: readonly Failure[], context: FindingContext): Finding {
  // The shortest transcript that was not flaky says most.
  const [first] = [...failures].sort(
    (a, b) =>
      Number(a.flaky ?? false) - Number(b.flaky ?? false) || a.fault.exchanges.length - b.fault.exchanges.length,
  );
  const failure = first as Failure;
  const { fault } = failure;
  const row = requirement(fault.requirement);
  const cases = [...new Set(failures.flatMap((each) => each.source.case ?? []))];
  return {
    fingerprint: key,
    requirement: row.id,
    text: row.text,
    kind: row.kind,
    ...(row.kind === "inferred" ? { from: row.from } : {}),
    severity: severityOf(row.kind),
    title: fault.title,
    expected: context.secrets.hide(fault.expected),
    seen: context.secrets.hide(fault.seen),
    cases,
    by: failure.source.by,
    count: failures.length,
    flaky: failures.every((each) => each.flaky === true),
    ...(failure.attempts === undefined ? {} : { attempts: failure.attempts }),
    transcript: fault.exchanges.slice(-LONGEST_TRANSCRIPT).flatMap((number) => {
      const exchange = context.exchange(number);
      if (exchange === undefined) return [];
      const curl = toCurl(exchange, context.baseUrl, context.secrets);
      return [{ number, curl, answer: toAnswer(exchange, context.secrets) }];
    }),
    timeline: context.timeline(fault.exchanges.slice(-LONGEST_TRANSCRIPT)),
    replay: context.replay(selectorsOf(failure), failure.path),
  };
}

/**
 * What shows a failure again: its case; for the first exchanges of a run, which belong to no case and come in every run, its row alone; and the whole
 * run for what only a whole run shows.
 */
function selectorsOf({ source, requirement: row }: Failure): readonly string[] {
  if (source.case === null) return source.by.startsWith("monitor:") ? [row] : [];
  return source.case === "harness" ? [] : [source.case];
}

function severityOf(kind: Finding["kind"]): Severity {
  if (kind === "stated") return "high";
  return kind === "inferred" ? "medium" : "low";
}

/** Sections and rows by their numbers: `4.2/2` before `4.10/1`. */
function inOrder(a: Finding, b: Finding): number {
  return compareIds(a.requirement, b.requirement) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
}

/** The contract's order of requirement ids or sections. */
export function compareIds(a: string, b: string): number {
  const left = a.split(/[./]/).map(Number);
  const right = b.split(/[./]/).map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? -1) - (right[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
