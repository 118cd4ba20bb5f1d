/**
 * Outcomes as values: what a case, a monitor or the audit learned about one requirement. Words for people are made in `reports/`.
 */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";

/** Where a piece of evidence comes from: a case's id, `monitor:<name>` with the case that sent the request, or `audit:<name>`. */
export interface Source {
  /** Case whose requests gave the evidence; null for what the audit found over the whole run. */
  readonly case: string | null;
  /** `case`, or the name of the monitor or the audit that judged. */
  readonly by: string;
}

/** What was expected and what came, told of one fault. */
export interface Fault {
  readonly requirement: RequirementId;
  /** One line, the same for every instance of one fault: it is part of the fingerprint. No ids, no numbers that vary. */
  readonly title: string;
  readonly expected: string;
  readonly seen: string;
  /** Numbers of the exchanges that show it, in the order in which they were sent. */
  readonly exchanges: readonly number[];
}

/** One piece of evidence. Nothing that is not `passed` counts as a pass. */
export type Evidence =
  | { readonly kind: "passed"; readonly requirement: RequirementId; readonly source: Source }
  | {
      readonly kind: "failed";
      readonly requirement: RequirementId;
      readonly source: Source;
      readonly fault: Fault;
      readonly path?: string | undefined;
    }
  | {
      readonly kind: "observed";
      readonly requirement: RequirementId;
      readonly source: Source;
      readonly choice: string;
      readonly consistent: boolean;
    }
  | {
      readonly kind: "inconclusive";
      readonly requirement: RequirementId;
      readonly source: Source;
      readonly reason: string;
    }
  | {
      readonly kind: "not-exercised";
      readonly requirement: RequirementId;
      readonly source: Source;
      readonly reason: string;
    };

/** How a requirement ends a run. `flaky`: it failed, and did not fail again when its case was repeated. */
export type RowStatus = "failed" | "flaky" | "inconclusive" | "passed" | "observed" | "not-exercised";
