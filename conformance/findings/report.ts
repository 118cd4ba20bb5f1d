/**
 * What a run found, as plain data: the same object is printed, written as JSON and compared. Its order is fixed, and it holds no time of
 * this machine: two runs with one seed against an unchanged deterministic target give the same bytes.
 */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { RowStatus } from "./evidence.ts";

export type Verdict = "conformant" | "not conformant" | "inconclusive";
export type Severity = "high" | "medium" | "low";

/** One step of a finding's transcript: the request as curl, and what came. Secrets are redacted. */
export interface TranscriptStep {
  readonly number: number;
  readonly curl: string;
  readonly answer: string;
}

/** One moment of a finding's story. */
export interface Moment {
  readonly lane: "http" | "chain" | "webhook";
  /** Milliseconds on the service's clock since the story's first moment. */
  readonly at: number;
  /** When an exchange ended. */
  readonly until?: number | undefined;
  /** Request line, event name, or the name under which an answer gave a transaction. */
  readonly what: string;
  /** Status or how it ended; what a delivery was answered; the transaction's hash. */
  readonly outcome: string;
  /** Number of the exchange (for `chain`: the one whose answer named the transaction) or of the delivery. */
  readonly number: number;
  /** Whether it is part of the evidence, not only of its surroundings. */
  readonly shown: boolean;
}

/** One fault of the target. Equal faults seen several times are one finding. */
export interface Finding {
  /** Eight hex digits of requirement and title: the same fault has the same fingerprint in every run. */
  readonly fingerprint: string;
  readonly requirement: RequirementId;
  readonly text: string;
  readonly kind: "stated" | "inferred" | "open";
  /** For an inferred row: what it follows from. */
  readonly from?: string | undefined;
  readonly severity: Severity;
  readonly title: string;
  readonly expected: string;
  readonly seen: string;
  /** The cases that showed it. Empty for what only the whole run shows. */
  readonly cases: readonly string[];
  /** `case`, or the monitor or audit that judged. */
  readonly by: string;
  readonly count: number;
  /** Shown by one attempt at its case, and not by others. */
  readonly flaky: boolean;
  /** For a flaky finding: what each attempt saw. */
  readonly attempts?: readonly string[] | undefined;
  readonly transcript: readonly TranscriptStep[];
  /** What happened around it over HTTP, chain and webhooks, in order of time. Empty where no exchange shows it. */
  readonly timeline: readonly Moment[];
  /** The command that shows it again. */
  readonly replay: string;
}

/** A requirement at the end of the run. */
export interface Row {
  readonly id: RequirementId;
  readonly section: string;
  readonly kind: "stated" | "inferred" | "open";
  readonly text: string;
  readonly status: RowStatus;
  /** Why it is inconclusive or was not exercised. */
  readonly reasons: readonly string[];
  /** How many pieces of evidence spoke for it and against it. */
  readonly passes: number;
  readonly failures: number;
  /** What was chosen at an open point, in the order seen. */
  readonly choices: readonly string[];
}

/** What the target chose at an open point. */
export interface Observation {
  readonly requirement: RequirementId;
  readonly text: string;
  readonly choices: readonly { readonly choice: string; readonly count: number }[];
  /** Whether the choices contradict each other where one run must be consistent. */
  readonly contradicted: boolean;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly outcome: "passed" | "failed" | "flaky" | "inconclusive" | "not-exercised" | "fault";
  readonly reason?: string | undefined;
  readonly attempts: number;
  readonly exchanges: number;
}

/** A fault of the judge itself. Blames nobody. */
export interface HarnessFault {
  readonly case: string | null;
  readonly message: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly flaky: number;
  readonly observed: number;
  readonly inconclusive: number;
  readonly notExercised: number;
}

export interface Report {
  readonly format: "assay-report/1";
  readonly target: {
    readonly baseUrl: string;
    readonly brand: string;
    readonly clock: string;
    readonly capabilities: readonly string[];
    readonly keys: number;
    readonly receiver: string;
    readonly chain: boolean;
  };
  readonly run: {
    readonly seed: number;
    readonly runs: number;
    readonly only: readonly string[];
    readonly exchanges: number;
    /** Units taken from the given keys' wallets, as far as it is known, and the most that they were allowed to be. */
    readonly credits: { readonly spent: number; readonly most: number };
    /** Why the run ended before its end, if it did. */
    readonly cutOff: string | null;
  };
  readonly verdict: Verdict;
  readonly exitCode: 0 | 1 | 3;
  /** Why the verdict is what it is, when it is not `conformant`. */
  readonly because: readonly string[];
  readonly counts: Counts;
  readonly sections: readonly { readonly section: string; readonly counts: Counts }[];
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  readonly requirements: readonly Row[];
  readonly cases: readonly CaseResult[];
  readonly faults: readonly HarnessFault[];
}
