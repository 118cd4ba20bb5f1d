/** `POST`, `GET` and `DELETE /v1/webhooks` (sections 2.6, 4.8 to 4.10). */
import { EVENTS } from "../../fixtures/protocol/events.ts";
import { arrayOf, type Fields, oneOf, type Rule, required, text } from "./fields.ts";
import type { Answer } from "./http.ts";
import { type Call, type Inside, iso } from "./inside.ts";
import { notFound, outOfRange, type Refusal } from "./refusal.ts";
import type { Webhook } from "./webhook-book.ts";

const httpsUrl: Rule = (value, param, shape) => {
  const wrong = text(value, param, shape);
  if (wrong !== undefined) return wrong;
  const url = URL.canParse(value as string) ? new URL(value as string) : undefined;
  return url?.protocol === "https:" ? undefined : outOfRange(shape, param, `${param} is an https: URL.`);
};

const eventNames: Rule = (value, param, shape) => {
  const wrong = arrayOf(oneOf(EVENTS))(value, param, shape);
  if (wrong !== undefined) return wrong;
  const names = value as readonly unknown[];
  if (names.length === 0 && shape.emptyEvents === "refused") {
    return outOfRange(shape, param, `${param} holds at least one event name.`);
  }
  return new Set(names).size < names.length && shape.repeatedEvents === "refused"
    ? outOfRange(shape, param, `${param} holds each event name once.`)
    : undefined;
};

const secret: Rule = (value, param, shape) =>
  text(value, param, shape) ??
  (value === "" && shape.emptySecret === "refused" ? outOfRange(shape, param, `${param} is not empty.`) : undefined);

export const webhookFields: Fields = {
  url: required(httpsUrl),
  events: required(eventNames),
  secret: required(secret),
};

export function createWebhook(inside: Inside, call: Call): Answer | Refusal {
  const { shape, door, network } = inside;
  const { url, events, secret } = call.body as { url: string; events: string[]; secret: string };
  const { wallet } = call.key;
  if (shape.webhookTwice === "conflict" && inside.webhooks.of(wallet).some((webhook) => webhook.url === url)) {
    return { status: 409, code: "webhook_exists", message: "A webhook with this URL exists already.", param: "url" };
  }
  const webhook = inside.webhooks.add({
    wallet,
    url,
    events: [...new Set(events)],
    secret,
    createdAt: network.now,
  });
  return { status: shape.webhookCreated, body: door.webhookBody(inside, webhook) };
}

export function listWebhooks(inside: Inside, call: Call): Answer {
  const data = inside.door
    .listedWebhooks(inside, call.key.wallet)
    .map((webhook) => inside.door.webhookBody(inside, webhook));
  switch (inside.shape.webhookList) {
    case "list":
      return { status: 200, body: { object: "list", data } };
    case "array":
      return { status: 200, body: data };
    case "webhooks":
      return { status: 200, body: { webhooks: data } };
  }
}

export function deleteWebhook(inside: Inside, call: Call): Answer | Refusal {
  const { shape, door } = inside;
  const webhook = inside.webhooks.find(call.id);
  if (webhook === undefined || !door.owns(webhook.wallet, call.key.wallet, "delete")) {
    return notFound(shape, "webhook", call.id);
  }
  door.removeWebhook(inside, webhook);
  switch (shape.webhookDeleted) {
    case "object":
      return { status: 200, body: { id: webhook.id, object: "webhook", deleted: true } };
    case "empty_object":
      return { status: 200, body: {} };
    case "no_content":
      return { status: 204 };
  }
}

/** A webhook as the API shows it: never with its secret. */
export function webhookBody(inside: Inside, webhook: Webhook): Readonly<Record<string, unknown>> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events,
    created_at: iso(inside, webhook.createdAt),
    status: webhook.active ? "active" : inside.shape.failedWebhook,
  };
}
