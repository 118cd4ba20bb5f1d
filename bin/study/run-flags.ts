/** The flags of `assay run` that ask for more than one run, and what they are handed to. */
import { availableParallelism } from "node:os";
import { AssayError } from "../../sim/core/index.ts";
import type { Streams } from "../commands/run.ts";
import { checkedCount, runnerOf } from "./options.ts";

export interface ManyFlags {
  readonly replications?: number | undefined;
  readonly precision?: string | undefined;
  readonly metric?: readonly string[] | undefined;
  readonly against?: string | undefined;
  readonly batches?: number | undefined;
  readonly warmUp?: string | undefined;
  readonly floor?: number | undefined;
  readonly ceiling?: number | undefined;
  readonly threads?: number | undefined;
}

export const manyFlags = {
  replications: {
    type: "number",
    requiresArg: true,
    describe: "so many runs that differ in their seeds; figures with intervals",
  },
  precision: {
    type: "string",
    requiresArg: true,
    describe: "replications until the half-width is so small a share of the mean: 2%",
  },
  metric: {
    type: "string",
    array: true,
    requiresArg: true,
    describe: "what is made precise and shown: sojourn.p95, jobs.refundedShare …",
  },
  against: {
    type: "string",
    requiresArg: true,
    describe: "compare with this scenario, pair by pair under common random numbers",
  },
  batches: { type: "number", requiresArg: true, describe: "intervals from one long run, cut into so many batches" },
  "warm-up": {
    type: "string",
    requiresArg: true,
    describe: "what is left out at the start: mser5 (found by pilot runs), none, or jobs",
  },
  floor: { type: "number", requiresArg: true, describe: "with --precision: no fewer replications [10]" },
  ceiling: { type: "number", requiresArg: true, describe: "with --precision: no more replications [1000]" },
  threads: { type: "number", requiresArg: true, describe: "replications at once [one a processor]" },
} as const;

const ASKING = ["replications", "precision", "against", "batches"] as const;
const SINGLE = ["record", "chain", "rpc", "defect"] as const;

/** Whether the command line asks for more than a single run. @throws AssayError where flags do not fit together */
export function wantsMany(options: ManyFlags & object): boolean {
  const given = options as Readonly<Record<string, unknown>>;
  const asks = ASKING.filter((flag) => given[flag] !== undefined);
  const lone = (["metric", "warmUp", "floor", "ceiling", "threads"] as const).find((flag) => given[flag] !== undefined);
  if (asks.length === 0) {
    if (lone === undefined) return false;
    throw new AssayError({
      what: "This option is for more than a single run.",
      where: `--${lone === "warmUp" ? "warm-up" : lone}`,
      expected: "one of --replications, --precision, --against, --batches beside it",
    });
  }
  const single = SINGLE.find((flag) => given[flag] !== undefined && given[flag] !== "memory");
  if (single !== undefined) {
    throw new AssayError({
      what: "This option is for a single run.",
      where: `--${single}`,
      seen: `--${asks[0]}`,
      expected: "either of them",
      hint: "each replication can be run alone by its seed: --seed 1-0, 1-1, …",
    });
  }
  if (given.batches !== undefined && asks.length > 1) {
    throw new AssayError({
      what: "Batches are those of one run.",
      where: "--batches",
      seen: asks
        .filter((flag) => flag !== "batches")
        .map((flag) => `--${flag}`)
        .join(", "),
      expected: "--batches without them",
    });
  }
  if (given.replications !== undefined && given.precision !== undefined) {
    throw new AssayError({
      what: "How many replications are made is said twice.",
      where: "--replications, --precision",
      expected: "a number, or a precision with --floor and --ceiling",
    });
  }
  return true;
}

export async function runManyCommand(
  options: ManyFlags & {
    readonly scenario: string;
    readonly trace?: string | undefined;
    readonly seed?: string | undefined;
    readonly json: boolean;
    readonly quiet: boolean;
  },
  streams: Streams,
): Promise<number> {
  // Threads and statistics take a while to load, and a single run needs neither.
  const { runBatches, runMany } = await import("./run-many.ts");
  const many = {
    ...options,
    replications: checkedCount(options.replications, "--replications"),
    floor: checkedCount(options.floor, "--floor") ?? 10,
    ceiling: checkedCount(options.ceiling, "--ceiling") ?? 1_000,
    warmUp: options.warmUp ?? "mser5",
  };
  const batches = checkedCount(options.batches, "--batches", 2);
  if (batches !== undefined) return runBatches(many, batches, streams);
  const runner = await runnerOf({ queue: undefined, threads: options.threads ?? availableParallelism() });
  try {
    return await runMany(many, runner, streams);
  } finally {
    await runner.close();
  }
}
