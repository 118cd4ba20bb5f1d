/**
 * An alien service: an honest implementation of the contract and of the test controls over `node:http`, written from their texts alone. It shares
 * no code with the simulated network, is built otherwise, and makes other choices wherever a choice is open. What the judge fails in it is a false
 * alarm, unless a flaw was put in, which the judge must find.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { chat } from "./alien/chat.ts";
import { checkedChat } from "./alien/chat-form.ts";
import { type Choices, PLAIN } from "./alien/choices.ts";
import { control } from "./alien/controls.ts";
import type { FlawId } from "./alien/flaws.ts";
import { type Asked, objectOf, Refusal, type Reply, readAsked, replyOf, write } from "./alien/http.ts";
import { jobList } from "./alien/lists.ts";
import { account, modelList, oneJob, oneModel } from "./alien/reading.ts";
import type { Wallet } from "./alien/state.ts";
import { makeWorld, type World } from "./alien/world.ts";
import { createHook, deleteHook, dispute, listHooks } from "./alien/writing.ts";

export interface AlienOptions {
  readonly choices?: Partial<Choices>;
  readonly flaws?: readonly FlawId[];
  /** Keys to accept, with the units of each one's wallet. */
  readonly keys?: Readonly<Record<string, number>>;
}

export interface Alien {
  readonly url: string;
  readonly controlUrl: string;
  readonly choices: Choices;
  /** Every key and webhook secret that it knows: what no report may show. */
  secrets(): readonly string[];
  close(): Promise<void>;
}

export async function startAlien(options: AlienOptions = {}): Promise<Alien> {
  const choices: Choices = { ...PLAIN, ...options.choices };
  const world = makeWorld(choices, new Set(options.flaws));
  for (const [key, credits] of Object.entries(options.keys ?? {})) world.makeWallet(credits, key);
  let requests = 0;
  const service = serve(
    choices,
    async (asked) => {
      requests += 1;
      if (choices.burst > 0 && requests % choices.burst === 0) return tooMany(choices);
      if (!asked.path.startsWith(choices.prefix)) return unknownPath(world);
      return await answer(world, { ...asked, path: asked.path.slice(choices.prefix.length) });
    },
    (reply, refusal, asked) => marred(world, reply, refusal, asked),
  );
  const controls = serve(choices, (asked) => control(world, asked, null));
  const [port, controlPort] = await Promise.all([listen(service), listen(controls)]);
  return {
    url: `http://127.0.0.1:${port}${choices.prefix}`,
    controlUrl: `http://127.0.0.1:${controlPort}`,
    choices,
    secrets: () => [...world.wallets.keys(), ...world.hooks.all.map((hook) => hook.secret)],
    close: async () => {
      world.time.close();
      await Promise.all([stop(service), stop(controls)]);
    },
  };
}

function serve(
  choices: Choices,
  handle: (asked: Asked) => Promise<Reply | null>,
  mar: (reply: Reply, refusal: Refusal, asked: Asked | null) => Reply = (reply) => reply,
): Server {
  return createServer({ keepAliveTimeout: 30_000 }, (request, response) => {
    response.on("error", () => {});
    void (async () => {
      let asked: Asked | null = null;
      try {
        if (choices.closes) response.setHeader("connection", "close");
        asked = await readAsked(request, response, choices.mostBytes);
        const reply = await handle(asked);
        if (reply !== null) write(response, reply, choices);
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(500, "internal_error", String(error));
        if (refusal.status === 500 && !(error instanceof Refusal)) process.stderr.write(`${(error as Error).stack}\n`);
        write(response, mar(replyOf(refusal, choices), refusal, asked), choices);
      }
    })();
  });
}

/** A refusal, as a flaw changes it. */
function marred(
  { flawed, choices }: World,
  reply: Reply,
  { status, code, message }: Refusal,
  asked: Asked | null,
): Reply {
  const streams = asked?.body.includes('"stream":true') === true;
  const { error } = reply.body as { error: object };
  if (flawed("docs-missing-for-504") && status === 504) {
    return { ...reply, body: { error: { ...error, docs: undefined } } };
  }
  if (flawed("docs-null") && status === 404) return { ...reply, body: { error: { ...error, docs: null } } };
  if (flawed("stream-402-text") && status === 402 && streams) {
    return { status, headers: reply.headers ?? {}, text: { type: "text/plain", text: JSON.stringify(reply.body) } };
  }
  if (flawed("stream-error-event") && code === "model_not_found" && streams) {
    const text = `data: ${JSON.stringify({ error: { code, message } })}${choices.eol}${choices.eol}`;
    return { status: 200, text: { type: "text/event-stream", text } };
  }
  return reply;
}

/** Section 4: who asks, and for what. */
async function answer(world: World, asked: Asked): Promise<Reply | null> {
  const [, version, what, ...rest] = asked.path.split("/").map(decoded);
  const [id, more] = rest;
  const route = `${asked.method} /${[what, ...rest.map((_, index) => (index === 1 ? more : ":id"))].join("/")}`;
  if (world.flawed("null-body-crashes") && asked.body === "null") throw new Refusal(500, "internal_error", "null");
  if (world.choices.jsonOnly && asked.method === "POST" && !/^application\/json\b/i.test(asked.type)) {
    throw new Refusal(415, "unsupported_media_type", "Bodies are JSON here.");
  }
  const bodyFirst = !world.choices.keyBeforeBody && asked.method === "POST" && what === "chat" && id === "completions";
  if (bodyFirst) checkedChat(world, objectOf(asked));
  const known = what !== "jobs" || id === undefined || world.jobs.byId.has(id);
  if (world.flawed("unknown-job-before-key") && !known) unknownPath(world);
  const wallet = authenticate(world, asked);
  const reply = version === "v1" ? await act(world, asked, wallet, route, id ?? "") : unknownPath(world);
  return reply === null ? null : { ...reply, headers: { ...world.receipts(asked), ...reply.headers } };
}

