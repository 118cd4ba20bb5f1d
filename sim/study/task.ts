/**
 * The smallest piece of a study: one replication of one point, or the pilot that finds a point's warm-up. A task is plain data, carries everything
 * that its outcome depends on, and gives the same outcome to the last byte wherever it is run.
 */
import { AssayError } from "../core/index.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import type { WorldOptions } from "../world.ts";
import { pilot, type Replication, replicate } from "./replication.ts";
import { hashOfFile, type Study } from "./study.ts";
import { PILOTS } from "./warm-up.ts";

/** What must be equal for two machines to give equal outcomes. */
export interface Engine {
  /** Of the package. */
  readonly version: string;
  /** The outcome of a small world of reference: two builds that differ in what they simulate differ in it. */
  readonly fingerprint: string;
}

export interface Task {
  /** Names the task within all studies. */
  readonly key: string;
  readonly kind: "pilot" | "replication";
  readonly study: string;
  readonly engine: Engine;
  readonly point: number;
  /** From 0; -1 for a pilot. */
  readonly replication: number;
  /** One for a replication, one a run for a pilot. */
  readonly seeds: readonly string[];
  /** Jobs to leave out. */
  readonly warmUp: number;
  readonly factors: Readonly<Record<string, unknown>>;
  readonly scenario: object;
  readonly scenarioHash: string;
  readonly base: string;
  readonly trace: string | null;
  readonly traces: Readonly<Record<string, string>>;
}

/** What a task comes to; together with its task's names it is one row of the table. */
export interface Outcome {
  readonly key: string;
  readonly kind: Task["kind"];
  readonly study: string;
  readonly engine: Engine;
  readonly scenarioHash: string;
  readonly point: number;
  readonly replication: number;
  readonly seeds: readonly string[];
  readonly factors: Readonly<Record<string, unknown>>;
  readonly warmUp: { readonly jobs: number; readonly settled: boolean };
  /** Absent from a pilot. */
  readonly run?: Omit<Replication, "batches" | "warmUp" | "complete"> | undefined;
}

const nameOf = (study: Study, point: number, rest: string): string =>
  study.commonRandomNumbers ? `${study.seed}-${rest}` : `${study.seed}-${point}-${rest}`;

function taskOf(
  study: Study,
  point: number,
  engine: Engine,
): Omit<Task, "key" | "kind" | "replication" | "seeds" | "warmUp"> {
  const { factors, scenario, hash } = study.points[point]!;
  const { base, traces, trace = null } = study;
  return { study: study.hash, engine, point, factors, scenario, scenarioHash: hash, base, trace, traces };
}

export function pilotTask(study: Study, point: number, engine: Engine): Task {
  return {
    ...taskOf(study, point, engine),
    key: `${study.hash}-p${point}-pilot`,
    kind: "pilot",
    replication: -1,
    seeds: Array.from({ length: PILOTS }, (_, index) => nameOf(study, point, `pilot-${index}`)),
    warmUp: 0,
  };
}

/** @param warmUp jobs to leave out, as the point's pilot or the study says */
export function replicationTask(
  study: Study,
  point: number,
  replication: number,
  warmUp: number,
  engine: Engine,
): Task {
  return {
    ...taskOf(study, point, engine),
    key: `${study.hash}-p${point}-r${replication}`,
    kind: "replication",
    replication,
    seeds: [nameOf(study, point, String(replication))],
    warmUp,
  };
}

/** @throws AssayError where a file that the task names is another one here; whatever the world throws */
export async function runTask(task: Task): Promise<Outcome> {
  for (const [file, hash] of Object.entries(task.traces)) checkTrace(file, hash);
  const loaded = parseScenario(JSON.stringify(task.scenario), task.base);
  const worlds = task.seeds.map(
    (seed): WorldOptions => buildScenario(loaded, { seed, trace: task.trace ?? undefined }),
  );
  const { key, kind, study, engine, scenarioHash, point, replication, seeds, factors } = task;
  const context = { key, kind, study, engine, scenarioHash, point, replication, seeds, factors };
  if (kind === "pilot") {
    const { leave, settled } = await pilot(worlds);
    return { ...context, warmUp: { jobs: leave, settled } };
  }
  const { batches: _none, warmUp, complete: _always, ...run } = await replicate(worlds[0]!, { warmUp: task.warmUp });
  return { ...context, warmUp, run };
}

const seen = new Map<string, string>();

function checkTrace(file: string, hash: string): void {
  const here = seen.get(file) ?? hashOfFile(file);
  seen.set(file, here);
  if (here === hash) return;
  throw new AssayError({
    what: "The arrival trace is another one than the study's.",
    where: file,
    seen: `SHA-256 ${here}`,
    expected: `SHA-256 ${hash}`,
    hint: "put the same file in the same place on every machine",
  });
}

const REFERENCE = `
duration: 2min
workers:
  - { kind: native, count: 2, slots: 2, dishonest: 0.2, failing: 0.1, silent: 0.05 }
  - { kind: browser, count: 2 }
clients:
  - { name: a, wallets: 3, arrivals: { process: poisson, rate: 1 }, checks: { share: 0.5 } }
`;

/** Runs the world of reference. */
export async function fingerprint(): Promise<string> {
  const world = buildScenario(parseScenario(REFERENCE, "reference"), { seed: "reference" });
  return (await replicate(world, { warmUp: 10 })).traceHash;
}
