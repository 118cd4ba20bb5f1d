/**
 * From a request to a recorded exchange: limits of time, a 429 waited out, the clock pumped, everything written down.
 */
import { Stop } from "../errors.ts";
import type { RunClock } from "../target/make-clock.ts";
import type { Call, Pending } from "./call.ts";
import { ENDPOINTS, type Endpoint, type Exchange, type HeaderEntry } from "./exchange.ts";
import { headerList } from "./headers.ts";
import type { Flight, Wire, WireAnswer } from "./wire.ts";

/** A request, ready to be sent. */
export interface Prepared {
  readonly method: string;
  /** Begins with `/v1`, or with whatever the case wants; the path of the base address is put before it. */
  readonly path: string;
  readonly headers: readonly HeaderEntry[];
  readonly body: Uint8Array | null;
  readonly key: string | null;
  /** Called just before it is sent, each time it is sent. May throw `Stop`. */
  readonly before?: (() => void) | undefined;
}

/** Whether a chat asks for a stream, as every builder of requests writes it. */
function asksForStream(body: Uint8Array | null): boolean {
  return body !== null && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"stream":true');
}

/** On whose behalf requests are sent. */
export interface Sender {
  /** Names the case. */
  readonly owner: () => string;
  /** Told every exchange, in the order in which they end. */
  readonly onExchange: (exchange: Exchange) => void;
}

export interface HttpOptions extends Sender {
  readonly wire: Wire;
  readonly clock: RunClock;
  readonly baseUrl: string;
  readonly signal: AbortSignal;
}

export interface Http {
  call(request: Prepared): Call;
  /** Every flight of this sender that has not landed ends so; of the run's own door, every flight of all. */
  abandon(why: string): void;
  /** The same door for another sender: cases that go on beside each other tell their exchanges apart by it. */
  of(sender: Sender): Http;
}

/** Milliseconds of the service's time that an answer may take. A job may run for 120 s, and its time-out takes its way, too. */
const CHAT_LIMIT = 180_000;
const OTHER_LIMIT = 20_000;
/** After so many requests in a row without any answer the target is taken for dead, and given less time. */
const PATIENT_WITH = 3;
const DEAD_LIMIT = 4_000;
const MOST_RETRIES = 6;
const LONGEST_RETRY_WAIT = 15_000;

export function makeHttp(options: HttpOptions): Http {
  const { wire, clock } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, "");
  const flying = new Map<Flight, Sender>();
  let number = 0;
  let unanswered = 0;

  const launch = (
    request: Prepared,
    retried: number,
    sender: Sender,
    beside?: true,
  ): { flight: Flight; done: Promise<Exchange> } => {
    if (options.signal.aborted) throw new Stop("inconclusive", "the run's time was over");
    request.before?.();
    number += 1;
    const facts = { number, case: sender.owner(), retried, ...(beside && { beside }) };
    const flight = wire.send({ ...request, origin: base.origin, path: prefix + request.path });
    flying.set(flight, sender);
    const done = flight.done.then((answer) => {
      flying.delete(flight);
      if (answer.ending === "answered") unanswered = 0;
      else if (answer.ending === "timeout" || answer.ending === "reset") unanswered += 1;
      const exchange = record(request, answer, facts);
      sender.onExchange(exchange);
      return exchange;
    });
    return { flight, done };
  };

  const finish = async (
    request: Prepared,
    flight: Flight,
    done: Promise<Exchange>,
    sender: Sender,
  ): Promise<Exchange> => {
    const chat = endpointOf(request.method, request.path) === "POST /v1/chat/completions";
    const limit = unanswered >= PATIENT_WITH ? DEAD_LIMIT : chat ? CHAT_LIMIT : OTHER_LIMIT;
    const expire = (): void => {
      const lately = flight.arrivals.at(-1);
      const flowing = lately !== undefined && clock.now() - lately.at < limit / 10;
      flight.end(flowing ? "endless" : "timeout", `no end within ${limit / 1000} s`);
    };
    const exchange = await clock.during(done, {
      quick: !chat,
      fine: chat && asksForStream(request.body),
      limit,
      expire,
    });
    if (exchange.status !== 429 || exchange.retried >= MOST_RETRIES) return exchange;
    await clock.pause(retryWait(exchange, clock.now()));
    const again = launch(request, exchange.retried + 1, sender);
    return await finish(request, again.flight, again.done, sender);
  };

  const door = (sender: Sender): Http => ({
    call(request) {
      let sent: Promise<Exchange> | null = null;
      return {
        // biome-ignore lint/suspicious/noThenProperty: a call is sent when it is awaited
        then: (fulfilled, rejected) => {
          sent ??= (async () => {
            const { flight, done } = launch(request, 0, sender);
            return await finish(request, flight, done, sender);
          })();
          return sent.then(fulfilled, rejected);
        },
        start(): Pending {
          const { flight, done } = launch(request, 0, sender, true);
          return {
            get settled() {
              return flight.settled;
            },
            get status() {
              return flight.status;
            },
            arrivals: flight.arrivals,
            done,
            finish: () => finish(request, flight, done, sender),
            abort: () => flight.end("aborted", "the client left"),
          };
        },
      };
    },
    abandon(why) {
      for (const [flight, of] of flying) if (sender === options || of === sender) flight.end("aborted", why);
    },
    of: door,
  });
  return door(options);
}

/** Milliseconds to wait before a request that was answered 429 is sent again: `Retry-After` where it can be read, else ever longer. */
export function retryWait(exchange: Exchange, now: number): number {
  const header = exchange.headers.get("retry-after");
  const seconds = header === null || header.trim() === "" ? Number.NaN : Number(header);
  const told = Number.isFinite(seconds) ? seconds * 1000 : header === null ? Number.NaN : Date.parse(header) - now;
  const wait = Number.isFinite(told) ? told : 250 * 2 ** exchange.retried;
  return Math.round(Math.min(Math.max(wait, 50), LONGEST_RETRY_WAIT));
}

/** Which endpoint of section 4 a request is for; null for none of them. */
export function endpointOf(method: string, path: string): Endpoint | null {
  const segments = (path.split(/[?#]/, 1)[0] ?? "").split("/");
  const found = ENDPOINTS.find((endpoint) => {
    const [verb, pattern] = endpoint.split(" ") as [string, string];
    const parts = pattern.split("/");
    return (
      verb === method &&
      parts.length === segments.length &&
      parts.every((part, index) => part === segments[index] || (part.startsWith("{") && segments[index] !== ""))
    );
  });
  return found ?? null;
}

function record(
  request: Prepared,
  answer: WireAnswer,
  facts: Pick<Exchange, "number" | "case" | "retried" | "beside">,
): Exchange {
  const text = new TextDecoder("utf-8").decode(answer.body);
  return {
    ...facts,
    endpoint: endpointOf(request.method, request.path),
    request: {
      method: request.method,
      path: request.path,
      headers: headerList(request.headers),
      body: request.body,
      json: request.body === null ? undefined : parse(new TextDecoder("utf-8").decode(request.body)),
      key: request.key,
    },
    ending: answer.ending,
    error: answer.error,
    status: answer.status,
    headers: answer.headers,
    trailers: answer.trailers,
    body: answer.body,
    text,
    json: parse(text),
    arrivals: answer.arrivals,
    sentAt: answer.sentAt,
    headAt: answer.headAt,
    endedAt: answer.endedAt,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
