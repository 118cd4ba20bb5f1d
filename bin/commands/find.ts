/** `assay find`: the load, the stake, the number of workers ... at which a metric crosses a target. */
import { availableParallelism } from "node:os";
import { renderFound } from "../../reports/find-console.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import { progressLine } from "../../reports/progress.ts";
import { AssayError } from "../../sim/core/index.ts";
import { CONFIDENCE, findMetric, metrics } from "../../sim/study/index.ts";
import type { Command } from "../command.ts";
import { checkedCount, runnerOf } from "../study/options.ts";

interface Options {
  readonly scenario: string;
  readonly path: string;
  readonly between: readonly number[];
  readonly metric: string;
  readonly target: number;
  readonly tolerance: number;
  readonly floor: number;
  readonly ceiling: number;
  readonly whole: boolean;
  readonly warmUp: string;
  readonly trace?: string | undefined;
  readonly seed?: string | undefined;
  readonly threads: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

export const findCommand: Command<Options> = {
  command: "find <scenario>",
  describe: "Find where a metric crosses a target: the capacity of a network, the smallest stake that deters",
  builder: (yargs) =>
    yargs
      .positional("scenario", { type: "string", demandOption: true, describe: "YAML file" })
      .option("path", {
        type: "string",
        requiresArg: true,
        demandOption: true,
        describe: "what is varied, such as clients[0].arrivals.rate",
      })
      .option("between", { type: "number", array: true, nargs: 2, demandOption: true, describe: "the two ends" })
      .option("metric", {
        type: "string",
        requiresArg: true,
        demandOption: true,
        describe: "sojourn.p95, jobs.refundedShare, party.junk.total …",
      })
      .option("target", { type: "number", requiresArg: true, demandOption: true, describe: "in the metric's unit" })
      .option("tolerance", {
        type: "number",
        requiresArg: true,
        default: 0.02,
        describe: "share of the way at which the search ends",
      })
      .option("floor", { type: "number", requiresArg: true, default: 5, describe: "replications of a first look" })
      .option("ceiling", { type: "number", requiresArg: true, default: 40, describe: "most replications at a place" })
      .option("whole", { type: "boolean", default: false, describe: "only whole numbers" })
      .option("warm-up", {
        type: "string",
        requiresArg: true,
        default: "mser5",
        describe: "mser5, none, or jobs to leave out",
      })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("seed", { type: "string", requiresArg: true, describe: "goes before the scenario's own" })
      .option("threads", {
        type: "number",
        requiresArg: true,
        default: availableParallelism(),
        describe: "runs at once",
      })
      .option("json", { type: "boolean", default: false, describe: "print it as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress on standard error" })
      .example(
        "$0 find scenarios/overload.yaml --path clients[0].arrivals.rate --between 1 3 --metric jobs.refundedShare --target 0.01",
        "the load at which one job in a hundred times out",
      ),
  async handler(options) {
    const [from, to] = options.between as [number, number];
    if (!(from < to)) {
      throw new AssayError({
        what: "The two ends hold nothing.",
        where: "--between",
        seen: options.between.join(" "),
        expected: "a smaller and a greater number",
      });
    }
    if (findMetric(options.metric) === undefined) {
      throw new AssayError({
        what: "There is no such metric.",
        where: "--metric",
        seen: options.metric,
        expected: `one of ${metrics.map(({ name }) => name).join(", ")}, or party.<name>.total`,
      });
    }
    if (!(options.tolerance > 0 && options.tolerance < 1)) {
      throw new AssayError({
        what: "This is no tolerance.",
        where: "--tolerance",
        seen: options.tolerance,
        expected: "a share between 0 and 1",
      });
    }
    const floor = checkedCount(options.floor, "--floor", 2)!;
    const ceiling = checkedCount(options.ceiling, "--ceiling", floor)!;
    const { findCrossing } = await import("../study/find.ts");
    const runner = await runnerOf(options);
    const stop = new AbortController();
    const interrupt = (): void => stop.abort();
    process.once("SIGINT", interrupt);
    const line = options.quiet
      ? undefined
      : progressLine(process.stderr, { unit: "runs", colours: palette(wantsColour(process.stderr, process.env)) });
    try {
      const found = await findCrossing(
        options,
        {
          from,
          to,
          target: options.target,
          confidence: CONFIDENCE,
          tolerance: options.tolerance,
          floor,
          ceiling,
          integer: options.whole,
        },
        runner,
        (runs, at) => line?.tell(runs, `at ${at}`),
        stop.signal,
      );
      line?.end();
      if (found === undefined) {
        process.stderr.write("stopped before the crossing was found\n");
        process.exitCode = 130;
        return;
      }
      const told = {
        ...found,
        confidence: CONFIDENCE,
        path: options.path,
        metric: options.metric,
        target: options.target,
      };
      process.stdout.write(
        options.json
          ? `${JSON.stringify(told, null, 2)}\n`
          : renderFound(told, options.scenario, palette(wantsColour(process.stdout, process.env))),
      );
    } finally {
      line?.end();
      process.off("SIGINT", interrupt);
      await runner.close();
    }
  },
};
