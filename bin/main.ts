/**
 * The command line: finds the command, and turns whatever goes wrong into a message and an exit code.
 *
 * 0 done; 1 the judged service does not conform, or a run broke a promise; 2 usage or input; 3 inconclusive, or a fault of assay itself.
 */
import { readFileSync } from "node:fs";
import yargs, { type Argv } from "yargs";
import { AssayError, EXIT_SOFTWARE } from "../sim/core/index.ts";
import type { Command } from "./command.ts";
import { commands } from "./commands/index.ts";
import { nearest } from "./nearest.ts";

const EXIT_FAULT = 3;

/** Runs one command line, without the program's own name. The exit code is left in `process.exitCode`. */
export async function main(argv: readonly string[], offered: readonly Command[] = commands): Promise<void> {
  try {
    await build(argv, offered).parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

function build(argv: readonly string[], offered: readonly Command[]): Argv {
  const parser: Argv = yargs(argv as string[])
    .scriptName("assay")
    .usage("$0 <command>\n\nA simulated decentralised inference network, and a judge of services like it.")
    .version(version())
    .strict()
    .strictCommands()
    .demandCommand(1, "Which command?")
    .recommendCommands()
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .exitProcess(false)
    .fail((message, error) => {
      // yargs has an error of its own for what the user got wrong; any other comes from a command.
      throw error === undefined || error.name === "YError" ? usageError(message, argv, parser) : error;
    })
    .epilogue("Exit codes: 0 done, 1 not conformant, 2 usage or input, 3 inconclusive or a fault of assay.");
  for (const command of offered) parser.command(command);
  return parser;
}

/** A wrong command line, with the option or command that was probably meant. */
function usageError(message: string, argv: readonly string[], parser: Argv): AssayError {
  const unknown = /^Unknown arguments?: (\S+?)(?:,|$)/.exec(message)?.[1];
  // Not among the published types, and documented: the options of the command that was found.
  const { key } = (parser as unknown as { getOptions(): { key: Record<string, boolean> } }).getOptions();
  const meant = unknown === undefined ? undefined : nearest(unknown, Object.keys(key));
  return new AssayError({
    what: message,
    where: `assay ${argv.join(" ")}`.trim(),
    hint: meant === undefined ? "assay --help, or assay <command> --help" : `did you mean --${meant}?`,
  });
}

function report(error: unknown): number {
  if (error instanceof AssayError) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode === EXIT_SOFTWARE ? EXIT_FAULT : error.exitCode;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`assay failed: ${message}\n`);
  if (process.env.ASSAY_DEBUG !== undefined) process.stderr.write(`${stack}\n`);
  else process.stderr.write("  This is a fault of assay. Set ASSAY_DEBUG=1 to see where.\n");
  return EXIT_FAULT;
}

/** The package's version: two levels up from `dist/bin`, one from `bin`. */
function version(): string {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }).version;
    } catch {
      // Not there: look further up.
    }
  }
  return "unknown";
}
