/**
 * What the judge throws on purpose, and what it never blames on the target.
 *
 * `ConformError` carries the same facts as every error of assay; the command line gives it the house's form. `Stop` is no error: a
 * case throws it to end early, and the rows that it leaves without evidence are given its reason.
 */

/** The facts of an error, in the order in which they are told. */
export interface ConformErrorFacts {
  /** One sentence: what happened. */
  readonly what: string;
  /** The place: an option, a file and a path in it, an address. */
  readonly where?: string | undefined;
  readonly seen?: unknown;
  readonly expected?: unknown;
  /** What to try. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** 2: what was asked for is wrong (usage, input, a dead address). 3: the judge itself is at fault. */
export type ConformExitCode = 2 | 3;

/** The run cannot begin, or cannot go on. */
export class ConformError extends Error {
  override readonly name = "ConformError";
  readonly facts: ConformErrorFacts;
  readonly exitCode: ConformExitCode;

  constructor(facts: ConformErrorFacts, exitCode: ConformExitCode = 2) {
    super(facts.what, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.facts = facts;
    this.exitCode = exitCode;
  }
}

/** Why a case ended before its end: `inconclusive` cut its evidence off, `not-exercised` never let it begin. */
export type StopKind = "inconclusive" | "not-exercised";

/** Ends the running case. Cases throw it through `t.giveUp`, `t.accepted` and the budget; they never catch it. */
export class Stop extends Error {
  override readonly name = "Stop";
  readonly kind: StopKind;
  readonly reason: string;

  constructor(kind: StopKind, reason: string) {
    super(reason);
    this.kind = kind;
    this.reason = reason;
  }
}
