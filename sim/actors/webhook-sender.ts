/**
 * The webhook sender: brings events to endpoints, and tries again on the contract's schedule (6.4).
 *
 * Webhooks and deliveries are numbers. How an attempt reaches an endpoint is the transport's business: a drawn outcome in a scenario, an HTTPS
 * request in the server. The schedule, the ten seconds, and what five failures mean are decided here for both.
 */
import type { Kernel, Lane } from "../kernel/index.ts";
import type { Rules } from "../rules.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";

/** What a delivery is about. */
export interface DeliveryView {
  readonly delivery: number;
  readonly webhook: number;
  /** Place of the event's name in the contract's list, and its subject: meaningful to whoever queued it. */
  readonly event: number;
  readonly subject: number;
  /** Attempts begun. */
  readonly attempts: number;
  readonly state: "pending" | "delivered" | "failed";
}

export interface DeliveryTransport {
  /**
   * Begins an attempt. Its outcome is told by `WebhookSender.answered`, within the call or later; an attempt whose outcome is not told within the
   * contract's ten seconds has failed, and what is told after that is not heard.
   */
  attempt(delivery: DeliveryView): void;
  /** Nobody waits for this attempt any more. */
  abandon?(delivery: DeliveryView): void;
}

/** What the sender tells whoever keeps the webhooks' public records. */
export interface SenderEars {
  ended?(delivery: DeliveryView): void;
  webhookFailed?(webhook: number): void;
}

export type WebhookState = "active" | "failed" | "deleted";

class Delivery implements DeliveryView {
  readonly delivery: number;
  webhook = 0;
  event = 0;
  subject = 0;
  attempts = 0;
  state: DeliveryView["state"] = "pending";
  startedAt = 0;
  /** The time-out of the attempt under way, 0 when none is. */
  timeout = 0;
  /** The next attempt, 0 when none is due. */
  retry = 0;
  byHand = false;

  constructor(delivery: number) {
    this.delivery = delivery;
  }
}

interface Webhook {
  state: WebhookState;
  readonly pending: Set<Delivery>;
  readonly all: Delivery[];
}

export class WebhookSender {
  ears: SenderEars = {};
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #delays: readonly number[];
  readonly #transport: DeliveryTransport;
  readonly #retain: boolean;
  readonly #webhooks: Webhook[] = [];
  readonly #deliveries: Delivery[] = [];
  readonly #free: Delivery[] = [];
  readonly #timeouts: Lane;
  readonly #retry: number;

