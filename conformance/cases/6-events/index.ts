/** Section 6: events, their signature, and their delivery. */
import { creditAndWorkerCases } from "./credits-and-workers.ts";
import { jobEventCases } from "./jobs.ts";
import { retryCases } from "./retries.ts";
import { subscriptionCases } from "./subscriptions.ts";
import { timingCases } from "./timing.ts";

export const section6 = [
  ...subscriptionCases,
  ...jobEventCases,
  ...creditAndWorkerCases,
  ...retryCases,
  ...timingCases,
];
