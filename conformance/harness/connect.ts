/** Connects a run to its target: the wire, the controls, the clock, the receiver, the keys, and what there is to try. */
import type { Need } from "../../fixtures/protocol/requirements/index.ts";
import { ConformError } from "../errors.ts";
import { at, type Exchange } from "../exchange/exchange.ts";
import { makeHttp } from "../exchange/http.ts";
import { secrets as makeSecrets, type Secrets } from "../exchange/redact.ts";
import { openWire, type Wire } from "../exchange/wire.ts";
import { openHttpsReceiver } from "../receiver/https.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { type Chain, openChain } from "../target/chain.ts";
import type { Clock } from "../target/clock.ts";
import { type ClockOptions, openClock, rateOf } from "../target/make-clock.ts";
import { type ControlDoor, type ControlTransport, NO_CONTROLS, openControls } from "../target/make-controls.ts";
import type { TargetOptions } from "../target/options.ts";
import { MINUTES } from "../target/patience.ts";
import { makeApi } from "./api.ts";
import { answeredAtAll, isService, modelsFrom } from "./preflight.ts";
import type { GivenKey, Target } from "./target.ts";

export interface ConnectHooks {
  /** Names the case that is running. */
  readonly owner: () => string;
  readonly onExchange: (exchange: Exchange) => void;
  readonly signal: AbortSignal;
}

/** Real milliseconds within which the controls, and the first request, must answer. */
const CONTROL_LIMIT = 30_000;
const FIRST_LIMIT = 10_000;

