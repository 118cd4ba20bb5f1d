import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../core/index.ts";
import { Kernel } from "../kernel/index.ts";
import { honestRules } from "../rules.ts";
import { kinds, Trace } from "../trace/index.ts";
import { type DeliveryView, WebhookSender } from "./webhook-sender.ts";

/** A sender over an endpoint that answers as told: after a latency, or never. */
function setUp(answer: (attempt: number) => { ok: boolean; after: number } | undefined) {
  const kernel = new Kernel();
  const attempts: number[] = [];
  const answers = kernel.handler((delivery, code) => sender.answered(delivery, code >> 1, (code & 1) === 1));
  const sender = new WebhookSender(
    kernel,
    new Trace(kinds, kernel),
    honestRules,
    {
      attempt({ delivery, attempts: attempt }: DeliveryView) {
        attempts.push(kernel.now);
        const outcome = answer(attempt);
        if (outcome === undefined) return;
        kernel.after(outcome.after, answers, delivery, attempt * 2 + (outcome.ok ? 1 : 0));
      },
    },
    true,
  );
  return { kernel, sender, attempts };
}

describe("webhook sender", () => {
  it("delivers once where the endpoint accepts", () => {
    const { kernel, sender, attempts } = setUp(() => ({ ok: true, after: 5 }));
    const delivery = sender.enqueue(sender.create(0), 2, 7);
    kernel.run();
    expect(attempts).toEqual([0]);
    expect(sender.delivery(delivery)).toMatchObject({ attempts: 1, state: "delivered", event: 2, subject: 7 });
  });

  it("tries five times, each wait counted from the attempt before, then the webhook has failed", () => {
    const { kernel, sender, attempts } = setUp(() => ({ ok: false, after: SECOND }));
    const webhook = sender.create(0);
    const delivery = sender.enqueue(webhook, 0, 0);
    kernel.runUntil(2 * HOUR);
    expect(sender.state(webhook)).toBe("active");
    kernel.run();
    expect(attempts).toEqual([
      0,
      30 * SECOND,
      30 * SECOND + 5 * MINUTE,
      30 * SECOND + 35 * MINUTE,
      30 * SECOND + 35 * MINUTE + 2 * HOUR,
    ]);
    expect(sender.delivery(delivery)).toMatchObject({ attempts: 5, state: "failed" });
    expect(sender.state(webhook)).toBe("failed");
    expect(sender.enqueue(webhook, 0, 0)).toBe(-1);
  });

  it.each([
    ["exactly ten seconds is in time", 10 * SECOND, "delivered"],
    ["longer than ten seconds is a failure", 10 * SECOND + 1, "pending"],
  ] as const)("%s", (_, after, state) => {
    const { kernel, sender } = setUp(() => ({ ok: true, after }));
    const delivery = sender.enqueue(sender.create(0), 0, 0);
    kernel.runUntil(11 * SECOND);
    expect(sender.delivery(delivery)?.state).toBe(state);
  });

  it("replays a failed delivery once, whatever became of its webhook", () => {
    let up = false;
    const { kernel, sender, attempts } = setUp(() => ({ ok: up, after: 1 }));
    const webhook = sender.create(0);
    const delivery = sender.enqueue(webhook, 0, 0);
    expect(sender.replay(delivery)).toBe(false);
    kernel.run();
    expect(sender.replay(delivery)).toBe(true);
    kernel.run();
    expect(sender.delivery(delivery)).toMatchObject({ attempts: 6, state: "failed" });
    up = true;
    sender.replay(delivery);
    kernel.run();
    expect(attempts).toHaveLength(7);
    expect(sender.delivery(delivery)?.state).toBe("delivered");
  });

  it("stops when the webhook is deleted", () => {
    const { kernel, sender, attempts } = setUp(() => undefined);
    const webhook = sender.create(0);
    sender.enqueue(webhook, 0, 0);
    sender.delete(webhook);
    kernel.run();
    expect(attempts).toHaveLength(1);
    expect(sender.deliveries(webhook)).toMatchObject([{ state: "failed" }]);
  });

  it("gives up the webhook's other deliveries with it", () => {
    const { kernel, sender } = setUp(() => ({ ok: false, after: 1 }));
    const webhook = sender.create(0);
    sender.enqueue(webhook, 0, 0);
    kernel.runUntil(HOUR);
    const later = sender.enqueue(webhook, 1, 1);
    kernel.run();
    expect(sender.delivery(later)).toMatchObject({ state: "failed", attempts: 4 });
  });
});
