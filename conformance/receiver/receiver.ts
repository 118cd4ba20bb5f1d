/**
 * The endpoint that takes webhook deliveries, and the script of what it answers.
 *
 * Over sockets it is an HTTPS server with a certificate made at run time; in process it is a function that the simulated service calls
 * (`Deliver`). Both keep every delivery whole, from the first byte of its headers to the last of its body.
 */
import type { HeaderList } from "../exchange/exchange.ts";

/** What a delivery is answered. `afterMs` is on the service's clock, counted from the arrival. */
export type Reply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly afterMs?: number;
    }
  /** Never answers, and keeps the connection open. */
  | { readonly kind: "hang" }
  /** Closes the connection without an answer. */
  | { readonly kind: "drop" }
  /** Answers with bytes that are no HTTP. */
  | { readonly kind: "garbage" };

/** The replies by name: `reply.status(500)`, `reply.late(9_900)`. */
export const reply = {
  ok: (): Reply => ({ kind: "answer", status: 200, body: "{}" }),
  status: (status: number, body = ""): Reply => ({ kind: "answer", status, body }),
  redirect: (to: string, status = 302): Reply => ({ kind: "answer", status, headers: { location: to } }),
  late: (afterMs: number, status = 200): Reply => ({ kind: "answer", status, afterMs, body: "{}" }),
  hang: (): Reply => ({ kind: "hang" }),
  drop: (): Reply => ({ kind: "drop" }),
  garbage: (): Reply => ({ kind: "garbage" }),
} as const;

/** One reply for all deliveries, or one for each in turn (the last one repeats), or a choice by the delivery. */
export type Script = Reply | readonly Reply[] | ((delivery: Delivery, index: number) => Reply);

/** `t=<unix>,v1=<hex>`, taken apart; null where the header is missing or has another form. */
export interface SignatureParts {
  readonly t: number;
  readonly v1: string;
}

/** One arrival at an endpoint. Every attempt is a delivery of its own. */
export interface Delivery {
  /** Number in the order of arrival, from 1, over the whole run. */
  readonly number: number;
  readonly url: string;
  readonly method: string;
  readonly headers: HeaderList;
  /** The raw body, which is what is signed. */
  readonly body: Uint8Array;
  readonly text: string;
  /** The body parsed as JSON; undefined when it is none. */
  readonly json: unknown;
  /** `event` of the envelope; null when there is none. */
  readonly event: string | null;
  /** `id` of the envelope; null when there is none. */
  readonly eventId: string | null;
  /** `data.job_id` of the envelope, where there is one. */
  readonly jobId: string | null;
  /** The signature header of the brand, as it came; null when it is missing. */
  readonly signatureHeader: string | null;
  readonly signature: SignatureParts | null;
  /**
   * When it arrived, milliseconds since 1970 on the service's clock: not before `earliest`, not after `at`. The two are the same in process; under a
   * manual clock over HTTP they are the ends of the step that the clock was making.
   */
  readonly earliest: number;
  readonly at: number;
  readonly reply: Reply;
}

/** An address of the receiver that belongs to one case. */
export interface ReceiverEndpoint {
  /** An `https:` URL. */
  readonly url: string;
  /** What has arrived so far, in order. */
  readonly deliveries: readonly Delivery[];
  /** What later deliveries are answered. Starts as 200. */
  script(script: Script): void;
  /** The deliveries of one event name, in order. */
  of(event: string): readonly Delivery[];
}

/** What the service's side of an in-process delivery passes. Headers keep their order and case. */
export interface InProcessDelivery {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** When it arrives, milliseconds since 1970 on the service's clock. Left out: the time that the clock showed last. */
  readonly at?: number;
}

/**
 * Takes one delivery in process and tells at once what the endpoint will do: `answer` after `afterMs` (0 when absent) of the service's time,
 * or `hang`, `drop`, `garbage`. An address that is not this receiver's is a `drop`.
 */
export type Deliver = (delivery: InProcessDelivery) => Reply;

/** The receiver of a run. */
export interface Receiver {
  /** TLS handshakes that a client broke off: somebody came, and did not trust the certificate. */
  readonly refusedHandshakes: number;
  /** Opens a fresh address; `name` becomes part of its path. */
  open(name: string, script?: Script): ReceiverEndpoint;
  /** Is told every delivery as it arrives, besides its endpoint. */
  listen(listener: (delivery: Delivery) => void): void;
  close(): Promise<void>;
}
