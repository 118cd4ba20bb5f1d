/**
 * Test controls for a service of your own, complete and small: copy it, and put your own store where `state` is.
 *
 * Two servers in one process, since both look at one state: the test controls, and the service's API, of which no more is here than
 * the controls need to be seen at work (account, models, chat without streams, jobs). It offers the capabilities `clock` (of the kind `offset`), `wallets` and `keys`; every other
 * control answers 501, and the judge leaves out, and says so, what needs it.
 *
 *     node test-controls-server.mjs 8080 8081 [token]
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";

const [port = "8080", controlPort = "8081", token] = process.argv.slice(2);

/* ---- the state of the service: yours lies in a database ---- */

const state = {
  /** Milliseconds that the test controls have put this service ahead of the wall. Everything that asks for the time asks `now`. */
  ahead: 0,
  /** By address: { address, credits, lastTopUp }. */
  wallets: new Map(),
  /** By key: { wallet, state, createdAt }. */
  keys: new Map(),
  /** By id: the job as the API tells it, and its wallet. */
  jobs: new Map(),
  models: [
    {
      id: "small-1b",
      tier: "lite",
      credits_per_request: 2,
      credits_per_1k_tokens: 1,
      parameters: "1B",
      context_window: 32768,
    },
  ],
};

const now = () => Date.now() + state.ahead;
const iso = (time) => new Date(time).toISOString();

function openWallet(credits) {
  const address = `0x${hex(20)}`;
  const key = `svc_live_${hex(16)}`;
  state.wallets.set(address, { address, credits, lastTopUp: now() });
  state.keys.set(key, { wallet: address, state: "active", createdAt: now() });
  return { wallet: address, api_key: key, credits_remaining: credits };
}

/* ---- the service's own API ---- */

const hex = (bytes) => randomBytes(bytes).toString("hex");
const refusal = (status, code, message, type) => ({
  status,
  body: { error: { code, message, type, param: null, docs: `https://docs.example.com/errors#${code}` } },
});

function service(method, path, headers, text) {
  const sent = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
  if (sent === undefined)
    return refusal(401, "missing_api_key", "Send Authorization: Bearer <key>.", "authentication_error");
  const key = state.keys.get(sent);
  if (key === undefined || key.state === "revoked") {
    return refusal(401, "invalid_api_key", "This key is not known.", "authentication_error");
  }
  if (key.state === "suspended") return refusal(403, "key_suspended", "This key is suspended.", "permission_error");

  const wallet = state.wallets.get(key.wallet);
  if (method === "POST" && path === "/v1/chat/completions") return chat(wallet, parsed(text));
  const job = method === "GET" ? state.jobs.get(/^\/v1\/jobs\/([^/]+)$/.exec(path)?.[1]) : undefined;
  if (job?.wallet === wallet) return { status: 200, body: job.body };
  if (method === "GET" && path === "/v1/jobs") {
    const all = [...state.jobs.values()].filter((each) => each.wallet === wallet).map(({ body }) => body);
    const data = all.reverse().slice(0, 20);
    const has_more = data.length < all.length;
    return { status: 200, body: { object: "list", data, has_more, next_cursor: data.at(-1)?.id ?? null } };
  }
  if (method === "GET" && path === "/v1/account") {
    return {
      status: 200,
      body: {
        wallet: wallet.address,
        credits_remaining: wallet.credits,
        usdg_value: wallet.credits / 100,
        last_topup_at: iso(wallet.lastTopUp),
        api_key_created_at: iso(key.createdAt),
      },
    };
  }
  if (method === "GET" && path === "/v1/models")
    return { status: 200, body: { object: "list", data: state.models.map(modelBody) } };
  const id = /^\/v1\/models\/([^/]+)$/.exec(path)?.[1];
  const model = method === "GET" && state.models.find((each) => each.id === id);
  if (model) return { status: 200, body: modelBody(model) };
  return refusal(404, "not_found", "There is nothing at this address.", "not_found_error");
}

/** A job that a worker finishes, and the chain settles, at once. Yours takes its time. */
function chat(wallet, body) {
  const bad = (code, message) => refusal(400, code, message, "invalid_request_error");
  if (!Array.isArray(body?.messages) || body.messages.length === 0)
    return bad("invalid_request", "messages: at least one");
  if (body.stream === true) return bad("invalid_request", "stream: not in this example");
  const model = state.models.find(({ id }) => id === body.model);
  if (model === undefined) return bad("model_not_found", "GET /v1/models lists the models.");
  const price = model.credits_per_request;
  if (wallet.credits < price) {
    return refusal(402, "insufficient_credits", `${price} credits are needed.`, "billing_error");
  }
  wallet.credits -= price;
  const id = `job_${hex(12)}`;
  const answer = "Good day.";
  const usage = { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 };
  const onChain = {
    escrow_tx: `0x${hex(32)}`,
    settlement_tx: `0x${hex(32)}`,
    escrow_address: `0x${"e".repeat(40)}`,
    block_number: state.jobs.size + 1,
    proof_hash: `sha256:${createHash("sha256").update(answer).digest("hex")}`,
  };
  const worker = `0x${"a".repeat(40)}`;
  const times = { created_at: iso(now()), completed_at: iso(now()) };
  const charge = { credits_charged: price, usdg_value: price / 100, worker_address: worker };
  state.jobs.set(id, {
    wallet,
    body: {
      id,
      object: "job",
      status: "settled",
      model: model.id,
      tier: model.tier,
      ...charge,
      ...times,
      on_chain: onChain,
      usage,
    },
  });
  return {
    status: 200,
    headers: {
      "x-service-job-id": id,
      "x-service-tx-hash": onChain.escrow_tx,
      "x-service-settlement-tx": onChain.settlement_tx,
      "x-service-worker": worker,
      "x-service-credits-remaining": String(wallet.credits),
    },
    body: {
      id: `chatcmpl-${id}`,
      object: "chat.completion",
      created: Math.floor(now() / 1000),
      model: model.id,
      choices: [{ index: 0, message: { role: "assistant", content: answer }, finish_reason: "stop" }],
      usage,
    },
  };
}

