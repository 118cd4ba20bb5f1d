/** `assay init`: a first file to begin with. What is there already stays as it is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { AssayError } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { type Template, templates } from "../templates.ts";

interface Options {
  readonly kind: string;
  readonly file?: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

export const initCommand: Command<Options> = {
  command: "init [kind] [file]",
  describe: "Write a first file with comments: a scenario, a target, a study, a CI workflow",
  builder: (yargs) =>
    yargs
      .positional("kind", {
        choices: templates.map(({ kind }) => kind),
        default: "scenario",
        describe: templates.map(({ kind, describe }) => `${kind}: ${describe}`).join("; "),
      })
      .positional("file", {
        type: "string",
        describe: `where to; default ${templates.map(({ file }) => file).join(", ")}`,
      })
      .option("json", { type: "boolean", default: false, describe: "tell as JSON what was written" })
      .example("$0 init", "scenario.yaml, for assay run")
      .example("$0 init target staging.yaml", "for assay conform --config staging.yaml"),
  handler({ kind, file, json, quiet }) {
    const template = templates.find((each) => each.kind === kind) as Template;
    const to = file ?? template.file;
    writeNew(to, template.text);
    const next = template.next(to);
    if (json) process.stdout.write(`${JSON.stringify({ kind, file: to, next })}\n`);
    else if (!quiet) process.stdout.write(`${to}: ${template.describe}. Read it, change it, then: ${next}\n`);
  },
};

/** Writes a file that is not there yet. @throws AssayError where it is, or cannot be written */
function writeNew(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: "wx" });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AssayError({
      what: code === "EEXIST" ? "The file is there already, and was left as it is." : "The file cannot be written.",
      where: file,
      seen: code ?? String(cause),
      expected: "a file that is not there, in a folder that can be written",
      hint: "give another name: assay init <kind> <file>",
      cause,
    });
  }
}
