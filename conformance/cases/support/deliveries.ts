/** Deliveries: what every one of them must be, whatever it tells, and waiting for them. */
import { createHmac } from "node:crypto";
import { EVENT_DATA, EVENTS, isShownEvent } from "../../../fixtures/protocol/index.ts";
import { at } from "../../exchange/exchange.ts";
import type { Delivery } from "../../receiver/receiver.ts";
import type { CaseContext, RequirementId, Subscription } from "../case.ts";
import { isWhole } from "./values.ts";

/** Rows that `judgeDeliveries` gives evidence for: a case that calls it lists them. */
export const deliveryRows = [
  ...(["6/1", "6/3", "6/7", "2.6/5", "2.7/1", "2.7/2", "6.2/1", "6.2/2", "6.2/5", "6.2/6", "6.2/7", "6.2/8"] as const),
  ...(["6.3/1", "6.3/2", "6.3/3"] as const),
] as const satisfies readonly RequirementId[];

/** Deliveries may lag behind what they tell of: a service may send them from a queue of its own. */
export const ARRIVES_WITHIN = 30_000;
/** How far the time of a signature may lie from that of its arrival (6.3): 5 minutes. */
const SIGNED_WITHIN = 300_000;
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:?00)$/;

/** Judges each delivery that a subscription has got so far by itself. */
export function judgeDeliveries(t: CaseContext, subscription: Subscription, events: readonly string[]): void {
  for (const delivery of subscription.endpoint.deliveries) judgeDelivery(t, subscription, events, delivery);
}

function judgeDelivery(
  t: CaseContext,
  subscription: Subscription,
  events: readonly string[],
  delivery: Delivery,
): void {
  const told = { exchanges: subscription.created, seen: shown(delivery) };
  const { json } = delivery;
  t.check("6/1", delivery.method === "POST", { ...told, expected: "POST", seen: delivery.method });
  const type = delivery.headers.get("content-type") ?? "";
  t.check("6/7", /^application\/json\b/i.test(type) && json !== undefined, {
    ...told,
    expected: "`Content-Type: application/json` and a JSON body",
    seen: `${type || "no Content-Type"}: ${delivery.text.slice(0, 200)}`,
  });
  const [id, event, data] = [at(json, "id"), at(json, "event"), at(json, "data")];
  const named = typeof id === "string" && id.startsWith("evt_") && (EVENTS as readonly unknown[]).includes(event);
  t.check("2.7/1", named, { ...told, expected: "an `id` with the prefix `evt_`, and a known `event`" });
  const version = at(json, "api_version");
  const envelope = ISO_UTC.test(String(at(json, "created_at"))) && typeof version === "string" && isObject(data);
  t.check("2.7/2", envelope, {
    ...told,
    expected: "`created_at` in ISO 8601 UTC, a string `api_version`, an object `data`",
  });
  t.check("6.2/1", /^\d{4}-\d\d-\d\d$/.test(String(version)), {
    ...told,
    expected: "a date such as 2026-06-01",
    seen: version,
  });
  t.check("6/3", events.includes(String(event)), {
    ...told,
    title: "a webhook is sent an event that it did not subscribe",
    expected: events.join(", "),
    seen: event,
  });
  judgeSignature(t, subscription, delivery);
  judgeData(t, subscription, String(event), data);
  const secret = subscription.secret;
  const leaks = delivery.text.includes(secret) || delivery.headers.entries.some(([, value]) => value.includes(secret));
  t.check("2.6/5", !leaks, {
    ...told,
    title: "a delivery shows the webhook's secret",
    expected: "no secret",
    seen: "the secret",
  });
}

function judgeSignature(t: CaseContext, subscription: Subscription, delivery: Delivery): void {
  const told = { exchanges: subscription.created };
  const { signature } = delivery;
  const formed = t.check("6.3/1", signature !== null, {
    ...told,
    expected: "t=<unix time>,v1=<64 hex digits>",
    seen: delivery.signatureHeader ?? "no signature header",
  });
  if (!formed || signature === null) return;
  const expected = signatureOf(delivery, signature.t, subscription.secret);
  t.check("6.3/2", signature.v1.toLowerCase() === expected, {
    ...told,
    title: "a signature does not verify over the raw body",
    expected: `v1=${expected}`,
    seen: `${delivery.signatureHeader} over ${delivery.text}`,
  });
  const at = signature.t * 1_000;
  t.check("6.3/3", at >= delivery.earliest - SIGNED_WITHIN && at <= delivery.at + SIGNED_WITHIN, {
    ...told,
    title: "the time of a signature is not that of its delivery",
    expected: `${Math.floor(delivery.at / 1_000)}, within 300 s`,
    seen: signature.t,
  });
}

