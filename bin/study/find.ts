/** A search among worlds: each place is a scenario with one value changed, replicated by a runner. */
import { AssayError } from "../../sim/core/index.ts";
import {
  byPoint,
  type Found,
  type Outcome,
  type SearchOptions,
  search,
  studyAt,
  valuesOfMetric,
} from "../../sim/study/index.ts";
import { conduct } from "./conduct.ts";
import { engineHere } from "./engine.ts";
import { warmUpRule } from "./options.ts";
import type { Runner } from "./runner.ts";

export interface Sought {
  readonly scenario: string;
  readonly path: string;
  readonly metric: string;
  readonly warmUp: string;
  readonly trace?: string | undefined;
  readonly seed?: string | undefined;
}

/** @returns undefined where `signal` ended it. @throws AssayError where a run fails, has no value, or nothing crosses */
export async function findCrossing(
  sought: Sought,
  options: SearchOptions,
  runner: Runner,
  progress: (runs: number, at: number) => void,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const outcomes = new Map<string, Outcome>();
  const engine = await engineHere();
  const { scenario, path, trace, seed, metric } = sought;
  return search(options, async (at, replications) => {
    const study = {
      ...studyAt(scenario, { path, value: at }, { trace, seed, warmUp: warmUpRule(sought.warmUp) }),
      replications,
    };
    const { failures, interrupted } = await conduct(study, {
      runner,
      engine,
      signal,
      outcomes,
      keep: (task, text) => {
        outcomes.set(task.key, JSON.parse(text) as Outcome);
        progress(outcomes.size, at);
      },
    });
    if (interrupted) return undefined;
    const [failure] = failures;
    if (failure !== undefined) {
      throw new AssayError({
        what: "A run failed.",
        where: `${path} = ${at}, seed ${failure.task.seeds[0]}`,
        seen: failure.message,
      });
    }
    const here = [...outcomes.values()].filter((outcome) => outcome.study === study.hash);
    const values = valuesOfMetric(byPoint(study, here)[0]!, metric);
    if (values.length === replications) return values;
    throw new AssayError({
      what: "The metric has no value in some run.",
      where: `${path} = ${at}`,
      seen: metric,
      expected: "a metric that every run of the scenario has",
    });
  });
}
