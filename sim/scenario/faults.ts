/** From `faults` of a scenario to the faults of its workers. */
import type { Worker } from "../actors/index.ts";
import type { WorkerFault } from "../faults/workers.ts";
import type { Context } from "./context.ts";
import { chances } from "./reader.ts";
import type { ScenarioFault } from "./scenario.ts";
import type { Path } from "./source.ts";

export function workerFaults(context: Context): readonly WorkerFault[] {
  const { scenario, reader } = context;
  const calm = reader.time(scenario.calm_at, ["calm_at"]) ?? Infinity;
  return (scenario.faults ?? []).flatMap((fault, place) => {
    const path = ["faults", place];
    const kind = fault.fault;
    if (kind === "partition" || kind === "clog") return [];
    const span = spanOf(context, fault, path);
    if (span.at + span.lasts >= calm) {
      throw reader.wrong(
        [...path, "at"],
        "This fault does not end before the calm begins.",
        fault.at,
        "an end before calm_at",
      );
    }
    if (kind === "slow" && fault.factor === undefined) {
      throw reader.wrong(path, "This fault does not say how slow.", kind, 'a field "factor", such as 4');
    }
    return [
      {
        kind,
        place,
        ...span,
        until: Math.min(span.until, calm - span.lasts - 1),
        share: chances(fault.share ?? 1),
        slowness: Math.round((fault.factor ?? 1) * 1_000),
        strikes: targets(context, fault, path),
      },
    ];
  });
}

interface Span {
  readonly at: number;
  readonly lasts: number;
  readonly every: number;
  readonly until: number;
}

/** When a fault comes; it does not come again after the scenario's duration. */
export function spanOf({ reader, scenario }: Context, fault: ScenarioFault, path: Path): Span {
  const at = reader.time(fault.at, [...path, "at"]);
  const lasts = reader.time(fault.for, [...path, "for"]) ?? 0;
  const every = reader.time(fault.every, [...path, "every"]) ?? 0;
  const until = reader.time(scenario.duration, ["duration"]) ?? Infinity;
  if (fault.fault !== "drop" && lasts === 0) {
    throw reader.wrong(path, "This fault lasts no time.", fault.for ?? "nothing", 'a field "for", such as 5min');
  }
  if (every > 0 && every <= lasts) {
    throw reader.wrong(
      [...path, "every"],
      "This fault comes again before it has ended.",
      fault.every,
      "more than `for`",
    );
  }
  if (every > 0 && until === Infinity) {
    throw reader.wrong(
      [...path, "every"],
      "This fault never ends to come.",
      "no duration",
      "a duration of the scenario",
    );
  }
  return { at, lasts, every, until };
}

/** Whom a fault is meant for: a class by its name, a kind, a region, or all. */
function targets(
  { reader, scenario }: Context,
  { workers = "all", region }: ScenarioFault,
  path: Path,
): (worker: Worker) => boolean {
  const here = (worker: Worker): boolean => region === undefined || worker.class.region === region;
  if (region !== undefined) {
    const regions = [...new Set(scenario.workers.flatMap((each) => each.region ?? []))];
    reader.named(region, regions, [...path, "region"], "There are no workers in this region.");
  }
  if (workers === "all") return here;
  if (workers === "native" || workers === "browser") return (worker) => worker.kind === workers && here(worker);
  const names = scenario.workers.map(({ name }) => name ?? "");
  const label = reader.named(
    workers,
    [...names, "all", "native", "browser"],
    [...path, "workers"],
    "There are no such workers.",
  );
  return (worker) => worker.class.label === label && here(worker);
}
