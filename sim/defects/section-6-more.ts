/** Further defects of webhooks and events: who is told, how deliveries are attempted, what their envelopes tell (sections 2.7, 3.2, 4.7 to 4.10, 6). */
import { SECOND } from "../core/index.ts";
import type { Changes, DeliveryOutcome } from "../facade/index.ts";
import { iso } from "../facade/inside.ts";
import { envelope, jobViews, network, requests } from "../facade/overrides.ts";
import type { ServiceEvent } from "../port.ts";
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
    "completed-before-settled",
    "6.1/3",
    "`job.completed` is sent five seconds before its job is settled",
    jobViews(({ status, completedAt }, { now }) => ({
      status: status === "settled" && now < completedAt + 5 * SECOND ? "settling" : status,
    })),
  ),
  single(
    "webhook-query-lost",
    "6/1",
    "The query of a webhook's URL is lost",
    requests((body, { target }) =>
      target === "/v1/webhooks" && typeof body.url === "string" ? { ...body, url: body.url.split("?")[0] } : body,
    ),
  ),
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
  sequence("failure-of-one-webhook-is-all", "3.2/3", "With a webhook that fails the wallet's others fail", {
    door: (honest) => ({
      nextAttemptAt(inside, delivery, started) {
        const next = honest.nextAttemptAt(inside, delivery, started);
        if (next === undefined) for (const each of inside.webhooks.of(delivery.webhook.wallet)) each.active = false;
        return next;
      },
    }),
  }),
  sequence("deletion-ends-all-attempts", "6.4/3", "Deleting a webhook ends the attempts of the wallet's others", {
    door: (honest) => ({
      removeWebhook(inside, webhook) {
        for (const each of inside.webhooks.of(webhook.wallet)) inside.deliveries.forget(each);
        honest.removeWebhook(inside, webhook);
      },
    }),
  }),
  sequence(
    "webhook-list-of-twenty",
    "4.9/1",
    "The list shows no more than twenty webhooks, and not that there are more",
    {
      door: (honest) => ({
        listedWebhooks: (inside, wallet) => honest.listedWebhooks(inside, wallet).slice(0, 20),
      }),
    },
  ),
  sequence("late-dispute-announced", "4.7/13", "A dispute that was refused as late sends `job.disputed`", {
    // Its data cannot name a transaction that never was.
    shape: { eventData: "bare" },
    ...network((honest) => {
      const listeners: ((event: ServiceEvent) => void)[] = [];
      return {
        onEvent(listener) {
          listeners.push(listener);
          honest.onEvent(listener);
        },
        dispute(job, differs) {
          const result = honest.dispute(job, differs);
          const view = honest.job(job);
          const late = !result.ok && result.error === "window_expired" && view !== undefined;
          if (late) for (const tell of listeners) tell({ event: "job.disputed", wallet: view.wallet, job });
          return result;
        },
      };
    }),
  }),
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
