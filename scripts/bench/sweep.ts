/**
 * How a study scales from one worker thread to two: 200 points by 20 replications of a small world, the first ones left to warm the threads up.
 *
 * These are seconds of the clock, since that is what threads are for: a machine that is busy with other things, or has one processor, shows less. The
 * processor time beside them shows what the threads cost together.
 */
import { pathToFileURL } from "node:url";
import { engineHere } from "../../bin/study/engine.ts";
import { threads } from "../../bin/study/runner.ts";
import { parseStudy, replicationTask } from "../../sim/study/index.ts";
import { consoleTable, type Table } from "./table.ts";

const STUDY = `
name: scaling
scenario:
  duration: 2h
  models: [{ id: a, tier: lite }]
  workers: [{ kind: browser, count: 3, service: "exponential(mean=10s)" }]
  clients: [{ name: all, units: 1000000, arrivals: { process: poisson, rate: 0.1 } }]
warm_up: none
replications: 20
factors:
  - { name: load, path: "clients[0].arrivals.rate", range: { from: 0.1, to: 0.25, count: 40 } }
  - { name: slots, path: "workers[*].slots", range: { from: 1, to: 5, step: 1 } }
`;

/** All numbers of threads do a slice in turn, so that none has the machine's good minutes to itself. */
const SLICES = 4;

export interface SweepRow {
  readonly threads: number;
  /** Of the clock. */
  readonly runsPerSecond: number;
  /** Of all processors together, for all runs. */
  readonly processorSeconds: number;
}

export async function measureSweep(counts: readonly number[], share = 1): Promise<SweepRow[]> {
  const study = parseStudy(STUDY, "scaling");
  const engine = await engineHere();
  const all = study.points.flatMap(({ index }) =>
    Array.from({ length: study.replications }, (_, replication) =>
      replicationTask(study, index, replication, 0, engine),
    ),
  );
  const tasks = all.filter((_, index) => index % Math.round(1 / share) === 0);
  const runners = counts.map((count) => ({ count, runner: threads(count), seconds: 0, processorSeconds: 0 }));
  const { signal } = new AbortController();
  const failed = (ending: object): void => {
    if ("failure" in ending) throw new Error(String(ending.failure));
  };
  for (const { count, runner } of runners) {
    await runner.run(tasks.slice(0, 50 * count), (_, ending) => failed(ending), signal);
  }
  for (let slice = 0; slice < SLICES; slice++) {
    const part = tasks.filter((_, index) => index % SLICES === slice);
    for (const each of runners) {
      const began = performance.now();
      const before = process.cpuUsage();
      await each.runner.run(part, (_, ending) => failed(ending), signal);
      each.seconds += (performance.now() - began) / 1_000;
      const { user, system } = process.cpuUsage(before);
      each.processorSeconds += (user + system) / 1e6;
    }
  }
  for (const { runner } of runners) await runner.close();
  return runners.map(({ count, seconds, processorSeconds }) => ({
    threads: count,
    runsPerSecond: tasks.length / seconds,
    processorSeconds,
  }));
}

export function sweepTable(rows: readonly SweepRow[]): Table {
  const one = rows[0]!.runsPerSecond;
  return {
    title: "A study of 200 points by 20 replications on worker threads, seconds of the clock",
    head: ["", "runs/s", "against one", "processor time"],
    rows: rows.map(({ threads: count, runsPerSecond, processorSeconds }) => [
      `${count} ${count === 1 ? "thread" : "threads"}`,
      runsPerSecond.toFixed(0),
      `${(runsPerSecond / one).toFixed(2)} x`,
      `${processorSeconds.toFixed(1)} s`,
    ]),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  console.log(consoleTable(sweepTable(await measureSweep([1, 2], Number(process.argv[2] ?? 1)))));
}
