/** Every monitor, in the order in which they judge. */
import type { Monitor } from "../monitor.ts";

/** Fresh monitors: some remember what they saw, and a run must not remember another. */
export function makeMonitors(): readonly Monitor[] {
  return [];
}
