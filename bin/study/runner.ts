/** Where tasks are done. A runner says of each task how it ended, in whatever order they end. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { Task } from "../../sim/study/index.ts";
import work from "./work.ts";

/** The outcome's canonical text, or why there is none. */
export type Ending = { readonly outcome: string } | { readonly failure: string };

export interface Runner {
  /**
   * Does all tasks. `ended` hears of each once; where it throws, or where `signal` is aborted, no further task is begun.
   *
   * @throws what `ended` throws, and AssayError where the runner itself cannot go on
   */
  run(tasks: readonly Task[], ended: (task: Task, ending: Ending) => void, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export function failureOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** In this thread, one after another: for what is too small to be worth a thread. */
export const inline: Runner = {
  async run(tasks, ended, signal) {
    for (const task of tasks) {
      if (signal.aborted) return;
      ended(
        task,
        await work(task).then(
          (outcome) => ({ outcome }),
          (error) => ({ failure: failureOf(error) }),
        ),
      );
    }
  },
  close: async () => {},
};

/** On threads of this machine. */
export function threads(count: number): Runner {
  const pool = threadPool(count);
  return {
    async run(tasks, ended, signal) {
      const stop = new AbortController();
      const abort = (): void => stop.abort();
      signal.addEventListener("abort", abort, { once: true });
      // Each lane takes the next task when its last one has ended: nothing waits in the pool that would have to be called off.
      const rest = tasks.values();
      const lane = async (): Promise<void> => {
        for (const task of rest) {
          if (stop.signal.aborted) return;
          let ending: Ending;
          try {
            ending = { outcome: await pool.run(task, { signal: stop.signal }) };
          } catch (error) {
            if (stop.signal.aborted) return;
            ending = { failure: failureOf(error) };
          }
          try {
            ended(task, ending);
          } catch (error) {
            stop.abort();
            throw error;
          }
        }
      };
      try {
        const lanes = await Promise.allSettled(Array.from({ length: count }, lane));
        const broken = lanes.find((each) => each.status === "rejected");
        if (broken !== undefined) throw broken.reason;
      } finally {
        signal.removeEventListener("abort", abort);
      }
    },
    close: () => pool.destroy(),
  };
}

/** A pool of threads that do tasks. Threads run compiled code where this file is compiled itself, else its source. */
export function threadPool(count: number): Piscina<Task, string> {
  const compiled = fileURLToPath(new URL("./work.js", import.meta.url));
  const isCompiled = existsSync(compiled);
  return new Piscina<Task, string>({
    filename: isCompiled ? compiled : fileURLToPath(new URL("./work.ts", import.meta.url)),
    ...(isCompiled ? {} : { execArgv: ["--import", "tsx"] }),
    minThreads: count,
    maxThreads: count,
  });
}