async function act(world: World, asked: Asked, wallet: Wallet, route: string, id: string): Promise<Reply | null> {
  switch (route) {
    case "POST /chat/completions":
    case "POST /chat/:id":
      return id === "completions" ? await chat(world, asked, wallet) : unknownPath(world);
    case "GET /models":
      return modelList(world);
    case "GET /models/:id":
      return oneModel(world, id);
    case "GET /account":
      return account(world, world.flawed("account-races") ? await latest(wallet) : wallet);
    case "GET /jobs":
      return jobList(world, asked, wallet);
    case "GET /jobs/:id":
      return oneJob(world, asked, wallet, id);
    case "POST /jobs/:id/dispute":
      return dispute(world, asked, wallet, id);
    case "POST /webhooks":
      return createHook(world, asked, wallet);
    case "GET /webhooks":
      return listHooks(world, wallet);
    case "DELETE /webhooks/:id":
      return deleteHook(world, wallet, id);
    default:
      return unknownPath(world, asked.path);
  }
}

const KNOWN_PATH = /^\/v1\/(models|account|jobs|webhooks|chat\/completions)$|^\/v1\/(models|jobs|webhooks)\/[^/]+$/;

function unknownPath({ choices }: World, path = ""): never {
  if (choices.otherMethod === 405 && KNOWN_PATH.test(path)) {
    throw new Refusal(405, "method_not_allowed", "That cannot be done here.");
  }
  throw new Refusal(404, choices.notFound, "There is nothing here.");
}

/** The burst limit: what a 429 carries is open. */
function tooMany(choices: Choices): Reply {
  const soon = new Date(Date.now() + 1_000).toUTCString();
  switch (choices.burstAs) {
    case "object":
      return {
        ...replyOf(new Refusal(429, "slow_down", "Too many requests.", { details: { retry_after: 0 } }), choices),
        headers: { "retry-after": "0" },
      };
    case "date":
      return { status: 429, headers: { "retry-after": soon } };
    case "html":
      return { status: 429, text: { type: "text/html", text: "<h1>429</h1>" } };
    default:
      return { status: 429, text: { type: "text/plain", text: "Slow down." }, headers: { "retry-after": "1" } };
  }
}

/** Section 5. */
function authenticate(world: World, asked: Asked): Wallet {
  const { choices, flawed, time } = world;
  const { authorization } = asked;
  if (authorization === undefined) throw new Refusal(401, "missing_api_key", "Which key?");
  const match = (choices.bearerAnyCase ? /^bearer +(\S+)$/i : /^Bearer +(\S+)$/).exec(authorization);
  if (match === null) throw new Refusal(401, choices.malformedKey, "That is no bearer token.");
  const wallet = walletOf(world, match[1] ?? "");
  if (wallet === undefined) throw new Refusal(401, "invalid_api_key", "The key is unknown.");
  const reading = asked.method === "GET" && asked.path.startsWith("/v1/jobs");
  const cached = flawed("key-cached") && reading && time.now() - wallet.stateAt < 30_000;
  const allowed = flawed("suspended-reads") && wallet.state === "suspended" && asked.path === "/v1/account";
  const streams = asked.body.includes('"stream":true');
  const spared =
    (flawed("revoked-key-streams") && streams) || (flawed("revoked-key-deletes") && asked.method === "DELETE");
  if (flawed("other-key-after-revocation") && wallet.state === "revoked" && wallet.wasSuspended) {
    throw new Refusal(403, "key_suspended", "The key is suspended.");
  }
  if (wallet.state === "revoked" && !cached && !spared)
    throw new Refusal(401, "invalid_api_key", "The key was revoked.");
  const chats = asked.path === "/v1/chat/completions";
  if (flawed("back-but-not-for-chats") && wallet.wasRevoked && wallet.state === "active" && chats) {
    throw new Refusal(401, "invalid_api_key", "The key was revoked.");
  }
  if (wallet.state === "suspended" && !allowed) {
    if (flawed("suspended-leaves-job") && chats) leaveJob(world, asked, wallet);
    if (flawed("stream-401-for-suspended") && streams) {
      throw new Refusal(401, "invalid_api_key", "The key is suspended.");
    }
    throw new Refusal(403, "key_suspended", "The key is suspended.");
  }
  asked.wallet = wallet;
  return wallet;
}

function walletOf({ wallets, flawed }: World, key: string): Wallet | undefined {
  const exact = wallets.get(key);
  if (exact !== undefined) return exact;
  return [...wallets.values()].find(
    (each) =>
      (flawed("last-letter-free") && key.length === each.key.length && each.key.slice(0, -1) === key.slice(0, -1)) ||
      (flawed("key-any-case") && each.key.toLowerCase() === key.toLowerCase()),
  );
}

function leaveJob(world: World, asked: Asked, wallet: Wallet): void {
  const model = world.choices.models.find((each) => asked.body.includes(JSON.stringify(each.id)));
  if (model === undefined) return;
  const order = {
    wallet,
    model,
    stream: false,
    prompt: "",
    promptTokens: 1,
    lastPrompt: 1,
    most: 1,
    reckoned: 1,
    required: 0,
    stops: [],
  };
  world.jobs.makeEmpty(order, "failed");
}

/** A flaw: what the request is about is kept where the next one finds it. */
const shared: { wallet: Wallet | null } = { wallet: null };
async function latest(wallet: Wallet): Promise<Wallet> {
  shared.wallet = wallet;
  await new Promise((resolve) => setTimeout(resolve, 4));
  return shared.wallet ?? wallet;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
