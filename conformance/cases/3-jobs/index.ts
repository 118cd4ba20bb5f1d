/** Section 3.1: the states of a job, and the moves between them. */
import { arbitration } from "./arbitration.ts";
import { failures } from "./failed.ts";
import { lateWorkers } from "./late-workers.ts";
import { lives } from "./lives.ts";
import { refunds } from "./refunded.ts";

export const section31 = [...lives, ...failures, ...refunds, ...lateWorkers, ...arbitration];
