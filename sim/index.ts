/** The simulator's public surface. */
export { type Checker, checkers, type MakeChecker, type Violation } from "./checkers/index.ts";
export { AssayError, type ErrorFacts } from "./core/index.ts";
export { defaultWorld, launchModels } from "./default-world.ts";
export { type Defect, defects, findDefect } from "./defects/index.ts";
export type { Figures, Times, WorkerFigures } from "./metrics/index.ts";
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
export { type Progress, type RunOptions, type RunResult, runWorld } from "./run.ts";
export {
  type BuildOptions,
  buildScenario,
  type LoadedScenario,
  loadArrivalTrace,
  loadScenario,
  parseScenario,
  type Scenario,
  scenarioSchema,
} from "./scenario/index.ts";
export { type ServeOptions, type Serving, serve } from "./server/index.ts";
export { createWorld, World, type WorldOptions } from "./world.ts";
