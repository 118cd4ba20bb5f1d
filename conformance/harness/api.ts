/** The requests of the contract, made for one key. */
import type { Api, CallOptions, Json, RawRequest } from "../cases/api.ts";
import type { ListedModel } from "../cases/case.ts";
import type { Call } from "../exchange/call.ts";
import { at } from "../exchange/exchange.ts";
import { endpointOf, type Http } from "../exchange/http.ts";

export interface ApiOptions {
  readonly http: Http;
  readonly key: string | null;
  readonly models: readonly ListedModel[];
  /** Told the most units that a request can take, just before it goes. May throw `Stop`. */
  readonly reserve: (units: number) => void;
}

const USER_AGENT = "assay-conform/1";

/** What `api.say()` sends. Short, and within every price reading's flat range. */
export function usualChat(models: readonly ListedModel[]): Record<string, unknown> {
  return { model: models[0]?.id, messages: [{ role: "user", content: "Say one short sentence." }], max_tokens: 16 };
}

export function makeApi(options: ApiOptions): Api {
  const { key, models } = options;

  const raw = (request: RawRequest): Call => {
    const body = bodyOf(request);
    const usual: Record<string, string> = { accept: "application/json", "user-agent": USER_AGENT };
    if (key !== null) usual.authorization = `Bearer ${key}`;
    if (body !== null) usual["content-type"] = "application/json";
    const headers: Record<string, string | null> = { ...usual };
    for (const [name, value] of Object.entries(request.headers ?? {})) headers[name.toLowerCase()] = value;
    const cost = request.cost ?? chatCost(request, models);
    return options.http.call({
      method: request.method,
      path: request.path,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        value === null ? [] : [[name, value]],
      ),
      body,
      key: headers.authorization === usual.authorization ? key : null,
      before: () => options.reserve(cost),
    });
  };
  const get = (path: string, more?: CallOptions): Call => raw({ method: "GET", path, ...more });
  const post = (path: string, json: Json, more?: CallOptions): Call => raw({ method: "POST", path, json, ...more });
  const segment = encodeURIComponent;

  return {
    key,
    raw,
    chat: (body, more) => post("/v1/chat/completions", body, more),
    say: (changes, more) => post("/v1/chat/completions", { ...usualChat(models), ...changes }, more),
    models: (more) => get("/v1/models", more),
    model: (id, more) => get(`/v1/models/${segment(id)}`, more),
    account: (more) => get("/v1/account", more),
    job: (id, more) => get(`/v1/jobs/${segment(id)}`, more),
    jobs: (query = {}, more) => {
      const pairs = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [`${segment(name)}=${segment(String(value))}`],
      );
      return get(`/v1/jobs${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`, more);
    },
    dispute: (jobId, given, more) =>
      post(
        `/v1/jobs/${segment(jobId)}/dispute`,
        typeof given === "string" ? { received_output_hash: given } : given,
        more,
      ),
    createWebhook: (body, more) => post("/v1/webhooks", body, more),
    webhooks: (more) => get("/v1/webhooks", more),
    deleteWebhook: (id, more) => raw({ method: "DELETE", path: `/v1/webhooks/${segment(id)}`, ...more }),
  };
}

function bodyOf(request: RawRequest): Uint8Array | null {
  if (request.body !== undefined) {
    return typeof request.body === "string" ? new TextEncoder().encode(request.body) : request.body;
  }
  return request.json === undefined ? null : new TextEncoder().encode(JSON.stringify(request.json));
}

/** A completion that nothing bounds is taken to be no longer than this. */
const LONG_COMPLETION = 4_000;

/** The most that a chat can take by any reading of the price: the flat price, and every started 1,000 tokens. */
export function chatCost(request: RawRequest, models: readonly ListedModel[]): number {
  if (endpointOf(request.method, request.path) !== "POST /v1/chat/completions") return 0;
  const dearest = models.reduce((most, each) => (each.credits_per_request > most.credits_per_request ? each : most), {
    credits_per_request: 0,
    credits_per_1k_tokens: 0,
  });
  const body = request.json ?? parse(request.body);
  const asked = at(body, "model");
  const price = models.find((each) => each.id === asked) ?? dearest;
  const bound = at(body, "max_tokens");
  const tokens = typeof bound === "number" && bound > 0 ? bound : LONG_COMPLETION;
  return price.credits_per_request + (tokens > 450 ? Math.ceil(tokens / 1_000) * price.credits_per_1k_tokens : 0);
}

function parse(body: RawRequest["body"]): unknown {
  try {
    return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
