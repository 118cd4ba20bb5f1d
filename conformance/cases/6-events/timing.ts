/** Sections 6.1 and 6.4: deliveries beside each other, within their time limit, and as things happen. */

import { reply } from "../../receiver/receiver.ts";
import { type CaseContext, defineCase, type Need, type Subscription, type Wallet } from "../case.ts";
import { eventually, toldOf } from "../support/deliveries.ts";
import { challenge } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { begin } from "../support/in-flight.ts";
import { readJob, settledJob, statusOf, UNFINISHED } from "../support/jobs.ts";
import { webhookStatus } from "../support/webhooks.ts";
import { EVENTS, told } from "./retries.ts";

/** Fine steps: when a delivery came must be known well, as its answer is timed by it. */
const FINE = 100;

/** Longer than 10 seconds is a failure, less is none. */
const timeLimit = defineCase({
  id: "6.4/time-limit",
  title: "an answer shortly before 10 s is in time, one after it or never is not",
  requirements: ["6.4/4"],
  needs: ["key", "receiver", "patience", "credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    // Where the clock stands still but for the judge, an answer takes no time on its way. Who looks for time-outs once a second is right, too.
    const exact = t.clock.kind === "manual";
    const inTime = await t.subscribe({ events: EVENTS, script: [reply.late(exact ? 9_700 : 9_000), reply.ok()] });
    const tooLate = await t.subscribe({ events: EVENTS, script: [reply.late(exact ? 11_100 : 11_500), reply.ok()] });
    const never = await t.subscribe({ events: EVENTS, script: [reply.hang(), reply.ok()] });
    const all = [inTime, tooLate, never];
    const came = (): boolean => all.every((each) => each.endpoint.deliveries.length > 0);
    if (exact) {
      // An answer that comes with the settlement would be waited for in steps that are too wide.
      const { pending } = await begin(t);
      await t.clock.advanceUntil(came, { within: 120_000, step: FINE });
      await pending.finish();
    } else await settledAnew(t);
    if (!(await eventually(t, came))) t.giveUp("some first attempt did not come");
    // The wait before the second attempt may be counted from the first one's start, or from its time-out.
    const again = (): boolean => [tooLate, never].every((each) => each.endpoint.deliveries.length > 1);
    await t.clock.advanceUntil(again, { within: 55_000, step: 250 });
    for (const [name, subscription] of [
      ["an answer that is too late", tooLate],
      ["no answer", never],
    ] as const) {
      t.check("6.4/4", subscription.endpoint.deliveries.length > 1, {
        title: `no attempt follows ${name}`,
        expected: "a second attempt",
        seen: told(subscription).seen,
        exchanges: subscription.created,
      });
    }
    // On a clock that is faster than the wall the way of an answer takes seconds; and who does not know when the delivery came answers late.
    const [first] = inTime.endpoint.deliveries;
    if (t.clock.rate > 1 || first === undefined || (exact && first.at - first.earliest > 2 * FINE)) return;
    t.check("6.4/4", inTime.endpoint.deliveries.length === 1, {
      title: "an answer within 10 seconds counts as a failure",
      expected: "one attempt",
      seen: told(inTime).seen,
      exchanges: inTime.created,
    });
  },
});

/** The deliveries of one job's event, by its id. */
const of = ({ endpoint }: Subscription, jobId: string) =>
  endpoint.deliveries.filter((each) => each.text.includes(jobId));

async function settledAnew(t: CaseContext): Promise<string> {
  const { jobId } = await t.complete();
  await settledJob(t, jobId);
  return jobId;
}

/** Each event is delivered for itself: one that fails holds no other back, and one that succeeds ends no other's attempts. */
const beside = defineCase({
  id: "6.4/beside",
  title: "while one event is tried again the next comes at once, and its success ends nothing of the first",
  requirements: ["6.4/3", "6.4/5"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const hook = await t.subscribe({ events: EVENTS, script: [reply.status(500), reply.status(500), reply.ok()] });
    const first = await settledAnew(t);
    const tried = (count: number) => () => of(hook, first).length >= count;
    if (!(await t.clock.advanceUntil(tried(2), { within: 60_000, step: 1_000 }))) t.giveUp("no second attempt came");
    // The third is due five minutes later: time for another event.
    const second = await settledAnew(t);
    const came = await eventually(t, () => of(hook, second).length > 0);
    t.check("6.4/5", came, {
      ...told(hook),
      title: "an event waits while another is tried again",
      expected: "its first attempt at once",
    });
    const third = await t.clock.advanceUntil(tried(3), { within: 330_000, step: 5_000 });
    t.check("6.4/3", third, {
      ...told(hook),
      title: "an event that was delivered ends the attempts of another",
      expected: "a third attempt of the event that failed",
    });
  },
});

