/** Runs many trials on worker threads, in an order that does not depend on which thread was faster. */
import { setMaxListeners } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { failed, type Trial, type TrialResult } from "./trial.ts";

/** Resolves to one result a trial, in the order of `trials`; `done` hears of each as it ends. `signal` ends the trials that have not begun. */
export async function score(
  trials: readonly Trial[],
  threads: number,
  done: (result: TrialResult, ended: number) => void,
  signal?: AbortSignal,
): Promise<readonly TrialResult[]> {
  const pool = new Piscina<Trial, TrialResult>({ filename: workerFile(), maxThreads: threads, minThreads: 1 });
  // Each trial that waits listens.
  if (signal !== undefined) setMaxListeners(trials.length + 1, signal);
  let ended = 0;
  try {
    const results = await Promise.all(
      trials.map(async (trial) => {
        try {
          const result = await pool.run(trial, signal === undefined ? {} : { signal });
          done(result, ++ended);
          return [result];
        } catch (error) {
          if (signal?.aborted) return [];
          // A thread that broke down takes its own trial with it, and no other.
          const result = failed(trial, null, "suite", `no report: ${(error as Error).message}`);
          done(result, ++ended);
          return [result];
        }
      }),
    );
    return results.flat();
  } finally {
    await pool.destroy();
  }
}

/** Threads load compiled code: beside this file when it is compiled itself, else from the last build. */
function workerFile(): string {
  const beside = fileURLToPath(new URL("./worker.js", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../dist/bin/score/worker.js", import.meta.url));
}
