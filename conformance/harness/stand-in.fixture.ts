/** A small stand-in for a service, for tests of the judge itself: models, an account, a chat; each answer can be replaced. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Case } from "../cases/case.ts";
import { type LocalServer, localServer } from "../exchange/local-server.fixture.ts";
import type { Report } from "../findings/report.ts";
import { DEFAULTS, type TargetOptions } from "../target/options.ts";
import { PATIENCE } from "../target/patience.ts";
import { type RunEvents, run } from "./run.ts";

export const KEY = "svc_live_0123456789abcdef0123456789abcdef";
const WALLET = "0x00000000000000000000000000000000000000aa";

const model = (brand: string) => ({
  id: "small",
  object: "model",
  created: 1_700_000_000,
  owned_by: "us",
  [brand]: {
    tier: "lite",
    credits_per_request: 2,
    credits_per_1k_tokens: 1,
    active_workers: 1,
    median_latency_ms: 5,
    parameters: "3B",
    context_window: 32_768,
  },
});

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers with JSON. */
export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };

export const error = (status: number, code: string): Answer =>
  json({ error: { code, message: code, type: "x", param: null, docs: "https://docs.test" } }, status);

/** The answers by `METHOD /path`, as far as the stand-in knows them; anything else is 404. */
export const honest = (brand = "service"): Record<string, Answer> => ({
  "GET /v1/models": json({ object: "list", data: [model(brand)] }),
  "GET /v1/models/small": json(model(brand)),
  "GET /v1/account": json({
    wallet: WALLET,
    credits_remaining: 1_000,
    usdg_value: 10,
    last_topup_at: "2026-06-01T00:00:00Z",
  }),
  "POST /v1/chat/completions": json({
    id: "chatcmpl-job_1",
    object: "chat.completion",
    created: 1_780_000_000,
    model: "small",
    choices: [{ index: 0, message: { role: "assistant", content: "hello" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
  }),
});

/** Serves the answers. A request without the key is refused. */
export function standIn(answers: Record<string, Answer>): Promise<LocalServer> {
  return localServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    request.on("end", () => {
      const name = `${request.method} ${(request.url ?? "").split("?", 1)[0]}`;
      const authorized = request.headers.authorization === `Bearer ${KEY}`;
      const answer = authorized ? (answers[name] ?? error(404, "not_found")) : error(401, "invalid_api_key");
      answer(request, response, body);
    });
  });
}

export const optionsFor = (baseUrl: string, changes: Partial<TargetOptions> = {}): TargetOptions => ({
  ...DEFAULTS,
  baseUrl,
  keys: [KEY],
  receiver: false,
  patience: PATIENCE.none,
  only: [],
  timeout: 20_000,
  ...changes,
});

/** Runs cases without the test runner, which cannot run within itself. */
export function judgeWith(
  cases: readonly Case[],
  options: TargetOptions,
  settings: { readonly events?: RunEvents; readonly signal?: AbortSignal } = {},
): Promise<Report> {
  return run(options, {
    cases,
    command: "assay conform <base-url>",
    runner: async (tests) => {
      for (const each of tests) await each.run();
    },
    ...settings,
  });
}
