/** Looking inside a run: one job's life, the world at a moment, where two runs part, and the trace for other people's viewers. */
export { type ChromeEvent, chromeEvents } from "./chrome.ts";
export { type Difference, difference, type Repeatable } from "./difference.ts";
export { type Actor, actorIn, chainOf, concerns, lifeOfJob, type WorldEvent } from "./life.ts";
export { type JobState, stateAt, type WalletState, type WorkerState, type WorldState } from "./state.ts";
export { checkWhole } from "./whole.ts";
