/** Where a population's requests come from: drawn, or replayed from a trace. */
import type { RequestSource } from "../actors/index.ts";
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { ArrivalTrace } from "./arrival-trace.ts";
import type { ArrivalProcess } from "./processes.ts";

/** When a source begins and ends. */
export interface Bounds {
  /** No request comes before that time: a process begins there, a trace is moved there. */
  readonly from: number;
  /** No request comes after that time. */
  readonly until: number;
  readonly requests: number;
}

/** Tokens of a prompt and of its answer, by turns. */
export interface Lengths {
  promptTokens: number;
  outputTokens: number;
  next(): void;
}

export function drawnRequests(process: ArrivalProcess, lengths: Lengths, bounds: Bounds): RequestSource {
  let left = bounds.requests;
  const source = {
    time: bounds.from,
    promptTokens: 0,
    outputTokens: 0,
    advance(): boolean {
      source.time = process.after(source.time);
      if (left-- <= 0 || source.time > bounds.until) return false;
      lengths.next();
      source.promptTokens = lengths.promptTokens;
      source.outputTokens = lengths.outputTokens;
      return true;
    },
  };
  return source;
}

/** Prompt and answer drawn each for itself. */
export function drawnLengths(
  promptTokens: Distribution,
  outputTokens: Distribution,
  seed: string | number,
  name: string,
): Lengths {
  const prompts = stream(seed, name, "prompt tokens");
  const outputs = stream(seed, name, "output tokens");
  const lengths = {
    promptTokens: 0,
    outputTokens: 0,
    next() {
      lengths.promptTokens = promptTokens.draw(prompts);
      lengths.outputTokens = Math.max(1, outputTokens.draw(outputs));
    },
  };
  return lengths;
}

/** Rows of a trace drawn at random, prompt and answer of one row together. */
export function recordedLengths({ promptTokens, outputTokens }: ArrivalTrace, dice: Stream): Lengths {
  const lengths = {
    promptTokens: 0,
    outputTokens: 0,
    next() {
      const row = dice.below(promptTokens.length);
      lengths.promptTokens = promptTokens[row]!;
      lengths.outputTokens = Math.max(1, outputTokens[row]!);
    },
  };
  return lengths;
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
      if (row >= rows || bounds.from + trace.time[row]! > bounds.until) return false;
      source.time = bounds.from + trace.time[row]!;
      source.promptTokens = trace.promptTokens[row]!;
      source.outputTokens = trace.outputTokens[row]!;
      return true;
    },
  };
  return source;
}
