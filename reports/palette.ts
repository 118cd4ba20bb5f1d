/** The one door to terminal colours: names say what a colour means, not which it is. */
import { Chalk, type ChalkInstance } from "chalk";

export interface Palette {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly name: (text: string) => string;
}

/** Colours, or none of them. */
export function palette(colour: boolean): Palette {
  const chalk: ChalkInstance = new Chalk({ level: colour ? 1 : 0 });
  return {
    good: (text) => chalk.green(text),
    bad: (text) => chalk.red(text),
    doubtful: (text) => chalk.yellow(text),
    quiet: (text) => chalk.dim(text),
    strong: (text) => chalk.bold(text),
    name: (text) => chalk.cyan(text),
  };
}

/** Whether a stream is to be coloured: a terminal, unless the environment says otherwise (https://no-color.org, FORCE_COLOR). */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return stream.isTTY === true && env.TERM !== "dumb";
}