const modelBody = ({ id, ...rest }) => ({
  id,
  object: "model",
  created: 1767225600,
  owned_by: "example",
  service: { active_workers: 1, median_latency_ms: 250, ...rest },
});

/* ---- the test controls, version 1 ---- */

const CAPABILITIES = ["clock", "wallets", "keys"];
const wrong = (status, message) => ({ status, body: { error: { message } } });
const isCount = (value, least) => Number.isSafeInteger(value) && value >= least;

/** Each control: method, path, and what it does with the parts of the path and the body. */
const controls = [
  [
    "GET",
    /^\/v1\/capabilities$/,
    () => ({
      status: 200,
      body: { protocol: "test-controls/1", capabilities: CAPABILITIES, clock: "offset", low_credit_threshold: 100 },
    }),
  ],
  ["GET", /^\/v1\/clock$/, () => ({ status: 200, body: { now: iso(now()) } })],
  [
    "POST",
    /^\/v1\/clock\/advance$/,
    (_, { milliseconds }) => {
      if (!isCount(milliseconds, 1)) return wrong(400, "milliseconds: an integer from 1");
      state.ahead += milliseconds;
      // Answer once everything that fell due has happened: run your timers, seal your blocks, send your webhooks here.
      return { status: 200, body: { now: iso(now()) } };
    },
  ],
  [
    "POST",
    /^\/v1\/wallets$/,
    (_, { credits }) =>
      isCount(credits, 0) ? { status: 201, body: openWallet(credits) } : wrong(400, "credits: an integer from 0"),
  ],
  [
    "POST",
    /^\/v1\/wallets\/([^/]+)\/topups$/,
    ([address], { credits }) => {
      const wallet = state.wallets.get(address);
      if (wallet === undefined) return wrong(404, "no such wallet");
      if (!isCount(credits, 100)) return wrong(400, "credits: an integer from 100");
      wallet.credits += credits;
      wallet.lastTopUp = now();
      return { status: 201, body: { credits_remaining: wallet.credits } };
    },
  ],
  [
    "POST",
    /^\/v1\/keys\/state$/,
    (_, { api_key, state: wanted }) => {
      if (typeof api_key !== "string" || !["active", "revoked", "suspended"].includes(wanted)) {
        return wrong(400, "api_key: a key; state: active, revoked or suspended");
      }
      const key = state.keys.get(api_key);
      if (key === undefined) return wrong(404, "no such key");
      key.state = wanted;
      return { status: 200, body: { state: wanted } };
    },
  ],
  // Offered by others, not here: 501 says that it is known and left out, 404 that there is no such control.
  ["POST", /^\/v1\/models\/[^/]+\/behaviour$/, notOffered],
  ["POST", /^\/v1\/workers$/, notOffered],
  ["POST", /^\/v1\/disputes\/[^/]+\/verdict$/, notOffered],
  ["GET", /^\/v1\/webhooks\/[^/]+\/deliveries$/, notOffered],
  ["POST", /^\/v1\/webhooks\/[^/]+\/deliveries\/[^/]+\/replay$/, notOffered],
];

function notOffered() {
  return wrong(501, "this deployment does not offer that control");
}

function control(method, path, headers, text) {
  if (token !== undefined && headers.authorization !== `Bearer ${token}`)
    return wrong(401, "the control token is missing or wrong");
  for (const [verb, pattern, run] of controls) {
    const match = pattern.exec(path);
    if (match === null || verb !== method) continue;
    const body = text === "" ? {} : parsed(text);
    if (body === undefined) return wrong(400, "the body is no JSON object");
    return run(match.slice(1).map(decodeURIComponent), body);
  }
  return wrong(404, "no such control");
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/* ---- two doors ---- */

function listen(handle, at, name) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { pathname } = new URL(request.url, "http://here");
    const { status, headers, body } = handle(request.method, pathname, request.headers, text);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  return new Promise((resolve) => {
    server.listen(Number(at), "127.0.0.1", () => {
      console.log(`${name} http://127.0.0.1:${server.address().port}`);
      resolve();
    });
  });
}

await listen(service, port, "service");
await listen(control, controlPort, "control");
console.log("ready");
