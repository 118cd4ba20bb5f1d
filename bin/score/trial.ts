/**
 * One trial of the judge against itself: a service with one planted defect, or one honest variant, judged in process or over HTTP.
 *
 * A defect counts as killed only by a finding that names the requirement it breaks. Trials look where the defect should show, and widen:
 * first the cases of its requirement, then its section, then everything; so a kill is cheap and a survivor has really survived.
 */
import type { CaseResult, JudgeSettings, Report } from "../../conformance/index.ts";
import { invariant } from "../../sim/core/index.ts";
import { findDefect } from "../../sim/defects/index.ts";
import type { Override } from "../../sim/facade/index.ts";
import { findVariant } from "../../sim/variants/index.ts";
import { judgeInProcess } from "../in-process.ts";
import { judgeOverHttp } from "../over-http.ts";
import { replayAll } from "./replay.ts";

export interface Trial {
  readonly kind: "defect" | "variant";
  readonly id: string;
  readonly seed: number;
  /** Runs of a property; the judge's default when left out. */
  readonly runs?: number | undefined;
  /** Try the whole suite at once. */
  readonly whole?: boolean | undefined;
  /** Stop at the first case that fails: enough to know that a defect is found, not by how many cases. */
  readonly bail?: boolean | undefined;
  /** Paste the replay line of every finding, too: what a line does not show again is lost. */
  readonly replay?: boolean | undefined;
  /** Over sockets instead of in process. Replay lines name a service in process: not together with `replay`. */
  readonly http?: boolean | undefined;
}

export type Scope = "requirement" | "section" | "suite";

export interface TrialResult {
  readonly kind: Trial["kind"];
  readonly id: string;
  readonly seed: number;
  /** A defect: killed by its own requirement, and found again by each line that was pasted. A variant: nothing failed. */
  readonly ok: boolean;
  readonly requirement: string | null;
  /** How far the trial had to look. */
  readonly scope: Scope;
  /** Cases whose findings name the requirement (a defect), or that failed (a variant). */
  readonly cases: readonly string[];
  /** Other requirements with findings. */
  readonly others: readonly string[];
  /** Faults of the harness, and rows of the requirement that ended without a verdict, with the reason. */
  readonly remarks: readonly string[];
  /** Replay lines that were pasted, and what they did not show again. */
  readonly replays: number;
  readonly lost: readonly string[];
}

export async function tryOut(trial: Trial): Promise<TrialResult> {
  return trial.kind === "defect" ? tryDefect(trial) : tryVariant(trial);
}

function judged(
  { seed, runs, http }: Trial,
  override: Override,
  only: readonly string[],
  settings: JudgeSettings = {},
): Promise<Report> {
  const overrides = [override];
  return http === true
    ? judgeOverHttp({ seed, runs, only, overrides }, settings)
    : judgeInProcess({ seed, runs, only, service: { overrides } }, settings);
}

async function tryDefect(trial: Trial): Promise<TrialResult> {
  const defect = findDefect(trial.id);
  invariant(defect !== undefined, `a trial names a defect that exists: ${trial.id}`);
  const section = defect.requirement.split("/")[0] as string;
  const scopes: readonly (readonly [Scope, readonly string[]])[] = [
    ["requirement", [defect.requirement]],
    ["section", [section]],
    ["suite", []],
  ];
  // The first case that fails may name another requirement: what bailing missed is looked for again, to the end.
  const attempts = (trial.whole ? scopes.slice(-1) : scopes).flatMap(([scope, only]) =>
    (trial.bail ? [true, false] : [false]).map((bail) => ({ scope, only, bail })),
  );
  let result: TrialResult | undefined;
  for (const { scope, only, bail } of attempts) {
    let report: Report;
    const stop = new AbortController();
    const ended = ({ outcome }: CaseResult): void => {
      if (bail && outcome === "failed") stop.abort();
    };
    try {
      report = await judged(trial, defect.override, only, {
        signal: stop.signal,
        events: { ended },
        command: commandFor(trial),
      });
    } catch (error) {
      result = failed(trial, defect.requirement, scope, `no report: ${(error as Error).message}`);
      continue;
    }
    const kills = report.findings.filter((finding) => finding.requirement === defect.requirement && !finding.flaky);
    result = {
      ...trialFacts(trial),
      ok: kills.length > 0,
      requirement: defect.requirement,
      scope,
      cases: unique(kills.flatMap((finding) => (finding.cases.length > 0 ? finding.cases : [finding.by]))),
      others: unique(report.findings.map((finding) => finding.requirement)).filter((id) => id !== defect.requirement),
      remarks: remarksOf(report, defect.requirement),
      replays: 0,
      lost: [],
    };
    if (result.ok) {
      return trial.replay === true ? { ...result, ...(await pasted(report)) } : result;
    }
  }
  invariant(result !== undefined, "a trial has at least one scope");
  return result;
}

/** What runs the same network again: the beginning of each replay line. */
function commandFor({ id, runs }: Trial): string {
  return ["assay demo --defect", id, ...(runs === undefined ? [] : ["--runs", runs])].join(" ");
}

async function pasted(report: Report): Promise<Pick<TrialResult, "ok" | "replays" | "lost">> {
  const replayed = await replayAll(report);
  const lost = replayed.flatMap((each) => each.lost.map((finding) => `${finding}: ${each.line}`));
  return { ok: lost.length === 0, replays: replayed.length, lost };
}

async function tryVariant(trial: Trial): Promise<TrialResult> {
  const variant = findVariant(trial.id);
  invariant(variant !== undefined, `a trial names a variant that exists: ${trial.id}`);
  try {
    const report = await judged(trial, variant.override, []);
    return {
      ...trialFacts(trial),
      // A run that was cut off has not shown that nothing would have been found.
      ok: report.findings.length === 0 && report.faults.length === 0 && report.run.cutOff === null,
      requirement: null,
      scope: "suite",
      cases: unique(report.findings.flatMap((finding) => finding.cases)),
      others: unique(report.findings.map((finding) => `${finding.requirement} ${finding.title}`)),
      remarks: remarksOf(report, null),
      replays: 0,
      lost: [],
    };
  } catch (error) {
    return failed(trial, null, "suite", `no report: ${(error as Error).message}`);
  }
}

const trialFacts = ({ kind, id, seed }: Trial) => ({ kind, id, seed });

/** What a trial without a report has shown: nothing, and why. */
export function failed(trial: Trial, requirement: string | null, scope: Scope, remark: string): TrialResult {
  const nothing = { cases: [], others: [], replays: 0, lost: [] };
  return { ...trialFacts(trial), ...nothing, ok: false, requirement, scope, remarks: [remark] };
}

function remarksOf(report: Report, requirement: string | null): readonly string[] {
  const row = report.requirements.find((each) => each.id === requirement);
  return [
    ...(report.run.cutOff === null ? [] : [report.run.cutOff]),
    ...report.faults.map((fault) => `fault in ${fault.case ?? "run"}: ${fault.message.split("\n")[0]}`),
    ...(row === undefined || row.status === "failed" ? [] : [[row.status, ...row.reasons].join(": ")]),
  ];
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];
