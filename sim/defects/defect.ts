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
