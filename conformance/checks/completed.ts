/** A completion, read from its answer, whichever of the two forms it has. */
import type { Completed } from "../cases/case.ts";
import { at, type Exchange } from "../exchange/exchange.ts";
import { readStream } from "../exchange/sse.ts";

/** Reads a completion or a whole stream; null when the answer is neither. */
export function completedFrom(exchange: Exchange, brand: string): Completed | null {
  if (exchange.ending !== "answered" || exchange.status !== 200) return null;
  const streamed = (exchange.headers.get("content-type") ?? "").startsWith("text/event-stream");
  const stream = streamed ? readStream(exchange) : null;
  const body = stream === null ? exchange.json : stream.chunks[0]?.json;
  const text = stream === null ? at(body, "choices", 0, "message", "content") : stream.text;
  const id = at(body, "id");
  const fromId = typeof id === "string" && id.startsWith("chatcmpl-") ? id.slice("chatcmpl-".length) : null;
  const jobId = exchange.headers.get(`x-${brand}-job-id`) ?? fromId;
  if (typeof text !== "string" || jobId === null || (stream !== null && !stream.done)) return null;
  const count = (name: string): number | null => {
    const tokens = at(body, "usage", name);
    return typeof tokens === "number" ? tokens : null;
  };
  return {
    exchange,
    jobId,
    text,
    completionTokens: count("completion_tokens"),
    promptTokens: count("prompt_tokens"),
  };
}
