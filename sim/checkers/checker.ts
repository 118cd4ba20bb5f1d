/**
 * What a checker is: a judge of one invariant, who sees the trace and nothing else.
 *
 * A checker keeps its own books and compares them with what the events claim. Jobs, wallets and workers are small integers whose places are
 * given again, so books are plain arrays by that integer. Most events are seen by several checkers: each listens to as few kinds as it can.
 */
import type { Fold, WorldKinds } from "../trace/index.ts";

/** Says that the invariant does not hold. `what` names the subject, what was seen and what should be. */
export type Report = (time: number, what: string) => void;

export interface Checker extends Fold<WorldKinds> {
  /** Called once when nothing is due any more: what is still open now stays open for ever. */
  finish?(time: number): void;
}

/** Makes a checker that reports to whoever runs it. */
export type MakeChecker = (report: Report) => Checker;

export interface Violation {
  /** The checker's name: that of its file. */
  readonly checker: string;
  /** Virtual microseconds. */
  readonly time: number;
  readonly what: string;
}
