/**
 * HTTP as the door sees it: a request whose body has been read, and a sink that an answer is written to. No socket, no stream object: the
 * real server, the in-process dispatcher and the tests each bring their own.
 */

/** A request, whole. */
export interface FacadeRequest {
  readonly method: string;
  /** Path and query as sent: `/v1/jobs?limit=5`. */
  readonly target: string;
  /** Names in small letters; a repeated header is joined with `, `. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The edge stopped reading because the body was larger than it takes; `body` is then not the whole of it. */
  readonly oversized?: boolean;
}

/** Where an answer goes: `head` once, `write` any number of times, then `end` or `cut`. Nothing is called after `abort()`. */
export interface FacadeResponse {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(chunk: Uint8Array): void;
  end(trailers?: Readonly<Record<string, string>>): void;
  /** The connection breaks: the answer has begun and cannot be completed. */
  cut(): void;
}

/** An exchange under way. */
export interface FacadeExchange {
  /** The client has gone: nothing more is written. What the request set going goes on. */
  abort(): void;
}

/** Wraps the door: may change the request, the response, or answer by itself. */
export type Middleware = (
  request: FacadeRequest,
  response: FacadeResponse,
  next: (request: FacadeRequest, response: FacadeResponse) => FacadeExchange,
) => FacadeExchange;

/** An answer whose body is JSON, or nothing. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent where the answer has no body. */
  readonly body?: unknown;
}

/** An exchange that is over. */
export const over: FacadeExchange = { abort() {} };

const encoder = new TextEncoder();

/** UTF-8. */
export function bytes(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Sends an answer in one piece. */
export function send(response: FacadeResponse, answer: Answer): FacadeExchange {
  if (answer.body === undefined) {
    response.head(answer.status, { ...answer.headers });
  } else {
    const body = bytes(JSON.stringify(answer.body));
    response.head(answer.status, {
      "content-type": "application/json",
      "content-length": String(body.length),
      ...answer.headers,
    });
    response.write(body);
  }
  response.end();
  return over;
}

/** A target's path segments, percent-decoded, and its query. Segments are undefined where an escape is malformed. */
export function parseTarget(target: string): { segments: string[] | undefined; query: URLSearchParams } {
  const [path = "", query = ""] = target.split(/\?(.*)/s, 2);
  const searched = new URLSearchParams(query);
  try {
    return { segments: path.split("/").slice(1).map(decodeURIComponent), query: searched };
  } catch {
    return { segments: undefined, query: searched };
  }
}

/** What a JSON body says. */
export type ParsedBody = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

/** Reads a body as UTF-8 JSON. */
export function parseJson(body: Uint8Array): ParsedBody {
  try {
    return { ok: true, value: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body)) };
  } catch (error) {
    return { ok: false, why: error instanceof SyntaxError ? "it is not JSON" : "it is not UTF-8" };
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
