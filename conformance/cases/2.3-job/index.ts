/** Section 2.3: a job and its fields. */
import { settledJobs } from "./settled.ts";
import { unfinishedJobs } from "./unfinished.ts";

export const section23 = [...settledJobs, ...unfinishedJobs];
