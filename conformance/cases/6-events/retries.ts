/** Sections 6.4 and 3.2: five attempts, their delays, and the failed state. */
import { DELIVERY_DELAYS } from "../../../fixtures/protocol/index.ts";
import { at } from "../../exchange/exchange.ts";
import { type Delivery, type Reply, reply } from "../../receiver/receiver.ts";
import { type CaseContext, defineCase, type Subscription } from "../case.ts";
import { deliveryRows, eventually, judgeDeliveries, shown } from "../support/deliveries.ts";
import { settledJob } from "../support/jobs.ts";
import { sameValue } from "../support/values.ts";
import { listedWebhooks, webhookStatus } from "../support/webhooks.ts";

export const EVENTS = ["job.completed"];
/** Milliseconds before the second to fifth attempt. */
const DELAYS = DELIVERY_DELAYS.map((seconds) => seconds * 1_000).slice(1) as [number, number, number, number];
/** How early and how late an attempt may be: a queue of deliveries is looked through now and then. */
const EARLY = 1_500;
const LATE = 6_000;

/** A webhook that got the first attempt of one event; `script` answers it and what follows. */
async function firstAttempt(t: CaseContext, script: readonly Reply[] | Reply, stream = false): Promise<Subscription> {
  const subscription = await t.subscribe({ events: EVENTS, script });
  const done = await t.complete({ stream });
  await settledJob(t, done.jobId);
  if (!(await eventually(t, () => subscription.endpoint.deliveries.length > 0))) t.giveUp("no first attempt came");
  return subscription;
}

/** The share of a wait in which nothing is due, from wherever it is counted: time goes on in one step there. */
const IDLE = 0.65;

/** Waits for attempt `count`, in steps that are fine compared with the wait, or coarse ones; resolves to whether it came. */
async function attempt(
  t: CaseContext,
  { endpoint }: Subscription,
  count: number,
  wait: number,
  steps: "fine" | "coarse" = "fine",
): Promise<boolean> {
  const came = (): boolean => endpoint.deliveries.length >= count;
  if (came()) return true;
  const idle = Math.round(wait * IDLE);
  await t.clock.advance(idle);
  const step = steps === "coarse" ? Math.round(wait / 20) : Math.max(250, Math.min(10_000, Math.round(wait / 120)));
  return await t.clock.advanceUntil(came, { within: wait - idle + 4 * LATE, step });
}

/** Whether an arrival comes so long after another one, given that steps of the clock hide the exact moments of both. */
function near(delivery: Delivery, from: Delivery, delay: number): boolean {
  return delivery.at >= from.earliest + delay - EARLY && delivery.earliest <= from.at + delay + LATE;
}

export const told = (subscription: Subscription) => {
  const [first] = subscription.endpoint.deliveries;
  const times = subscription.endpoint.deliveries.map(
    (each) => `${((each.earliest - (first?.earliest ?? 0)) / 1_000).toFixed(1)} s`,
  );
  return { seen: `attempts at ${times.join(", ")}`, exchanges: subscription.created };
};

