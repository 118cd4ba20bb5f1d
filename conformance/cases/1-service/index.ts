/** Section 1: what the service does. */
import { clientCases } from "./client.ts";
import { jobCases } from "./jobs.ts";

export const section1 = [...clientCases, ...jobCases];
