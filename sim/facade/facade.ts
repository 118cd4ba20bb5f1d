/**
 * The HTTP-shaped door onto a simulated network: the whole of section 4 of the contract, without a socket.
 *
 * A request comes in whole; its answer is written to a sink, at once or when the world has one. The door reads no clock and waits for nothing: time
 * moves when somebody moves the network.
 */

import { type BrandNames, brandNames } from "../../fixtures/protocol/brand.ts";
import type { Network } from "../port.ts";
import { honestRules, type Rules } from "../rules.ts";
import { type ChatSink, complete, unknownModel } from "./chat.ts";
import { type ClockControl, type ControlOptions, createControls } from "./controls.ts";
import { createDeliveries, type DeliveryTransport, nowhere } from "./deliveries.ts";
import { type Door, honestDoor, type Receivable } from "./door.ts";
import { checkFields } from "./fields.ts";
import {
  type Answer,
  bytes,
  type FacadeExchange,
  type FacadeRequest,
  type FacadeResponse,
  isObject,
  type Middleware,
  over,
  parseJson,
  parseTarget,
  send,
} from "./http.ts";
import type { Call, Inside } from "./inside.ts";
import { createJobBook } from "./jobs.ts";
import { createKeyRing, type Key } from "./keys.ts";
import { invalid, notFound, type Refusal } from "./refusal.ts";
import { type Endpoint, route } from "./routes.ts";
import { defaultShape, type Shape } from "./shape.ts";
import { createWebhookBook } from "./webhook-book.ts";

export interface FacadeOptions {
  readonly network: Network;
  /** Names every id, key and text. */
  readonly seed: string | number;
  /** Default: `service`. */
  readonly brand?: string;
  /** Unix time in milliseconds of the start of the run. */
  readonly epochMs: number;
  /** Choices that differ from `defaultShape`. */
  readonly shape?: Partial<Shape>;
  /** The same as the world's. */
  readonly rules?: Rules;
  /** Functions that replace those of `honestDoor`. */
  readonly door?: (honest: Door) => Partial<Door>;
  /** Wrapped around the door, the first outermost. */
  readonly middleware?: readonly ((inside: Inside) => Middleware)[];
  /** Where webhook deliveries go; by default nowhere: every attempt fails. */
  readonly deliver?: DeliveryTransport;
  readonly controls?: ControlOptions;
  /** How the test controls move time; by default the clock is manual. */
  readonly clock?: ClockControl;
}

export interface Facade {
  handle(request: FacadeRequest, response: FacadeResponse): FacadeExchange;
  /** The test controls. */
  readonly controls: { handle(request: FacadeRequest, response: FacadeResponse): FacadeExchange };
  /** A wallet with an active key; `key` is drawn from the seed where it is not given. */
  openWallet(units: number, key?: string): { readonly wallet: number; readonly address: string; readonly key: string };
  /** Runs everything due up to `time` (virtual), giving awaited deliveries the chance to be answered on the way. */
  advanceTo(time: number, patience?: Patience): Promise<void>;
  readonly inside: Inside;
}

/** Waits for attempts to be answered, for as long as seems right to whoever knows the wall clock: `slow` ones were waited for before. */
export type Patience = (work: Promise<unknown>, attempts: "fresh" | "slow") => Promise<void>;

const BODY_LIMIT = 8 * 1024 * 1024;