/** Attempts after 30 s, 5 min, 30 min and 2 h; after the fifth failure none, and the webhook is failed. */
const schedule = defineCase({
  id: "6.4/schedule",
  title: "five failing attempts keep the schedule, then the webhook is failed and nothing more comes",
  requirements: [
    ...deliveryRows,
    "3.2/1",
    "3.2/2",
    "3.2/3",
    "3.2/4",
    "3.2/5",
    "6.3/4",
    "6.4/3",
    "6.4/6",
    "6.4/7",
    "6.4/8",
    "6.4/9",
    "6.4/10",
    "6.4/11",
    "2.10/1",
    "2.7/3",
    "4.9/1",
  ],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const twin = await t.subscribe({ events: EVENTS, script: reply.status(500) });
    const subscription = await firstAttempt(t, reply.status(500));
    const { deliveries } = subscription.endpoint;
    const first = deliveries[0] as Delivery;
    let reading: string | null = null;
    for (const [index, delay] of DELAYS.entries()) {
      const count = index + 2;
      const previous = deliveries[count - 2] as Delivery;
      const row = index === 0 ? "6.4/6" : "6.4/7";
      const came = await attempt(t, subscription, count, delay);
      const expected = `attempt ${count} ${delay / 1_000} s after the one before, or after the first`;
      if (!t.check(row, came, { ...told(subscription), title: `attempt ${count} of a delivery never comes`, expected }))
        return;
      t.pass("6.4/3");
      const made = deliveries[count - 1] as Delivery;
      const [chained, fromFirst] = [near(made, previous, delay), near(made, first, delay)];
      const due = reading === "from the first" ? fromFirst : reading === null ? chained || fromFirst : chained;
      t.check(row, due, {
        ...told(subscription),
        title: `attempt ${count} of a delivery is not made when it is due`,
        expected,
      });
      if (index > 0 && chained !== fromFirst) reading ??= chained ? "from the attempt before" : "from the first";
      const active = (await webhookStatus(t, subscription.id)) === "active";
      if (count < 5)
        t.check("3.2/3", active, {
          ...told(subscription),
          title: "a webhook is failed before its fifth attempt failed",
          expected: "active",
        });
    }
    if (reading !== null) {
      t.observe("6.4/9", reading);
      t.observe("6.4/10", reading, { consistent: true });
    }
    // By the other reading its fifth attempt comes later.
    await attempt(t, twin, 5, DELAYS[0] + DELAYS[1] + DELAYS[2]);
    const other = readingOf(twin);
    if (other !== null) t.observe("6.4/10", other, { consistent: true });
    sameEvent(t, subscription);
    await failedState(t, subscription);
    judgeDeliveries(t, subscription, EVENTS);
  },
});

/** From where five attempts count their delays, told by the last of them; null where they tell neither. */
function readingOf({ endpoint: { deliveries } }: Subscription): string | null {
  const [first, , , fourth, fifth] = deliveries;
  if (first === undefined || fourth === undefined || fifth === undefined) return null;
  const delay = DELAYS[3];
  const chained = near(fifth, fourth, delay);
  if (chained === near(fifth, first, delay)) return null;
  return chained ? "from the attempt before" : "from the first";
}

/** Every attempt tells the same event, signed at its own time. */
function sameEvent(t: CaseContext, subscription: Subscription): void {
  const { deliveries } = subscription.endpoint;
  const [first] = deliveries;
  const fixed = (delivery: Delivery | undefined): unknown => {
    const { credits_remaining: _, ...data } = (at(delivery?.json, "data") ?? {}) as Record<string, unknown>;
    return { event: delivery?.event, data };
  };
  const changed = deliveries.find((each) => !sameValue(fixed(each), fixed(first)));
  t.check("6.4/11", changed === undefined, {
    ...told(subscription),
    expected: first === undefined ? "" : shown(first),
    seen: changed === undefined ? "" : shown(changed),
  });
  t.observe(
    "2.7/3",
    new Set(deliveries.map((each) => each.eventId)).size === 1 ? "one id for all attempts" : "an id for each attempt",
  );
  for (const [index, later] of deliveries.entries()) {
    const before = deliveries[index - 1];
    // Attempts that lie less than the tolerance of a signature's time apart cannot be told from one another.
    if (before?.signature == null || later.signature === null || later.earliest - before.at < 600_000) continue;
    t.check("6.3/4", later.signature.t > before.signature.t, {
      ...told(subscription),
      expected: `t after ${before.signature.t}`,
      seen: later.signature.t,
    });
  }
}

