/** Webhooks as the API shows them: making them, and finding them in a list whose shape is open. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import type { Api } from "../api.ts";
import type { CaseContext } from "../case.ts";

/** A request for a webhook that is without fault. */
export interface WebhookRequest {
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
}

/**
 * A valid request, each field replaced by what `changes` says. Its address is the receiver's where there is one, else one that cannot exist: the
 * webhook is then deleted before anything could be sent to it.
 */
export function webhookRequest(
  t: CaseContext,
  changes: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const url = t.has("receiver") ? t.receiver.open("webhooks").url : `https://hooks.assay.example/${t.random.text(12)}`;
  return { url, events: ["job.completed"], secret: webhookSecret(t), ...changes };
}

/** A secret of 48 characters: a service may ask for a long one, and may not take one without end. */
export function webhookSecret(t: CaseContext): string {
  return `whsec_${t.random.text(42)}`;
}

/** Creates a webhook that must be accepted, else the case ends as inconclusive. Deleted at the end of the case. */
export async function createdWebhook(
  t: CaseContext,
  request: Readonly<Record<string, unknown>>,
  api: Api = t.api,
): Promise<{ readonly id: string; readonly exchange: Exchange }> {
  const exchange = await api.createWebhook(request);
  t.accepted(exchange, "a webhook without fault");
  const id = at(exchange.json, "id");
  if (typeof id !== "string") return t.giveUp("a created webhook has no id");
  return { id, exchange };
}

/** Every object with an `id` that begins with `wh_`, wherever in a JSON answer it stands. */
export function webhooksIn(json: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (Array.isArray(json)) return json.flatMap(webhooksIn);
  if (typeof json !== "object" || json === null) return [];
  const inner = Object.values(json).flatMap(webhooksIn);
  const id = at(json, "id");
  return typeof id === "string" && id.startsWith("wh_") ? [json as Record<string, unknown>, ...inner] : inner;
}

export const webhookIn = (json: unknown, id: string): Readonly<Record<string, unknown>> | undefined =>
  webhooksIn(json).find((webhook) => webhook.id === id);

/** The list of webhooks, which must be answered, else the case ends as inconclusive. */
export async function listedWebhooks(t: CaseContext, api: Api = t.api): Promise<Exchange> {
  const list = await api.webhooks();
  t.accepted(list, "listing one's own webhooks");
  return list;
}

/** Whether the list holds back some webhooks for a next page, as it may: what is not seen is then not known to be missing. */
export function mayHaveMore(list: Exchange): boolean {
  return at(list.json, "has_more") === true || typeof at(list.json, "next_cursor") === "string";
}

/** The status of a webhook in the list; null where it is not there. */
export async function webhookStatus(t: CaseContext, id: string, api: Api = t.api): Promise<unknown> {
  return webhookIn((await listedWebhooks(t, api)).json, id)?.status ?? null;
}

/** Whether two lists of event names hold the same names. */
export function sameNames(a: unknown, b: readonly string[]): boolean {
  if (!Array.isArray(a)) return false;
  return JSON.stringify([...new Set(a)].sort()) === JSON.stringify([...new Set(b)].sort());
}

export { succeeded };
