/** Variants around webhooks, disputes and arbitration: what is slow, coarse or picky within the contract. */
import { SECOND } from "../core/index.ts";
import { bodyOf, instead, rules } from "../facade/overrides.ts";
import type { Variant } from "./variant.ts";

const A_TICK = (9 * SECOND) / 10;

export const hooks: readonly Variant[] = [
  {
    id: "settles-after-the-window",
    title: "A settlement takes longer than the dispute window: a block fifteen seconds, and four more to confirm",
    override: { world: () => ({ chain: { blockTime: 15 * SECOND, confirmations: 4 } }) },
  },
  {
    id: "low-threshold-of-five",
    title: "`credit.low` is sent below five units, as somebody configured it",
    override: rules(() => ({ lowCreditThreshold: 5 })),
  },
  {
    id: "events-repeated",
    title: "Every event is sent twice at once",
    override: {
      deliver: (honest) => (delivery, done) => {
        honest(delivery, () => {});
        return honest(delivery, done);
      },
    },
  },
  {
    id: "looks-once-a-second",
    title: "What is due is looked for about once a second",
    override: rules((honest) => ({
      jobTimeout: honest.jobTimeout + A_TICK,
      deliveryTimeout: honest.deliveryTimeout + A_TICK,
      deliveryDelays: honest.deliveryDelays.map((delay) => (delay === 0 ? 0 : delay + A_TICK)),
    })),
  },
  {
    id: "long-secrets-only",
    title: "A webhook's secret of fewer than 32 characters, or of others than ASCII, is refused",
    override: instead((request) => {
      if (request.method !== "POST" || request.target !== "/v1/webhooks") return undefined;
      const secret = bodyOf(request)?.secret;
      if (typeof secret !== "string" || /^[\x20-\x7e]{32,}$/.test(secret)) return undefined;
      const docs = "https://docs.service.example/errors#invalid_request";
      const message = "A secret has at least 32 characters.";
      return {
        status: 422,
        body: { error: { code: "invalid_request", message, type: "invalid_request_error", param: "secret", docs } },
      };
    }),
  },
];
