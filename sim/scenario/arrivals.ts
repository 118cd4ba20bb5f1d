/** From `arrivals` and the lengths of a scenario's clients to a source of requests. */
import { CONVERSATION_2023 } from "../../fixtures/workloads/conversation-2023.ts";
import type { RequestSource } from "../actors/index.ts";
import { AssayError, type DistributionSpec, SECOND, stream } from "../core/index.ts";
import { type ArrivalTrace, loadArrivalTrace } from "./arrival-trace.ts";
import { type Context, lastRequest } from "./context.ts";
import { type ArrivalProcess, bursts, daily, HOURS, renewal } from "./processes.ts";
import { drawnLengths, drawnRequests, type Lengths, recordedLengths, replayedRequests } from "./request-sources.ts";
import type { ScenarioArrivals, ScenarioClients } from "./scenario.ts";
import type { PROCESSES } from "./schema.ts";
import type { Path } from "./source.ts";

export function requests(context: Context, clients: ScenarioClients, path: Path): RequestSource {
  const { reader } = context;
  const { name, arrivals, requests: count = Infinity } = clients;
  const until = lastRequest(context, clients.until, path);
  const at = [...path, "arrivals"];
  const bounds = { from: reader.time(clients.from, [...path, "from"]) ?? 0, until, requests: count };
  if (bounds.from > (reader.time(clients.until, [...path, "until"]) ?? Infinity)) {
    throw reader.wrong(
      [...path, "from"],
      "These requests begin after their end.",
      clients.from,
      "a time before `until`",
    );
  }
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
  const process = processOf(context, `clients ${name}`, arrivals, at);
  return drawnRequests(process, lengthsOf(context, clients, path), bounds);
}

/** The field without which a process is none. */
const NEEDED: Readonly<Record<(typeof PROCESSES)[number], keyof ScenarioArrivals>> = {
  poisson: "rate",
  renewal: "gap",
  deterministic: "every",
  bursts: "states",
  daily: "rate",
  closed: "think",
  trace: "file",
};

function processOf(context: Context, name: string, arrivals: ScenarioArrivals, path: Path): ArrivalProcess {
  const { reader, seed } = context;
  const { process, rate, states, curve = USUAL_DAY } = arrivals;
  const needed = NEEDED[process];
  const given = arrivals[needed];
  if (given === undefined) {
    const what = "The process of arrivals lacks its parameter.";
    throw reader.wrong(path, what, process, `a field "${needed}"`);
  }
  switch (process) {
    case "poisson": {
      const mean = SECOND / rate!;
      return renewal({ mean, draw: (dice) => dice.exponential(mean) }, stream(seed, name, "arrivals"));
    }
    case "bursts": {
      const read = states!.map((state, index) => ({
        rate: state.rate,
        stay: reader.time(state.stay, [...path, "states", index, "stay"]),
      }));
      if (read.some(({ rate: each }) => each > 0) && read.every(({ stay }) => stay > 0))
        return bursts(read, seed, name);
      const expected = "a rate above 0 in one of them, and stays above 0 in all";
      throw reader.wrong([...path, "states"], "These states bring no requests.", states, expected);
    }
    case "daily": {
      if (curve.length !== HOURS || !(Math.max(...curve) > 0)) {
        const expected = `${HOURS} numbers, one for each full hour, not all of them 0`;
        throw reader.wrong([...path, "curve"], "This is no day.", curve.length, expected);
      }
      return daily(rate!, curve, reader.time(arrivals.starts_at, [...path, "starts_at"]) ?? 0, seed, name);
    }
    case "closed":
      // Times are those of the users' own steps; the source gives lengths, and counts.
      return { after: (time) => time };
    default: {
      const gap = reader.draws(given as DistributionSpec, [...path, needed]);
      if (gap.mean > 0) return renewal(gap, stream(seed, name, "arrivals"));
      throw reader.wrong([...path, needed], "These requests come all at once.", given, "a time above 0");
    }
  }
}

function lengthsOf(context: Context, clients: ScenarioClients, path: Path): Lengths {
  const { reader, seed } = context;
  const name = `clients ${clients.name}`;
  const { lengths_from, prompt_tokens, output_tokens } = clients;
  if (lengths_from !== undefined) {
    if (prompt_tokens === undefined && output_tokens === undefined)
      return recordedLengths(read(context, reader.beside(lengths_from)), stream(seed, name, "lengths"));
    const expected = "either lengths_from, or prompt_tokens and output_tokens";
    throw reader.wrong([...path, "lengths_from"], "Lengths are told twice.", lengths_from, expected);
  }
  return drawnLengths(
    reader.draws(prompt_tokens ?? asRecorded(CONVERSATION_2023.promptTokens), [...path, "prompt_tokens"]),
    reader.draws(output_tokens ?? asRecorded(CONVERSATION_2023.outputTokens), [...path, "output_tokens"]),
    seed,
    name,
  );
}

function read({ traces }: Context, file: string): ArrivalTrace {
  const known = traces.get(file) ?? loadArrivalTrace(file);
  traces.set(file, known);
  return known;
}

/** Lengths of a recorded hour of conversations: what people's prompts and answers are like. */
const asRecorded = (values: readonly number[]): DistributionSpec => ({ kind: "empirical", values });

/** A day of people who sleep at night and work by day, from midnight on. */
const USUAL_DAY = [4, 3, 2, 2, 2, 3, 5, 8, 12, 15, 16, 16, 14, 15, 16, 16, 15, 14, 13, 13, 12, 10, 8, 6];
