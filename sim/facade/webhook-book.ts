/** The webhooks that were created (section 2.6). */
import { token } from "./ids.ts";

export interface Webhook {
  /** `wh_` and 20 letters and digits. */
  readonly id: string;
  readonly wallet: number;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  /** Virtual time. */
  readonly createdAt: number;
  /** False after the fifth attempt of an event failed (section 3.2). */
  active: boolean;
}

export interface WebhookBook {
  add(facts: Pick<Webhook, "wallet" | "url" | "events" | "secret" | "createdAt">): Webhook;
  find(id: string): Webhook | undefined;
  remove(webhook: Webhook): void;
  /** A wallet's webhooks in order of creation. */
  of(wallet: number): readonly Webhook[];
  all(): readonly Webhook[];
}

export function createWebhookBook(seed: string | number): WebhookBook {
  const byId = new Map<string, Webhook>();
  let made = 0;
  return {
    add(facts) {
      const webhook: Webhook = { ...facts, id: `wh_${token(seed, "webhook", made++, 20)}`, active: true };
      byId.set(webhook.id, webhook);
      return webhook;
    },
    find: (id) => byId.get(id),
    remove: (webhook) => void byId.delete(webhook.id),
    of: (wallet) => [...byId.values()].filter((webhook) => webhook.wallet === wallet),
    all: () => [...byId.values()],
  };
}
