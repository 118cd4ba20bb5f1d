/** `assay fuzz`: the hunt for faults of the simulator. */
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { renderFound, renderHunt } from "../../reports/fuzz-text.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import { progressLine } from "../../reports/progress.ts";
import { checkers } from "../../sim/checkers/index.ts";
import { AssayError } from "../../sim/core/index.ts";
import { shrinkFound } from "../../sim/fuzz/index.ts";
import { findPlanted, type PlantedDefect, plantedDefects } from "../../sim/planted/index.ts";
import { scenarioText } from "../../sim/scenario/index.ts";
import type { Command } from "../command.ts";
import { campaign } from "../fuzz/campaign.ts";
import { nearest } from "../nearest.ts";
import type { Streams } from "./run.ts";

export interface FuzzOptions {
  readonly seed: string;
  readonly worlds?: number | undefined;
  readonly jobs?: number | undefined;
  readonly minutes?: number | undefined;
  readonly threads: number;
  readonly defect?: string | undefined;
  readonly out?: string | undefined;
  readonly list: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Worlds where nothing else bounds the hunt. */
const WORLDS = 1_000;
/** As a shell counts a program that SIGINT has ended. */
const EXIT_INTERRUPTED = 130;

export const fuzzCommand: Command<FuzzOptions> = {
  command: "fuzz",
  describe: "Hunt for faults of the simulator in random worlds, and shrink what is found to a small scenario",
  builder: (yargs) =>
    yargs
      .option("seed", { type: "string", requiresArg: true, default: "1", describe: "names the worlds" })
      .option("worlds", {
        type: "number",
        requiresArg: true,
        describe: `how many; ${WORLDS} unless anything bounds the hunt`,
      })
      .option("jobs", { type: "number", requiresArg: true, describe: "no further world after that many jobs" })
      .option("minutes", { type: "number", requiresArg: true, describe: "no further world after that time" })
      .option("threads", { type: "number", default: availableParallelism(), describe: "worker threads" })
      .option("defect", { type: "string", requiresArg: true, describe: "plants this defect in every world" })
      .option("list", { type: "boolean", default: false, describe: "print the defects that can be planted" })
      .option("out", { type: "string", requiresArg: true, describe: "where a found scenario is written" })
      .option("json", { type: "boolean", default: false, describe: "print the outcome as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "no progress on standard error" })
      .example("$0 fuzz --minutes 10", "hunt for ten minutes")
      .example("$0 fuzz --defect refund-lost", "see the hunt find something"),
  handler: async (options) => {
    process.exitCode = await fuzz(options, { out: process.stdout, err: process.stderr, env: process.env });
  },
};

/**
 * @returns 0 where nothing was found, 1 where a world broke an invariant, 130 where Ctrl-C ended the hunt before it found anything
 * @throws AssayError where an option is wrong or the found scenario cannot be written
 */
export async function fuzz(options: FuzzOptions, { out, err, env }: Streams): Promise<number> {
  if (options.list) {
    for (const { id, what, checker } of plantedDefects) out.write(`${id.padEnd(24)} ${checker.padEnd(24)} ${what}\n`);
    return 0;
  }
  const defect = options.defect === undefined ? undefined : plantedDefect(options.defect);
  const budget = budgetOf(options);
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
  };
  const colours = palette(wantsColour(out, env));
  const progress = options.quiet
    ? undefined
    : progressLine(err, {
        unit: "worlds",
        total: Number.isFinite(budget.worlds) ? budget.worlds : undefined,
        colours: palette(wantsColour(err, env)),
      });
  const { seed } = options;
  const began = performance.now();
  process.once("SIGINT", interrupt);
  try {
    const tally = await campaign(
      { seed, defect: defect?.id, budget, threads: threadsOf(options) },
      {
        progress: ({ worlds, jobs }) => progress?.tell(worlds, `${jobs} jobs`),
        stopped: () => interrupted,
      },
    );
    progress?.end();
    const wall = (performance.now() - began) / 1_000;
    const [found] = tally.found;
    const small = found === undefined ? undefined : await shrinkFound(found, defect);
    const file = options.out ?? `fuzz-${seed}-${found?.world}.yaml`.replaceAll(/[^\w.-]/g, "_");
    const replay = `assay run ${file}${defect === undefined ? "" : ` --defect ${defect.id}`}`;
    if (found !== undefined && small !== undefined) {
      const { checker, what } = small.violation;
      write(
        file,
        scenarioText(small.scenario, [
          `Found by assay fuzz --seed ${seed}, world ${found.world}.`,
          `${checker}: ${what}`,
          `Replay: ${replay}`,
        ]),
      );
    }
    if (options.json) {
      const { worlds, jobs, coverage } = tally;
      const { events: _, ...counterexample } = small ?? { events: [] };
      const result = { seed, defect: defect?.id, worlds, jobs, wall, interrupted, coverage };
      out.write(`${JSON.stringify({ ...result, ...(found && { found, counterexample, file, replay }) }, null, 2)}\n`);
    } else {
      const heading = { seed, defect: defect?.id, wall, checkers: Object.keys(checkers).length, interrupted };
      out.write(renderHunt(tally, heading, colours));
      if (found !== undefined && small !== undefined) out.write(renderFound(found, small, { file, replay }, colours));
    }
    if (found !== undefined) return 1;
    return interrupted ? EXIT_INTERRUPTED : 0;
  } finally {
    process.off("SIGINT", interrupt);
  }
}

/** @throws AssayError where no defect of the simulator has that id */
export function plantedDefect(id: string): PlantedDefect {
  const defect = findPlanted(id);
  if (defect !== undefined) return defect;
  const near = nearest(
    id,
    plantedDefects.map((each) => each.id),
  );
  throw new AssayError({
    what: "There is no such defect of the simulator.",
    where: "--defect",
    seen: id,
    expected: "one of those that assay fuzz --list prints",
    hint: near === undefined ? undefined : `did you mean "${near}"?`,
  });
}

function budgetOf({ worlds, jobs, minutes }: FuzzOptions): { worlds: number; jobs: number; time: number } {
  for (const [name, value] of Object.entries({ worlds, jobs, minutes })) {
    if (value === undefined || (value > 0 && (name === "minutes" || Number.isInteger(value)))) continue;
    throw new AssayError({
      what: "The hunt has no such bound.",
      where: `--${name}`,
      seen: value,
      expected: name === "minutes" ? "a number above 0" : "a whole number, 1 or more",
    });
  }
  const bounded = worlds !== undefined || jobs !== undefined || minutes !== undefined;
  return {
    worlds: worlds ?? (bounded ? Number.POSITIVE_INFINITY : WORLDS),
    jobs: jobs ?? Number.POSITIVE_INFINITY,
    time: minutes === undefined ? Number.POSITIVE_INFINITY : minutes * 60_000,
  };
}

function threadsOf({ threads }: FuzzOptions): number {
  if (Number.isInteger(threads) && threads >= 1) return threads;
  throw new AssayError({ what: "No thread, no hunt.", where: "--threads", seen: threads, expected: "1 or more" });
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (cause) {
    throw new AssayError({
      what: "The scenario that was found cannot be written.",
      where: resolve(file),
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a file in a directory that exists",
      hint: "--out takes another path",
      cause,
    });
  }
}