/** Opens the door onto a network. */
export function createFacade(options: FacadeOptions): Facade {
  const { network, seed, epochMs } = options;
  const brand: BrandNames = brandNames(options.brand);
  const inside: Inside = {
    network,
    rules: options.rules ?? honestRules,
    seed,
    brand,
    epochMs,
    shape: { ...defaultShape, ...options.shape },
    door: { ...honestDoor, ...options.door?.(honestDoor) },
    keys: createKeyRing(seed, brand.keyPrefix),
    jobs: createJobBook(seed),
    webhooks: createWebhookBook(seed),
    deliveries: createDeliveries(() => inside, options.deliver ?? nowhere),
    wallets: new Map(),
    outputTokens: new Map(),
  };
  network.onEvent((event) => inside.deliveries.announce(event));

  const wrappers = (options.middleware ?? []).map((make) => make(inside));
  const handle = wrappers.reduceRight<Facade["handle"]>(
    (next, wrap) => (request, response) => wrap(request, response, next),
    (request, response) => serve(inside, request, response),
  );
  const openWallet: Facade["openWallet"] = (units, text) => {
    const wallet = network.openWallet(units);
    const key = inside.keys.create(wallet, network.now, text);
    const address = network.walletAddress(wallet);
    inside.wallets.set(address.toLowerCase(), wallet);
    return { wallet, address, key: key.text };
  };
  /** Attempts that were waited for once: a receiver that hangs does not hold up each further move of the clock. */
  const waited = new WeakSet<object>();
  const advanceTo: Facade["advanceTo"] = async (time, patience) => {
    await advance(inside, time, patience ?? (async (work) => void (await work)), waited);
  };
  const clock = options.clock ?? { kind: "manual", advance: (micros: number) => advanceTo(network.now + micros) };
  return {
    handle,
    controls: createControls(inside, openWallet, clock, options.controls ?? {}),
    openWallet,
    advanceTo,
    inside,
  };
}

async function advance(
  { network, deliveries }: Inside,
  time: number,
  patience: Patience,
  waited: WeakSet<object>,
): Promise<void> {
  const slow = deliveries.awaited().filter((attempt) => waited.has(attempt));
  if (slow.length > 0) await patience(Promise.all(slow.map(({ answered }) => answered)), "slow");
  for (;;) {
    const fresh = deliveries.awaited().filter((attempt) => !waited.has(attempt));
    if (fresh.length > 0) {
      for (const attempt of fresh) waited.add(attempt);
      await patience(Promise.all(fresh.map(({ answered }) => answered)), "fresh");
      continue;
    }
    if (network.waiting !== undefined) {
      await network.waiting;
      continue;
    }
    const due = network.nextDue();
    if (due > time) break;
    network.runUntil(due);
  }
  if (network.now < time) network.runUntil(time);
}

/** Serves one request: who is asking, what for, is it well-formed; the first fault answers. */
function serve(inside: Inside, request: FacadeRequest, response: FacadeResponse): FacadeExchange {
  const { door } = inside;
  let gone = false;
  const reply = (answer: Answer, subject: Receivable): FacadeExchange => {
    if (gone) return over;
    return send(response, { ...answer, headers: { ...answer.headers, ...door.receipt(inside, subject) } });
  };
  const path = request.target.split("?", 1)[0]!;
  const key = door.authenticate(inside, request.headers.authorization, { method: request.method, path });
  const identified = "code" in key ? undefined : key;
  const refuse = (refusal: Refusal): FacadeExchange =>
    reply(door.refuse(inside, refusal), { key: identified, job: refusal.job, moment: "whole" });
  if ("code" in key) return refuse(key);

  const { segments, query } = parseTarget(request.target);
  const found = segments === undefined ? undefined : route(request.method, segments);
  if (found === undefined) return refuse(unknownPath(inside, path));
  if ("allowed" in found) return refuse(wrongMethod(inside, request.method, found.allowed));
  const body = found.endpoint.fields === undefined ? undefined : readBody(inside, request, found.endpoint);
  if (body !== undefined && "code" in body) return refuse(body);

  const call: Call = { key, id: found.id, query, body: body?.value };
  if (found.endpoint.run !== "chat") {
    const result = found.endpoint.run(inside, call);
    return "code" in result ? refuse(result) : reply(result, { key, job: undefined, moment: "whole" });
  }
  const refused = complete(inside, call, chatSink(inside, key, response, { reply, refuse, gone: () => gone }));
  if (refused !== undefined) return refuse(refused);
  return {
    abort() {
      gone = true;
    },
  };
}

