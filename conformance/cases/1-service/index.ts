/** Section 1: what the service does. */
import { clientCases } from "./client.ts";
import { jobCases, neverExpire } from "./jobs.ts";

export const section1 = [...clientCases, ...jobCases];

/** A case that moves the clock by a year: after it nothing else is tried. */
export const lastCases = [neverExpire];
