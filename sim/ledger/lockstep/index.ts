/** The memory chain and the contracts, side by side. */
export { type Difference, LockstepDifference } from "./difference.ts";
export { LockstepChain } from "./lockstep.ts";