/** Five attempts are one event's: those of several events are not counted together. */
const several = defineCase({
  id: "6.4/several-failing",
  title: "events that fail beside each other leave their webhook active, until one has failed five times",
  requirements: ["3.2/3", "6.4/7"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const hook = await t.subscribe({ events: EVENTS, script: reply.status(500) });
    const jobs = [await settledAnew(t), await settledAnew(t), await settledAnew(t)];
    const tried = (count: number) => () => jobs.every((id) => of(hook, id).length >= count);
    // Who counts the failures together stops at the fifth.
    await t.clock.advanceUntil(tried(2), { within: 60_000, step: 1_000 });
    if (hook.endpoint.deliveries.length < 5) t.giveUp("no second attempts came");
    const status = await webhookStatus(t, hook.id);
    const active = t.check("3.2/3", status === "active", {
      ...told(hook),
      title: "a webhook fails by failures of different events",
      expected: "active: no event has failed five times",
      seen: status,
    });
    if (!active) return;
    t.check("6.4/7", await t.clock.advanceUntil(tried(3), { within: 360_000, step: 5_000 }), {
      ...told(hook),
      title: "of several events that fail not each is tried a third time",
      expected: "three attempts of each of three events",
    });
  },
});

/** Longer than each wait before the next attempt, from wherever it is counted; then time in which a sixth would come. */
const SPANS = [60_000, 400_000, 2_000_000, 8_000_000, 60_000, 8_000_000, 8_000_000];

/** Whichever way an attempt fails, it is one of five. */
const everyFailure = defineCase({
  id: "6.4/every-failure",
  title: "attempts that are not answered, or answered by no HTTP, are five as others are, and the webhook fails",
  requirements: ["3.2/1", "6.4/8"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    // A closed connection is left out: a sender's client may send at once again what nobody seems to have read.
    const mixed = [reply.hang(), reply.status(404), reply.garbage(), reply.status(302), reply.hang()];
    const hooks = [
      await t.subscribe({ events: EVENTS, script: reply.hang() }),
      await t.subscribe({ events: EVENTS, script: mixed }),
    ];
    await settledAnew(t);
    await eventually(t, () => hooks.every((hook) => hook.endpoint.deliveries.length > 0));
    for (const span of SPANS) {
      // What hangs is given up first, so that a wait begins.
      await t.clock.advance(11_000);
      await t.clock.advance(span);
    }
    for (const hook of hooks) {
      if (hook.endpoint.deliveries.length < 5)
        t.leaveOut(`an endpoint that fails was not tried five times: ${told(hook).seen}`);
      t.check("6.4/8", hook.endpoint.deliveries.length === 5, {
        ...told(hook),
        title: "a sixth attempt follows five that were not answered",
        expected: "five attempts",
      });
      const status = await webhookStatus(t, hook.id);
      t.check("3.2/1", status !== "active", {
        ...told(hook),
        title: "a webhook whose five attempts were not answered is active",
        expected: "a failed state",
        seen: status,
      });
    }
  },
});

/** The failed state is one webhook's: the others of its wallet go on. */
const ownState = defineCase({
  id: "6.4/own-state",
  title: "a webhook that fails leaves the wallet's other webhooks active, and they are sent what follows",
  requirements: ["3.2/3", "6/5"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const bad = await t.subscribe({ events: EVENTS, script: reply.status(500) });
    const good = await t.subscribe({ events: EVENTS });
    await settledAnew(t);
    // Each span is longer than the wait before the next attempt, from wherever it is counted.
    for (const span of [60_000, 400_000, 2_000_000, 8_000_000]) await t.clock.advance(span);
    if ((await webhookStatus(t, bad.id)) === "active")
      t.leaveOut("a webhook whose attempts all failed is active still");
    const status = await webhookStatus(t, good.id);
    t.check("3.2/3", status === "active", {
      ...told(good),
      title: "a webhook that fails takes another one with it",
      expected: "active: all its deliveries were answered 200",
      seen: status,
    });
    const next = await settledAnew(t);
    t.check("6/5", await eventually(t, () => of(good, next).length > 0), {
      ...told(good),
      title: "once a webhook has failed another one is sent nothing more",
      expected: "job.completed of the next job",
    });
  },
});

/** What must happen for an event to be sent, where a run can bring it about. */
const CAUSES: readonly Caused[] = [
  { event: "job.submitted", needs: [], cause: async (t) => void (await settledAnew(t)) },
  { event: "job.processing", needs: [], cause: async (t) => void (await settledAnew(t)) },
  { event: "job.failed", needs: ["behaviours"], cause: (t) => whileWorkersAre(t, "failing") },
  { event: "job.timeout", needs: ["behaviours"], cause: (t) => whileWorkersAre(t, "silent") },
  {
    event: "job.disputed",
    needs: ["behaviours"],
    cause: async (t) => void (await challenge(t, await t.complete(), sha256("no"))),
  },
  {
    event: "credit.low",
    needs: ["wallets"],
    wallet: async (t) => await t.wallet({ credits: t.controls.lowCreditThreshold + t.model().credits_per_request - 1 }),
    cause: async (_t, wallet) => void (await wallet.api.say()),
  },
  { event: "credit.topup", needs: ["wallets"], cause: async (t) => void (await t.home.topUp(100)) },
  {
    event: "worker.registered",
    needs: ["workers"],
    cause: async (t) => void (await t.controls.addWorker("native", [t.model().id])),
  },
];

