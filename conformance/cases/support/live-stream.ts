/** A stream that is read while it comes. Each piece is read once, however often it is asked about. */
import type { Pending } from "../../exchange/call.ts";
import { at } from "../../exchange/exchange.ts";

export interface LiveStream {
  /** Reads what has come since the last time. */
  look(): { readonly jobId: string | null; readonly contents: number; readonly finished: boolean };
}

/** Follows a request that is in flight. Lines that are no chunks are passed over: other cases are about them. */
export function follow(pending: Pending): LiveStream {
  const decoder = new TextDecoder("utf-8");
  let read = 0;
  let rest = "";
  let jobId: string | null = null;
  let contents = 0;
  let finished = false;
  const take = (line: string): void => {
    if (!line.startsWith("data:")) return;
    const chunk = parse(line.slice("data:".length));
    const id = at(chunk, "id");
    if (typeof id === "string") jobId ??= id.replace(/^chatcmpl-/, "");
    if (at(chunk, "choices", 0, "delta", "content")) contents += 1;
    if (typeof at(chunk, "choices", 0, "finish_reason") === "string") finished = true;
  };
  return {
    look() {
      const { arrivals } = pending;
      for (; read < arrivals.length; read++) rest += decoder.decode(arrivals[read]?.bytes, { stream: true });
      const lines = rest.split(/\r?\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) take(line);
      return { jobId, contents, finished };
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
