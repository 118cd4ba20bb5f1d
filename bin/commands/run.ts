/** `assay run`: a world from its scenario to its end, and its figures. */
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { basename } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { palette, wantsColour } from "../../reports/palette.ts";
import { progressLine } from "../../reports/progress.ts";
import { duration, renderRun } from "../../reports/run-console.ts";
import { AssayError } from "../../sim/core/index.ts";
import { openChain } from "../../sim/ledger/index.ts";
import { withDefect } from "../../sim/planted/index.ts";
import { honestRules } from "../../sim/rules.ts";
import { type RunOptions, type RunResult, runWorld } from "../../sim/run.ts";
import { buildScenario, loadScenario } from "../../sim/scenario/index.ts";
import { kinds, NdjsonRecorder } from "../../sim/trace/index.ts";
import type { WorldOptions } from "../../sim/world.ts";
import { type ChainFlags, chainFlags, checkedChain, commandLine } from "../chain.ts";
import type { Command } from "../command.ts";
import { openRunPage, type PageFlags, pageFlags, refusePage } from "../run-page.ts";
import { type ManyFlags, manyFlags, runManyCommand, wantsMany } from "../study/run-flags.ts";
import { takesTrace } from "../wanted-trace.ts";
import { plantedDefect } from "./fuzz.ts";

export interface RunCommandOptions extends ChainFlags, PageFlags {
  readonly scenario: string;
  readonly trace?: string | undefined;
  readonly seed?: string | undefined;
  readonly json: boolean;
  readonly record?: string | undefined;
  readonly quiet: boolean;
  readonly defect?: string | undefined;
}

/** Where a command writes to. */
export interface Streams {
  readonly out: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly env: NodeJS.ProcessEnv;
}

/** As a shell counts a program that SIGINT has ended. */
const EXIT_INTERRUPTED = 130;

/** A run asks for no old transactions: Anvil may forget them. */
const KEPT_BLOCKS = 256;

export const runCommandModule: Command<RunCommandOptions & ManyFlags> = {
  command: "run <scenario>",
  describe: "Run a scenario to its end and print its figures",
  builder: (yargs) =>
    chainFlags(yargs)
      .positional("scenario", {
        type: "string",
        demandOption: true,
        describe: "YAML file, such as scenarios/calm-day.yaml",
      })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("seed", { type: "string", requiresArg: true, describe: "goes before the scenario's own" })
      .option("record", {
        type: "string",
        requiresArg: true,
        describe: "write every event to this file, one JSON object a line",
      })
      .option("defect", { type: "string", requiresArg: true, describe: "plants a defect of assay fuzz --list" })
      .option("json", { type: "boolean", default: false, describe: "print the figures as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress on standard error" })
      .options(pageFlags)
      .options(manyFlags)
      .example("$0 run scenarios/calm-day.yaml --replications 20", "every figure with its interval")
      .example("$0 run a.yaml --against b.yaml --precision 2%", "two scenarios under common random numbers"),
  handler: async (options) => {
    const streams = { out: process.stdout, err: process.stderr, env: process.env };
    if (wantsMany(options)) refusePage(options);
    process.exitCode = wantsMany(options) ? await runManyCommand(options, streams) : await runCommand(options, streams);
  },
};

/**
 * Runs a scenario and prints its figures.
 *
 * @returns 0 where every invariant held, 1 where one was broken, 130 where Ctrl-C ended the run
 * @throws AssayError where scenario, trace or record file are wrong; ChainError where Anvil fails; LockstepDifference where two chains part
 */
export async function runCommand(options: RunCommandOptions, { out, err, env }: Streams): Promise<number> {
  const loaded = takesTrace(loadScenario(options.scenario), options.trace);
  const defect = options.defect === undefined ? undefined : plantedDefect(options.defect);
  const world = withDefect(buildScenario(loaded, { seed: options.seed, trace: options.trace }), defect);
  checkedChain(options);
  const page = openRunPage(options, world);
  const record = options.record === undefined ? undefined : openRecord(options.record);
  const recorder = page === undefined ? record?.recorder : page.recorder(record?.recorder);
  let interrupted = false;
  let reached = 0;
  const interrupt = (): void => {
    interrupted = true;
  };
  const started = performance.now();
  const colours = palette(wantsColour(err, env));
  const progress = options.quiet ? undefined : progressLine(err, { unit: "jobs", colours });
  process.once("SIGINT", interrupt);
  try {
    const recorded = recorder === undefined ? world : { ...world, recorder };
    const result = await runOnChain(options, recorded, {
      pause: async (at) => {
        reached = at.time;
        progress?.tell(at.jobs, `${(at.time / 3.6e9).toFixed(2)} h simulated, ${at.events} events`);
        // A turn of the event loop, in which Ctrl-C is heard.
        await nextTurn();
        return !interrupted;
      },
      folds: page?.folds,
    });
    const wall = (performance.now() - started) / 1_000;
    progress?.end();
    const name = loaded.scenario.name ?? basename(options.scenario).replace(/\.ya?ml$/, "");
    if (options.json) out.write(`${JSON.stringify({ name, file: options.scenario, ...result, wall }, null, 2)}\n`);
    else out.write(renderRun(result, { name, file: options.scenario, wall }, palette(wantsColour(out, env))));
    await page?.write({ name, file: options.scenario, result, replay: replayLine(options) });
    if (result.violationCount > 0) return 1;
    return result.complete ? 0 : EXIT_INTERRUPTED;
  } catch (error) {
    progress?.end();
    if (reached > 0) {
      const kept = record === undefined ? "" : `; the trace up to there is kept in ${options.record}`;
      err.write(`broke off at ${duration(reached)} of its time${kept}\n`);
    }
    throw error;
  } finally {
    process.off("SIGINT", interrupt);
    record?.close();
  }
}

/** What repeats the run. */
function replayLine({ scenario, trace, seed, defect, chain, rpc }: RunCommandOptions): string {
  const mode = chain === "memory" ? undefined : chain;
  return commandLine(["assay", "run", scenario], { trace, seed, defect, chain: mode, rpc });
}

/** Runs the world on the chain that the options ask for, which ends with the run, however that ends. */
async function runOnChain(options: RunCommandOptions, world: WorldOptions, run: RunOptions): Promise<RunResult> {
  const chain = await openChain(checkedChain(options).mode, {
    seed: world.seed,
    rules: world.rules ?? honestRules,
    rpc: options.rpc,
    keep: KEPT_BLOCKS,
    replay: replayLine(options),
  });
  try {
    const result = await runWorld({ ...world, behind: chain.behind }, run);
    if (result.complete) await chain.finish();
    return result;
  } finally {
    await chain.close();
  }
}

/** What stands in the file stays until there is something to write: a run that never begins costs nobody an older record. */
function openRecord(file: string): { readonly recorder: NdjsonRecorder<typeof kinds.definitions>; close(): void } {
  let descriptor: number;
  try {
    descriptor = openSync(file, "a");
  } catch (cause) {
    throw new AssayError({
      what: "The record cannot be written.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a file in a directory that exists",
      cause,
    });
  }
  let begun = false;
  const write = (text: string): void => {
    if (!begun) ftruncateSync(descriptor);
    begun = true;
    writeSync(descriptor, text);
  };
  const recorder = new NdjsonRecorder(kinds, { write });
  return {
    recorder,
    close: () => {
      recorder.flush();
      closeSync(descriptor);
    },
  };
}
