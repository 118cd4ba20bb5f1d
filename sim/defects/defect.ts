/** What a planted defect is. */
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { Override } from "../facade/index.ts";

/** How a defect is come upon: by one request, or only by a sequence of them, at a boundary, or under concurrency. */
export type Reach = "request" | "sequence" | "boundary" | "concurrency";

/** One way in which the simulated service can be wrong, bound to the requirement that it breaks. */
export interface Defect {
  /** Small letters and dashes; what `--defect` takes. */
  readonly id: string;
  /** The requirement whose finding counts as its discovery. */
  readonly requirement: RequirementId;
  /** One sentence: what the service does wrong. */
  readonly title: string;
  readonly reach: Reach;
  readonly override: Override;
}

const plant =
  (reach: Reach) =>
  (id: string, requirement: RequirementId, title: string, override: Override): Defect => ({
    id,
    requirement,
    title,
    reach,
    override,
  });

/** A defect that one request shows, whichever it is. */
export const single = plant("request");
/** A defect that shows only after something else has happened. */
export const sequence = plant("sequence");
/** A defect that shows only at the edge of a number or a time. */
export const boundary = plant("boundary");
/** A defect that shows only when two things happen at once. */
export const concurrent = plant("concurrency");
