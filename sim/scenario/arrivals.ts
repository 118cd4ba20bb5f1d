/** From `arrivals` of a scenario to a source of requests. */
import { CONVERSATION_2023 } from "../../fixtures/workloads/conversation-2023.ts";
import type { RequestSource } from "../actors/index.ts";
import { AssayError, type Distribution, type DistributionSpec, SECOND } from "../core/index.ts";
import { type ArrivalTrace, loadArrivalTrace } from "./arrival-trace.ts";
import { type Context, lastRequest } from "./context.ts";
import { drawnRequests, replayedRequests } from "./request-sources.ts";
import type { ScenarioArrivals, ScenarioClients } from "./scenario.ts";
import type { Path } from "./source.ts";

export function requests(context: Context, clients: ScenarioClients, path: Path): RequestSource {
  const { reader } = context;
  const { name, arrivals, requests: count = Infinity } = clients;
  const until = lastRequest(context, clients.until, path);
  const at = [...path, "arrivals"];
  const bounds = { until, requests: count };
  if (arrivals.process === "trace") {
    const file = context.trace ?? (arrivals.file === undefined ? undefined : reader.beside(arrivals.file));
    if (file !== undefined) return replayedRequests(read(context, file), bounds);
    throw new AssayError({
      what: "The arrival trace is not given.",
      where: reader.source.where(at),
      expected: "a CSV file with the columns TIMESTAMP, ContextTokens, GeneratedTokens",
      hint: "give its path with --trace, or as `file`",
    });
  }
  if (until === Infinity && count === Infinity) {
    throw reader.wrong(at, "These requests never end.", "neither duration, until nor requests", "one of them");
  }
  const gap = gapBetween(context, arrivals, at);
  const prompts = reader.draws(clients.prompt_tokens ?? asRecorded(CONVERSATION_2023.promptTokens), [
    ...path,
    "prompt_tokens",
  ]);
  const outputs = reader.draws(clients.output_tokens ?? asRecorded(CONVERSATION_2023.outputTokens), [
    ...path,
    "output_tokens",
  ]);
  return drawnRequests(context.seed, name, gap, prompts, outputs, bounds);
}

function read({ traces }: Context, file: string): ArrivalTrace {
  const known = traces.get(file) ?? loadArrivalTrace(file);
  traces.set(file, known);
  return known;
}

/** Time between two requests. */
function gapBetween({ reader }: Context, arrivals: ScenarioArrivals, path: Path): Distribution {
  const needed = { poisson: "rate", renewal: "gap", deterministic: "every", trace: "file" } as const;
  const field = needed[arrivals.process];
  const given = arrivals[field];
  if (given === undefined) {
    const what = "The process of arrivals lacks its parameter.";
    throw reader.wrong(path, what, arrivals.process, `a field "${field}"`);
  }
  if (field === "rate") {
    const mean = SECOND / (given as number);
    return { mean, draw: (dice) => dice.exponential(mean) };
  }
  const gap = reader.draws(given, [...path, field]);
  if (gap.mean > 0) return gap;
  throw reader.wrong([...path, field], "These requests come all at once.", given, "a time above 0");
}

/** Lengths of a recorded hour of conversations: what people's prompts and answers are like. */
const asRecorded = (values: readonly number[]): DistributionSpec => ({ kind: "empirical", values });
