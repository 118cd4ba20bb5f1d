/**
 * Runs a world to its end with all checkers and the figures on.
 */
import { Judges, type MakeChecker, type Violation } from "./checkers/index.ts";
import { FigureFold, type Figures } from "./metrics/index.ts";
import type { Fold, WorldKinds } from "./trace/index.ts";
import { createWorld, type WorldOptions } from "./world.ts";

export interface Progress {
  /** Virtual microseconds. */
  readonly time: number;
  /** Kernel events so far. */
  readonly events: number;
  readonly jobs: number;
}

export interface RunOptions {
  /** Called every quarter of a million events; an answer of false ends the run there. */
  readonly pause?: ((progress: Progress) => Promise<boolean>) | undefined;
  /** Which checkers judge the run: all unless told. */
  readonly checkers?: Readonly<Record<string, MakeChecker>> | undefined;
  /** Further readers of the trace. */
  readonly folds?: readonly Fold<WorldKinds>[] | undefined;
}

export interface RunResult {
  readonly seed: string | number;
  /** False where `pause` ended the run; then what had not happened yet is not judged. */
  readonly complete: boolean;
  /** Virtual microseconds at the end. */
  readonly time: number;
  /** Kernel events, and events of the trace. */
  readonly events: number;
  readonly traceEvents: number;
  /** Names the run: 16 hexadecimal digits. */
  readonly hash: string;
  readonly figures: Figures;
  /** How many invariants were judged. */
  readonly checkers: number;
  /** The first twenty. */
  readonly violations: readonly Violation[];
  readonly violationCount: number;
}

export async function runWorld(
  options: WorldOptions,
  { pause, checkers, folds = [] }: RunOptions = {},
): Promise<RunResult> {
  const world = createWorld(options);
  const judges = new Judges(checkers);
  const fold = new FigureFold(options.parties);
  for (const judge of judges.folds) world.trace.subscribe(judge);
  world.trace.subscribe(fold);
  world.trace.subscribe(fold.parties);
  for (const each of folds) world.trace.subscribe(each);
  world.start();
  const progress = (): Progress => ({
    time: world.kernel.now,
    events: world.kernel.processed,
    jobs: world.jobs.opened,
  });
  const complete = await world.run(pause && (() => pause(progress())));
  if (complete) {
    world.finish();
    judges.finish(world.kernel.now);
  }
  return {
    seed: options.seed,
    complete,
    time: world.kernel.now,
    events: world.kernel.processed,
    traceEvents: world.trace.events,
    hash: world.trace.hash(),
    figures: fold.figures(),
    checkers: judges.folds.length,
    violations: judges.violations,
    violationCount: judges.count,
  };
}
