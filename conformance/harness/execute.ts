/**
 * One case, tried. A case that fails is repeated in a fresh state with the same draws: what fails again is a fault of the target, what does
 * not is flaky, and is called so. The first repeat goes straight to the counterexamples that the properties found, as their replay lines will: a path
 * that shows nothing by itself, because the fault needs what went before it, is not told.
 */
import type { Case, RequirementId } from "../cases/case.ts";
import { Stop } from "../errors.ts";
import type { Evidence } from "../findings/evidence.ts";
import type { CaseResult } from "../findings/report.ts";
import { NO_DECISION, type Weighed } from "../findings/rows.ts";
import type { Attempt } from "./attempt.ts";
import type { Budget } from "./budget.ts";
import { BURST_LIMIT, openContext } from "./context.ts";
import { HUNG_UP, judgeHungUp, unanswered } from "./hung-up.ts";
import type { Planned } from "./plan.ts";
import type { Target } from "./target.ts";

export interface Execution {
  readonly target: Target;
  readonly budget: Budget;
  readonly begin: (id: string) => Attempt;
  /** The target, as it is seen from an attempt: what is sent there belongs to it. */
  readonly seenFrom: (attempt: Attempt) => Target;
  /** Reads the balances of the given keys that have spent. */
  readonly settle: () => Promise<void>;
  /** Why the run is over; null while it goes on. */
  readonly cutOff: () => string | null;
}

/** What became of a case. */
export interface CaseRun {
  readonly evidence: readonly Weighed[];
  readonly result: CaseResult;
  /** What the case itself threw; null when it did not. */
  readonly fault: string | null;
}

/** How one attempt ended. */
type Ended =
  | { readonly kind: "done" }
  | { readonly kind: "stopped"; readonly stop: Stop }
  | { readonly kind: "threw"; readonly message: string };

const MOST_ATTEMPTS = 3;
/** How often an attempt is begun again that a burst limit has spoilt. */
const MOST_NEW_STARTS = 3;
/** How often the same request finds its connection closed before that is the service's doing. */
const MOST_HANG_UPS = 3;

/** Tries a planned case. Never throws. */
export async function tryCase(planned: Planned, execution: Execution): Promise<CaseRun> {
  const definition = planned.case;
  const reason = planned.leftOut ?? execution.cutOff();
  if (reason !== null) return leftOut(definition, reason);

  const attempts: Attempt[] = [];
  let ended: Ended = { kind: "done" };
  let paths = given(execution);
  for (let number = 1; number <= MOST_ATTEMPTS; number++) {
    const { attempt, outcome } = await unspoilt(definition, execution, number === 2 ? pathsOf(attempts[0]) : paths);
    // What lay at the path may need what had gone before it: then the whole property is tried.
    if (number === 1 && paths.length > 0 && outcome.kind === "done" && failedRows(attempt).size === 0) {
      paths = [];
      number = 0;
      continue;
    }
    // A repeat that the budget or the end of the run prevents says nothing about the first attempt.
    if (number > 1 && outcome.kind === "stopped") break;
    attempts.push(attempt);
    // It was begun anew for this already.
    if (attempt.evidence.some(({ source }) => source.by === HUNG_UP)) {
      ended = outcome;
      break;
    }
    if (number === 1 || outcome.kind === "threw") ended = outcome;
    const failing = attempts.map(failedRows);
    if (outcome.kind === "threw" || (failing[0]?.size ?? 0) === 0) break;
    if (number > 1 && [...union(failing)].every((row) => times(failing, row) > 1)) break;
    if (execution.cutOff() !== null) break;
  }
  return weigh(definition, attempts, ended);
}

interface Tried {
  readonly attempt: Attempt;
  readonly outcome: Ended;
}

/**
 * An attempt, begun again while it ends without a verdict because of a 429 that could not be waited out, or of a connection that broke: the next may
 * meet none.
 */
async function unspoilt(definition: Case, execution: Execution, paths: readonly string[]): Promise<Tried> {
  let before: Tried | null = null;
  const hung: Attempt[] = [];
  for (let starts = 0; ; starts++) {
    const attempt = execution.begin(definition.id);
    const outcome = await once(definition, attempt, execution, paths);
    // What the budget prevents says less than what there is already.
    if (before !== null && outcome.kind === "stopped" && outcome.stop.kind === "not-exercised") return before;
    const tried: Tried = { attempt, outcome };
    const over = starts === MOST_NEW_STARTS || execution.cutOff() !== null;
    if (hasHungUp(tried)) hung.push(attempt);
    const told = hung.length === MOST_HANG_UPS ? judgeHungUp(hung) : null;
    if (told !== null) attempt.add(told);
    const again = isSpoilt(tried) || (hasHungUp(tried) && hung.length < MOST_HANG_UPS);
    if (over || told !== null || !again) return tried;
    before = tried;
  }
}

function hasHungUp({ attempt, outcome }: Tried): boolean {
  return outcome.kind === "stopped" && failedRows(attempt).size === 0 && unanswered(attempt) !== null;
}

function isSpoilt({ attempt, outcome }: Tried): boolean {
  if (outcome.kind === "threw" || failedRows(attempt).size > 0) return false;
  if (attempt.evidence.some((each) => each.kind === "not-exercised" && each.reason === BURST_LIMIT)) return true;
  return outcome.kind === "stopped" && attempt.exchanges.some(({ beside, status }) => beside && status === 429);
}

const given = ({ target }: Execution): readonly string[] =>
  target.options.path === undefined ? [] : [target.options.path];

/** Where the counterexamples of an attempt lie. */
const pathsOf = (attempt: Attempt | undefined): readonly string[] =>
  (attempt?.evidence ?? []).flatMap((each) => (each.kind === "failed" && each.path !== undefined ? [each.path] : []));