interface Caused {
  readonly event: string;
  readonly needs: readonly Need[];
  /** Whose event it is; the case's own wallet when left out. */
  readonly wallet?: (t: CaseContext) => Promise<Wallet>;
  readonly cause: (t: CaseContext, wallet: Wallet) => Promise<void>;
}

async function whileWorkersAre(t: CaseContext, behaviour: "failing" | "silent"): Promise<void> {
  await t.behave(t.model(), behaviour);
  await t.api.say();
  await t.behave(t.model(), "normal");
}

/** Five attempts are every event's, not those of `job.completed` alone. */
const everyEvent = defineCase({
  id: "6.4/every-event",
  title: "an event of any kind is tried again after a failed attempt",
  requirements: ["6.4/3"],
  needs: ["key", "receiver", "clock", "credits"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    for (const { event, needs, wallet, cause } of CAUSES) {
      if (!needs.every((need) => t.has(need))) continue;
      const owner = (await wallet?.(t)) ?? t.home;
      const script = [reply.status(500), reply.ok()];
      const hook = await t.subscribe({ events: [event], script, api: owner.api });
      await cause(t, owner);
      const { deliveries } = hook.endpoint;
      // Who is told of workers is open; whether an event is sent at all is another case's business.
      if (!(await eventually(t, () => deliveries.length > 0))) continue;
      const again = await t.clock.advanceUntil(() => deliveries.length > 1, { within: 50_000, step: 1_000 });
      t.check("6.4/3", again, {
        ...told(hook),
        title: `no attempt follows a failed one of \`${event}\``,
        expected: "a second attempt after 30 s",
      });
    }
  },
});

/** "Sent when the job is created", "when a worker took the job": not when it is over. */
const asItHappens = defineCase({
  id: "6.1/as-it-happens",
  title: "job.submitted and job.processing come while the job is in flight",
  requirements: ["6.1/1", "6.1/2"],
  needs: ["receiver", "credits", "behaviours", "clock"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const exact = t.clock.kind === "manual";
    await t.behave(t.model(), "silent");
    for (const stream of [false, true]) {
      const hook = await t.subscribe({ events: ["job.submitted", "job.processing"] });
      const { jobId, pending } = await begin(t, { stream });
      // The later one is waited for first: one that comes before its time is then seen as it comes.
      for (const [event, row] of [
        ["job.processing", "6.1/2"],
        ["job.submitted", "6.1/1"],
      ] as const) {
        const told = (): boolean => toldOf(hook, event, jobId).length > 0;
        const soon = exact && (await t.clock.advanceUntil(told, { within: 2_000, step: FINE / 2 }));
        if (soon && event === "job.processing") await judgeTaken(t, jobId, hook);
        const came = soon || (await t.clock.advanceUntil(told, { within: 50_000, step: 1_000 }));
        t.check(row, came || pending.settled, {
          title: `\`${event}\` does not come while the job is in flight`,
          expected: `${event} within 50 s of the request`,
          seen: hook.endpoint.deliveries.map((each) => each.event),
          exchanges: hook.created,
        });
      }
      await pending.finish();
    }
  },
});

/** "A worker took the job": while time stands still, whoever reads the job when he is told finds it taken. */
async function judgeTaken(t: CaseContext, jobId: string, hook: Subscription): Promise<void> {
  const job = await readJob(t, jobId);
  t.check("6.1/2", statusOf(job) !== "pending", {
    title: "`job.processing` comes before a worker has taken the job",
    expected: "a job that is no longer pending",
    seen: job.text,
    exchanges: [hook.created, job],
  });
}

/** "On-chain settlement finished": whoever reads the job when he is told finds it settled. */
const whenSettled = defineCase({
  id: "6.1/when-settled",
  title: "job.completed comes when its job is settled, and not before",
  requirements: ["6.1/3"],
  needs: ["key", "receiver", "credits", "clock"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    for (const stream of [false, true]) {
      const hook = await t.subscribe({ events: EVENTS });
      const { jobId, pending } = await begin(t, { stream });
      const came = await t.clock.advanceUntil(() => toldOf(hook, "job.completed", jobId).length > 0, {
        within: 200_000,
      });
      // What is read may be a moment older than what was sent.
      if (came) await t.clock.advance(SOON);
      const job = came ? await readJob(t, jobId) : null;
      await pending.finish();
      if (job === null) return t.giveUp("no job.completed came");
      t.check("6.1/3", !UNFINISHED.includes(statusOf(job) ?? ""), {
        title: "`job.completed` comes before its job is settled",
        expected: "a settled job",
        seen: `${statusOf(job)}, ${SOON / 1_000} s after it was told to be completed`,
        exchanges: [hook.created, job],
      });
    }
  },
});

const SOON = 1_000;

export const timingCases = [timeLimit, beside, several, everyFailure, ownState, everyEvent, asItHappens, whenSettled];