/** HMAC-SHA256 over the time, a dot and the raw body (6.3). */
function signatureOf(delivery: Delivery, time: number, secret: string): string {
  return createHmac("sha256", secret).update(`${time}.`).update(delivery.body).digest("hex");
}

/** Whether a delivery is signed with that secret. */
export function signedWith(delivery: Delivery, secret: string): boolean {
  const { signature } = delivery;
  return signature !== null && signature.v1.toLowerCase() === signatureOf(delivery, signature.t, secret);
}

/** The fields that section 6.2 shows, with their types, and what follows from them. */
function judgeData(t: CaseContext, subscription: Subscription, event: string, data: unknown): void {
  if (!isShownEvent(event)) return;
  const told = { exchanges: subscription.created, seen: data };
  const row = ({ "job.completed": "6.2/2", "credit.low": "6.2/5", "worker.slashed": "6.2/8" } as const)[event];
  const wrong = Object.entries(EVENT_DATA[event]).filter(([field, type]) => {
    const value = at(data, field);
    return type === "integer" ? !isWhole(value) : typeof value !== type;
  });
  const shaped = t.check(row, wrong.length === 0, {
    ...told,
    title: `the data of \`${event}\` lack a field, or have it with another type`,
    expected: wrong.map(([field, type]) => `${field}: ${type}`).join(", "),
  });
  if (!shaped || event === "worker.slashed") return;
  const units = Number(at(data, event === "job.completed" ? "credits_charged" : "credits_remaining"));
  t.check("6.2/6", Math.abs(Number(at(data, "usdg_value")) - units * 0.01) < 1e-6, {
    ...told,
    title: `\`usdg_value\` of \`${event}\` is not its units x 0.01`,
    expected: `usdg_value ${units / 100}`,
  });
  if (event !== "credit.low") return;
  t.check("6.2/7", units < Number(at(data, "threshold")), {
    ...told,
    expected: "`credits_remaining` below `threshold`",
  });
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** A delivery in a finding. */
export function shown(delivery: Delivery): string {
  return `${delivery.signatureHeader ?? "unsigned"} ${delivery.text}`.slice(0, 600);
}

/** Moves the clock until `holds`, at most `within`; resolves to whether it came to hold. */
export async function eventually(
  t: CaseContext,
  holds: () => boolean,
  within: number = ARRIVES_WITHIN,
): Promise<boolean> {
  await t.clock.settle();
  return holds() || (await t.clock.advanceUntil(holds, { within: Math.min(within, patienceFor(t, within)) }));
}

/** The longest span up to `most` that the clock can afford. */
function patienceFor(t: CaseContext, most: number): number {
  for (let span = most; span > 500; span = Math.floor(span / 2)) if (t.clock.affords(span)) return span;
  return 500;
}

/** Deliveries of an event that are about one job, by name. */
export function about(subscription: Subscription, event: string, jobId: string): readonly Delivery[] {
  return subscription.endpoint.of(event).filter((delivery) => delivery.text.includes(jobId));
}

/** Which job a delivery that names none was taken to be about. */
const taken = new WeakMap<Delivery, string>();

/**
 * As `about`; but the data of most events are not shown, and need not name their job. A delivery that names none is taken to be about the first job
 * for which it is looked for.
 */
export function toldOf(subscription: Subscription, event: string, jobId: string): readonly Delivery[] {
  const named = about(subscription, event, jobId);
  if (named.length > 0 || isShownEvent(event)) return named;
  const nameless = subscription.endpoint
    .of(event)
    .find((delivery) => !delivery.text.includes('"job_') && (taken.get(delivery) ?? jobId) === jobId);
  if (nameless === undefined) return [];
  taken.set(nameless, jobId);
  return [nameless];
}
