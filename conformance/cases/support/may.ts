/** What a run may do to a deployment that is not known to be for tests. */
import type { CaseContext } from "../case.ts";

/**
 * Opening a dispute accuses a worker and starts an arbitration. It is done where the deployment has test controls that make wallets or steer
 * workers, and nowhere else: the rest of a run disputes with equal hashes only, which opens nothing.
 */
export function mayOpenDisputes(t: CaseContext): boolean {
  return t.home.fresh || t.has("behaviours") || t.has("arbitration");
}

/** Ends the case as not exercised where no dispute may be opened. */
export function opensDisputes(t: CaseContext): void {
  if (!mayOpenDisputes(t)) t.leaveOut("a dispute is opened only on a deployment with test controls (--control)");
}
