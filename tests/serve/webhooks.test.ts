/** Real deliveries over HTTPS, verified by a verifier that is not ours: Stripe's, which uses this very header scheme (section 6.3). */
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { api, control, eventually, type Served, startServe } from "./assay-serve.ts";
import { openReceiver, type Receiver } from "./webhook-receiver.ts";

const SECRET = "whsec_of_this_test_é";
const stripe = new Stripe("sk_test_unused");

let receiver: Receiver;

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

/** Runs a test against a server of its own that trusts the receiver, or does not. */
async function serving(options: readonly string[], test: (served: Served) => Promise<void>): Promise<void> {
  const served = await startServe("--control-port", "0", ...options);
  try {
    await test(served);
  } finally {
    await served.stop();
  }
}

const json = (body: unknown) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const subscribe = (served: Served, ...events: string[]) =>
  api(served, "/v1/webhooks", served.key, json({ url: receiver.url, events, secret: SECRET }));
const chat = (served: Served) =>
  api(
    served,
    "/v1/chat/completions",
    served.key,
    json({ model: "brook-3b", messages: [{ role: "user", content: "Hello" }] }),
  );

describe("webhook deliveries over HTTPS", () => {
  it("are verified by Stripe's verifier, within its tolerance of the real time", async () => {
    await serving(["--webhook-ca", receiver.ca], async (served) => {
      const before = receiver.received.length;
      await subscribe(served, "job.submitted", "job.processing", "job.completed");
      const completion = await chat(served);
      const deliveries = (await receiver.arrived(before + 3)).slice(before);
      const events = deliveries.map(({ body, headers }) =>
        stripe.webhooks.constructEvent(body, String(headers["service-signature"]), SECRET),
      ) as unknown as { event: string; data: Record<string, unknown> }[];
      expect(events.map(({ event }) => event)).toEqual(["job.submitted", "job.processing", "job.completed"]);
      expect(events[2]!.data).toMatchObject({
        job_id: completion.headers.get("x-service-job-id"),
        settlement_tx: completion.headers.get("x-service-settlement-tx"),
        credits_charged: 2,
        credits_remaining: Number(completion.headers.get("x-service-credits-remaining")),
      });
      const { body, headers } = deliveries[0]!;
      const forged = body.replace("job.submitted", "job.completed");
      expect(() => stripe.webhooks.constructEvent(forged, String(headers["service-signature"]), SECRET)).toThrow(
        /signature/i,
      );
      expect(headers["content-type"]).toBe("application/json");
      expect(JSON.stringify(deliveries)).not.toContain(SECRET);
    });
  });

  it("are attempted five times on the contract's timetable, then replayed on demand", async () => {
    await serving(["--clock", "manual", "--webhook-insecure"], async (served) => {
      const before = receiver.received.length;
      const { body: webhook } = await subscribe(served, "credit.topup");
      const { body: account } = await api(served, "/v1/account");
      receiver.answer = 503;
      await control(served, `/v1/wallets/${account.wallet}/topups`, { credits: 100 });
      await receiver.arrived(before + 1);
      const records = async () =>
        (
          await control<{ data: { id: string; attempts: number; state: string }[] }>(
            served,
            `/v1/webhooks/${webhook.id}/deliveries`,
          )
        ).data;
      const status = async () => (await api(served, "/v1/webhooks")).body.data[0].status;
      const waits = [30, 300, 1_800, 7_200];
      for (const [index, seconds] of waits.entries()) {
        await eventually(records, ([record]) => record!.attempts === index + 1);
        expect(await status()).toBe("active");
        await control(served, "/v1/clock/advance", { milliseconds: seconds * 1_000 - 1 });
        expect(receiver.received.length - before).toBe(index + 1);
        await control(served, "/v1/clock/advance", { milliseconds: 1 });
        expect(receiver.received.length - before).toBe(index + 2);
      }
      await eventually(status, (now) => now === "failed");
      await control(served, "/v1/clock/advance", { milliseconds: 24 * 3_600_000 });
      expect(receiver.received.length - before).toBe(5);
      const times = receiver.received
        .slice(before)
        .map(({ headers }) => Number(/t=(\d+)/.exec(String(headers["service-signature"]))![1]));
      expect(times.slice(1).map((time, i) => time - times[i]!)).toEqual(waits);

      receiver.answer = 204;
      const [record] = await records();
      expect(record).toMatchObject({ attempts: 5, state: "failed" });
      await control(served, `/v1/webhooks/${webhook.id}/deliveries/${record!.id}/replay`, {});
      await eventually(records, ([replayed]) => replayed!.state === "delivered");
      expect(receiver.received.length - before).toBe(6);
    });
  });

  it("do not go to a receiver whose certificate nobody vouches for", async () => {
    await serving(["--clock", "manual"], async (served) => {
      const before = receiver.received.length;
      const { body: webhook } = await subscribe(served, "credit.topup");
      const { body: account } = await api(served, "/v1/account");
      await control(served, `/v1/wallets/${account.wallet}/topups`, { credits: 100 });
      for (const seconds of [30, 300, 1_800, 7_200, 1]) {
        await control(served, "/v1/clock/advance", { milliseconds: seconds * 1_000 });
      }
      const records = await eventually(
        () => control<{ data: { state: string; attempts: number }[] }>(served, `/v1/webhooks/${webhook.id}/deliveries`),
        ({ data }) => data[0]!.state !== "pending",
      );
      expect(records.data[0]).toMatchObject({ attempts: 5, state: "failed" });
      expect(receiver.received.length).toBe(before);
    });
  });
});
