/** `assay demo`: a simulated network is judged in process, then the same network with one planted defect. */
import type { Writable } from "node:stream";
import { type CaseResult, DEFAULTS, type Plan, type Report } from "../../conformance/index.ts";
import { conformanceHtml } from "../../reports/conformance/html/page.ts";
import { caseText, findingText, renderReport, reportJson } from "../../reports/conformance/index.ts";
import { type Palette, palette, wantsColour } from "../../reports/palette.ts";
import { type ProgressLine, type ProgressStream, progressLine } from "../../reports/progress.ts";
import { AssayError } from "../../sim/core/index.ts";
import { defects, findDefect } from "../../sim/defects/index.ts";
import type { Command } from "../command.ts";
import { judgeInProcess } from "../in-process.ts";
import { nearest } from "../nearest.ts";
import { mustBeWritable, writeWhole } from "../whole-file.ts";

interface Options {
  readonly seed: number;
  readonly only: readonly string[];
  readonly runs: number | undefined;
  readonly path: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly html?: string | undefined;
  readonly defect: string | undefined;
}

/** The defect of the second half: a job times out, its answer says so, and its units stay where they were. */
const NEVER_REFUNDED = "refund-missing";

export const demoCommand: Command<Options> = {
  command: "demo",
  describe: "Judge a simulated network in process, then the same with one planted defect",
  builder: (yargs) =>
    yargs
      .option("seed", { type: "number", requiresArg: true, default: DEFAULTS.seed, describe: "of world and judge" })
      .option("only", {
        type: "string",
        array: true,
        nargs: 1,
        default: [],
        describe: "sections, requirements or cases",
      })
      .option("runs", { type: "number", requiresArg: true, describe: `runs of a property [${DEFAULTS.runs}]` })
      .option("path", { type: "string", requiresArg: true, describe: "where a property's counterexample lies" })
      .option("defect", { type: "string", requiresArg: true, describe: "judge the network with this defect only" })
      .option("json", { type: "boolean", default: false, describe: "print the report as JSON, of one network" })
      .example("$0 demo", "the whole judge against an honest network, then a network that never refunds")
      .example("$0 demo --only 4.7 --defect window-of-61-seconds", "how one section finds one defect")
      .option("html", {
        type: "string",
        requiresArg: true,
        describe: "write the (first) network's report as one HTML page",
      }),
  handler: async (options) => {
    process.exitCode = await demo(options, process.stdout, process.env);
  },
};

/**
 * Runs the demo. Resolves to the exit code: 0 when the honest network passed and the planted defect was found. With `--only`, `--json` or
 * `--defect` there is one network, and the code is the report's.
 */
export async function demo(
  options: Options,
  out: Writable & { isTTY?: boolean },
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const colours = palette(wantsColour(out, env));
  const { html } = options;
  if (html !== undefined) mustBeWritable("--html", html);
  if (options.json || options.defect !== undefined || options.only.length > 0) {
    const report = await judgeWith(options, options.defect, options.json ? null : out, colours);
    if (html !== undefined) writeWhole(html, await conformanceHtml(report));
    out.write(options.json ? reportJson(report) : `\n${renderReport(report, { colours })}`);
    return report.exitCode;
  }

  out.write(
    `${colours.strong("1. An honest network")}, judged in process with all test controls, under a manual clock\n\n`,
  );
  const honest = await judgeWith(options, undefined, out, colours);
  if (html !== undefined) writeWhole(html, await conformanceHtml(honest));
  out.write(`${renderReport(honest, { colours, details: false })}\n`);

  out.write(`${colours.strong("2. The same network with one planted defect:")} ${defectOf(NEVER_REFUNDED).title}\n\n`);
  const defective = await judgeWith({ ...options, only: ["4.1"] }, NEVER_REFUNDED, null, colours);
  const [finding] = defective.findings.filter((each) => each.requirement === defectOf(NEVER_REFUNDED).requirement);
  const shown = finding ?? defective.findings[0];
  out.write(shown === undefined ? "It was not found.\n" : `${findingText(shown, 1, { colours, answerLines: 12 })}\n`);
  out.write(
    `\n${defective.findings.length} finding${defective.findings.length === 1 ? "" : "s"}: ${colours.bad(defective.verdict)}\n` +
      "Next: assay serve, and assay conform http://127.0.0.1:8080 against it or against your own.\n",
  );
  return honest.exitCode !== 0 ? honest.exitCode : finding === undefined ? 3 : 0;
}

function judgeWith(
  options: Options,
  defect: string | undefined,
  out: Writable | null,
  colours: Palette,
): Promise<Report> {
  const overrides = defect === undefined ? [] : [defectOf(defect).override];
  const command = defect === undefined ? "assay demo" : `assay demo --defect ${defect}`;
  const shown = out === null || options.quiet ? undefined : progressOf(out, colours);
  return judgeInProcess(
    { seed: options.seed, only: options.only, runs: options.runs, path: options.path, service: { overrides } },
    { command, events: shown ?? {} },
  ).finally(() => shown?.done());
}

/** How far the judge has come. Cases that pass are many: only the others are named. */
function progressOf(out: ProgressStream, colours: Palette) {
  let line: ProgressLine | undefined;
  let count = 0;
  return {
    planned({ cases }: Plan): void {
      // What goes into a file has findings only: progress is for who waits.
      const stream = out.isTTY === true ? out : process.stderr;
      line = progressLine(stream, { unit: "cases", total: cases.length, colours });
    },
    ended(result: CaseResult): void {
      count += 1;
      if (result.outcome !== "passed" && result.outcome !== "not-exercised") {
        const text = `${caseText(result, colours)}\n`;
        if (out.isTTY === true) line?.above(text);
        else out.write(text);
      }
      line?.tell(count, result.id);
    },
    done: (): void => line?.end(),
  };
}

function defectOf(id: string) {
  const found = findDefect(id);
  if (found !== undefined) return found;
  const meant = nearest(
    id,
    defects.map((each) => each.id),
  );
  throw new AssayError({
    what: "There is no such defect.",
    where: "--defect",
    seen: id,
    hint: meant === undefined ? "assay defects lists them" : `did you mean ${meant}?`,
  });
}