async function once(
  definition: Case,
  attempt: Attempt,
  execution: Execution,
  paths: readonly string[],
): Promise<Ended> {
  let close = async (): Promise<void> => {};
  let ended: Ended = { kind: "done" };
  try {
    const target = execution.seenFrom(attempt);
    const opened = await openContext(target, definition, attempt, execution.budget, paths);
    close = opened.close;
    await definition.run(opened.context);
  } catch (error) {
    if (error instanceof Stop) ended = { kind: "stopped", stop: error };
    else ended = { kind: "threw", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  try {
    await close();
    await execution.settle();
  } catch {
    // Only the end of the run stops these; what they would have told is then not known.
  }
  const silent = ended.kind === "done" ? noDecision(attempt) : null;
  for (const row of undecided(definition, attempt)) attempt.add(whyUndecided(definition, row, ended, silent));
  return ended;
}

/** Why a case that ran to its end left rows undecided: most stop at the first thing that is wrong, as what follows would say little. */
function noDecision(attempt: Attempt): string {
  const failed = attempt.evidence.find((each) => each.kind === "failed" && each.source.by === "case");
  return failed === undefined ? NO_DECISION : `${NO_DECISION}, as ${failed.requirement} failed before`;
}

function undecided(definition: Case, attempt: Attempt): readonly RequirementId[] {
  const decided = new Set(attempt.evidence.flatMap((each) => (each.source.by === "case" ? [each.requirement] : [])));
  return definition.requirements.filter((row) => !decided.has(row));
}

function whyUndecided(definition: Case, requirement: RequirementId, ended: Ended, silent: string | null): Evidence {
  const source = { case: definition.id, by: "case" };
  if (ended.kind === "stopped") {
    return { kind: ended.stop.kind, requirement, source, reason: `${definition.id}: ${ended.stop.reason}` };
  }
  if (ended.kind === "threw") {
    return { kind: "inconclusive", requirement, source, reason: `${definition.id}: a fault of the judge itself` };
  }
  return { kind: "not-exercised", requirement, source, reason: `${definition.id}: ${silent}` };
}

/** Rows that failed in one attempt only, of several, are flaky. */
function weigh(definition: Case, attempts: readonly Attempt[], ended: Ended): CaseRun {
  const failing = attempts.map(failedRows);
  const isFlaky = (row: RequirementId): boolean => attempts.length > 1 && times(failing, row) === 1;
  const paths = provenPaths(attempts);
  const evidence = attempts.flatMap((attempt, index) =>
    attempt.evidence.flatMap((each): Weighed[] => {
      if (each.kind !== "failed") return index === 0 ? [each] : [];
      if (!isFlaky(each.requirement)) {
        return [each.path === undefined ? each : { ...each, path: paths.get(each.requirement) }];
      }
      const said = failing.map(
        (rows, at) => `attempt ${at + 1}: ${rows.has(each.requirement) ? each.fault.seen : "as expected"}`,
      );
      return [{ ...each, flaky: true, attempts: said } as Weighed];
    }),
  );
  const failed = evidence.filter((each) => each.kind === "failed");
  const outcome =
    ended.kind === "threw"
      ? "fault"
      : failed.some((each) => each.flaky !== true)
        ? "failed"
        : failed.length > 0
          ? "flaky"
          : outcomeWithoutFailure(evidence, ended);
  const said =
    ended.kind === "stopped" ? ended.stop.reason : ended.kind === "threw" ? ended.message.split("\n", 1)[0] : undefined;
  return {
    evidence,
    fault: ended.kind === "threw" ? ended.message : null,
    result: {
      id: definition.id,
      title: definition.title,
      outcome,
      ...(said === undefined ? {} : { reason: said }),
      attempts: attempts.length,
      exchanges: attempts.reduce((sum, each) => sum + each.exchanges.length, 0),
    },
  };
}

function outcomeWithoutFailure(evidence: readonly Weighed[], ended: Ended): CaseResult["outcome"] {
  if (ended.kind === "stopped") return ended.stop.kind;
  const own = evidence.filter((each) => each.source.by === "case");
  if (own.some((each) => each.kind === "inconclusive")) return "inconclusive";
  return own.some((each) => each.kind === "passed" || each.kind === "observed") ? "passed" : "not-exercised";
}

function leftOut(definition: Case, reason: string): CaseRun {
  const source = { case: definition.id, by: "case" };
  return {
    evidence: definition.requirements.map((requirement) => ({ kind: "not-exercised", requirement, source, reason })),
    fault: null,
    result: { id: definition.id, title: definition.title, outcome: "not-exercised", reason, attempts: 0, exchanges: 0 },
  };
}

/** For each row the path that showed it again by itself. Without a second attempt no path is proven, and each is told as it was found. */
function provenPaths(attempts: readonly Attempt[]): ReadonlyMap<RequirementId, string> {
  const [first, second] = attempts;
  const again = second === undefined ? null : failedRows(second);
  const found = (first?.evidence ?? []).flatMap((each): [RequirementId, string][] =>
    each.kind === "failed" && each.path !== undefined ? [[each.requirement, each.path]] : [],
  );
  return new Map(found.filter(([row]) => again === null || again.has(row)));
}

function failedRows(attempt: Attempt): Set<RequirementId> {
  return new Set(attempt.evidence.flatMap((each) => (each.kind === "failed" ? [each.requirement] : [])));
}

const union = (sets: readonly Set<RequirementId>[]): Set<RequirementId> => new Set(sets.flatMap((each) => [...each]));
const times = (sets: readonly Set<RequirementId>[], row: RequirementId): number =>
  sets.filter((each) => each.has(row)).length;
