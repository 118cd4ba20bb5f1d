/** `assay worker`: does the tasks of studies that others put on a queue. */
import { availableParallelism } from "node:os";
import { microseconds } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { checkedCount } from "../study/options.ts";

interface Options {
  readonly queue: string;
  readonly threads: number;
  readonly lease: string;
  readonly idle?: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
}

export const workerCommand: Command<Options> = {
  command: "worker",
  describe: "Do the work of studies begun with assay sweep --queue, here and on as many machines as there are",
  builder: (yargs) =>
    yargs
      .option("queue", { type: "string", requiresArg: true, demandOption: true, describe: "redis://host:port" })
      .option("threads", {
        type: "number",
        requiresArg: true,
        default: availableParallelism(),
        describe: "runs at once",
      })
      .option("lease", {
        type: "string",
        requiresArg: true,
        default: "15s",
        describe: "work of a worker not heard of for so long goes to another",
      })
      .option("idle", { type: "string", requiresArg: true, describe: "end after so long without work, such as 10min" })
      .option("quiet", { type: "boolean", default: false, describe: "say nothing but errors" })
      .option("json", { type: "boolean", default: false, describe: "tell as JSON at the end how many runs were done" })
      .example("$0 worker --queue redis://db:6379", "until Ctrl-C, which finishes what has been begun"),
  async handler({ queue, threads, lease, idle, quiet, json }) {
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    process.once("SIGINT", interrupt);
    process.once("SIGTERM", interrupt);
    const say = (text: string): void => void (quiet || process.stderr.write(text));
    const milliseconds = (text: string, option: string): number => microseconds(text, option) / 1_000;
    say(`waiting for work at ${queue.replace(/\/\/[^@/]*@/, "//…@")}\n`);
    const { queueWorker } = await import("../study/queue/worker.ts");
    const done = await queueWorker(queue, {
      threads: checkedCount(threads, "--threads")!,
      lease: milliseconds(lease, "--lease"),
      idle: idle === undefined ? undefined : milliseconds(idle, "--idle"),
      say,
      signal: stop.signal,
    });
    if (json) process.stdout.write(`${JSON.stringify({ runs: done })}\n`);
    else say(`${done} runs done\n`);
  },
};