async function failedState(t: CaseContext, subscription: Subscription): Promise<void> {
  let status: unknown = "active";
  await t.clock.advanceUntil(
    async () => {
      status = await webhookStatus(t, subscription.id);
      return status !== "active";
    },
    { within: 30_000, step: 1_000 },
  );
  const listed = (await listedWebhooks(t)).text.includes(subscription.id);
  t.check("4.9/1", listed, {
    ...told(subscription),
    title: "a failed webhook is not in the list",
    expected: subscription.id,
  });
  const failed = t.check("3.2/1", status !== "active" && typeof status === "string", {
    ...told(subscription),
    title: "a webhook whose fifth attempt failed is not in a failed state",
    expected: "another status than `active`",
    seen: status,
  });
  if (failed) t.observe("3.2/5", String(status), { consistent: true });
  for (let hour = 0; hour < 26; hour += 2) await t.clock.advance(2 * 3_600_000);
  const later = await webhookStatus(t, subscription.id);
  t.check("3.2/1", !failed || later === status, {
    ...told(subscription),
    title: "a failed webhook does not stay so",
    expected: String(status),
    seen: later,
  });
  const sixth = subscription.endpoint.deliveries.length <= 5;
  t.check("6.4/8", sixth, { ...told(subscription), title: "a sixth attempt is made", expected: "five attempts" });
  t.check("3.2/2", sixth, {
    ...told(subscription),
    title: "a failed webhook goes on trying",
    expected: "five attempts",
  });
  if (t.has("deliveries")) await replayed(t, subscription);
  else t.notExercised("2.10/1", "no control shows deliveries (capability deliveries)");

  subscription.endpoint.script(reply.ok());
  const before = subscription.endpoint.deliveries.length;
  const another = await t.complete();
  await settledJob(t, another.jobId);
  const sent = await eventually(t, () => subscription.endpoint.deliveries.length > before, 10_000);
  t.observe("3.2/4", sent ? "sent" : "not sent");
}

/** The failed delivery is on record with its five attempts, and a replay sends it once more. */
async function replayed(t: CaseContext, subscription: Subscription): Promise<void> {
  const records = await t.controls.deliveries(subscription.id);
  const record = records.find((each) => each.state === "failed" && each.event === EVENTS[0]);
  const kept = t.check("2.10/1", record !== undefined, {
    ...told(subscription),
    title: "a failed delivery is not on record",
    expected: "a delivery in state failed",
    seen: records,
  });
  if (!kept || record === undefined) return;
  const before = subscription.endpoint.deliveries.length;
  subscription.endpoint.script(reply.ok());
  await t.controls.replay(subscription.id, record.id);
  const came = await eventually(t, () => subscription.endpoint.deliveries.length > before);
  t.check("2.10/1", came, {
    ...told(subscription),
    title: "a replayed delivery does not come",
    expected: "one more delivery",
  });
}

/** An attempt answered 2xx ends the delivery: the first, one of those in between, or the fifth. */
const success = defineCase({
  id: "6.4/success",
  title: "no attempt follows one that was answered 2xx, be it the first, the second, the third or the fifth",
  requirements: ["6.4/1", "6.4/2", "3.2/3", "6.4/3"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    for (const failures of [0, 1, 2, 4]) {
      const script = [
        ...Array.from({ length: failures }, () => reply.status(503)),
        reply.status(204),
        reply.status(500),
      ];
      const subscription = await firstAttempt(t, script, failures === 2);
      for (let done = 1; done <= failures; done++) {
        const came = await attempt(t, subscription, done + 1, DELAYS[done - 1] as number, "coarse");
        if (
          !t.check("6.4/3", came, {
            ...told(subscription),
            title: "no attempt follows one that failed",
            expected: `attempt ${done + 1}`,
          })
        )
          return;
      }
      for (let hours = 0; hours < 4; hours++) await t.clock.advance(3_600_000);
      const quiet = subscription.endpoint.deliveries.length === failures + 1;
      const what = {
        ...told(subscription),
        title: "an attempt follows one that was answered 2xx",
        expected: `${failures + 1} attempts`,
      };
      t.check("6.4/2", quiet, what);
      t.check("6.4/1", quiet, what);
      const status = await webhookStatus(t, subscription.id);
      t.check("3.2/3", status === "active", {
        ...told(subscription),
        title: "a webhook whose delivery succeeded is not active",
        expected: "active",
        seen: status,
      });
    }
  },
});

/** Ways to fail, of those below, that a service must let be tried. */
const ENOUGH = 3;

