/** A worker of the queue: takes tasks, does them on threads, gives their outcomes back. */
import { WaitingError, Worker } from "bullmq";
import { AssayError } from "../../../sim/core/index.ts";
import type { Engine, Task } from "../../../sim/study/index.ts";
import { engineHere, sameEngine, tellEngine } from "../engine.ts";
import { threadPool } from "../runner.ts";
import { checkedAddress, connectionTo, Presence, QUEUE, reached } from "./connection.ts";

export interface QueueWorkerOptions {
  readonly threads: number;
  /** Milliseconds after which the task of a worker that is not heard of goes to another. */
  readonly lease: number;
  /** Ends after so many milliseconds without a task. */
  readonly idle?: number | undefined;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Workers that a task may bring down before it is given up: one bad task must not bring down all. */
const FALLS = 10;

/**
 * Works until `signal` is aborted, or nothing has come for `idle`; what has been begun is finished.
 *
 * @returns how many tasks were done
 * @throws AssayError where Redis cannot be reached, or a task is of another version
 */
export async function queueWorker(address: string, options: QueueWorkerOptions): Promise<number> {
  const { threads, lease, idle, say, signal } = options;
  const url = checkedAddress(address);
  const here = await engineHere();
  const presence = new Presence(url, say);
  const pool = threadPool(threads);
  let foreign: Engine | undefined;
  let done = 0;
  let busy = 0;
  let heard = performance.now();
  let resolveStop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    resolveStop = resolve;
  });
  const worker = new Worker<Task, string>(
    QUEUE,
    async (job, token) => {
      if (!sameEngine(job.data.engine, here)) {
        // Back to where it was, for a worker that can do it; this one takes nothing any more.
        foreign = job.data.engine;
        resolveStop();
        await worker.pause(true);
        await job.moveToWait(token);
        throw new WaitingError();
      }
      busy++;
      try {
        return await pool.run(job.data);
      } finally {
        busy--;
        done++;
        heard = performance.now();
      }
    },
    {
      connection: connectionTo(url),
      concurrency: threads,
      lockDuration: lease,
      stalledInterval: Math.max(500, lease / 2),
      maxStalledCount: FALLS,
      autorun: false,
    },
  );
  let ready = false;
  worker.on("error", (error) => {
    // Another worker has taken over while Redis was away: its outcome is the same.
    if (/lock/i.test(error.message)) return;
    if (ready) presence.failed(error);
    else presence.last = (error as NodeJS.ErrnoException).code ?? error.message;
  });
  worker.on("active", () => presence.worked());
  worker.on("ready", () => presence.worked());
  signal.addEventListener("abort", () => resolveStop(), { once: true });
  const watch = setInterval(() => {
    if (idle !== undefined && busy === 0 && performance.now() - heard > idle) resolveStop();
  }, 200);
  try {
    await reached(worker.waitUntilReady(), url, () => presence.last);
    ready = true;
    heard = performance.now();
    void worker.run().catch((error) => presence.failed(error));
    if (signal.aborted) resolveStop();
    await stopped;
    await worker.close();
  } finally {
    clearInterval(watch);
    await pool.destroy();
    await worker.disconnect();
  }
  if (foreign !== undefined) {
    throw new AssayError({
      what: "A task of another version of assay is on the queue.",
      where: "--queue",
      seen: tellEngine(foreign),
      expected: tellEngine(here),
      hint: "run the same version on every machine of a study; the task is left for a worker that has it",
    });
  }
  return done;
}