  /** @param retain keeps deliveries that have ended, for `deliveries` and `replay` */
  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    rules: Pick<Rules, "deliveryDelays" | "deliveryTimeout">,
    transport: DeliveryTransport,
    retain: boolean,
  ) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#delays = rules.deliveryDelays;
    this.#transport = transport;
    this.#retain = retain;
    const timedOut = kernel.handler((delivery) => this.#timedOut(this.#deliveries[delivery]!));
    // An answer after exactly ten seconds has not taken longer than ten.
    this.#timeouts = kernel.lane(rules.deliveryTimeout + 1, timedOut);
    this.#retry = kernel.handler((delivery) => this.#attempt(this.#deliveries[delivery]!));
  }

  /** Opens an active webhook. Returns its number. */
  create(wallet: number): number {
    const webhook = this.#webhooks.push({ state: "active", pending: new Set(), all: [] }) - 1;
    this.#trace.emit(KIND["webhook.created"], webhook, wallet);
    return webhook;
  }

  /** No attempt follows; those under way are let go. */
  delete(webhook: number): void {
    const found = this.#webhooks[webhook]!;
    if (found.state === "deleted") return;
    found.state = "deleted";
    this.#trace.emit(KIND["webhook.deleted"], webhook);
    this.#stop(found);
  }

  state(webhook: number): WebhookState {
    return this.#webhooks[webhook]!.state;
  }

  /** Queues an event and makes the first attempt. Returns the delivery's number, -1 where the webhook is not active. */
  enqueue(webhook: number, event: number, subject: number): number {
    const to = this.#webhooks[webhook]!;
    if (to.state !== "active") return -1;
    const delivery = this.#open();
    delivery.webhook = webhook;
    delivery.event = event;
    delivery.subject = subject;
    to.pending.add(delivery);
    if (this.#retain) to.all.push(delivery);
    this.#trace.emit(KIND["delivery.created"], delivery.delivery, webhook, event, subject);
    const wait = this.#delays[0]!;
    if (wait === 0) this.#attempt(delivery);
    else delivery.retry = this.#kernel.after(wait, this.#retry, delivery.delivery);
    return delivery.delivery;
  }

  /** The outcome of an attempt: `attempt` is the number of attempts begun when it was made. */
  answered(number: number, attempt: number, success: boolean): void {
    const delivery = this.#deliveries[number]!;
    if (delivery.timeout === 0 || delivery.attempts !== attempt) return;
    this.#kernel.cancel(delivery.timeout);
    delivery.timeout = 0;
    if (success) this.#succeeded(delivery);
    else this.#failed(delivery);
  }

  /** All deliveries of a webhook, oldest first; none unless the sender retains them. */
  deliveries(webhook: number): readonly DeliveryView[] {
    return this.#webhooks[webhook]!.all;
  }

  delivery(number: number): DeliveryView | undefined {
    return this.#deliveries[number];
  }

  /** Makes one attempt, outside of the schedule, of a delivery that has ended. False where it is still pending or its webhook was deleted. */
  replay(number: number): boolean {
    const delivery = this.#deliveries[number]!;
    if (delivery.state === "pending" || delivery.timeout !== 0) return false;
    const webhook = this.#webhooks[delivery.webhook]!;
    if (webhook.state === "deleted") return false;
    delivery.state = "pending";
    delivery.byHand = true;
    webhook.pending.add(delivery);
    this.#trace.emit(KIND["delivery.replayed"], number);
    this.#attempt(delivery);
    return true;
  }

  #open(): Delivery {
    let delivery = this.#free.pop();
    if (delivery === undefined) {
      delivery = new Delivery(this.#deliveries.length);
      this.#deliveries.push(delivery);
    }
    delivery.attempts = 0;
    delivery.state = "pending";
    delivery.byHand = false;
    return delivery;
  }

  #attempt(delivery: Delivery): void {
    delivery.retry = 0;
    delivery.attempts++;
    delivery.startedAt = this.#kernel.now;
    delivery.timeout = this.#timeouts.start(delivery.delivery);
    this.#trace.emit(KIND["delivery.attempted"], delivery.delivery, delivery.attempts);
    this.#transport.attempt(delivery);
  }

  #timedOut(delivery: Delivery): void {
    delivery.timeout = 0;
    this.#transport.abandon?.(delivery);
    this.#failed(delivery);
  }

  #succeeded(delivery: Delivery): void {
    this.#trace.emit(KIND["delivery.succeeded"], delivery.delivery, delivery.attempts);
    this.#end(delivery, "delivered");
  }

  #failed(delivery: Delivery): void {
    this.#trace.emit(KIND["delivery.failed"], delivery.delivery, delivery.attempts);
    const wait = this.#delays[delivery.attempts];
    if (delivery.byHand) this.#end(delivery, "failed");
    else if (wait === undefined) this.#giveUp(delivery);
    else {
      const due = Math.max(this.#kernel.now, delivery.startedAt + wait);
      delivery.retry = this.#kernel.at(due, this.#retry, delivery.delivery);
    }
  }

  /** The last attempt has failed: so has the webhook (3.2). */
  #giveUp(delivery: Delivery): void {
    const number = delivery.webhook;
    const webhook = this.#webhooks[number]!;
    this.#end(delivery, "failed");
    if (webhook.state !== "active") return;
    webhook.state = "failed";
    this.#trace.emit(KIND["webhook.failed"], number, delivery.delivery);
    this.#stop(webhook);
    this.ears.webhookFailed?.(number);
  }

  #stop(webhook: Webhook): void {
    for (const delivery of webhook.pending) {
      this.#kernel.cancel(delivery.retry);
      delivery.retry = 0;
      if (delivery.timeout !== 0) {
        this.#kernel.cancel(delivery.timeout);
        delivery.timeout = 0;
        this.#transport.abandon?.(delivery);
      }
      this.#end(delivery, "failed");
    }
  }

  #end(delivery: Delivery, state: "delivered" | "failed"): void {
    delivery.state = state;
    this.#webhooks[delivery.webhook]!.pending.delete(delivery);
    this.#trace.emit(KIND["delivery.ended"], delivery.delivery, state === "delivered" ? 1 : 0);
    this.ears.ended?.(delivery);
    if (!this.#retain) this.#free.push(delivery);
  }
}
