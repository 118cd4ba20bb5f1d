/** Exchanges made by hand, for tests of what judges them. */
import type { Exchange } from "../exchange/exchange.ts";
import { headerList } from "../exchange/headers.ts";
import { endpointOf } from "../exchange/http.ts";
import { secrets } from "../exchange/redact.ts";
import type { Monitor, MonitorContext } from "./monitor.ts";

export const NOW = Date.UTC(2026, 5, 1);
export const KEY = "svc_live_0123456789abcdef0123456789abcdef";
export const OTHER_KEY = "svc_live_fedcba9876543210fedcba9876543210";
export const ADDRESS = `0x${"a".repeat(40)}`;
export const hash = (digit: string): string => `0x${digit.repeat(64)}`;

export const context: MonitorContext = { brand: "service", secrets: secrets(), now: () => NOW, exactClock: true };

let count = 0;

/** An answered exchange: `made("GET /v1/account", { json: {...} })`. */
export function made(
  request: string,
  parts: {
    readonly status?: number;
    readonly json?: unknown;
    readonly text?: string;
    readonly body?: unknown;
    readonly key?: string | null;
    readonly headers?: Readonly<Record<string, string>>;
    readonly at?: number;
  } = {},
): Exchange {
  const [method, path] = request.split(" ") as [string, string];
  const { status = 200, body, key = KEY, at = NOW } = parts;
  const text = parts.text ?? JSON.stringify(parts.json ?? {});
  const bytes = new TextEncoder().encode(text);
  const json = parts.text === undefined ? (parts.json ?? {}) : parse(text);
  count += 1;
  return {
    number: count,
    case: "x/case",
    endpoint: endpointOf(method, path),
    request: {
      method,
      path,
      headers: headerList([]),
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
      json: body,
      key,
    },
    ending: "answered",
    error: null,
    status,
    headers: headerList(Object.entries({ "content-type": "application/json", ...parts.headers })),
    trailers: headerList([]),
    body: bytes,
    text,
    json,
    arrivals: [{ at, bytes }],
    sentAt: at,
    headAt: at,
    endedAt: at,
    retried: 0,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rows that a monitor fails over these exchanges, in order, each once. */
export function failedBy(monitor: Monitor, ...exchanges: readonly Exchange[]): readonly string[] {
  const judgements = exchanges.flatMap((exchange) => [...monitor.see(exchange, context)]);
  return [...new Set(judgements.flatMap((each) => (each.kind === "failed" ? [each.requirement] : [])))];
}

/** The rows that a monitor passes over these exchanges. */
export function passedBy(monitor: Monitor, ...exchanges: readonly Exchange[]): readonly string[] {
  const judgements = exchanges.flatMap((exchange) => [...monitor.see(exchange, context)]);
  return [...new Set(judgements.flatMap((each) => (each.kind === "passed" ? [each.requirement] : [])))];
}

/** A settled job that is right in every field. */
export const job = (changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  id: "job_1",
  object: "job",
  status: "settled",
  model: "small",
  tier: "lite",
  credits_charged: 2,
  usdg_value: 0.02,
  worker_address: ADDRESS,
  created_at: "2026-06-01T00:00:00Z",
  completed_at: "2026-06-01T00:00:01Z",
  on_chain: {
    escrow_tx: hash("1"),
    settlement_tx: hash("2"),
    escrow_address: ADDRESS,
    block_number: 7,
    proof_hash: `sha256:${"3".repeat(64)}`,
  },
  usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  ...changes,
});

/** A completion that is right, with its receipt. */
export const chat = (
  changes: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
  body: Readonly<Record<string, unknown>> = {},
): Exchange =>
  made("POST /v1/chat/completions", {
    body: { model: "small", messages: [{ role: "user", content: "hi" }], max_tokens: 16, ...body },
    json: {
      id: "chatcmpl-job_1",
      object: "chat.completion",
      created: 1_780_272_000,
      model: "small",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      ...changes,
    },
    headers: {
      "x-service-job-id": "job_1",
      "x-service-tx-hash": hash("1"),
      "x-service-settlement-tx": hash("2"),
      "x-service-worker": ADDRESS,
      "x-service-credits-remaining": "98",
      ...headers,
    },
  });
