/** The life of a job: which statuses it can be seen in, given what was done, and which row another one breaks. */
import type { JobStatus } from "../../fixtures/protocol/index.ts";
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { ModelJob } from "./state.ts";

const TIMEOUT = 120_000;
const ARBITRATION = 86_400_000;

/** Statuses that are possible, and the row that any other one breaks. */
export interface Fate {
  readonly possible: readonly JobStatus[];
  readonly row: RequirementId;
}

const fate = (row: RequirementId, ...possible: readonly JobStatus[]): Fate => ({ possible, row });

const ENDS = ["settled", "failed", "refunded"] as const satisfies readonly JobStatus[];
const ALL = ["pending", "processing", "settling", ...ENDS] as const satisfies readonly JobStatus[];

/** What a job can be now. `slack` is how far two clocks may lie apart. */
export function fateOf(job: ModelJob, now: number, slack: number): Fate {
  const { dispute, status } = job;
  if (dispute !== null) {
    if (dispute.ended || now > dispute.openedAt + ARBITRATION - slack) return fate("3.1/9", ...ENDS, "disputed");
    return fate("3.1/17", "disputed");
  }
  if (status === "settled" || status === "failed" || status === "refunded") return fate("3.1/12", status);
  switch (job.answer) {
    case "completed":
      // Which statuses a job is seen in is open (3.1/13): it may be told late that it was taken.
      return fate("3.1/8", "pending", "processing", "settling", "settled");
    case "timed-out":
      return fate("3.1/6", "refunded");
    case "failed":
      // Whether a failure is on record as soon as it is told is not said.
      return job.certain ? fate("3.1/5", "pending", "processing", "failed") : fate("3.1/5", ...ALL);
    case "none":
      return fate("3.1/20", "pending", "failed", "refunded");
    default:
      return flying(job, now, slack);
  }
}

/** A job whose answer is still to come, broke off, or was not waited for. */
function flying(job: ModelJob, now: number, slack: number): Fate {
  const early = now < job.sentAt + TIMEOUT - slack;
  if (!job.certain) return early ? fate("4.1/40", ...ALL.filter((each) => each !== "refunded")) : fate("3.1/9", ...ALL);
  switch (job.worker) {
    case "silent":
      return early ? fate("4.1/40", "pending", "processing") : fate("3.1/6", "pending", "processing", "refunded");
    case "failing":
      return fate("3.1/5", "pending", "processing", "failed");
    case "absent":
      return fate("3.1/20", "pending", "failed", "refunded");
    default:
      if (!early) return fate("3.1/8", "pending", "processing", "settling", "settled", "refunded");
      return fate("3.1/8", "pending", "processing", "settling", "settled");
  }
}

/** What a job must have become once nothing is in flight any more. */
export function endsAs(job: ModelJob): Fate {
  if (job.dispute !== null) return fate("3.1/17", ...ENDS, "disputed");
  if (job.status === "settled" || job.status === "failed" || job.status === "refunded")
    return fate("3.1/12", job.status);
  if (job.answer === "completed") return fate("3.1/8", "settled");
  if (job.answer === "timed-out") return fate("3.1/6", "refunded");
  if (job.answer === "none") return fate("3.1/20", "failed", "refunded");
  if (!job.certain) return fate("3.1/8", ...ENDS);
  if (job.worker === "silent") return fate("3.1/6", "refunded");
  if (job.worker === "failing" || job.answer === "failed") return fate("3.1/5", "failed");
  return job.long ? fate("3.1/8", "settled", "refunded") : fate("3.1/8", "settled");
}
