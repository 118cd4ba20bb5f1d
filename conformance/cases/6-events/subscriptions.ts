/** Section 6: who is sent what. */

import { reply } from "../../receiver/receiver.ts";
import { defineCase, type Subscription } from "../case.ts";
import { about, deliveryRows, eventually, judgeDeliveries, shown, signedWith, toldOf } from "../support/deliveries.ts";
import { challenge } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { settledJob } from "../support/jobs.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { createdWebhook, webhookRequest } from "../support/webhooks.ts";

const ALL_JOB_EVENTS = [
  "job.submitted",
  "job.processing",
  "job.completed",
  "job.failed",
  "job.timeout",
  "job.disputed",
];
/** What happens to every job that is done. */
const HAPPEN: readonly string[] = ["job.submitted", "job.processing", "job.completed"];
const QUIET = 5_000;
const QUERY = "?token=a%20b%2Fc&n=1";

/** A webhook is sent what it subscribed and nothing else; each of several is sent it, signed with its own secret. */
const own = defineCase({
  id: "6/subscriptions",
  title: "each of several webhooks is sent what it subscribed, signed with its own secret",
  requirements: [...deliveryRows, "6/2", "6/5", "6.3/5"],
  cost: (prices) => prices.flat,
  async run(t) {
    const wishes: readonly { readonly events: readonly string[]; readonly secret?: string }[] = [
      { events: ["job.completed"] },
      { events: ["job.submitted"] },
      { events: ["job.processing", "job.completed"] },
      { events: ["job.completed"], secret: `grün & "spaced" \\ ${t.random.text(12)}` },
      { events: ["job.completed"], secret: `${"0123456789abcdef".repeat(8)}${t.random.text(8)}` },
      { events: ["job.completed"], secret: `  ends in spaces ${t.random.text(12)}  ` },
      { events: ["job.failed", "job.timeout"] },
      { events: ["job.disputed", "job.submitted", "credit.low", "credit.topup", "job.failed", "job.completed"] },
    ];
    const webhooks: { readonly wish: (typeof wishes)[number]; readonly subscription: Subscription }[] = [];
    for (const wish of wishes) {
      // Which secrets are taken is not shown: one that is very long, or no ASCII, may be refused.
      const subscription = await t.subscribe(wish).catch((reason: unknown) => {
        if (wish.secret === undefined) throw reason;
        return null;
      });
      if (subscription !== null) webhooks.push({ wish, subscription });
    }
    // An address may carry what its owner needs to know a delivery by.
    const addressed = t.receiver.open("6/subscriptions-query");
    const url = `${addressed.url}${QUERY}`;
    await createdWebhook(t, webhookRequest(t, { url, events: ["job.completed"] }));
    const done = await t.complete();
    await settledJob(t, done.jobId);
    for (const { wish, subscription } of webhooks) {
      const expected = wish.events.filter((event) => HAPPEN.includes(event));
      for (const event of expected) {
        const came = await eventually(t, () => toldOf(subscription, event, done.jobId).length > 0);
        const told = {
          expected: event,
          seen: subscription.endpoint.deliveries.map((each) => each.event),
          exchanges: [subscription.created, done.exchange],
        };
        t.check("6/2", came, told);
        t.check("6/5", came, { ...told, title: "one of several webhooks is not sent the event" });
      }
    }
    await eventually(t, () => false, QUIET);
    for (const delivery of addressed.deliveries) {
      t.check("6/1", new URL(delivery.url, url).search === QUERY, {
        title: "a delivery does not go to the webhook's whole `url`",
        expected: `the query ${QUERY}`,
        seen: delivery.url,
        exchanges: t.exchanges.slice(-1),
      });
    }
    const secrets = webhooks.map(({ subscription }) => subscription.secret);
    for (const { wish, subscription } of webhooks) {
      judgeDeliveries(t, subscription, wish.events);
      for (const delivery of subscription.endpoint.deliveries) {
        const foreign = secrets.filter((secret) => secret !== subscription.secret && signedWith(delivery, secret));
        t.check("6.3/5", foreign.length === 0, {
          expected: "a signature with the webhook's own secret",
          seen: "one with another webhook's",
          exchanges: subscription.created,
        });
      }
    }
  },
});

