/** Webhook deliveries (sections 2.7, 6): every one is signed, well-formed, subscribed, its own wallet's, and true. */
import { createHmac, timingSafeEqual } from "node:crypto";
import {
  API_VERSION,
  EVENTS,
  type RequirementId,
  SIGNATURE_TOLERANCE_SECONDS,
} from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import type { Delivery } from "../../receiver/receiver.ts";
import { type Judgement, judge, type Monitor, type MonitorContext } from "../monitor.ts";
import { makeValidator } from "../validate.ts";
import { isValueOf } from "./account.ts";
import { fitsData } from "./answers.ts";
import { jobsIn } from "./jobs.ts";
import { receiptOf } from "./receipts.ts";

interface Hook {
  readonly secret: string;
  readonly events: readonly unknown[];
  readonly key: string;
}

/** Milliseconds by which an event may seem to come from the future, and by which it may be old when it is sent again. */
const APART = 300_000;
const LONGEST_WAY = 10 * 86_400_000;

/** Endings that exclude each other. */
const ENDINGS = ["job.completed", "job.failed", "job.timeout"];

export function deliveriesMonitor(brand: string): Monitor {
  const validator = makeValidator(brand);
  const hooks = new Map<string, Hook[]>();
  const owners = new Map<string, string>();
  const wallets = new Map<string, string>();
  const endings = new Map<string, string>();
  const completed = new Map<string, unknown>();
  const settled = new Map<string, unknown>();
  let version: string | null = null;

  return {
    name: "deliveries",
    rows: [
      ...(["6/1", "6/3", "6/4", "6/7", "6.1/11", "6.2/3", "6.2/6", "6.2/7", "6.3/1", "6.3/2", "6.3/3"] as const),
      ...(["6.3/5", "9/2", "9/5"] as const),
      ...["event", ...EVENTS.map((event) => `event.${event}`)].flatMap(validator.rows),
    ],
    *see(exchange) {
      remember(exchange);
      for (const job of jobsIn(exchange)) {
        if (at(job, "status") !== "settled") continue;
        const id = String(at(job, "id"));
        settled.set(id, job);
        if (completed.has(id)) yield* agree(completed.get(id), job);
      }
    },
    *hear(delivery, context) {
      yield* wellFormed(delivery, context);
      const known = hooks.get(delivery.url) ?? hooks.get(pathOf(delivery.url)) ?? [];
      if (known.length > 0) yield* ofHooks(delivery, known);
      yield* ofItsJob(delivery);
      const told = at(delivery.json, "api_version");
      if (typeof told === "string") {
        yield judge("9/2", told === API_VERSION, { expected: API_VERSION, seen: told });
        yield judge("9/5", version === null || version === told, { expected: version ?? told, seen: told });
        version ??= told;
      }
    },
  };

  function remember(exchange: Exchange): void {
    const { key } = exchange.request;
    if (key === null || !succeeded(exchange)) return;
    const asked = (name: string): unknown => at(exchange.request.json, name);
    const [url, secret, events] = [asked("url"), asked("secret"), asked("events")];
    if (exchange.endpoint === "POST /v1/webhooks" && typeof url === "string" && typeof secret === "string") {
      const hook: Hook = { secret, events: Array.isArray(events) ? events : [], key };
      hooks.set(pathOf(url), [...(hooks.get(pathOf(url)) ?? []), hook]);
    }
    const job = exchange.endpoint === "POST /v1/chat/completions" ? receiptOf(exchange, brand, "jobId") : null;
    if (job !== null) owners.set(job, key);
    const wallet = exchange.endpoint === "GET /v1/account" ? at(exchange.json, "wallet") : undefined;
    if (typeof wallet === "string") wallets.set(key, wallet.toLowerCase());
  }

  function* wellFormed(delivery: Delivery, context: MonitorContext): Iterable<Judgement> {
    yield judge("6/1", delivery.method === "POST", { expected: "POST", seen: delivery.method });
    const type = delivery.headers.get("content-type") ?? "no content type";
    yield judge("6/7", delivery.json !== undefined && /^application\/json\s*(;|$)/i.test(type), {
      expected: "JSON with the content type application/json",
      seen: `${type}: ${delivery.text.slice(0, 200)}`,
    });
    const named = (EVENTS as readonly unknown[]).includes(delivery.event);
    yield* fitsData(validator, named ? `event.${delivery.event}` : "event", delivery.json ?? null);
    yield* ofValue(delivery);
    const created = Date.parse(String(at(delivery.json, "created_at")));
    if (context.exactClock && Number.isFinite(created)) {
      // An attempt may come hours after its event, and a replay days.
      const fits = created <= delivery.at + APART && created >= delivery.earliest - LONGEST_WAY;
      yield judge("2.7/2", fits, {
        title: "an event's `created_at` is not its time",
        expected: `at or before ${new Date(delivery.at).toISOString()}`,
        seen: at(delivery.json, "created_at"),
      });
    }
    const { signature } = delivery;
    yield judge("6.3/1", signature !== null, {
      expected: "t=<unix seconds>,v1=<64 hex digits>",
      seen: delivery.signatureHeader ?? "no signature",
    });
    if (signature === null) return;
    // The arrival is known to lie between two moments: hours apart, where a case moves the clock by hours.
    const early = signature.t < delivery.earliest / 1000 - SIGNATURE_TOLERANCE_SECONDS - 1;
    const late = signature.t > delivery.at / 1000 + SIGNATURE_TOLERANCE_SECONDS + 1;
    yield judge("6.3/3", !early && !late, {
      expected: `a time near ${new Date(delivery.at).toISOString()}`,
      seen: signature.t,
    });
  }

  function* ofHooks(delivery: Delivery, known: readonly Hook[]): Iterable<Judgement> {
    if (delivery.signature !== null) {
      const mine = known.some((hook) => verifies(delivery, hook.secret));
      const other = [...hooks.values()].flat().find((hook) => !known.includes(hook) && verifies(delivery, hook.secret));
      yield judge("6.3/2", mine, {
        expected: "the HMAC-SHA256 of t, a dot and the raw body, keyed with the webhook's secret",
        seen: `${delivery.signatureHeader} over ${delivery.text.slice(0, 300)}`,
      });
      yield judge("6.3/5", mine || other === undefined, {
        expected: "the webhook's own secret",
        seen: "the secret of another webhook",
      });
    }
    if (delivery.event === null) return;
    yield judge(
      "6/3",
      known.some((hook) => hook.events.includes(delivery.event)),
      {
        title: "an event that was not subscribed is delivered",
        expected: known.map((hook) => hook.events.join(", ")).join(" or "),
        seen: delivery.event,
      },
    );
    const owner = delivery.jobId === null ? undefined : owners.get(delivery.jobId);
    if (owner === undefined || !delivery.event.startsWith("job.")) return;
    const wallet = wallets.get(owner) ?? owner;
    const foreign = known.every((hook) => {
      const theirs = wallets.get(hook.key);
      return hook.key !== owner && theirs !== undefined && wallets.has(owner) && theirs !== wallet;
    });
    yield judge("6/4", !foreign, {
      title: "an event of another wallet's job is delivered",
      expected: "events of the webhook's wallet",
      seen: delivery.text.slice(0, 300),
    });
  }

  function* ofItsJob(delivery: Delivery): Iterable<Judgement> {
    const { event, jobId } = delivery;
    if (event === null || jobId === null) return;
    if (ENDINGS.includes(event)) {
      const before = endings.get(jobId);
      yield judge("6.1/11", before === undefined || before === event, {
        title: "a job sends the events of two endings",
        expected: before ?? event,
        seen: event,
      });
      endings.set(jobId, before ?? event);
    }
    if (event !== "job.completed") return;
    completed.set(jobId, at(delivery.json, "data"));
    const job = settled.get(jobId);
    if (job !== undefined) yield* agree(at(delivery.json, "data"), job);
  }
}

