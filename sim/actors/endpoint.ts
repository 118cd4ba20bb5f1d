/**
 * Webhook endpoints of a scenario: whether and after how long each answers is drawn. They stand where the server has real HTTPS.
 */
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { bytesOf, type Links } from "../network/index.ts";
import type { DeliveryTransport, DeliveryView, WebhookSender } from "./webhook-sender.ts";
import { CHANCES } from "./worker.ts";

export interface EndpointClass {
  /** How often an attempt is answered with 2xx, counted in `CHANCES`. */
  readonly success: number;
  /** Microseconds until it answers; beyond ten seconds the sender hangs up. */
  readonly latency: Distribution;
}

export class Endpoints implements DeliveryTransport {
  /** Set by the world. */
  sender!: WebhookSender;
  links: Links | undefined = undefined;
  readonly #kernel: Kernel;
  readonly #seed: string | number;
  readonly #timeout: number;
  readonly #answer: number;
  readonly #classes: EndpointClass[] = [];
  readonly #dice: Stream[] = [];
  /** The answer on its way, by delivery. */
  readonly #pending: number[] = [];

  /** @param timeout after which no sender waits any more */
  constructor(kernel: Kernel, seed: string | number, timeout: number) {
    this.#kernel = kernel;
    this.#seed = seed;
    this.#timeout = timeout;
    this.#answer = kernel.handler((delivery, outcome) =>
      this.sender.answered(delivery, outcome >> 1, (outcome & 1) === 1),
    );
  }

  /** The endpoint behind a webhook. */
  attach(webhook: number, endpoint: EndpointClass): void {
    this.#classes[webhook] = endpoint;
    this.#dice[webhook] = stream(this.#seed, `webhook ${webhook}`, "endpoint");
  }

  attempt({ delivery, webhook, attempts }: DeliveryView): void {
    const { success, latency } = this.#classes[webhook]!;
    const dice = this.#dice[webhook]!;
    const accepted = dice.below(CHANCES) < success;
    const after = this.#transit(webhook, latency.draw(dice));
    if (after > this.#timeout) return;
    this.#pending[delivery] = this.#kernel.after(after, this.#answer, delivery, attempts * 2 + (accepted ? 1 : 0));
  }

  /** From the attempt to the answer, there and back. */
  #transit(webhook: number, latency: number): number {
    if (this.links === undefined) return latency;
    const { now } = this.#kernel;
    const { up, down } = this.links.of("webhooks", webhook);
    const answered = now + down.delay(now, bytesOf(0)) + latency;
    return answered + up.delay(answered) - now;
  }

  abandon({ delivery }: DeliveryView): void {
    this.#kernel.cancel(this.#pending[delivery] ?? 0);
  }
}
