/** Native workers: machines that serve; they must stake, and get 85 % of what a job is charged (section 1). */
import { distribution, MILLISECOND } from "../core/index.ts";
import type { WorkerClass } from "./worker.ts";

/** An ordinary one that hosts these models; `changes` says what is different about yours. */
export function nativeWorker(models: readonly number[], changes: Partial<WorkerClass> = {}): WorkerClass {
  return {
    kind: "native",
    models,
    slots: 8,
    stake: 1_000,
    firstToken: distribution({ kind: "lognormal", median: 200 * MILLISECOND, sigma: 0.4 }),
    promptTokenTime: 100,
    tokenTime: distribution({ kind: "lognormal", median: 20 * MILLISECOND, sigma: 0.2 }),
    dishonest: 0,
    silent: 0,
    failing: 0,
    worksLate: false,
    ...changes,
  };
}
