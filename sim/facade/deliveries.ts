/**
 * Webhook deliveries (sections 6.3, 6.4): each event is sent to each webhook that hears it, signed, and again on the contract's timetable until an
 * attempt is answered 2xx or the fifth has failed.
 */
import { createHmac } from "node:crypto";
import type { ServiceEvent } from "../port.ts";
import { bytes } from "./http.ts";
import { token } from "./ids.ts";
import { type Inside, unix } from "./inside.ts";
import type { Webhook } from "./webhook-book.ts";

/** One attempt, as it goes over the wire. */
export interface OutgoingDelivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How an attempt ended: with a status, or without an answer. */
export type DeliveryOutcome = { readonly status: number } | { readonly error: string };

/** An attempt under way. */
export interface OpenAttempt {
  /** Stops waiting for an answer. */
  abort(): void;
  /**
   * Resolves when `done` has been called. Where it is there, whoever advances the clock by hand waits for it (not for long) before going on;
   * where it is not, an attempt without an answer stays open until its ten seconds of virtual time are over.
   */
  readonly answered?: Promise<void>;
}

/** Sends one attempt and calls `done` once, at once or later. A function, so that a receiver in the same process needs no socket. */
export type DeliveryTransport = (delivery: OutgoingDelivery, done: (outcome: DeliveryOutcome) => void) => OpenAttempt;

/** Where nothing delivers webhooks, every attempt fails. */
export const nowhere: DeliveryTransport = (_delivery, done) => {
  done({ error: "nothing delivers webhooks here" });
  return { abort() {} };
};

/** Whether an attempt is not to be repeated (section 6.4). */
export function deliverySucceeded(outcome: DeliveryOutcome): boolean {
  return "status" in outcome && outcome.status >= 200 && outcome.status <= 299;
}

/** `Service-Signature`: HMAC-SHA256 over the time, a dot and the raw body. */
export function signature(secret: string, unixTime: number, body: string): string {
  return `t=${unixTime},v1=${createHmac("sha256", secret).update(`${unixTime}.${body}`).digest("hex")}`;
}

/** One event on its way to one webhook. */
export interface Delivery {
  readonly id: string;
  readonly webhook: Webhook;
  readonly eventId: string;
  readonly event: ServiceEvent;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  attempts: number;
  state: "pending" | "delivered" | "failed";
  firstAt: number;
  timer: number;
}

/** When the next attempt is due after one that was started then and failed; undefined where there is none. */
export function nextAttemptAt({ rules, shape }: Inside, delivery: Delivery, started: number): number | undefined {
  const delay = rules.deliveryDelays[delivery.attempts];
  if (delay === undefined) return undefined;
  return (shape.retriesCountFrom === "first" ? delivery.firstAt : started) + delay;
}

export interface Deliveries {
  /** Sends an event to everyone who hears it. */
  announce(event: ServiceEvent): void;
  of(webhook: Webhook): readonly Delivery[];
  /** One more attempt of a delivery, outside of the timetable. */
  replay(delivery: Delivery): void;
  /** The webhook was deleted: nothing more is sent. */
  forget(webhook: Webhook): void;
  /** Attempts that are waited for by whoever advances the clock. */
  awaited(): readonly OpenAttempt[];
}

export function createDeliveries(inside: () => Inside, transport: DeliveryTransport): Deliveries {
  const byWebhook = new Map<Webhook, Delivery[]>();
  const open = new Set<OpenAttempt>();
  let events = 0;
  let made = 0;

  /** @param retry whether a failure is followed by the timetable's next attempt */
  function attempt(delivery: Delivery, retry: boolean): void {
    const { network, door, rules, brand, shape, seed } = inside();
    const { webhook } = delivery;
    const started = network.now;
    delivery.attempts++;
    if (delivery.firstAt < 0) delivery.firstAt = started;
    const ownId = shape.eventIdPerAttempt && delivery.attempts > 1;
    const id = ownId ? `evt_${token(seed, `event ${delivery.eventId}`, delivery.attempts, 20)}` : delivery.eventId;
    const body = JSON.stringify(door.envelope(inside(), id, delivery.event.event, delivery.at, delivery.data));
    const outgoing: OutgoingDelivery = {
      url: webhook.url,
      headers: {
        "content-type": "application/json",
        "user-agent": `${brand.name}-webhooks/1`,
        [brand.signatureHeader]: door.signature(webhook.secret, unix(inside(), started), body),
      },
      body: bytes(body),
    };
    let over = false;
    let sent: OpenAttempt | undefined;
    const finish = (outcome: DeliveryOutcome): void => {
      if (over) return;
      over = true;
      network.cancel(timer);
      if (sent !== undefined) open.delete(sent);
      ended(delivery, door.deliverySucceeded(outcome), started, retry);
    };
    const timer = network.after(rules.deliveryTimeout, () => {
      finish({ error: "timed out" });
      sent?.abort();
    });
    sent = transport(outgoing, finish);
    if (!over) open.add(sent);
  }

  function ended(delivery: Delivery, succeeded: boolean, started: number, retry: boolean): void {
    const { door } = inside();
    const { webhook } = delivery;
    if (!byWebhook.has(webhook)) return;
    if (succeeded) {
      delivery.state = "delivered";
      return;
    }
    if (!retry) return;
    const next = door.nextAttemptAt(inside(), delivery, started);
    if (next === undefined || !webhook.active) fail(delivery);
    else attemptAt(delivery, next);
  }

  function attemptAt(delivery: Delivery, time: number): void {
    const { network } = inside();
    delivery.timer = network.after(Math.max(0, time - network.now), () => {
      delivery.timer = 0;
      attempt(delivery, true);
    });
  }

  /** The last attempt failed: the webhook goes to its failed state, and what else it was to be sent again is not. */
  function fail(delivery: Delivery): void {
    const { network } = inside();
    delivery.state = "failed";
    delivery.webhook.active = false;
    for (const other of byWebhook.get(delivery.webhook) ?? []) {
      if (other.timer === 0) continue;
      network.cancel(other.timer);
      other.timer = 0;
      other.state = "failed";
    }
  }

  return {
    announce(event) {
      const { network, door, rules, seed } = inside();
      const eventId = `evt_${token(seed, "event", events++, 20)}`;
      const hearing = door.subscribers(inside(), event);
      if (hearing.length === 0) return;
      const data = door.eventData(inside(), event);
      for (const webhook of hearing) {
        const delivery: Delivery = {
          id: `dlv_${token(seed, "delivery", made++, 20)}`,
          webhook,
          eventId,
          event,
          at: network.now,
          data,
          attempts: 0,
          state: "pending",
          firstAt: -1,
          timer: 0,
        };
        const own = byWebhook.get(webhook);
        if (own === undefined) byWebhook.set(webhook, [delivery]);
        else own.push(delivery);
        if (rules.deliveryDelays[0] === 0) attempt(delivery, true);
        else attemptAt(delivery, network.now + rules.deliveryDelays[0]!);
      }
    },
    of: (webhook) => byWebhook.get(webhook) ?? [],
    replay: (delivery) => attempt(delivery, false),
    forget(webhook) {
      for (const delivery of byWebhook.get(webhook) ?? []) {
        if (delivery.timer !== 0) inside().network.cancel(delivery.timer);
      }
      byWebhook.delete(webhook);
    },
    awaited: () => [...open].filter(({ answered }) => answered !== undefined),
  };
}
