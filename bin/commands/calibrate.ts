/** `assay calibrate`: a scenario that behaves like a recorded trace, and how well it does. */
import { basename } from "node:path";
import { palette, wantsColour } from "../../reports/palette.ts";
import { AssayError } from "../../sim/core/index.ts";
import { buildScenario, loadArrivalTrace, parseScenario } from "../../sim/scenario/index.ts";
import { type Calibration, calibrate } from "../../sim/study/index.ts";
import type { Command } from "../command.ts";
import { writeWhole } from "../study/files.ts";
import { checkedCount } from "../study/options.ts";

interface Options {
  readonly trace: string;
  readonly out?: string | undefined;
  readonly plot?: string | undefined;
  readonly rounds: number;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Fewer rows tell little of a distribution. */
const FEWEST = 20;

export const calibrateCommand: Command<Options> = {
  command: "calibrate <trace>",
  describe: "Fit arrivals and lengths to a recorded trace, tell how well they fit, and write the scenario",
  builder: (yargs) =>
    yargs
      .positional("trace", { type: "string", demandOption: true, describe: "CSV file of recorded arrivals" })
      .option("out", { type: "string", requiresArg: true, describe: "write the fitted scenario to this file" })
      .option("plot", { type: "string", requiresArg: true, describe: "write quantile plots to this SVG file" })
      .option("rounds", {
        type: "number",
        requiresArg: true,
        default: 99,
        describe: "rounds of the bootstrap behind each p",
      })
      .option("json", { type: "boolean", default: false, describe: "print it as JSON" })
      .option("quiet", { type: "boolean", default: false, describe: "print nothing but the files written" })
      .example("$0 calibrate trace.csv --out fitted.yaml", "then assay run fitted.yaml --replications 20"),
  async handler({ trace: file, out, plot, rounds, json, quiet }) {
    const trace = loadArrivalTrace(file);
    if (trace.time.length < FEWEST || new Set(trace.time).size < 3) {
      throw new AssayError({
        what: "The trace is too short to fit anything to.",
        where: file,
        seen: `${trace.time.length} rows`,
        expected: `${FEWEST} or more, at different times`,
      });
    }
    const calibration = calibrate({ ...trace, file: basename(file) }, checkedCount(rounds, "--rounds"));
    const { quantilePlot, renderCalibration } = await import("../../reports/calibration-console.ts");
    if (json) {
      const parts = calibration.parts.map(({ values: _values, fits, ...part }) => ({
        ...part,
        fits: fits.map(({ family, parameters, distance, aic }) => ({ family, parameters, distance, aic })),
      }));
      process.stdout.write(`${JSON.stringify({ ...calibration, parts }, null, 2)}\n`);
    } else if (!quiet)
      process.stdout.write(renderCalibration(calibration, palette(wantsColour(process.stdout, process.env))));
    if (out !== undefined) {
      const text = fittedScenario(calibration, trace.time.at(-1)!);
      buildScenario(parseScenario(text, out));
      writeWhole(out, text);
      if (!json) process.stdout.write(`written     ${out}\n`);
    }
    if (plot !== undefined) {
      writeWhole(plot, quantilePlot(calibration));
      if (!json) process.stdout.write(`written     ${plot}\n`);
    }
  },
};

/** The scenario's text. Its workers are those of scenarios/real-trace.yaml: a trace of requests does not tell them. */
export function fittedScenario({ file, requests, rate, parts }: Calibration, span: number): string {
  const [gaps, prompts, outputs] = parts.map(({ spec }) => JSON.stringify(spec)) as [string, string, string];
  return `# Fitted by assay calibrate to ${file}: ${requests} requests, ${rate.toPrecision(4)} a second. Workers are to be chosen by you.

name: ${JSON.stringify(`fitted to ${file}`)}
seed: 1
duration: ${Math.ceil(span / 1e6)}s

workers:
  - { kind: native, count: 16, slots: 8 }
  - { kind: browser, count: 40, models: [grove-8b, grove-7b] }

clients:
  - name: fitted
    wallets: 200
    units: 20000
    arrivals: { process: renewal, gap: ${gaps} }
    models: { grove-8b: 2, grove-7b: 1, ridge-27b: 1 }
    prompt_tokens: ${prompts}
    output_tokens: ${outputs}
    max_tokens: 1000
    top_up: { below: 1000, units: 20000 }
`;
}
