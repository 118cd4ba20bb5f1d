/**
 * The command line: finds the command, and turns whatever goes wrong into a message and an exit code.
 *
 * 0 done; 1 the judged service does not conform, or a run broke a promise; 2 usage or input; 3 inconclusive, or a fault of assay itself.
 */
import yargs, { type Argv } from "yargs";
import { palette, wantsColour } from "../reports/palette.ts";
import { AssayError, EXIT_SOFTWARE } from "../sim/core/index.ts";
import type { Command } from "./command.ts";
import { spreadRepeated, withoutSecrets } from "./command-line.ts";
import { commandNames, commandsFor } from "./commands/index.ts";
import { type Complete, completer } from "./completion.ts";
import { nearest } from "./nearest.ts";
import { version } from "./version.ts";

const EXIT_FAULT = 3;

/** Runs one command line, without the program's own name. The exit code is left in `process.exitCode`. */
export async function main(argv: readonly string[], offered?: readonly Command[]): Promise<void> {
  try {
    // Whoever types no more than the name wants to know what there is.
    const words = argv.length === 0 ? ["--help"] : spreadRepeated(argv);
    await build(words, offered ?? (await commandsFor(words)), await completer(words)).parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

function build(argv: readonly string[], offered: readonly Command[], complete: Complete): Argv {
  const parser: Argv = yargs(argv as string[])
    .scriptName("assay")
    .usage("$0 <command>\n\nA simulated decentralised inference network, and a judge of services like it.")
    .version(version())
    .strict()
    .strictCommands()
    .demandCommand(1, "Which command?")
    // A command that shows progress says so in its own help; to the others, being quiet costs nothing.
    .option("quiet", { type: "boolean", default: false, describe: "no progress, only the result" })
    .completion("completion", "Print a script that completes commands, options and ids in your shell", complete)
    .example("$0 demo", "see it at work, with nothing to set up")
    .example("$0 init scenario", "a first file to begin with; also: target, study, ci")
    .example("$0 doctor", "what this machine has, and what is missing for what")
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .exitProcess(false)
    .check((parsed) => {
      const name = Object.keys(parsed).find((each) => Number.isNaN(parsed[each]));
      if (name !== undefined) throw noNumber(name, argv);
      const lists = optionsOf(parser).array;
      const twice = Object.keys(parsed).find(
        (each) => each !== "_" && Array.isArray(parsed[each]) && !lists.includes(each),
      );
      if (twice !== undefined) throw givenTwice(twice, parsed[twice] as readonly unknown[]);
      return true;
    })
    .fail((message, error) => {
      // yargs has an error of its own for what the user got wrong; any other comes from a command.
      throw error === undefined || error.name === "YError" ? usageError(message, argv, parser, offered) : error;
    })
    .epilogue("Exit codes: 0 done, 1 not conformant, 2 usage or input, 3 inconclusive or a fault of assay.");
  for (const command of offered) parser.command(command);
  return parser;
}

/** A wrong command line, with the option or command that was probably meant. */
function usageError(message: string, argv: readonly string[], parser: Argv, offered: readonly Command[]): AssayError {
  const where = withoutSecrets(argv);
  const command = /^Unknown commands?: (\S+?)(?:,|$)/.exec(message)?.[1];
  if (command !== undefined) {
    const meant = nearest(command, [...commandNames, "completion"]);
    return new AssayError({
      what: "There is no command of this name.",
      where,
      seen: command,
      hint: meant === undefined ? "assay --help lists the commands" : `did you mean assay ${meant}?`,
    });
  }
  const usage = offered.length === 1 ? `assay ${offered[0]?.command}` : undefined;
  const help = usage === undefined ? "assay --help" : `${usage.split(" ", 2).join(" ")} --help`;
  const wrong = /Argument: (\S+), Given: "(.*?)", Choices: (.*)/.exec(message);
  if (wrong !== null) return wrongValue(wrong, usage);
  const options = Object.keys(optionsOf(parser).key);
  if (/^Not enough non-option arguments/.test(message) && usage !== undefined) {
    // `--jsn file` takes the file for the value of an option that is not there.
    const stray = argv
      .map((word) => /^--(?:no-)?([^=]+)/.exec(word)?.[1])
      .find((word) => word && !options.includes(word));
    const near = stray === undefined ? undefined : nearest(stray, options);
    return new AssayError({
      what: "An argument is missing.",
      where,
      expected: usage,
      hint: near === undefined ? help : `did you mean --${near}?`,
    });
  }
  const unknown = /^Unknown arguments?: (\S+?)(?:,|$)/.exec(message)?.[1];
  const meant = unknown === undefined ? undefined : nearest(unknown, options);
  return new AssayError({ what: message, where, hint: meant === undefined ? help : `did you mean --${meant}?` });
}

/** Not among the published types, and documented: the options of the command that was found. */
function optionsOf(parser: Argv): { readonly key: Record<string, boolean>; readonly array: readonly string[] } {
  return (parser as unknown as { getOptions(): ReturnType<typeof optionsOf> }).getOptions();
}

function givenTwice(name: string, values: readonly unknown[]): AssayError {
  return new AssayError({
    what: "An option is given more than once, and takes one value.",
    where: `--${name}`,
    seen: values.join(", "),
    expected: "one of them",
  });
}

function noNumber(name: string, argv: readonly string[]): AssayError {
  const option = `--${name}`;
  const at = argv.findIndex((word) => word === option || word.startsWith(`${option}=`));
  return new AssayError({
    what: "This is not a number.",
    where: option,
    seen: argv[at] === option ? argv[at + 1] : argv[at]?.slice(option.length + 1),
    expected: "a number",
  });
}

/** @param match name, value and choices, as yargs tells them */
function wrongValue([, name = "", seen = "", listed = ""]: readonly string[], usage: string | undefined): AssayError {
  const choices = listed.split(", ").map((each) => each.replace(/^"|"$/g, ""));
  const meant = nearest(seen, choices);
  return new AssayError({
    what: "This is not one of the words that it takes.",
    where: usage?.includes(`[${name}]`) || usage?.includes(`<${name}>`) ? usage : `--${name}`,
    seen,
    expected: choices.join(", "),
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  });
}

function report(error: unknown): number {
  if (error instanceof AssayError) {
    const [what = "", ...facts] = error.message.split("\n");
    const { bad } = palette(wantsColour(process.stderr, process.env));
    process.stderr.write(`${[bad(what), ...facts].join("\n")}\n`);
    return error.exitCode === EXIT_SOFTWARE ? EXIT_FAULT : error.exitCode;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`assay failed: ${message}\n`);
  if (process.env.ASSAY_DEBUG !== undefined) process.stderr.write(`${stack}\n`);
  else process.stderr.write("  This is a fault of assay. Set ASSAY_DEBUG=1 to see where.\n");
  return EXIT_FAULT;
}
