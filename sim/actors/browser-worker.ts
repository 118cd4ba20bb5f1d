/** Browser workers: open tabs; one job at a time, slower, no stake needed, and 75 % of what a job is charged (section 1). */
import { distribution, MILLISECOND } from "../core/index.ts";
import type { WorkerClass } from "./worker.ts";

/** An ordinary one that hosts these models; `changes` says what is different about yours. */
export function browserWorker(models: readonly number[], changes: Partial<WorkerClass> = {}): WorkerClass {
  return {
    kind: "browser",
    models,
    slots: 1,
    stake: 0,
    firstToken: distribution({ kind: "lognormal", median: 600 * MILLISECOND, sigma: 0.5 }),
    promptTokenTime: 400,
    tokenTime: distribution({ kind: "lognormal", median: 50 * MILLISECOND, sigma: 0.3 }),
    dishonest: 0,
    silent: 0,
    failing: 0,
    worksLate: false,
    ...changes,
  };
}
