/** `assay conform`: judges a service at an address. */
import type { Argv } from "yargs";
import {
  ConformError,
  cases,
  judge,
  needsOf,
  type Report,
  readOptions,
  SETTINGS,
  type Setting,
  select,
} from "../../conformance/index.ts";
import { progress, renderReport, reportJson } from "../../reports/conformance/index.ts";
import { palette, wantsColour } from "../../reports/palette.ts";
import { AssayError } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { type GateOptions, gateFlags, openGate } from "../gate.ts";
import { replayCommand } from "../replay-line.ts";

interface Options extends GateOptions {
  readonly baseUrl?: string;
  readonly config?: string;
  readonly list: boolean;
  readonly quiet: boolean;
  readonly only?: readonly string[];
  readonly [setting: string]: unknown;
}

export const conformCommand: Command<Options> = {
  command: "conform [base-url]",
  describe: "Judge a service against the contract, requirement by requirement",
  builder: (yargs) =>
    gateFlags(
      settingOptions(
        yargs.positional("base-url", { type: "string", describe: "Base address of the service, without /v1" }),
      ),
    )
      .option("config", { type: "string", requiresArg: true, describe: "Settings file, YAML or JSON" })
      .option("json", { type: "string", describe: "Write the report as JSON, to a file or (without one) to stdout" })
      .option("list", { type: "boolean", default: false, describe: "Show the cases, and send nothing" })
      .option("quiet", { type: "boolean", default: false, describe: "No progress, only the report" })
      .example("$0 conform http://127.0.0.1:8080 --key $KEY", "everything that one key can show")
      .example(
        "$0 conform http://127.0.0.1:8080 --control http://127.0.0.1:8081",
        "with test controls: far more",
      ) as Argv<Partial<Options>>,
  handler: async (options) => {
    process.exitCode = options.list ? list(options) : await conform(options);
  },
};

/** One option for each setting of the table. */
function settingOptions(yargs: Argv<object>): Argv<object> {
  const kinds = { text: "string", texts: "string", integer: "number", number: "number", switch: "boolean" } as const;
  return SETTINGS.filter(({ name }) => name !== "base-url").reduce(
    (built, setting: Setting) =>
      built.option(setting.name, {
        type: kinds[setting.type],
        array: setting.type === "texts",
        // One value each: `--key a --key b <base-url>` must not take the address for a third key.
        ...(setting.type === "switch" ? {} : { nargs: 1 }),
        describe: setting.shown === undefined ? setting.describe : `${setting.describe} [${setting.shown}]`,
      }),
    yargs,
  );
}

async function conform(options: Options): Promise<number> {
  const toStdout = options.json === "";
  // JSON on stdout stands alone there: everything for people goes to stderr.
  const out = toStdout ? process.stderr : process.stdout;
  const colours = palette(wantsColour(out, process.env));
  const shown = progress(out, colours);
  const gate = openGate(options);
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once("SIGINT", stop);
  let report: Report;
  try {
    const target = readOptions(options, process.env, options.config);
    report = await judge(target, {
      events: options.quiet ? {} : shown,
      signal: interrupt.signal,
      command: replayCommand(target, options.config),
    });
  } catch (error) {
    throw error instanceof ConformError ? asAssayError(error) : error;
  } finally {
    process.off("SIGINT", stop);
    if (!options.quiet) shown.done();
  }
  const { told, annotations, exitCode } = await gate.close(report);
  if (toStdout) process.stdout.write(reportJson(report));
  if (!(toStdout && options.quiet)) out.write(`\n${renderReport(report, { colours })}${told}`);
  out.write(annotations);
  return exitCode;
}

/** Shows the cases that would be tried. */
function list(options: Options): number {
  try {
    const chosen = select(cases, options.only ?? []);
    if (options.json !== undefined) {
      const told = chosen.map((each) => ({
        id: each.id,
        title: each.title,
        requirements: each.requirements,
        needs: needsOf(each),
      }));
      process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
      return 0;
    }
    for (const each of chosen) {
      const needs = needsOf(each).filter((need) => need !== "key");
      process.stdout.write(`${each.id.padEnd(32)} ${each.title}\n`);
      process.stdout.write(`${" ".repeat(32)} ${each.requirements.join(" ")}`);
      process.stdout.write(`${needs.length === 0 ? "" : `; needs ${needs.join(", ")}`}\n`);
    }
    return 0;
  } catch (error) {
    throw error instanceof ConformError ? asAssayError(error) : error;
  }
}

class RunError extends AssayError {
  override readonly exitCode: number;

  constructor(error: ConformError) {
    super({ ...error.facts, cause: error });
    this.exitCode = error.exitCode;
  }
}

/** The judge's error in the house's form. */
export function asAssayError(error: ConformError): AssayError {
  return new RunError(error);
}
