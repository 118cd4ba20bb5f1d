/** What a dispute must come to: heard, refused, or, between the two bounds of the last token, either. */
import type { JobStatus } from "../../fixtures/protocol/index.ts";
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { WhichHash } from "./command.ts";
import type { ModelJob } from "./state.ts";

const WINDOW = 60_000;

/**
 * - `unknown`: the job is another wallet's: 404.
 * - `late`: 422, and nothing changes.
 * - `opens`, `agrees`: a 2xx that opens a dispute, or none.
 * - `again`: no second transaction.
 * - `never`: no dispute, whatever the answer.
 * - `either`: what happens, happens whole.
 */
export type Hearing = "unknown" | "late" | "opens" | "agrees" | "again" | "never" | "either";

export interface Heard {
  readonly hearing: Hearing;
  readonly row: RequirementId;
}

export interface DisputeAsked {
  readonly job: ModelJob;
  readonly own: boolean;
  readonly hash: WhichHash;
  /** Whether the hash that is brought is the one that was posted. */
  readonly same: boolean;
  /** The job's status just before. */
  readonly status: JobStatus | null;
  /** The service's time just before and just after. */
  readonly from: number;
  readonly to: number;
}

export function hearingOf({ job, own, hash, same, status, from, to }: DisputeAsked): Heard {
  if (!own) return { hearing: "unknown", row: "4.7/15" };
  if (job.dispute !== null) return { hearing: "again", row: "4.7/17" };
  if (status === "failed" || status === "refunded") return { hearing: "never", row: "4.7/19" };
  if (status === "pending" || status === "processing") {
    return { hearing: job.answer === "completed" ? "either" : "never", row: "4.7/19" };
  }
  if (job.lastToken === null || status !== "settled") return { hearing: "either", row: "4.7/21" };
  if (from > job.lastToken.to + WINDOW) return { hearing: "late", row: same ? "4.7/12" : "4.7/11" };
  if (to > job.lastToken.from + WINDOW) return { hearing: "either", row: "4.7/21" };
  if (same) return { hearing: "agrees", row: "4.7/5" };
  return { hearing: "opens", row: hash === "delivered" ? "4.7/22" : "4.7/3" };
}
