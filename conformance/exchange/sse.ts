/**
 * A stream, read from its bytes. Keeps the lines as they came, so that what is wrong with one can be shown, and never repairs anything.
 *
 * The events are those of the server-sent events format; a proper parser (`eventsource-parser`) reads them a second time, and both must agree
 * before a stream is called well-formed.
 */
import { createParser } from "eventsource-parser";
import { type Arrival, at, type Exchange } from "./exchange.ts";

/** One line of a stream, without its line ending. */
export interface StreamLine {
  readonly text: string;
  readonly ending: "\n" | "\r\n" | "\r" | "";
  /** When its last byte came. */
  readonly at: number;
}

/** One event: its data, and what they are. `at` is when the blank line that ends it came. */
export interface StreamEvent {
  readonly data: string;
  /** The data parsed as JSON; undefined when they are none. */
  readonly json: unknown;
  readonly done: boolean;
  readonly at: number;
}

export interface Stream {
  readonly lines: readonly StreamLine[];
  readonly events: readonly StreamEvent[];
  /** The events that are JSON objects: the chunks. */
  readonly chunks: readonly StreamEvent[];
  /** An error object in the place of the last chunk, by which a stream tells that it broke off; null when there is none. */
  readonly broke: StreamEvent | null;
  /** Lines that are neither `data:`, a comment, another SSE field, nor blank. */
  readonly strange: readonly StreamLine[];
  readonly comments: number;
  /** Whether an event's lines came without the blank line that ends it. */
  readonly unfinished: boolean;
  /** Contents of all deltas of choice 0, joined. */
  readonly text: string;
  /** Whether `data: [DONE]` came, and no error before it. */
  readonly done: boolean;
  /** Whether an independent parser reads the same events. */
  readonly agreed: boolean;
}

/** What was read before: monitors and cases read the same streams. A stream still under way grows, and is read again. */
const memory = new WeakMap<readonly Arrival[], { readonly length: number; readonly stream: Stream }>();

/** Reads an exchange's body as a stream, whatever its content type says. */
export function readStream(exchange: Pick<Exchange, "arrivals">): Stream {
  const { arrivals } = exchange;
  const known = memory.get(arrivals);
  if (known !== undefined && known.length === arrivals.length) return known.stream;
  const stream = read(exchange);
  memory.set(arrivals, { length: arrivals.length, stream });
  return stream;
}

function read(exchange: Pick<Exchange, "arrivals">): Stream {
  const lines = linesOf(exchange);
  const events: StreamEvent[] = [];
  const strange: StreamLine[] = [];
  let data: string[] = [];
  let comments = 0;
  for (const line of lines) {
    if (line.text === "") {
      if (data.length > 0) events.push(eventOf(data.join("\n"), line.at));
      data = [];
    } else if (line.text.startsWith(":")) comments += 1;
    else if (/^data(:|$)/.test(line.text)) data.push(line.text.slice(5).replace(/^ /, ""));
    else if (!/^(event|id|retry)(:|$)/.test(line.text)) strange.push(line);
  }
  // The line that ends a stream ends it, whether a blank one follows or not.
  const [ending] = data;
  if (data.length === 1 && ending === "[DONE]") {
    events.push(eventOf(ending, lines.at(-1)?.at ?? 0));
    data = [];
  }
  const last = events.findLast((event) => !event.done);
  const broke = last !== undefined && isError(last.json) ? last : null;
  const chunks = events.filter((event) => typeof event.json === "object" && event.json !== null && event !== broke);
  return {
    lines,
    events,
    chunks,
    broke,
    strange,
    comments,
    unfinished: data.length > 0,
    text: chunks
      .map((chunk) => at(chunk.json, "choices", 0, "delta", "content"))
      .filter(isText)
      .join(""),
    done: broke === null && events.some((event) => event.done),
    agreed: chunksIn(reread(exchange)) === chunksIn(events.map((event) => event.data)),
  };
}

const chunksIn = (data: readonly string[]): string => data.filter((each) => each !== "[DONE]").join("\n\n");
const isError = (json: unknown): boolean =>
  typeof at(json, "error", "message") === "string" && at(json, "choices") === undefined;
const isText = (value: unknown): value is string => typeof value === "string";

function eventOf(data: string, when: number): StreamEvent {
  const done = data === "[DONE]";
  return { data, json: done ? undefined : parse(data), done, at: when };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Splits at LF, CRLF and CR. A line's time is that of the arrival that brought its ending (or its last byte). */
function linesOf(exchange: Pick<Exchange, "arrivals">): StreamLine[] {
  const decoder = new TextDecoder("utf-8");
  const lines: StreamLine[] = [];
  let rest = "";
  let last = 0;
  for (const arrival of exchange.arrivals) {
    rest += decoder.decode(arrival.bytes, { stream: true });
    last = arrival.at;
    for (;;) {
      // A CR at the very end may be half of a CRLF: it waits for the next arrival.
      const found = /\r\n|\n|\r(?!$)/.exec(rest);
      if (found === null) break;
      lines.push({ text: rest.slice(0, found.index), ending: found[0] as StreamLine["ending"], at: arrival.at });
      rest = rest.slice(found.index + found[0].length);
    }
  }
  rest += decoder.decode();
  if (rest.endsWith("\r")) lines.push({ text: rest.slice(0, -1), ending: "\r", at: last });
  else if (rest !== "") lines.push({ text: rest, ending: "", at: last });
  return lines;
}

function reread(exchange: Pick<Exchange, "arrivals">): string[] {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => data.push(event.data) });
  const decoder = new TextDecoder("utf-8");
  for (const arrival of exchange.arrivals) parser.feed(decoder.decode(arrival.bytes, { stream: true }));
  parser.feed(decoder.decode());
  return data;
}
