/**
 * The one door to the HTTP client. Sends bytes and keeps everything that comes back; knows nothing of the contract.
 *
 * A flight never rejects: what goes wrong on the way is an `Ending`. What is sent is counted by `activity`, so that whoever waits for
 * quiet (the clock) can tell whether something is still moving.
 */
import { Agent, type Dispatcher } from "undici";
import type { Arrival, Ending, HeaderList } from "./exchange.ts";
import { headersFrom, NO_HEADERS, type RawHeaders } from "./headers.ts";

/** What goes out. `path` is sent as it is. */
export interface WireRequest {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | null;
}

/** What came back. Times are of the `now` that the wire was made with. */
export interface WireAnswer {
  readonly ending: Ending;
  readonly error: string | null;
  /** The code of the network's error (`ECONNREFUSED`, `CERT_HAS_EXPIRED`), where it has one. */
  readonly errorCode: string | null;
  readonly status: number;
  readonly headers: HeaderList;
  readonly trailers: HeaderList;
  readonly body: Uint8Array;
  readonly arrivals: readonly Arrival[];
  readonly sentAt: number;
  readonly headAt: number;
  readonly endedAt: number;
}

/** A request on its way. */
export interface Flight {
  readonly settled: boolean;
  readonly status: number;
  readonly arrivals: readonly Arrival[];
  readonly done: Promise<WireAnswer>;
  /** Closes the connection; the flight ends as said, unless it has ended. */
  end(ending: Ending, why: string): void;
}

export interface Wire {
  /** Grows with everything that moves. */
  readonly activity: number;
  readonly inProcess: boolean;
  send(request: WireRequest): Flight;
  close(): Promise<void>;
}

export interface WireOptions {
  readonly now: () => number;
  /** Serves the target in process; without it, connections are made. */
  readonly dispatcher?: Dispatcher | undefined;
  /** The most bytes of one body. Default 8 MiB. */
  readonly maxBytes?: number | undefined;
  /** Accepts certificates that nobody vouches for. */
  readonly insecure?: boolean | undefined;
}

const DEFAULT_MAX_BYTES = 8 * 1024 * 1024;

/** Opens the door. */
export function openWire(options: WireOptions): Wire {
  const own = options.dispatcher === undefined;
  const dispatcher =
    options.dispatcher ??
    new Agent({
      // Time limits are the judge's own: under a manual clock an answer may be hours away in real time.
      headersTimeout: 0,
      bodyTimeout: 0,
      connectTimeout: 10_000,
      pipelining: 1,
      keepAliveTimeout: 4_000,
      connect: { rejectUnauthorized: options.insecure !== true },
    });
  const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
  let activity = 0;
  return {
    get activity() {
      return activity;
    },
    inProcess: !own,
    send: (request) =>
      fly(dispatcher, request, options.now, maxBytes, () => {
        activity += 1;
      }),
    close: async () => {
      if (own) await dispatcher.destroy();
    },
  };
}

interface Outcome {
  readonly ending: Ending;
  readonly error: Error | null;
}

function fly(
  dispatcher: Dispatcher,
  request: WireRequest,
  now: () => number,
  maxBytes: number,
  moved: () => void,
): Flight {
  const sentAt = now();
  const arrivals: Arrival[] = [];
  let status = 0;
  let headers = NO_HEADERS;
  let trailers = NO_HEADERS;
  let headAt = 0;
  let size = 0;
  let outcome: Outcome | null = null;
  let controller: Dispatcher.DispatchController | null = null;
  let resolve: (answer: WireAnswer) => void = () => {};
  const done = new Promise<WireAnswer>((settle) => {
    resolve = settle;
  });

  const finish = (ending: Ending, error: Error | null): void => {
    if (outcome !== null) return;
    outcome = { ending, error };
    moved();
    const endedAt = now();
    resolve({
      ending,
      error: error === null ? null : describe(error),
      errorCode: error === null ? null : codeOf(error),
      status,
      headers,
      trailers,
      body: Buffer.concat(arrivals.map((each) => each.bytes)),
      arrivals,
      sentAt,
      headAt: status === 0 ? endedAt : headAt,
      endedAt,
    });
  };
  const end = (ending: Ending, why: string): void => {
    if (outcome !== null) return;
    finish(ending, new Error(why));
    controller?.abort(new Error(why));
  };

  moved();
  try {
    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: request.path,
        headers: request.headers.flat(),
        body: request.body === null ? null : Buffer.from(request.body),
      },
      {
        onRequestStart(given) {
          controller = given;
          if (outcome !== null) given.abort(new Error("the request was abandoned"));
        },
        onResponseStart(given, code, parsed) {
          moved();
          if (code < 200) return;
          status = code;
          headAt = now();
          headers = headersFrom((given.rawHeaders as RawHeaders) ?? (parsed as RawHeaders));
        },
        onResponseData(_given, chunk) {
          moved();
          if (outcome !== null) return;
          size += chunk.length;
          arrivals.push({ at: now(), bytes: new Uint8Array(chunk) });
          if (size > maxBytes) end("too-large", `the body passed ${maxBytes} bytes`);
        },
        onResponseEnd(given, parsed) {
          trailers = headersFrom((given.rawTrailers as RawHeaders) ?? (parsed as RawHeaders));
          finish("answered", null);
        },
        onResponseError(_given, error) {
          finish(status === 0 ? "reset" : "cut", error);
        },
      },
    );
  } catch (error) {
    finish("reset", error instanceof Error ? error : new Error(String(error)));
  }

  return {
    get settled() {
      return outcome !== null;
    },
    get status() {
      return status;
    },
    arrivals,
    done,
    end,
  };
}

/** The first cause that says something. */
function describe(error: Error): string {
  const text = error.message !== "" ? error.message : (codeOf(error) ?? error.name);
  return error.cause instanceof Error && !text.includes(error.cause.message)
    ? `${text}: ${describe(error.cause)}`
    : text;
}

function codeOf(error: Error): string | null {
  const code = (error as { code?: unknown }).code;
  if (typeof code === "string") return code;
  if (error instanceof AggregateError) {
    const inner = error.errors.find((each): each is Error => each instanceof Error);
    if (inner !== undefined) return codeOf(inner);
  }
  return error.cause instanceof Error ? codeOf(error.cause) : null;
}
