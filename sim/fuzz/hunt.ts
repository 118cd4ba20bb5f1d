/**
 * The hunt: world after world, each drawn, run and judged. What is found is shrunk to a small scenario that shows it again.
 */

import type { Violation } from "../checkers/index.ts";
import { AssayError, EXIT_USAGE } from "../core/index.ts";
import { findPlanted, type PlantedDefect } from "../planted/index.ts";
import type { Scenario } from "../scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent, type WorldKinds } from "../trace/index.ts";
import { addCoverage, type Coverage, emptyCoverage } from "./coverage.ts";
import { drawWorld } from "./draw.ts";
import { features } from "./features.ts";
import { shrink } from "./shrink.ts";
import { tryWorld } from "./trial.ts";

/** A row of worlds for one thread. Plain data. */
export interface Batch {
  readonly seed: string | number;
  /** Number of the first world, and how many. */
  readonly first: number;
  readonly count: number;
  /** Id of a planted defect that every world has. */
  readonly defect?: string | undefined;
  /** Only what this checker tells counts. */
  readonly checker?: string | undefined;
}

export interface Found {
  readonly world: number;
  readonly features: readonly string[];
  readonly scenario: Scenario;
  readonly violations: readonly Violation[];
  readonly jobs: number;
}

export interface BatchResult {
  readonly worlds: number;
  readonly jobs: number;
  readonly coverage: Coverage;
  /** The first world that failed; the batch ends there. */
  readonly found: Found | undefined;
}

/** How often a world is run a second time to see whether it is the same. */
const REPEAT_EVERY = 50;

export const NOT_REPEATABLE = "not-repeatable";

export async function huntBatch({ seed, first, count, defect: id, checker }: Batch): Promise<BatchResult> {
  const defect = id === undefined ? undefined : findPlanted(id);
  const coverage = emptyCoverage(features.map(({ name }) => name));
  let jobs = 0;
  for (let world = first; world < first + count; world++) {
    const drawn = drawWorld(seed, world);
    const trial = await tryWorld(drawn.scenario, { defect, coverage });
    for (const name of drawn.features) coverage.features[name]!++;
    jobs += trial.jobs;
    const violations = trial.violations.filter((violation) => checker === undefined || violation.checker === checker);
    if (violations.length === 0 && world % REPEAT_EVERY === 0) {
      const again = await tryWorld(drawn.scenario, { defect });
      const what = `the hash is ${trial.hash}, and ${again.hash} the second time`;
      if (again.hash !== trial.hash) violations.push({ checker: NOT_REPEATABLE, time: 0, what });
    }
    if (violations.length > 0) {
      const found = { world, features: drawn.features, scenario: drawn.scenario, violations, jobs: trial.jobs };
      return { worlds: world - first + 1, jobs, coverage, found };
    }
  }
  return { worlds: count, jobs, coverage, found: undefined };
}

/** Adds up what threads have found. */
export class Tally {
  readonly coverage = emptyCoverage(features.map(({ name }) => name));
  worlds = 0;
  jobs = 0;
  readonly found: Found[] = [];

  add(result: BatchResult): void {
    this.worlds += result.worlds;
    this.jobs += result.jobs;
    addCoverage(this.coverage, result.coverage);
    if (result.found !== undefined) this.found.push(result.found);
  }
}

/** A failure made small, and what happened in it. */
export interface Counterexample {
  readonly scenario: Scenario;
  /** The first violation of the checker that the hunt was after. */
  readonly violation: Violation;
  readonly jobs: number;
  readonly hash: string;
  /** Worlds tried on the way. */
  readonly tries: number;
  readonly events: readonly TraceEvent<WorldKinds>[];
}

/** What stays the same of a finding while its world shrinks: who tells, and what, but for the numbers. */
const fingerprint = ({ checker, what }: Violation): string => `${checker}: ${what.replace(/-?\d+/g, "#")}`;

/** Shrinks a world that failed: the first thing told must still be told, of whichever job. */
export async function shrinkFound(found: Found, defect: PlantedDefect | undefined): Promise<Counterexample> {
  const [first] = found.violations as readonly [Violation];
  const tells = (violation: Violation): boolean => fingerprint(violation) === fingerprint(first);
  const fails = async (scenario: Scenario): Promise<boolean> => {
    try {
      return (await tryWorld(scenario, { defect })).violations.some(tells);
    } catch (error) {
      // What is left of the scenario does not fit together any more.
      if (error instanceof AssayError && error.exitCode === EXIT_USAGE) return false;
      throw error;
    }
  };
  const { scenario, tries } =
    first.checker === NOT_REPEATABLE
      ? { scenario: found.scenario, tries: 0 }
      : await shrink(found.scenario, fails, first.checker === LIVENESS ? ["until"] : []);
  const recorder = new MemoryRecorder(kinds);
  const { violations, jobs, hash } = await tryWorld(scenario, { defect, recorder });
  return { scenario, violation: violations.find(tells) ?? first, jobs, hash, tries, events: [...recorder] };
}

/** In a world whose clients do not stop, jobs may time out rightly in the calm, too. */
const LIVENESS = "served-in-calm";
