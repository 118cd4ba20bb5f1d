/** Conducts a study: first the pilots that find the warm-ups, then the replications, each done once however often the study is begun. */
import type { Engine, Outcome, Study, Task } from "../../sim/study/index.ts";
import { pilotTask, replicationTask } from "../../sim/study/index.ts";
import type { Ending, Runner } from "./runner.ts";

/** One of several parts of a study: `index` from 1 to `count`. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface Conduct {
  readonly runner: Runner;
  readonly engine: Engine;
  readonly signal: AbortSignal;
  /** What is there already; outcomes come in here. */
  readonly outcomes: Map<string, Outcome>;
  /** Keeps an outcome for good; puts it into `outcomes`, too. */
  readonly keep: (task: Task, text: string) => void;
  readonly shard?: Shard | undefined;
  readonly progress?: ((ended: number, total: number, found: number) => void) | undefined;
}

export interface Failure {
  readonly task: Task;
  readonly message: string;
}

export interface Conducted {
  /** Replications that this part of the study has, and those that are there. */
  readonly total: number;
  readonly done: number;
  readonly failures: readonly Failure[];
  readonly interrupted: boolean;
}

export async function conduct(study: Study, how: Conduct): Promise<Conducted> {
  const mine = partOf(study, how.shard);
  const points = [...new Set(mine.map(([point]) => point))];
  const failures: Failure[] = [];
  const pilots = study.warmUp === "mser5" ? points.map((point) => pilotTask(study, point, how.engine)) : [];
  const total = pilots.length + mine.length;
  let ended = 0;
  const found = { count: 0 };
  const doAll = async (tasks: readonly Task[]): Promise<void> => {
    const missing = tasks.filter((task) => !how.outcomes.has(task.key));
    ended += tasks.length - missing.length;
    found.count += tasks.length - missing.length;
    how.progress?.(ended, total, found.count);
    const end = (task: Task, ending: Ending): void => {
      if ("outcome" in ending) how.keep(task, ending.outcome);
      else failures.push({ task, message: ending.failure });
      how.progress?.(++ended, total, found.count);
    };
    if (missing.length > 0 && !how.signal.aborted) await how.runner.run(missing, end, how.signal);
  };
  await doAll(pilots);
  const warmUps = new Map(pilots.map((task) => [task.point, how.outcomes.get(task.key)?.warmUp.jobs]));
  const tasks = mine.flatMap(([point, replication]) => {
    const warmUp = study.warmUp === "mser5" ? warmUps.get(point) : study.warmUp;
    // A point without a warm-up is one whose pilot has failed: its replications would fail as well.
    return warmUp === undefined ? [] : [replicationTask(study, point, replication, warmUp, how.engine)];
  });
  await doAll(tasks);
  const done = tasks.filter(({ key }) => how.outcomes.has(key)).length;
  failures.sort((a, b) => a.task.point - b.task.point || a.task.replication - b.task.replication);
  return { total: mine.length, done, failures, interrupted: how.signal.aborted };
}

/** Point and replication of what this part has to do: whole points where there are enough of them, so that each pilot is done once. */
function partOf({ points, replications }: Study, shard: Shard | undefined): readonly (readonly [number, number])[] {
  const all = points.flatMap(({ index }) =>
    Array.from({ length: replications }, (_, replication) => [index, replication] as const),
  );
  if (shard === undefined) return all;
  const byPoint = points.length >= shard.count;
  return all.filter(([point], at) => (byPoint ? point : at) % shard.count === shard.index - 1);
}
