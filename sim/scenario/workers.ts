/** From `workers` of a scenario to classes of workers. */
import { MINIMUM_NATIVE_STAKE } from "../../fixtures/protocol/limits.ts";
import { browserWorker, conducts, nativeWorker, type WorkerClass } from "../actors/index.ts";
import { type Context, modelNamed } from "./context.ts";
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
  const { kind, models = "all", slots, stake, works_late, cost, rejoins } = workers;
  if (kind === "native" && stake !== undefined && stake < MINIMUM_NATIVE_STAKE) {
    const expected = `${MINIMUM_NATIVE_STAKE} tokens or more`;
    throw reader.wrong([...path, "stake"], "A native worker stakes too little.", stake, expected);
  }
  if (typeof models === "string" && models !== "all") {
    const what = "This is neither a list of models nor all of them.";
    throw reader.wrong([...path, "models"], what, models, 'a list, or "all"');
  }
  const hosted =
    models === "all"
      ? context.models.map((_, index) => index)
      : models.map((id, at) => modelNamed(context, id, [...path, "models", at]));
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
    rejoins: rejoins && { after: reader.time(rejoins.after, [...path, "rejoins", "after"]), cost: rejoins.cost ?? 0 },
  };
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return (kind === "native" ? nativeWorker : browserWorker)(hosted, changes);
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
