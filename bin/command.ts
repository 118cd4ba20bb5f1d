/** What a command of `assay` is: a yargs module that sets `process.exitCode`, or throws an `AssayError` that says what is wrong. */
import type { Argv } from "yargs";

/** A command; `Options` are its flags under their camel-case names. */
// biome-ignore lint/suspicious/noExplicitAny: commands of different options stand in one list
export interface Command<Options = any> {
  /** Name and positional arguments, as yargs writes them: `run <scenario>`. */
  readonly command: string;
  readonly describe: string;
  builder(yargs: Argv<object>): Argv<Partial<Options>>;
  handler(options: Options): void | Promise<void>;
}
