/** Every monitor, in the order in which they judge. */
import type { Monitor } from "../monitor.ts";
import { accountMonitor } from "./account.ts";
import { answersMonitor } from "./answers.ts";
import { completionsMonitor } from "./completions.ts";
import { deliveriesMonitor } from "./deliveries.ts";
import { errorsMonitor } from "./errors.ts";
import { faultsMonitor } from "./faults.ts";
import { isolationMonitor } from "./isolation.ts";
import { jobsMonitor } from "./jobs.ts";
import { leaksMonitor } from "./leaks.ts";
import { modelsMonitor } from "./models.ts";
import { receiptsMonitor } from "./receipts.ts";

/** Fresh monitors: some remember what they saw, and a run must not remember another. */
export function makeMonitors(brand: string): readonly Monitor[] {
  return [
    answersMonitor(brand),
    errorsMonitor(brand),
    faultsMonitor(brand),
    receiptsMonitor(),
    accountMonitor(),
    modelsMonitor(),
    completionsMonitor(),
    jobsMonitor(),
    isolationMonitor(),
    leaksMonitor(),
    deliveriesMonitor(brand),
  ];
}
