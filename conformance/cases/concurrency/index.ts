/** What happens at once: whatever came back must be what some order of the requests would have brought. */
import { balanceCases } from "./balance.ts";
import { jobCases } from "./jobs.ts";
import { keyCases } from "./keys.ts";
import { webhookCases } from "./webhooks.ts";

export const concurrencyCases = [...balanceCases, ...jobCases, ...keyCases, ...webhookCases];
