/** The alien's side of HTTP: requests read whole, answers written in its own forms. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Choices } from "./choices.ts";
import type { Wallet } from "./state.ts";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  readonly type: string;
  readonly body: string;
  readonly response: ServerResponse;
  /** Who asks; null until the key was looked at. */
  wallet: Wallet | null;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as it is. */
  readonly text?: { readonly type: string; readonly text: string };
}

/** An answer in error, thrown from wherever it is found out. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  headers: Readonly<Record<string, string | undefined>> = {};

  constructor(status: number, code: string, message: string, more: { param?: string; details?: object } = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = more.param ?? null;
    this.details = more.details as Readonly<Record<string, unknown>> | undefined;
  }
}

const KNOWN_TYPES: Readonly<Record<string, string>> = {
  insufficient_credits: "payment_error",
  no_workers_available: "capacity_error",
  job_timeout: "timeout_error",
};

export function replyOf(refusal: Refusal, { types }: Choices): Reply {
  const { status, code, message, param, details } = refusal;
  const own = types === "one" ? "api_error" : types === "by-status" ? `error_${status}` : `${code}_error`;
  const docs = `https://alien.example/errors/${code}`;
  const error = { code, message, type: KNOWN_TYPES[code] ?? own, param, docs };
  return { status, body: { error: details === undefined ? error : { ...error, details } }, headers: refusal.headers };
}

export async function readAsked(request: IncomingMessage, response: ServerResponse, mostBytes: number): Promise<Asked> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size <= mostBytes) parts.push(part as Buffer);
  }
  if (size > mostBytes) throw new Refusal(413, "payload_too_large", "That is too much at once.");
  const url = new URL(request.url ?? "/", "http://alien");
  return {
    ...{ method: request.method ?? "GET", path: url.pathname, query: url.searchParams, wallet: null, response },
    ...{ authorization: request.headers.authorization, type: request.headers["content-type"] ?? "" },
    body: Buffer.concat(parts).toString("utf8"),
  };
}

export function write(response: ServerResponse, reply: Reply, choices: Choices): void {
  if (response.headersSent || response.destroyed) return;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(reply.headers ?? {}))
    if (value !== undefined) headers[casedName(name, choices)] = value;
  if (reply.text !== undefined) {
    response.writeHead(reply.status, { ...headers, "content-type": reply.text.type }).end(reply.text.text);
    return;
  }
  if (reply.body === undefined) {
    response.writeHead(reply.status, headers).end();
    return;
  }
  headers["content-type"] = choices.charset ? "application/json; charset=utf-8" : "application/json";
  const text = JSON.stringify(reply.body, null, choices.pretty ? 2 : 0);
  response.writeHead(reply.status, headers);
  if (choices.chunked) response.write(text.slice(0, text.length / 2));
  response.end(choices.chunked ? text.slice(text.length / 2) : text);
}

/** `X-Service-Job-Id` for `x-service-job-id`, where the choice is so. */
export function casedName(name: string, { capitalHeaders }: Choices): string {
  return capitalHeaders ? name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()) : name;
}

/** The body as a JSON object. */
export function objectOf(asked: Asked): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(asked.body);
  } catch {
    throw new Refusal(400, "invalid_request", "The body is no JSON.");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Refusal(400, "invalid_request", "The body must be an object.");
}
