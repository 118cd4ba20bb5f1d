/** The simulator's public surface. */
export { defaultWorld, launchModels } from "./default-world.ts";
export { createNetwork } from "./network-port.ts";
export type {
  Behaviour,
  ChainView,
  DisputeResult,
  JobListener,
  JobStatus,
  JobView,
  ModelInfo,
  Network,
  ServiceEvent,
  Submission,
  SubmitResult,
  Tx,
} from "./port.ts";
export { honestRules, type LockState, type Rules, type Tier, type WorkerKind } from "./rules.ts";
export { createWorld, World, type WorldOptions } from "./world.ts";
