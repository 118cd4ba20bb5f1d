/** Where a population's requests come from: drawn, or replayed from a trace. */
import type { RequestSource } from "../actors/index.ts";
import { type Distribution, stream } from "../core/index.ts";
import type { ArrivalTrace } from "./arrival-trace.ts";

/** When a source ends. */
export interface Bounds {
  /** No request comes after that time. */
  readonly until: number;
  readonly requests: number;
}

/** A renewal process: independent gaps between requests; exponential ones make it a Poisson process. */
export function drawnRequests(
  seed: string | number,
  name: string,
  gap: Distribution,
  promptTokens: Distribution,
  outputTokens: Distribution,
  bounds: Bounds,
): RequestSource {
  const gaps = stream(seed, `clients ${name}`, "arrivals");
  const prompts = stream(seed, `clients ${name}`, "prompt tokens");
  const outputs = stream(seed, `clients ${name}`, "output tokens");
  let left = bounds.requests;
  const source = {
    time: 0,
    promptTokens: 0,
    outputTokens: 0,
    advance(): boolean {
      source.time += gap.draw(gaps);
      if (left-- <= 0 || source.time > bounds.until) return false;
      source.promptTokens = promptTokens.draw(prompts);
      source.outputTokens = Math.max(1, outputTokens.draw(outputs));
      return true;
    },
  };
  return source;
}

/** The rows of a trace, one after the other. */
export function replayedRequests(trace: ArrivalTrace, bounds: Bounds): RequestSource {
  const rows = Math.min(trace.time.length, bounds.requests);
  let row = -1;
  const source = {
    time: 0,
    promptTokens: 0,
    outputTokens: 0,
    advance(): boolean {
      row++;
      if (row >= rows || trace.time[row]! > bounds.until) return false;
      source.time = trace.time[row]!;
      source.promptTokens = trace.promptTokens[row]!;
      source.outputTokens = trace.outputTokens[row]!;
      return true;
    },
  };
  return source;
}