interface Replies {
  reply(answer: Answer, subject: Receivable): unknown;
  refuse(refusal: Refusal): unknown;
  gone(): boolean;
}

function chatSink(inside: Inside, key: Key, response: FacadeResponse, { reply, refuse, gone }: Replies): ChatSink {
  const { door, brand, shape } = inside;
  const place = shape.streamSettlement;
  /** A stream that is held back until its settlement is known. */
  let held: { readonly status: number; readonly headers: Readonly<Record<string, string>>; text: string } | undefined;
  return {
    answer: (answer, job) => void reply(answer, { key, job, moment: "whole" }),
    refuse: (refusal) => void refuse(refusal),
    head(status, headers, job) {
      const trailer = place === "trailer" ? { trailer: `${brand.headerPrefix}settlement-tx` } : {};
      if (place === "header") held = { status, headers, text: "" };
      else if (!gone()) {
        response.head(status, { ...headers, ...trailer, ...door.receipt(inside, { key, job, moment: "head" }) });
      }
    },
    write(text) {
      if (held !== undefined) held.text += text;
      else if (!gone()) response.write(bytes(text));
    },
    end(job) {
      if (gone()) return;
      if (held !== undefined) {
        response.head(held.status, { ...held.headers, ...door.receipt(inside, { key, job, moment: "whole" }) });
        response.write(bytes(held.text));
      }
      response.end(
        job === undefined || held !== undefined ? {} : door.receipt(inside, { key, job, moment: "trailer" }),
      );
    },
    cut: () => (gone() ? undefined : response.cut()),
  };
}

const ANNOUNCED = /^\/v1\/(embeddings|images|assistants|threads|fine_tuning)(\/|$)/;

function unknownPath({ shape }: Inside, path: string): Refusal {
  return shape.announcedPath === 501 && ANNOUNCED.test(path)
    ? { status: 501, code: "not_implemented", message: `${path} is not available yet.` }
    : notFound(shape, "path", path);
}

function wrongMethod({ shape }: Inside, method: string, allowed: readonly string[]): Refusal {
  const list = allowed.join(", ");
  return {
    status: shape.wrongMethod,
    code: shape.wrongMethod === 405 ? "method_not_allowed" : "not_found",
    message: `This path takes ${list}, not ${method}.`,
    headers: { allow: list },
  };
}

/** The body of a request as its endpoint wants it. */
function readBody(inside: Inside, request: FacadeRequest, endpoint: Endpoint): { value: unknown } | Refusal {
  const { shape, door, network } = inside;
  if (request.oversized || request.body.length > BODY_LIMIT) return tooLarge;
  const type = request.headers["content-type"];
  if (type !== undefined && shape.foreignContentType !== "read_anyway" && !/^application\/json\s*(;|$)/i.test(type)) {
    return {
      status: shape.foreignContentType,
      code: shape.foreignContentType === 415 ? "unsupported_media_type" : "invalid_request",
      message: "The body of a request is JSON, with the Content-Type application/json.",
    };
  }
  const parsed = parseJson(request.body);
  if (!parsed.ok) return invalid(null, `The body cannot be parsed: ${parsed.why}.`);
  if (!isObject(parsed.value)) return invalid(null, "The body is a JSON object.");
  const { model } = parsed.value;
  if (endpoint.run === "chat" && shape.firstFault === "model" && typeof model === "string") {
    if (!network.models.some(({ id }) => id === model)) return unknownModel(model);
  }
  return checkFields(parsed.value, endpoint.fields!(door), shape) ?? { value: parsed.value };
}

const tooLarge: Refusal = {
  status: 413,
  code: "request_too_large",
  message: `The body of a request has at most ${BODY_LIMIT} bytes.`,
  headers: { connection: "close" },
};
