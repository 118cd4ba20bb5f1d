/** From `workers` of a scenario to classes of workers. */
import { MINIMUM_NATIVE_STAKE } from "../../fixtures/protocol/limits.ts";
import { browserWorker, conducts, nativeWorker, type WorkerClass } from "../actors/index.ts";
import { Clock } from "../network/index.ts";
import { type Context, modelNamed } from "./context.ts";
import { clockOf } from "./network.ts";
import { chances } from "./reader.ts";
import type { ScenarioWorkers } from "./scenario.ts";
import type { Path } from "./source.ts";

/** @param label the class's place in the scenario, where the scenario names its classes */
export function workerClass(
  context: Context,
  workers: ScenarioWorkers,
  path: Path,
  label: number | undefined,
): WorkerClass {
  const { reader } = context;
  const { kind, slots, stake, works_late, cost, rejoins } = workers;
  if (kind === "native" && stake !== undefined && stake < MINIMUM_NATIVE_STAKE) {
    const expected = `${MINIMUM_NATIVE_STAKE} tokens or more`;
    throw reader.wrong([...path, "stake"], "A native worker stakes too little.", stake, expected);
  }
  const hosted = hostedBy(context, workers, path);
  const clock = clockOf(context, workers.clock, [...path, "clock"]);
  const given = {
    slots,
    stake,
    worksLate: works_late,
    firstToken: reader.draws(workers.first_token, [...path, "first_token"]),
    promptTokenTime: reader.time(workers.prompt_token_time, [...path, "prompt_token_time"]),
    tokenTime: reader.draws(workers.token_time, [...path, "token_time"]),
    service: reader.draws(workers.service, [...path, "service"]),
    dishonest: workers.dishonest && chances(workers.dishonest),
    silent: workers.silent && chances(workers.silent),
    failing: workers.failing && chances(workers.failing),
    label,
    cost: cost && { perJob: cost.per_job ?? 0, perThousandTokens: cost.per_1k_tokens ?? 0 },
    cheats: cheats(workers),
    clock: clock && new Clock(clock),
    region: workers.region,
    batching: workers.batching && Math.round(workers.batching * 1_000),
    session: session(context, workers, path),
    rejoins: rejoins && { after: reader.time(rejoins.after, [...path, "rejoins", "after"]), cost: rejoins.cost ?? 0 },
  };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return (kind === "native" ? nativeWorker : browserWorker)(hosted, changes);
}

/** Models by their numbers. */
function hostedBy(context: Context, { models = "all", memory = Infinity }: ScenarioWorkers, path: Path): number[] {
  const { reader, scenario } = context;
  const at = [...path, "models"];
  const needs = context.models.map((_, index) => scenario.models?.[index]?.memory ?? 0);
  const all = context.models.map((_, index) => index);
  if (models === "fitting") {
    let left = memory;
    const fitting = all.filter((model) => {
      if (needs[model]! > left) return false;
      left -= needs[model]!;
      return true;
    });
    if (fitting.length > 0) return fitting;
    throw reader.wrong(
      [...path, "memory"],
      "No model fits into these workers.",
      memory,
      `${Math.min(...needs)} or more`,
    );
  }
  if (typeof models === "string" && models !== "all") {
    const what = "This is neither a list of models nor all of them.";
    throw reader.wrong(at, what, models, 'a list, "all" or "fitting"');
  }
  const hosted = models === "all" ? all : models.map((id, index) => modelNamed(context, id, [...at, index]));
  const need = hosted.reduce((sum, model) => sum + needs[model]!, 0);
  if (need <= memory) return hosted;
  const hint = 'host fewer, or write models: "fitting"';
  throw reader.wrong([...path, "memory"], "The models do not fit into these workers.", memory, `${need} or more`, hint);
}

function session(context: Context, { session: written }: ScenarioWorkers, path: Path): WorkerClass["session"] {
  if (written === undefined) return undefined;
  const { reader, scenario } = context;
  const at = [...path, "session"];
  const until = Math.min(
    reader.time(scenario.duration, ["duration"]) ?? Infinity,
    (reader.time(scenario.calm_at, ["calm_at"]) ?? Infinity) - 1,
  );
  if (written.away !== undefined && until === Infinity) {
    const expected = "a duration of the scenario";
    throw reader.wrong([...at, "away"], "These workers never cease to come and go.", "no duration", expected);
  }
  return {
    joins: reader.draws(written.joins, [...at, "joins"]),
    stays: reader.draws(written.stays, [...at, "stays"]),
    away: reader.draws(written.away, [...at, "away"]),
    drains: written.drains ?? false,
    until,
  };
}

function cheats({ cheats: written }: ScenarioWorkers): WorkerClass["cheats"] {
  if (written === undefined) return undefined;
  const { how, share = 1, pace, effort, resemblance } = written;
  const changes = {
    ...(pace !== undefined && { pace: Math.round(pace * 1_000) }),
    ...(effort !== undefined && { effort: Math.round(effort * 1_000) }),
    ...(resemblance !== undefined && { resemblance: chances(resemblance) }),
  };
  return { conduct: conducts[how](changes), share: chances(share) };
}
