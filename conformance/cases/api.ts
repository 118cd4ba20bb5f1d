/**
 * The requests of the contract, one builder an endpoint, and `raw` for everything that is none. Builders send what they are given
 * without checking it: a wrong body is a case's business.
 */
import type { Call } from "../exchange/call.ts";

/** Any JSON value, and undefined for a field to be left out. */
export type Json = unknown;

/** The request of section 4.1, as a client that keeps to the contract sends it. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly stop?: string | readonly string[];
  readonly frequency_penalty?: number;
  readonly presence_penalty?: number;
  readonly seed?: number;
}

/** The query of section 4.6. Any value is sent as it is written. */
export interface JobsQuery {
  readonly limit?: number | string;
  readonly before?: string;
  readonly after?: string;
  readonly status?: string;
  readonly model?: string;
}

/** A request in full. Only `method` and `path` are needed. */
export interface RawRequest {
  readonly method: string;
  /** Begins with a slash and includes the query; sent as it is, so encode what must be encoded. */
  readonly path: string;
  /** Added to, or put in the place of, the usual ones (`authorization`, `content-type`, `accept`). A null takes the usual one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Bytes or text are sent as they are. */
  readonly body?: Uint8Array | string;
  /** Anything else goes as JSON. */
  readonly json?: Json;
  /**
   * The most units that this request can take from its wallet. Left out, it is reckoned from the body of a chat (flat price and
   * `max_tokens`), and is 0 for every other endpoint. A case says 0 where the request must be refused before it costs anything.
   */
  readonly cost?: number;
}

/** Options of a builder. */
export interface CallOptions {
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly cost?: number;
}

/** The service, as one key sees it. */
export interface Api {
  /** The key that is sent; null sends no `Authorization`. */
  readonly key: string | null;
  /** `POST /v1/chat/completions` with any body. */
  chat(body: ChatRequest | Json, options?: CallOptions): Call;
  /** A valid chat: the cheapest model, one short message, `max_tokens` 16, each replaced by what `changes` says. Undefined leaves a field out. */
  say(changes?: Readonly<Record<string, Json>>, options?: CallOptions): Call;
  models(options?: CallOptions): Call;
  /** The id is percent-encoded. */
  model(id: string, options?: CallOptions): Call;
  account(options?: CallOptions): Call;
  /** The id is percent-encoded. */
  job(id: string, options?: CallOptions): Call;
  jobs(query?: JobsQuery, options?: CallOptions): Call;
  /** A text is sent as `received_output_hash`; anything else is the whole body. */
  dispute(jobId: string, hashOrBody: Json, options?: CallOptions): Call;
  createWebhook(body: Json, options?: CallOptions): Call;
  webhooks(options?: CallOptions): Call;
  deleteWebhook(id: string, options?: CallOptions): Call;
  raw(request: RawRequest): Call;
}
