/** Deliveries to endpoints that fail independently of each other: how many webhooks fail for good, and how often each delivery is tried. */
import { expect, it } from "vitest";
import { CHANCES, Endpoints, WebhookSender } from "../../sim/actors/index.ts";
import { distribution } from "../../sim/core/index.ts";
import { Kernel } from "../../sim/kernel/index.ts";
import { honestRules } from "../../sim/rules.ts";
import { kinds, Trace } from "../../sim/trace/index.ts";
import { interval, REPLICATIONS } from "./interval.ts";

/** @param webhooks of a replication, each with one delivery */
function replicate(p: number, webhooks: number): { readonly failed: number; readonly attempts: number }[] {
  return Array.from({ length: REPLICATIONS }, (_, replication) => {
    const kernel = new Kernel();
    const trace = new Trace(kinds, kernel);
    const counts = { failed: 0, attempts: 0 };
    trace.subscribe({
      on: {
        "delivery.attempted": () => void counts.attempts++,
        "webhook.failed": () => void counts.failed++,
      },
    });
    const endpoints = new Endpoints(kernel, `webhooks ${replication}`, honestRules.deliveryTimeout);
    const sender = new WebhookSender(kernel, trace, honestRules, endpoints, false);
    endpoints.sender = sender;
    for (let n = 0; n < webhooks; n++) {
      const webhook = sender.create(-1);
      endpoints.attach(webhook, { success: Math.round((1 - p) * CHANCES), latency: distribution("80ms") });
      sender.enqueue(webhook, 0, n);
    }
    kernel.run();
    return { failed: counts.failed / webhooks, attempts: counts.attempts / webhooks };
  });
}

it.each([
  { p: 0.3, failed: 0.00243, attempts: 1.4251, webhooks: 5_000, width: 0.35 },
  { p: 0.7, failed: 0.16807, attempts: 2.7731, webhooks: 1_000, width: 0.1 },
])("each attempt fails with $p: a webhook fails with p^5, after (1 - p^5) / (1 - p) attempts", (row) => {
  const { p, failed, attempts, webhooks, width } = row;
  expect(p ** 5).toBeCloseTo(failed, 6);
  expect((1 - p ** 5) / (1 - p)).toBeCloseTo(attempts, 4);
  const replications = replicate(p, webhooks);
  const ends = interval(
    replications.map((of) => of.failed),
    99.9,
  );
  expect(ends.halfWidth / failed).toBeLessThan(width);
  expect(Math.abs(ends.mean - p ** 5), `${ends.mean} ± ${ends.halfWidth}`).toBeLessThanOrEqual(ends.halfWidth);
  const tries = interval(
    replications.map((of) => of.attempts),
    99.9,
  );
  expect(tries.halfWidth / attempts).toBeLessThan(0.02);
  expect(Math.abs(tries.mean - (1 - p ** 5) / (1 - p)), `${tries.mean} ± ${tries.halfWidth}`).toBeLessThanOrEqual(
    tries.halfWidth,
  );
});
