/** `assay compare`: two reports or more, side by side. */
import { basename } from "node:path";
import { compareReports } from "../../conformance/index.ts";
import { compareHtml } from "../../reports/compare/page.ts";
import { comparisonText } from "../../reports/compare-text.ts";
import { AssayError } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { readReport } from "../read-report.ts";
import { mustBeWritable, writeWhole } from "../whole-file.ts";

interface Options {
  readonly reports: readonly string[];
  readonly all: boolean;
  readonly json: boolean;
  readonly html?: string | undefined;
}

export const compareCommand: Command<Options> = {
  command: "compare <reports..>",
  describe: "Hold conformance reports (JSON) side by side; of two, exit with 1 when the second is worse",
  builder: (yargs) =>
    yargs
      .positional("reports", {
        type: "string",
        array: true,
        demandOption: true,
        describe: "files that conform --json wrote",
      })
      .option("all", { type: "boolean", default: false, describe: "every requirement, not only those that differ" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .option("html", { type: "string", requiresArg: true, describe: "write them side by side as one HTML page" })
      .example("$0 compare before.json after.json", "what a change made worse, and what it mended"),
  async handler(options) {
    if (options.reports.length < 2) {
      throw new AssayError({
        what: "One report has nothing to be compared with.",
        where: "assay compare",
        seen: options.reports.join(" "),
        expected: "two files or more",
        hint: "assay conform <base-url> --json after.json writes one",
      });
    }
    if (options.html !== undefined) mustBeWritable("--html", options.html);
    const reports = options.reports.map(readReport);
    const names = namesOf(options.reports);
    const comparison = compareReports(reports, names);
    if (options.html !== undefined) writeWhole(options.html, await compareHtml(reports, names));
    process.stdout.write(
      options.json ? `${JSON.stringify(comparison, null, 2)}\n` : comparisonText(comparison, options.all),
    );
    if (comparison.regressions.length > 0) process.exitCode = 1;
  },
};

/** File names without folder and ending, unless two are equal. */
function namesOf(files: readonly string[]): readonly string[] {
  const names = files.map((file) => basename(file).replace(/\.json$/, ""));
  return new Set(names).size === names.length ? names : files;
}