/** Hooks are found by path: a public address may lead to the receiver under another host. */
function pathOf(url: string): string {
  return URL.canParse(url, "https://receiver") ? new URL(url, "https://receiver").pathname : url;
}

/** Whether a delivery is signed with that secret. */
export function verifies(delivery: Delivery, secret: string): boolean {
  const { signature } = delivery;
  if (signature === null) return false;
  const mac = createHmac("sha256", secret).update(`${signature.t}.`).update(delivery.body).digest();
  const told = Buffer.from(signature.v1, "hex");
  return told.length === mac.length && timingSafeEqual(told, mac);
}

function* ofValue(delivery: Delivery): Iterable<Judgement> {
  const field = (name: string): unknown => at(delivery.json, "data", name);
  const units =
    delivery.event === "credit.low"
      ? field("credits_remaining")
      : delivery.event === "job.completed"
        ? field("credits_charged")
        : undefined;
  if (typeof units === "number") {
    yield judge("6.2/6", isValueOf(field("usdg_value"), units), {
      title: `the value of \`${delivery.event}\` is not its units x 0.01`,
      expected: `${units / 100} for ${units} units`,
      seen: field("usdg_value"),
    });
  }
  const [left, threshold] = [field("credits_remaining"), field("threshold")];
  if (delivery.event === "credit.low" && typeof left === "number" && typeof threshold === "number") {
    yield judge("6.2/7", left < threshold, { expected: `less than ${threshold}`, seen: left });
  }
}

/** Addresses and hashes are hexadecimal, whose case means nothing. */
const lower = (value: unknown): unknown =>
  typeof value === "string" && value.startsWith("0x") ? value.toLowerCase() : value;

/** The data of `job.completed` and the job that is read tell the same. */
function* agree(data: unknown, job: unknown): Iterable<Judgement> {
  const row: RequirementId = "6.2/3";
  const pairs: readonly (readonly [string, unknown])[] = [
    ["model", at(job, "model")],
    ["tier", at(job, "tier")],
    ["credits_charged", at(job, "credits_charged")],
    ["usdg_value", at(job, "usdg_value")],
    ["worker_address", at(job, "worker_address")],
    ["settlement_tx", at(job, "on_chain", "settlement_tx")],
    ["block_number", at(job, "on_chain", "block_number")],
    ["prompt_tokens", at(job, "usage", "prompt_tokens")],
    ["completion_tokens", at(job, "usage", "completion_tokens")],
  ];
  const differ = pairs.filter(
    ([name, value]) => value !== undefined && value !== null && lower(at(data, name)) !== lower(value),
  );
  yield judge(row, differ.length === 0, {
    expected: JSON.stringify(Object.fromEntries(differ)),
    seen: Object.fromEntries(differ.map(([name]) => [name, at(data, name)])),
  });
}