/** Nothing of another wallet's jobs reaches a webhook. */
const foreign = defineCase({
  id: "6/foreign",
  title: "a webhook is sent nothing of another wallet's jobs, however they end",
  requirements: ["6/4"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const other = await t.otherWallet();
    const theirs = await t.subscribe({ events: ALL_JOB_EVENTS, api: other.api });
    const mine = await t.subscribe({ events: ALL_JOB_EVENTS });
    const done = await t.complete();
    await settledJob(t, done.jobId);
    const reached = await eventually(t, () => mine.endpoint.of("job.completed").length > 0);
    if (!reached) t.giveUp("the event did not reach its own wallet's webhook either");
    if (mayOpenDisputes(t)) await challenge(t, done, sha256(`${done.text} and more`));
    for (const behaviour of t.has("behaviours") ? (["failing", "silent"] as const) : []) {
      // Where nobody moves the clock, two minutes are too long.
      if (behaviour === "silent" && !t.clock.movable) continue;
      await t.behave(t.model(), behaviour);
      await t.api.say({ stream: behaviour === "failing" });
      await t.behave(t.model(), "normal");
    }
    await eventually(t, () => theirs.endpoint.deliveries.length > 0, QUIET);
    // A fresh wallet has no jobs of its own to be told of, and the data of most events need not name theirs.
    const strange = theirs.endpoint.deliveries.filter((each) => other.fresh || each.text.includes(done.jobId));
    t.check("6/4", strange.length === 0, {
      expected: "nothing",
      seen: strange.map(shown),
      exchanges: [theirs.created, done.exchange],
    });
  },
});

/** A deleted webhook is sent nothing more: neither new events, nor attempts that were still to come. */
const deleted = defineCase({
  id: "4.10/silence",
  title: "a deleted webhook is sent no new event",
  requirements: ["4.10/6"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const events = ["job.submitted", "job.completed"];
    const [gone, kept] = [await t.subscribe({ events }), await t.subscribe({ events })];
    const first = await t.complete();
    await settledJob(t, first.jobId);
    const reached = await eventually(
      t,
      () =>
        about(gone, "job.completed", first.jobId).length > 0 && toldOf(gone, "job.submitted", first.jobId).length > 0,
    );
    if (!reached) t.giveUp("the webhook was sent nothing before its deletion either");
    t.accepted(await t.api.deleteWebhook(gone.id), "deleting one's own webhook");
    const second = await t.complete();
    await settledJob(t, second.jobId);
    if (!(await eventually(t, () => about(kept, "job.completed", second.jobId).length > 0)))
      t.giveUp("no webhook was sent the event");
    await eventually(t, () => false, QUIET);
    const after = gone.endpoint.deliveries.filter((each) => each.text.includes(second.jobId));
    t.check("4.10/6", after.length === 0, {
      expected: "nothing after the deletion",
      seen: after.map(shown),
      exchanges: [gone.created, second.exchange],
    });
  },
});

const deletedWhileRetrying = defineCase({
  id: "4.10/pending-attempts",
  title: "deleting a webhook ends the attempts that were still to come",
  requirements: ["4.10/7", "6.4/3"],
  cost: (prices) => prices.flat,
  async run(t) {
    const gone = await t.subscribe({ events: ["job.completed"], script: reply.status(500) });
    const kept = await t.subscribe({ events: ["job.completed"], script: [reply.status(500), reply.ok()] });
    const done = await t.complete();
    await settledJob(t, done.jobId);
    const both = [gone, kept];
    const tried = await eventually(t, () => both.every(({ endpoint }) => endpoint.deliveries.length > 0));
    if (!tried) t.giveUp("no first attempt came");
    t.accepted(await t.api.deleteWebhook(gone.id), "deleting one's own webhook");
    const before = gone.endpoint.deliveries.length;
    // The second attempt would be due 30 s after the first, the third 5 minutes after that.
    await t.clock.advance(45_000);
    if (t.clock.movable) await t.clock.advance(10 * 60_000);
    t.check("4.10/7", gone.endpoint.deliveries.length === before, {
      expected: `${before} attempts`,
      seen: gone.endpoint.deliveries.map(shown),
      exchanges: [gone.created, done.exchange],
    });
    t.check("6.4/3", kept.endpoint.deliveries.length > 1, {
      title: "deleting a webhook ends the attempts of another",
      expected: "a second attempt after 30 s",
      seen: kept.endpoint.deliveries.map(shown),
      exchanges: [kept.created, done.exchange],
    });
  },
});

/** A webhook that hangs holds nobody else up. */
const independent = defineCase({
  id: "6.4/independent",
  title: "a webhook that hangs delays neither another webhook nor an answer",
  requirements: ["6.4/12"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const events = ["job.completed"];
    const slow = await t.subscribe({ events, script: reply.hang() });
    const quick = await t.subscribe({ events });
    for (let round = 0; round < 2; round++) {
      const done = await t.complete();
      await settledJob(t, done.jobId);
      const settledAt = t.clock.now();
      const came = await eventually(t, () => about(quick, "job.completed", done.jobId).length > 0);
      const [delivery] = about(quick, "job.completed", done.jobId);
      // A service that serves webhooks one after another comes 10 s late: it waits for the one that hangs.
      t.check("6.4/12", came && (delivery?.earliest ?? Number.POSITIVE_INFINITY) < settledAt + 8_000, {
        expected: "the other webhook's delivery at once",
        seen: delivery === undefined ? "none" : `${delivery.earliest - settledAt} ms after the settlement`,
        exchanges: [slow.created, quick.created, done.exchange],
      });
    }
  },
});

export const subscriptionCases = [own, foreign, deleted, deletedWhileRetrying, independent];
