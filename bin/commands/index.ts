/**
 * The commands of `assay`, in the order in which `--help` shows them. Each is loaded when it is asked for: the judge, the world and the chain
 * client together take a second to load, and nobody waits for what he does not use.
 */
import type { Command } from "../command.ts";
import { COMPLETING } from "../completion.ts";

type Load = () => Promise<Command>;

const loads: Readonly<Record<string, Load>> = {
  demo: async () => (await import("./demo.ts")).demoCommand,
  conform: async () => (await import("./conform.ts")).conformCommand,
  serve: async () => (await import("./serve.ts")).serveCommand,
  run: async () => (await import("./run.ts")).runCommandModule,
  replay: async () => (await import("./replay.ts")).replayCommand,
  fuzz: async () => (await import("./fuzz.ts")).fuzzCommand,
  verify: async () => (await import("./verify.ts")).verifyCommand,
  diff: async () => (await import("./diff.ts")).diffCommand,
  sweep: async () => (await import("./sweep.ts")).sweepCommand,
  find: async () => (await import("./find.ts")).findCommand,
  calibrate: async () => (await import("./calibrate.ts")).calibrateCommand,
  worker: async () => (await import("./worker.ts")).workerCommand,
  merge: async () => (await import("./merge.ts")).mergeCommand,
  compare: async () => (await import("./compare.ts")).compareCommand,
  requirements: async () => (await import("./requirements.ts")).requirementsCommand,
  defects: async () => (await import("./defects.ts")).defectsCommand,
  score: async () => (await import("./score.ts")).scoreCommand,
  init: async () => (await import("./init.ts")).initCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  schema: async () => (await import("./schema.ts")).schemaCommand,
};

export const commandNames: readonly string[] = Object.keys(loads);

export const allCommands = (): Promise<readonly Command[]> => Promise.all(Object.values(loads).map((load) => load()));

/** What a command line needs: the command that it begins with, or all, where it names none. */
export async function commandsFor(argv: readonly string[]): Promise<readonly Command[]> {
  const completing = argv[0] === COMPLETING;
  const words = completing ? argv.slice(2) : argv;
  // While the first word is still typed, names are enough, and soon there.
  if (completing && words.length < 2) return commandNames.map(named);
  const name = words.find((word) => !word.startsWith("-"));
  const load = name === undefined ? undefined : loads[name];
  if (load !== undefined) return [await load()];
  const needsNone = name === "completion" || argv.join(" ") === "--version";
  return needsNone ? [] : allCommands();
}

/** A command that is there to be named. */
const named = (command: string): Command => ({ command, describe: "", builder: (yargs) => yargs, handler: () => {} });
