/** `assay verify`: one scenario and seed, many runs, one trace: shown for this scenario on this machine. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { palette, wantsColour } from "../../reports/palette.ts";
import { tableOf } from "../../reports/plain-table.ts";
import { AssayError } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { type Proof, type ProofTask, runForProof } from "../verify/proof.ts";
import type { Streams } from "./run.ts";

export interface VerifyOptions {
  readonly scenario: string;
  readonly seed?: string | undefined;
  readonly trace?: string | undefined;
  readonly threads: number;
  readonly json: boolean;
}

export const verifyCommand: Command<VerifyOptions> = {
  command: "verify <scenario>",
  describe: "Run a scenario twice and on worker threads, and see that every run is the same",
  builder: (yargs) =>
    yargs
      .positional("scenario", { type: "string", demandOption: true, describe: "YAML file" })
      .option("seed", { type: "string", requiresArg: true, describe: "goes before the scenario's own" })
      .option("trace", { type: "string", requiresArg: true, describe: "CSV file of recorded arrivals" })
      .option("threads", { type: "number", default: 2, describe: "runs on threads of their own" })
      .option("json", { type: "boolean", default: false, describe: "as JSON" })
      .example("$0 verify scenarios/calm-day.yaml --threads 4", "six runs, one hash"),
  handler: async (options) => {
    process.exitCode = await verify(options, { out: process.stdout, err: process.stderr, env: process.env });
  },
};

/** @returns 0 where all runs are the same, 1 where one differs */
export async function verify(options: VerifyOptions, { out, env }: Streams): Promise<number> {
  const { scenario, seed, trace, threads } = options;
  if (!Number.isInteger(threads) || threads < 0) {
    throw new AssayError({
      what: "No such number of threads.",
      where: "--threads",
      seen: threads,
      expected: "0 or more",
    });
  }
  const task: ProofTask = { scenario, seed, trace };
  const here = [await runForProof(task), await runForProof(task)];
  const there = threads === 0 ? [] : await onThreads(task, threads);
  const runs = [
    ...here.map((proof, index) => ({ where: index === 0 ? "this thread" : "this thread again", ...proof })),
    ...there.map((proof, index) => ({ where: `worker thread ${index + 1}`, ...proof })),
  ];
  const [first] = runs as [(typeof runs)[number]];
  const same = runs.every(
    (run) => run.hash === first.hash && run.events === first.events && run.figures === first.figures,
  );
  if (options.json) {
    out.write(`${JSON.stringify({ scenario, same, node: process.version, runs }, null, 2)}\n`);
    return same ? 0 : 1;
  }
  const colours = palette(wantsColour(out, env));
  const rows = runs.map((run) => [
    `  ${run.where}`,
    `hash ${run.hash}`,
    `figures ${run.figures}`,
    `${run.events.toLocaleString("en-US")} events`,
  ]);
  const verdict = same
    ? colours.good(`${runs.length} runs, one trace`)
    : colours.bad("the runs differ: assay run --record twice, and assay diff, show where");
  out.write(`${colours.strong(scenario)}  Node ${process.version}\n${tableOf(rows)}\n${verdict}\n`);
  return same ? 0 : 1;
}

async function onThreads(task: ProofTask, threads: number): Promise<readonly Proof[]> {
  const pool = new Piscina<ProofTask, Proof>({ filename: workerFile(), maxThreads: threads, minThreads: threads });
  try {
    return await Promise.all(Array.from({ length: threads }, () => pool.run(task)));
  } finally {
    await pool.destroy();
  }
}

/** Threads load compiled code: beside this file when it is compiled itself, else from the last build. */
function workerFile(): string {
  const beside = fileURLToPath(new URL("../verify/worker.js", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../dist/bin/verify/worker.js", import.meta.url));
}
