/**
 * Tasks on a queue: whoever runs `assay worker` on the same Redis does them. Here they are queued, and what comes back is fetched.
 *
 * A task has one name on the queue. It is queued again whenever it may have got lost, which does nothing where it is still there, and its outcome is
 * removed from the queue only when it is kept. So whatever dies, nothing is lost and nothing counts twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, Queue } from "bullmq";
import type { Task } from "../../../sim/study/index.ts";
import type { Ending, Runner } from "../runner.ts";
import { checkedAddress, connectionTo, jobIdOf, Presence, QUEUE, reached } from "./connection.ts";

/** Milliseconds between two looks at what has come back. */
const LOOK = 100;
/** Milliseconds without anything coming back after which tasks are queued again and workers are looked for. */
const QUIET = 5_000;
const BULK = 500;

/** @throws AssayError where Redis cannot be reached */
export async function queueRunner(
  address: string,
  say: (text: string) => void = (text) => process.stderr.write(text),
): Promise<Runner> {
  const url = checkedAddress(address);
  const presence = new Presence(url, say);
  const queue = new Queue<Task, string>(QUEUE, { connection: connectionTo(url) });
  const heard = { back: true };
  queue.on("error", (error) => {
    if (heard.back) presence.last = (error as NodeJS.ErrnoException).code ?? error.message;
    else presence.failed(error);
  });
  try {
    await reached(queue.waitUntilReady(), url, () => presence.last);
  } catch (error) {
    void queue.disconnect();
    throw error;
  }
  heard.back = false;
  return {
    run: (tasks, ended, signal) => new Collection(queue, presence, say, tasks, ended).collect(signal),
    close: async () => {
      await Promise.race([queue.close(), sleep(1_000)]);
      await queue.disconnect();
    },
  };
}

class Collection {
  readonly #queue: Queue<Task, string>;
  readonly #presence: Presence;
  readonly #say: (text: string) => void;
  readonly #ended: (task: Task, ending: Ending) => void;
  readonly #waiting: Map<string, Task>;
  readonly #study: string;

  constructor(
    queue: Queue<Task, string>,
    presence: Presence,
    say: (text: string) => void,
    tasks: readonly Task[],
    ended: (task: Task, ending: Ending) => void,
  ) {
    this.#queue = queue;
    this.#presence = presence;
    this.#say = say;
    this.#ended = ended;
    this.#waiting = new Map(tasks.map((task) => [jobIdOf(task), task]));
    this.#study = tasks[0]!.study;
  }

  async collect(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
    // While Redis is away a command waits for it; Ctrl-C does not.
    await Promise.race([aborted, this.#loop(signal)]);
  }

  async #loop(signal: AbortSignal): Promise<void> {
    await this.#forgetFailures();
    await this.#add();
    let heard = performance.now();
    let alone = false;
    while (this.#waiting.size > 0 && !signal.aborted) {
      const came = await this.#fetch();
      this.#presence.worked();
      if (came > 0) heard = performance.now();
      else if (performance.now() - heard < QUIET) await sleep(LOOK);
      else {
        heard = performance.now();
        await this.#add();
        if (!alone && (await this.#queue.getWorkersCount()) === 0) {
          alone = true;
          this.#say("no worker listens; start `assay worker --queue …` on any machine that reaches the queue\n");
        }
      }
    }
  }

  /** Queues what is awaited; where it is queued already, nothing happens. */
  async #add(): Promise<void> {
    const jobs = [...this.#waiting].map(([jobId, data]) => ({ name: data.kind, data, opts: { jobId, attempts: 1 } }));
    for (let from = 0; from < jobs.length; from += BULK) await this.#queue.addBulk(jobs.slice(from, from + BULK));
  }

  /** What failed when the study was begun before is tried again. */
  async #forgetFailures(): Promise<void> {
    const failed = await this.#queue.getJobs(["failed"]);
    await Promise.all(failed.filter((job) => job.data.study === this.#study).map((job) => job.remove()));
  }

  /** @returns how many tasks have ended */
  async #fetch(): Promise<number> {
    const completed = await this.#queue.getJobs(["completed"], 0, BULK - 1, true);
    const failed = await this.#queue.getJobs(["failed"], 0, BULK - 1, true);
    let came = 0;
    const gone: Job[] = [];
    const end = (job: Job<Task, string>, ending: Ending): void => {
      // Another study's, or one that somebody has removed since.
      if (job?.data?.study !== this.#study) return;
      const task = this.#waiting.get(job.id!);
      if (task !== undefined) {
        this.#ended(task, ending);
        this.#waiting.delete(job.id!);
        came++;
      }
      gone.push(job);
    };
    for (const job of completed) end(job, { outcome: job.returnvalue });
    for (const job of failed) end(job, { failure: job.failedReason });
    await Promise.all(gone.map((job) => job.remove()));
    return came;
  }
}
