/**
 * One world of a hunt, run to its end with every checker on. What ends a run too soon is a finding like a broken invariant: a crash, or a run without
 * an end.
 */
import { Judges, type Violation } from "../checkers/index.ts";
import { type PlantedDefect, withDefect } from "../planted/index.ts";
import { buildScenario, type Scenario, Source } from "../scenario/index.ts";
import type { Recorder } from "../trace/index.ts";
import { createWorld } from "../world.ts";
import { type Coverage, CoverageFold } from "./coverage.ts";

export interface TrialOptions {
  readonly defect?: PlantedDefect | undefined;
  readonly recorder?: Recorder | undefined;
  readonly coverage?: Coverage | undefined;
}

export interface Trial {
  /** The first twenty; empty where nothing was found. */
  readonly violations: readonly Violation[];
  readonly jobs: number;
  readonly hash: string;
}

/** Names of findings that no checker tells. */
export const CRASH = "crash";
export const ENDLESS = "endless";

/** The world of a drawn scenario; its words need no place in a file. */
const drawn = new Source("{}", "drawn world");

/** Runs one world. The chain is the one in memory, so nothing is waited for. */
export async function tryWorld(scenario: Scenario, options: TrialOptions = {}): Promise<Trial> {
  const { defect, recorder, coverage } = options;
  const built = withDefect(buildScenario({ scenario, source: drawn }), defect);
  const world = createWorld({ ...built, recorder });
  const judges = new Judges();
  for (const judge of judges.folds) world.trace.subscribe(judge);
  if (coverage !== undefined) world.trace.subscribe(new CoverageFold(coverage));
  const result = (violations: readonly Violation[]): Trial => ({
    violations,
    jobs: world.jobs.opened,
    hash: world.trace.hash(),
  });
  try {
    world.start();
    if (await world.run(async () => false)) {
      world.finish();
      judges.finish(world.kernel.now);
      return result(judges.violations);
    }
    const endless = { checker: ENDLESS, time: world.kernel.now, what: `no end after ${world.kernel.processed} events` };
    return result([...judges.violations, endless]);
  } catch (error) {
    // A broken invariant may have been seen before the world broke down over it.
    const what = (error as Error).message.split("\n").join(" ");
    return result([...judges.violations, { checker: CRASH, time: world.kernel.now, what }]);
  }
}
