/** `assay diff`: the first event in which two runs differ. */
import { exactTime, tell, tellAll } from "../../reports/event-text.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import { difference, type WorldEvent } from "../../sim/inspect/index.ts";
import type { Command } from "../command.ts";
import { traceSource } from "../trace-source.ts";
import { plantedDefect } from "./fuzz.ts";
import type { Streams } from "./run.ts";

export interface DiffOptions {
  readonly left: string;
  readonly right: string;
  readonly seed?: string | undefined;
  readonly trace?: string | undefined;
  readonly defect?: string | undefined;
  readonly json: boolean;
}

export const diffCommand: Command<DiffOptions> = {
  command: "diff <left> <right>",
  describe: "Find the first event in which two runs part",
  builder: (yargs) =>
    yargs
      .positional("left", {
        type: "string",
        demandOption: true,
        describe: "scenario, or trace that run --record wrote",
      })
      .positional("right", { type: "string", demandOption: true, describe: "the same" })
      .option("seed", { type: "string", requiresArg: true, describe: "goes before the seed of scenarios" })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals, for scenarios" })
      .option("defect", { type: "string", requiresArg: true, describe: "plants a defect in the right scenario" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 diff here.ndjson there.ndjson", "two records of one scenario")
      .example("$0 diff a.yaml a.yaml --defect refund-lost", "what a defect changes first"),
  handler: async (options) => {
    process.exitCode = await diff(options, { out: process.stdout, err: process.stderr, env: process.env });
  },
};

/** @returns 0 where the runs are the same, 1 where they part */
export async function diff(options: DiffOptions, { out, env }: Streams): Promise<number> {
  const { seed, trace } = options;
  const defect = options.defect === undefined ? undefined : plantedDefect(options.defect);
  const scenarioOptions = (file: string): object => (/\.ya?ml$/i.test(file) ? { seed, trace } : {});
  const left = traceSource(options.left, scenarioOptions(options.left));
  const right = traceSource(options.right, { ...scenarioOptions(options.right), defect });
  const found = await difference(left, right);
  if (options.json) {
    out.write(`${JSON.stringify(found, null, 2)}\n`);
    return found.same ? 0 : 1;
  }
  const colours = palette(wantsColour(out, env));
  if (found.same) {
    out.write(`the same ${found.events.toLocaleString("en-US")} events, hash ${colours.strong(found.hash)}\n`);
    return 0;
  }
  const side = (event: WorldEvent | undefined): string =>
    event === undefined ? "has ended" : `${exactTime(event.time)}  ${tell(event)}`;
  const lines = [
    `the runs part at event ${found.index.toLocaleString("en-US")}`,
    ...tellAll(found.before).map((line) => colours.quiet(`    ${line}`)),
    colours.bad(`  < ${side(found.left)}`),
    colours.good(`  > ${side(found.right)}`),
    "",
    `  < ${options.left}`,
    `  > ${options.right}${defect === undefined ? "" : ` with ${defect.id}`}`,
  ];
  out.write(`${lines.join("\n")}\n`);
  return 1;
}