/** Anything other than 2xx is a failure: other statuses, a closed connection, what is no HTTP. */
const failures = defineCase({
  id: "6.4/failures",
  title: "an attempt that is refused, redirected, dropped or garbled is followed by another; any 2xx is not",
  requirements: ["6.4/3", "6.4/6", "6.4/13", "6.4/1"],
  needs: ["key", "receiver", "patience", "credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const elsewhere = t.receiver.open("redirected");
    const replies: readonly (readonly [string, Reply])[] = [
      ["status 500", reply.status(500)],
      ["status 400", reply.status(400)],
      ["status 404", reply.status(404)],
      ["status 410", reply.status(410)],
      ["status 429", reply.status(429)],
      ["status 503", reply.status(503)],
      ["status 302", reply.redirect(elsewhere.url)],
      ["status 304", reply.status(304)],
      ["status 307", reply.redirect(elsewhere.url, 307)],
      ["status 401", reply.status(401)],
      ["a closed connection", reply.drop()],
      ["bytes that are no HTTP", reply.garbage()],
    ];
    const failing: { readonly name: string; readonly subscription: Subscription }[] = [];
    const fine: { readonly status: number; readonly subscription: Subscription }[] = [];
    try {
      for (const status of [200, 201, 202, 204, 206, 299])
        fine.push({
          status,
          subscription: await t.subscribe({ events: EVENTS, script: [reply.status(status), reply.ok()] }),
        });
      for (const [name, answer] of replies)
        failing.push({ name, subscription: await t.subscribe({ events: EVENTS, script: [answer, reply.ok()] }) });
    } catch (reason) {
      // How many webhooks one may have is not shown: those that there are tell what they can.
      if (failing.length < ENOUGH) throw reason;
    }
    const done = await t.complete();
    await settledJob(t, done.jobId);
    const all = [...failing, ...fine].map(({ subscription }) => subscription);
    if (!(await eventually(t, () => all.every((each) => each.endpoint.deliveries.length > 0))))
      t.giveUp("some first attempt did not come");
    await t.clock.advanceUntil(() => failing.every(({ subscription }) => subscription.endpoint.deliveries.length > 1), {
      within: 45_000,
      step: 1_000,
    });
    for (const { name, subscription } of failing) {
      const row = name.startsWith("status 3") ? "6.4/13" : "6.4/3";
      t.check(row, subscription.endpoint.deliveries.length > 1, {
        title: `no attempt follows one that ended with ${name}`,
        expected: "a second attempt after 30 s",
        seen: told(subscription).seen,
        exchanges: subscription.created,
      });
      const [first, second] = subscription.endpoint.deliveries;
      if (first === undefined || second === undefined || t.clock.rate > 1) continue;
      t.check("6.4/6", second.at >= first.earliest + DELAYS[0] - LATE, {
        ...told(subscription),
        title: "the second attempt of a delivery comes too early",
        expected: "a second attempt after 30 s",
      });
    }
    for (const { status, subscription } of fine) {
      t.check("6.4/1", subscription.endpoint.deliveries.length === 1, {
        title: `an attempt answered ${status} is repeated`,
        expected: "one attempt",
        seen: told(subscription).seen,
        exchanges: subscription.created,
      });
    }
  },
});

/** Each event has five attempts of its own. */
const ownCount = defineCase({
  id: "6.4/own-count",
  title: "an event that was delivered at its second attempt takes none from the next event",
  requirements: ["6.4/3", "6.4/7", "3.2/3"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const fail = reply.status(500);
    const subscription = await firstAttempt(t, [fail, fail, fail, reply.ok(), fail, fail, fail, fail, reply.ok()]);
    for (const [index, count] of [2, 3, 4].entries()) {
      const came = await attempt(t, subscription, count, DELAYS[index] as number, "coarse");
      if (!came) t.giveUp("an attempt did not come");
    }
    const second = await t.complete();
    await settledJob(t, second.jobId);
    if (!(await eventually(t, () => subscription.endpoint.deliveries.length >= 5)))
      t.giveUp("no first attempt of the second event came");
    for (const [index, count] of [6, 7, 8, 9].entries()) {
      const came = await attempt(t, subscription, count, DELAYS[index] as number, "coarse");
      const what = {
        ...told(subscription),
        title: "the attempts of a second event end before the fifth",
        expected: `attempt ${index + 2} of the second event`,
      };
      if (!t.check(index === 0 ? "6.4/3" : "6.4/7", came, what)) return;
    }
    const status = await webhookStatus(t, subscription.id);
    t.check("3.2/3", status === "active", {
      ...told(subscription),
      title: "a webhook fails by failures of different events",
      expected: "active",
      seen: status,
    });
  },
});

export const retryCases = [schedule, success, failures, ownCount];
