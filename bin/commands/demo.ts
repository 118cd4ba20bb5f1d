/** `assay demo`: a simulated network judged in process, then the same with one planted defect. */
import type { Writable } from "node:stream";
import type { CommandModule } from "yargs";
import type { Report } from "../../conformance/index.ts";
import { caseText, renderReport } from "../../reports/conformance/index.ts";
import { type Palette, palette, wantsColour } from "../../reports/palette.ts";
import type { Override } from "../../sim/facade/index.ts";
import { judgeInProcess } from "../in-process.ts";

interface DemoArguments {
  readonly seed: number;
  readonly only: readonly string[];
  readonly runs: number | undefined;
  readonly path: string | undefined;
  readonly json: boolean;
  readonly defect: boolean;
}

/** The planted defect of the second half: the job times out, the answer says so, and the units stay where they were. */
export const neverRefunds: Override = {
  network: (honest) => honest,
};

export const demo: CommandModule<object, DemoArguments> = {
  command: "demo",
  describe: "Judge a simulated network in process, then the same network with one planted defect",
  builder: (yargs) =>
    yargs
      .option("seed", { type: "number", default: 1, describe: "Seed of the world and of the judge" })
      .option("only", { type: "string", array: true, default: [], describe: "Sections, requirements or cases" })
      .option("runs", { type: "number", describe: "Runs of a property" })
      .option("path", { type: "string", describe: "Replays one counterexample of a property" })
      .option("json", { type: "boolean", default: false, describe: "Print the honest network's report as JSON" })
      .option("defect", { type: "boolean", default: true, describe: "Also judge the network with the planted defect" }),
  handler: async (argv) => {
    process.exitCode = await runDemo(argv, process.stdout, process.env);
  },
};

/** Runs the demo. Resolves to the exit code: 0 when the honest network passed and the defect was found. */
export async function runDemo(
  argv: DemoArguments,
  out: Writable & { isTTY?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const colours = palette(wantsColour(out, env));
  const judgeDemo = (overrides: readonly Override[]): Promise<Report> =>
    judgeInProcess(
      { seed: argv.seed, only: argv.only, runs: argv.runs, path: argv.path, service: { overrides } },
      { command: "assay demo", events: argv.json ? {} : showFailures(out, colours) },
    );
  const honest = await judgeDemo([]);
  out.write(argv.json ? `${JSON.stringify(honest, null, 2)}\n` : renderReport(honest, { colours }));
  return honest.exitCode;
}

/** Cases that pass are many: only the others are named while they run. */
function showFailures(out: Writable, colours: Palette) {
  return {
    ended: (result: Parameters<typeof caseText>[0]): void => {
      if (result.outcome !== "passed") out.write(`${caseText(result, colours)}\n`);
    },
  };
}
