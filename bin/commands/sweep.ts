/** `assay sweep`: a study from its file to its tables. */
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { AssayError } from "../../sim/core/index.ts";
import { loadStudy } from "../../sim/study/index.ts";
import { commandLine } from "../chain.ts";
import type { Command } from "../command.ts";
import type { Shard } from "../study/conduct.ts";
import { checkedCount, runnerOf } from "../study/options.ts";
import { mustBeWritable } from "../whole-file.ts";

interface Options {
  readonly study: string;
  readonly out?: string | undefined;
  readonly replications?: number | undefined;
  readonly trace?: string | undefined;
  readonly threads: number;
  readonly queue?: string | undefined;
  readonly shard?: string | undefined;
  readonly compare?: string | undefined;
  readonly quiet: boolean;
  readonly json: boolean;
  readonly html?: string | undefined;
}

export const sweepCommand: Command<Options> = {
  command: "sweep <study>",
  describe: "Run a study: a scenario at many points, with replications, intervals and tables",
  builder: (yargs) =>
    yargs
      .positional("study", {
        type: "string",
        demandOption: true,
        describe: "YAML file, such as scenarios/studies/capacity.yaml",
      })
      .option("out", {
        type: "string",
        requiresArg: true,
        describe: "folder of the results; a study begun there goes on",
      })
      .option("replications", { type: "number", requiresArg: true, describe: "goes before the study's own" })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("threads", {
        type: "number",
        requiresArg: true,
        default: availableParallelism(),
        describe: "worker threads here",
      })
      .option("queue", {
        type: "string",
        requiresArg: true,
        describe: "redis://… : let `assay worker` do the work, anywhere",
      })
      .option("shard", {
        type: "string",
        requiresArg: true,
        describe: "do part i of n (2/8); `assay merge` joins the folders",
      })
      .option("compare", {
        type: "string",
        requiresArg: true,
        describe: "rank the values of a factor by a metric: policy:sojourn.p95",
      })
      .option("html", { type: "string", requiresArg: true, describe: "write a report with charts as one HTML page" })
      .option("json", { type: "boolean", default: false, describe: "print the summary as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress on standard error" })
      .example("$0 sweep study.yaml --replications 20", "the whole study on this machine")
      .example("$0 sweep study.yaml --queue redis://db:6379", "on every machine where assay worker runs"),
  async handler(options) {
    const study = loadStudy(options.study, {
      replications: checkedCount(options.replications, "--replications"),
      trace: options.trace,
    });
    if (options.html !== undefined) mustBeWritable("--html", options.html);
    const runner = await runnerOf(options);
    const { sweep } = await import("../study/sweep.ts");
    try {
      process.exitCode = await sweep(
        study,
        {
          out: options.out ?? basename(options.study).replace(/\.ya?ml$/, ""),
          runner,
          shard: shardOf(options.shard),
          compare: options.compare,
          quiet: options.quiet,
          json: options.json,
          html: options.html,
          replay: commandLine(["assay", "sweep", options.study], {
            replications: options.replications === undefined ? undefined : String(options.replications),
            trace: options.trace,
            compare: options.compare,
          }),
        },
        { out: process.stdout, err: process.stderr, env: process.env },
      );
    } finally {
      await runner.close();
    }
  },
};

function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const shard = { index: Number(match?.[1]), count: Number(match?.[2]) };
  if (match !== null && shard.index >= 1 && shard.index <= shard.count) return shard;
  throw new AssayError({
    what: "This is no part of a study.",
    where: "--shard",
    seen: text,
    expected: "i/n with i from 1 to n, such as 2/8",
  });
}