/** Connects. Throws `ConformError` when the input is wrong: a dead address, a wrong key, a wrong brand, no such service. */
export async function connect(options: TargetOptions, hooks: ConnectHooks): Promise<Target> {
  const baseUrl = urlFrom(options.baseUrl, "the base address").href.replace(/\/$/, "");
  const told: TargetOptions = { ...options, baseUrl };
  const secrets = makeSecrets();
  options.keys.forEach((key, index) => {
    secrets.add(key, index === 0 ? "key" : `key ${index + 1}`);
  });

  const control = await connectControls(told, secrets);
  const chain = await connectChain(told);
  const receiver = await openReceiver(told);
  let now = (): number => Date.now();
  const wire = openWire({ now: () => now(), dispatcher: options.dispatcher, insecure: options.insecure });
  const { clockKind, clock: port } = control.door;
  const flows = port !== null && wire.inProcess === false && (clockKind === "offset" || clockKind === "wall");
  const clock = await openClock({
    ...receiver.clockHooks,
    kind: clockKind,
    port,
    rate: flows ? await rateOf(port) : 1,
    patience: options.patience,
    inProcess: wire.inProcess,
    activity: () => wire.activity + receiver.activity(),
    signal: hooks.signal,
  });
  now = clock.now;
  receiver.setClock(clock);
  const http = makeHttp({ wire, clock, baseUrl, ...hooks });
  const close = async (): Promise<void> => {
    http.abandon("the run is over");
    await Promise.allSettled([wire.close(), control.wire?.close(), chain?.wire.close(), receiver.receiver.close()]);
  };

  try {
    const wallets = control.door.controls.has("wallets");
    const first = options.keys[0] ?? (wallets ? await firstKey(control.door, secrets) : null);
    await reach(wire, told, first);
    const api = makeApi({ http, key: first, models: [], reserve: () => {} });
    const listed = await patiently(() => api.models());
    isService(listed, told, first !== null);
    const models = modelsFrom(listed, told);
    const keys: GivenKey[] = [];
    for (const key of options.keys)
      keys.push(await given(key, (each) => makeApi({ http, key: each, models, reserve: () => {} }).account()));
    const cheapest = models[0]?.credits_per_request ?? 0;
    return {
      options: told,
      http,
      clock,
      controls: control.door.controls,
      receiver: receiver.receiver,
      chain: chain?.chain ?? null,
      noReceiver: receiver.none,
      secrets,
      models,
      keys,
      available: available(told, control.door, clock, keys, cheapest, receiver.none === null),
      signal: hooks.signal,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function urlFrom(text: string, what: string): URL {
  const parsed = URL.canParse(text) ? new URL(text) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new ConformError({
    what: `This is not ${what} of a service.`,
    seen: text,
    expected: "an address such as http://127.0.0.1:8080 or https://api.example.com",
  });
}

async function connectControls(
  options: TargetOptions,
  secrets: Secrets,
): Promise<{ readonly door: ControlDoor; readonly wire: Wire | null }> {
  if (options.control === undefined) return { door: NO_CONTROLS, wire: null };
  const { url, token } = options.control;
  const address = urlFrom(url, "the address of the test controls");
  if (token !== undefined) secrets.add(token, "control token");
  const wire = openWire({ now: Date.now, dispatcher: options.dispatcher, insecure: options.insecure });
  const headers = token === undefined ? [] : [["authorization", `Bearer ${token}`] as const];
  const transport: ControlTransport = (method, path, body) => ask(wire, address, { method, path, body, headers });
  try {
    return { door: await openControls(transport, url), wire };
  } catch (error) {
    await wire.close();
    throw error;
  }
}

/** Opens the chain's endpoint, when one was given. */
async function connectChain(options: TargetOptions): Promise<{ readonly chain: Chain; readonly wire: Wire } | null> {
  if (options.rpc === undefined) return null;
  const address = urlFrom(options.rpc, "the JSON-RPC address of the chain");
  const wire = openWire({ now: Date.now, insecure: options.insecure });
  try {
    const path = address.search;
    return { chain: await openChain((body) => ask(wire, address, { method: "POST", path, body }), options.rpc), wire };
  } catch (error) {
    await wire.close();
    throw error;
  }
}

/** One JSON request beside the service: to its controls, or to the chain. `status` is 0 when no whole answer came. */
async function ask(
  wire: Wire,
  address: URL,
  request: {
    readonly method: string;
    readonly path: string;
    readonly body?: unknown;
    readonly headers?: readonly (readonly [string, string])[];
  },
): Promise<{ readonly status: number; readonly json: unknown; readonly error: string | null }> {
  const { body, headers = [] } = request;
  const flight = wire.send({
    origin: address.origin,
    method: request.method,
    path: (address.pathname.replace(/\/$/, "") + request.path).replace(/^(?!\/)/, "/"),
    headers: [
      ["accept", "application/json"],
      ...headers,
      ...(body === undefined ? [] : [["content-type", "application/json"] as const]),
    ],
    body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
  });
  const limit = setTimeout(() => flight.end("timeout", `no answer within ${CONTROL_LIMIT / 1000} s`), CONTROL_LIMIT);
  const answer = await flight.done;
  clearTimeout(limit);
  return { status: answer.ending === "answered" ? answer.status : 0, json: parse(answer.body), error: answer.error };
}

interface OpenReceiver {
  readonly receiver: Receiver;
  /** Why there is none; null when there is one. */
  readonly none: string | null;
  readonly activity: () => number;
  readonly clockHooks: Pick<ClockOptions, "onTime" | "nextDue">;
  setClock(clock: { window(): { earliest: number; at: number }; readonly kind: string }): void;
}

async function openReceiver(options: TargetOptions): Promise<OpenReceiver> {
  const given = options.inProcessReceiver;
  if (given !== undefined) {
    return { receiver: given, none: null, activity: () => given.count, clockHooks: {}, setClock: () => {} };
  }
  if (options.receiver === false || options.dispatcher !== undefined) {
    const none = "no webhook receiver (--no-receiver)";
    const receiver: Receiver = {
      refusedHandshakes: 0,
      listen: () => {},
      open: () => {
        throw new Error(none);
      },
      close: () => Promise.resolve(),
    };
    return { receiver, none, activity: () => 0, clockHooks: {}, setClock: () => {} };
  }
  const https = await openHttpsReceiver({ brand: options.brand, ...options.receiver });
  return {
    receiver: https,
    none: null,
    activity: () => https.activity,
    clockHooks: { onTime: https.onTime, nextDue: https.nextDue },
    setClock: (clock) => https.setClock({ window: clock.window, manual: clock.kind === "manual" }),
  };
}

async function firstKey(door: ControlDoor, secrets: Secrets): Promise<string> {
  const made = await door.controls.makeWallet(1_000);
  secrets.add(made.api_key, "key of a test wallet");
  return made.api_key;
}

/** Whether anything answers at all, told apart from what it answers. */
async function reach(wire: Wire, options: TargetOptions, key: string | null): Promise<void> {
  const base = new URL(options.baseUrl);
  const flight = wire.send({
    origin: base.origin,
    method: "GET",
    path: `${base.pathname.replace(/\/$/, "")}/v1/models`,
    headers: key === null ? [] : [["authorization", `Bearer ${key}`]],
    body: null,
  });
  const limit = setTimeout(() => flight.end("timeout", `no answer within ${FIRST_LIMIT / 1000} s`), FIRST_LIMIT);
  const answer = await flight.done;
  clearTimeout(limit);
  answeredAtAll(answer, options);
}

/** A first answer in error may be a hiccup: three chances. */
async function patiently(send: () => PromiseLike<Exchange>): Promise<Exchange> {
  let exchange = await send();
  for (let again = 0; again < 2 && (exchange.status >= 500 || exchange.ending !== "answered"); again++) {
    exchange = await send();
  }
  return exchange;
}

async function given(key: string, account: (key: string) => PromiseLike<Exchange>): Promise<GivenKey> {
  const exchange = await patiently(() => account(key));
  if (exchange.status === 401) {
    throw new ConformError({
      what: "The target does not accept one of the API keys.",
      where: "GET /v1/account",
      seen: "401",
      expected: "200",
      hint: "every key that is given with --key must be active",
    });
  }
  const wallet = at(exchange.json, "wallet");
  const balance = at(exchange.json, "credits_remaining");
  return {
    key,
    wallet: typeof wallet === "string" ? wallet.toLowerCase() : null,
    balance: typeof balance === "number" ? balance : null,
  };
}

function available(
  options: TargetOptions,
  door: ControlDoor,
  clock: Pick<Clock, "movable" | "affords">,
  keys: readonly GivenKey[],
  cheapest: number,
  receiver: boolean,
): ReadonlySet<Need> {
  const needs = new Set<Need>();
  const has = door.controls.has;
  if (keys.length > 0 || has("wallets")) needs.add("key");
  if (has("wallets")) for (const need of ["wallets", "second-wallet", "credits"] as const) needs.add(need);
  if (new Set(keys.map((each) => each.wallet ?? each.key)).size > 1) needs.add("second-wallet");
  if ((keys[0]?.balance ?? 0) >= cheapest && keys.length > 0 && options.maxCredits >= cheapest) needs.add("credits");
  if (clock.movable) needs.add("clock");
  if (clock.affords(MINUTES)) needs.add("patience");
  for (const each of ["keys", "behaviours", "workers", "arbitration", "deliveries"] as const) {
    if (has(each)) needs.add(each);
  }
  if (receiver) needs.add("receiver");
  if (options.rpc !== undefined) needs.add("chain");
  return needs;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
