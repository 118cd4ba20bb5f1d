/** Further defects in how deliveries are attempted and what their envelopes tell (sections 2.7, 3.2, 6.3, 6.4). */
import type { Changes, DeliveryOutcome } from "../facade/index.ts";
import { iso } from "../facade/inside.ts";
import { envelope } from "../facade/overrides.ts";
import { type Defect, sequence, single } from "./defect.ts";

/** Another judgement of whether an attempt has succeeded. */
const succeeds = (change: (outcome: DeliveryOutcome) => boolean): Changes => ({
  door: (honest) => ({ deliverySucceeded: (outcome) => change(outcome) || honest.deliverySucceeded(outcome) }),
});

/** An event that is attempted once. */
const once = (event: string): Changes => ({
  door: (honest) => ({
    nextAttemptAt: (inside, delivery, started) =>
      delivery.event.event === event ? undefined : honest.nextAttemptAt(inside, delivery, started),
  }),
});

export const section6More: readonly Defect[] = [
  sequence(
    "garbled-answer-succeeds",
    "6.4/3",
    "A delivery answered with bytes that are no HTTP has succeeded",
    succeeds((outcome) => "error" in outcome && outcome.error.includes("no HTTP")),
  ),
  sequence("four-codes-succeed", "6.4/1", "Of the 2xx only 200, 201, 202 and 204 are a success", {
    door: () => ({
      deliverySucceeded: (outcome) => "status" in outcome && [200, 201, 202, 204].includes(outcome.status),
    }),
  }),
  sequence("webhook-fails-by-any-five", "3.2/3", "Five failed attempts fail a webhook, of whichever events", {
    door: (honest) => {
      const failures = new Map<string, number>();
      return {
        nextAttemptAt(inside, delivery, started) {
          const { id } = delivery.webhook;
          failures.set(id, (failures.get(id) ?? 0) + 1);
          return failures.get(id)! >= 5 ? undefined : honest.nextAttemptAt(inside, delivery, started);
        },
      };
    },
  }),
  sequence("low-credit-attempted-once", "6.4/3", "A `credit.low` is attempted once", once("credit.low")),
  sequence("dispute-attempted-once", "6.4/3", "A `job.disputed` is attempted once", once("job.disputed")),
  single("workers-told-to-all", "6/3", "Events of workers are sent to every webhook, whatever it subscribed", {
    door: (honest) => ({
      subscribers: (inside, event) =>
        event.event.startsWith("worker.") ? inside.webhooks.all() : honest.subscribers(inside, event),
    }),
  }),
  single(
    "event-time-of-the-start",
    "2.7/2",
    "An event's `created_at` is when the service began",
    envelope((body, inside) => ({ ...body, created_at: iso(inside, 0) })),
  ),
];
