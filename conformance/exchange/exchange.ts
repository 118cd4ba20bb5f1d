/**
 * One request and what came of it, recorded whole. Everything that judges reads these records and nothing else.
 *
 * Times are milliseconds since 1970 on the service's clock (`Clock.now()`): virtual under a manual clock, real otherwise.
 */

/** A header as it was sent: names keep their case, repeated headers are repeated. */
export type HeaderEntry = readonly [name: string, value: string];

/** Headers or trailers, in order of arrival, read without regard to case. */
export interface HeaderList {
  readonly entries: readonly HeaderEntry[];
  /** The value of the first header of that name; null when there is none. */
  get(name: string): string | null;
  all(name: string): readonly string[];
  has(name: string): boolean;
}

/** What was sent. `path` begins with a slash and includes the query. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** The body parsed as JSON; undefined when it is none. */
  readonly json: unknown;
  /** The API key that was sent; null when the request carried none. */
  readonly key: string | null;
}

/**
 * How an exchange ended. `answered`: the whole answer came. Everything else is a network fault, and `status` is 0 unless the answer's head
 * had come: `cut` (the connection closed within the answer), `aborted` (the case left on purpose), `reset` (no answer), `timeout`
 * (no answer in time), `too-large` and `endless` (the body passed the limit of bytes, or of time).
 */
export type Ending = "answered" | "cut" | "aborted" | "reset" | "timeout" | "too-large" | "endless";

/** A piece of the body, as it arrived. */
export interface Arrival {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** One recorded exchange. */
export interface Exchange {
  /** Number in the order of sending, from 1, over the whole run. */
  readonly number: number;
  /** Id of the case that sent it; `preflight` or `harness` for the judge's own requests. */
  readonly case: string;
  /** Which endpoint of section 4 the request is for: `POST /v1/chat/completions`, `GET /v1/jobs/{job_id}`; null for none. */
  readonly endpoint: Endpoint | null;
  readonly request: SentRequest;
  readonly ending: Ending;
  /** What the network said, when `ending` is not `answered`. */
  readonly error: string | null;
  readonly status: number;
  readonly headers: HeaderList;
  readonly trailers: HeaderList;
  readonly body: Uint8Array;
  /** The body as UTF-8; what is no UTF-8 is replaced. */
  readonly text: string;
  /** The body parsed as JSON; undefined when it is none. */
  readonly json: unknown;
  readonly arrivals: readonly Arrival[];
  readonly sentAt: number;
  /** When the head of the answer came; equal to `endedAt` when none did. */
  readonly headAt: number;
  readonly endedAt: number;
  /** How many 429 answers were waited out before this one. */
  readonly retried: number;
  /** Sent beside others: its answer was not waited for, so that a 429 may have come where a case looked for something else. */
  readonly beside?: true;
}

/** The endpoints of section 4. */
export const ENDPOINTS = [
  "POST /v1/chat/completions",
  "GET /v1/models",
  "GET /v1/models/{model_id}",
  "GET /v1/account",
  "GET /v1/jobs/{job_id}",
  "GET /v1/jobs",
  "POST /v1/jobs/{job_id}/dispute",
  "POST /v1/webhooks",
  "GET /v1/webhooks",
  "DELETE /v1/webhooks/{webhook_id}",
] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** Whether the whole answer came and its status is 2xx. */
export function succeeded(exchange: Exchange): boolean {
  return exchange.ending === "answered" && exchange.status >= 200 && exchange.status < 300;
}

/** Whether the whole answer came and its status is 4xx. */
export function refused(exchange: Exchange): boolean {
  return exchange.ending === "answered" && exchange.status >= 400 && exchange.status < 500;
}

/** `error.code` of an error object; null when there is none, or no string. */
export function errorCode(exchange: Exchange): string | null {
  const code = at(exchange.json, "error", "code");
  return typeof code === "string" ? code : null;
}

/** The value at a path of keys within parsed JSON; undefined where the path ends early. Numbers index arrays. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== "object" || here === null) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** A segment of the request's path, percent-decoded, counted from the first after the leading slash as 1; "" where there is none, or its escapes are broken. */
export function segmentOf(exchange: Exchange, index: number): string {
  try {
    return decodeURIComponent(exchange.request.path.split(/[?#]/, 1)[0]?.split("/")[index] ?? "");
  } catch {
    return "";
  }
}
