/** The hunt for faults of the simulator: drawn worlds, swarm faults, shrinking. */
export { type Coverage, emptyCoverage } from "./coverage.ts";
export { type DrawnWorld, drawWorld } from "./draw.ts";
export { type Feature, features } from "./features.ts";
export {
  type Batch,
  type BatchResult,
  type Counterexample,
  type Found,
  huntBatch,
  shrinkFound,
  Tally,
} from "./hunt.ts";
export { type Shrunk, shrink } from "./shrink.ts";
export { CRASH, ENDLESS, type Trial, tryWorld } from "./trial.ts";
