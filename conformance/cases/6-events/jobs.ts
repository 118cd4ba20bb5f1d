/** Sections 6 to 6.3: the events of a job's life, what they carry, and how they are signed. */
import { at } from "../../exchange/exchange.ts";
import { type CaseContext, type Completed, defineCase, type Subscription } from "../case.ts";
import { about, deliveryRows, eventually, judgeDeliveries, shown, toldOf } from "../support/deliveries.ts";
import { challenge } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { settledJob } from "../support/jobs.ts";
import { opensDisputes } from "../support/may.ts";
import { formsToTry, modelsToTry } from "../support/money.ts";

const JOB_EVENTS = ["job.submitted", "job.processing", "job.completed", "job.failed", "job.timeout", "job.disputed"];

/** A queue may take a while; half of the wait before the second attempt is no "immediately" any more. */
const AT_ONCE = 15_000;

/** Whether an event about the job comes; it is then judged with the others. */
async function comes(t: CaseContext, subscription: Subscription, event: string, jobId: string): Promise<boolean> {
  return await eventually(t, () => toldOf(subscription, event, jobId).length > 0);
}

/** The data of `job.completed` are those of the job and of the account. */
const completed = defineCase({
  id: "6.1/completed",
  title: "a completed job sends job.submitted, job.processing and job.completed, signed, with the job's data",
  requirements: [
    ...deliveryRows,
    "6/2",
    "6/6",
    "6.1/1",
    "6.1/2",
    "6.1/3",
    "6.1/11",
    "6.2/3",
    "6.2/4",
    "6.2/10",
    "6.4/5",
  ],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const events = JOB_EVENTS;
    const subscription = await t.subscribe({ events });
    // So that the time of an event is none that was before.
    if (t.clock.movable) await t.clock.advance(600_000);
    for (const [index, model] of modelsToTry(t).entries()) {
      for (const { stream, most, tokens } of roundsOf(t, index === 0)) {
        if (tokens !== undefined) await t.behave(model, "normal", tokens);
        const done = await t.complete({ model: model.id, stream, max_tokens: most });
        const job = await settledJob(t, done.jobId);
        const [balance, settledAt] = [await t.home.balance(), t.clock.now()];
        const rows = { "job.submitted": "6.1/1", "job.processing": "6.1/2", "job.completed": "6.1/3" } as const;
        for (const [event, row] of Object.entries(rows)) {
          const came = await comes(t, subscription, event, done.jobId);
          t.check(row, came, {
            title: `no \`${event}\` is sent`,
            expected: `a delivery of ${event}`,
            seen: subscription.endpoint.deliveries.map((each) => each.event),
            exchanges: [subscription.created, done.exchange],
          });
          t.check("6/2", came, {
            title: `a subscribed \`${event}\` is not sent`,
            expected: `a delivery of ${event}`,
            seen: "none",
            exchanges: [subscription.created, done.exchange],
          });
        }
        judgeTimes(t, subscription, done);
        const [event] = about(subscription, "job.completed", done.jobId);
        if (event === undefined) continue;
        t.check("6.4/5", event.earliest <= settledAt + AT_ONCE, {
          expected: "the first attempt at once",
          seen: `${event.earliest - settledAt} ms after the settlement`,
          exchanges: [subscription.created, job],
        });
        const pairs: readonly [string, unknown][] = [
          ["job_id", at(job.json, "id")],
          ["model", at(job.json, "model")],
          ["tier", at(job.json, "tier")],
          ["credits_charged", at(job.json, "credits_charged")],
          ["usdg_value", at(job.json, "usdg_value")],
          ["worker_address", at(job.json, "worker_address")],
          ["settlement_tx", at(job.json, "on_chain", "settlement_tx")],
          ["block_number", at(job.json, "on_chain", "block_number")],
          ["prompt_tokens", at(job.json, "usage", "prompt_tokens")],
          ["completion_tokens", at(job.json, "usage", "completion_tokens")],
        ];
        const differing = pairs.filter(
          ([field, value]) => value !== undefined && value !== null && !same(at(event.json, "data", field), value),
        );
        t.check("6.2/3", differing.length === 0, {
          title: "the data of `job.completed` differ from the job's",
          expected: JSON.stringify(Object.fromEntries(differing)),
          seen: shown(event),
          exchanges: [subscription.created, job],
        });
        // Nothing else of a fresh wallet is in flight; a given key's owner may be using it.
        if (t.home.fresh) {
          t.check("6.2/4", at(event.json, "data", "credits_remaining") === balance, {
            expected: `credits_remaining ${balance}`,
            seen: shown(event),
          });
        }
        const strange = ["job.failed", "job.timeout"].flatMap((name) => about(subscription, name, done.jobId));
        t.check("6.1/11", strange.length === 0, {
          title: "a completed job sends an event of another ending",
          expected: "neither job.failed nor job.timeout",
          seen: strange.map((each) => each.event),
        });
      }
    }
    judgeDeliveries(t, subscription, events);
    t.observe("6/6", inOrder(subscription) ? "in order of the job's life" : "in another order");
    t.observe(
      "6.2/10",
      `job.submitted: ${Object.keys((at(subscription.endpoint.of("job.submitted")[0]?.json, "data") ?? {}) as object).join(", ")}`,
    );
  },
});

/** Milliseconds by which the time of an event may lie beside the request that brought it about and its delivery. */
const AROUND = 60_000;

/** The time that an event tells is that of something that happened to its job, not of something before. */
function judgeTimes(t: CaseContext, { endpoint, created }: Subscription, { jobId, exchange }: Completed): void {
  if (t.clock.kind === "none") return;
  for (const delivery of endpoint.deliveries.filter((each) => each.jobId === jobId)) {
    const time = Date.parse(String(at(delivery.json, "created_at")));
    t.check("2.7/2", time >= exchange.sentAt - AROUND && time <= delivery.at + AROUND, {
      title: "the `created_at` of an event is not its time",
      expected: `${new Date(exchange.sentAt).toISOString()} to ${new Date(delivery.at).toISOString()}`,
      seen: shown(delivery),
      exchanges: [created, exchange],
    });
  }
}

interface Round {
  readonly stream: boolean;
  readonly most: number;
  /** Tokens that the workers are made to give. */
  readonly tokens?: number;
}

/** A short answer in each form; where wallets are made, one of a single token, and one that ends long before what was locked for it. */
function roundsOf(t: CaseContext, first: boolean): readonly Round[] {
  const rounds: Round[] = [
    { stream: false, most: 8 },
    { stream: true, most: 24 },
  ];
  if (t.home.fresh) rounds.push({ stream: false, most: 1 });
  if (t.home.fresh && t.has("behaviours")) {
    // One past the flat price, and one far below it: what was locked is neither's charge.
    if (first) rounds.push({ stream: false, most: 2_600, tokens: 700 });
    rounds.push({ stream: true, most: 1_800, tokens: 30 });
  }
  return rounds;
}

/** Addresses and hashes are hexadecimal, whose case means nothing. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < 1e-9;
  return typeof a === "string" && typeof b === "string" && b.startsWith("0x")
    ? a.toLowerCase() === b.toLowerCase()
    : a === b;
}

function inOrder(subscription: Subscription): boolean {
  const ranks = subscription.endpoint.deliveries.map(
    (each) => [each.jobId, JOB_EVENTS.indexOf(each.event ?? "")] as const,
  );
  return ranks.every(([job, rank], index) =>
    ranks.slice(0, index).every(([other, before]) => other !== job || before <= rank),
  );
}

/** The job stopped before finishing. */
const failed = defineCase({
  id: "6.1/failed",
  title: "a failed job sends job.failed and no other ending",
  requirements: [...deliveryRows, "6.1/4", "6.1/11"],
  async run(t) {
    const subscription = await t.subscribe({ events: JOB_EVENTS });
    for (const model of modelsToTry(t)) {
      await t.behave(model, "failing");
      for (const stream of [false, true]) {
        const before = subscription.endpoint.of("job.failed").length;
        const answer = await t.api.say({ model: model.id, stream });
        if (answer.ending === "answered" && answer.status === 200 && !stream) t.giveUp("the workers did not fail");
        const came = await eventually(t, () => subscription.endpoint.of("job.failed").length > before);
        t.check("6.1/4", came, {
          expected: "job.failed",
          seen: subscription.endpoint.deliveries.map((each) => each.event),
          exchanges: [subscription.created, answer],
        });
      }
      await t.behave(model, "normal");
    }
    const strange = [...subscription.endpoint.of("job.completed"), ...subscription.endpoint.of("job.timeout")];
    t.check("6.1/11", strange.length === 0, {
      title: "a failed job sends an event of another ending",
      expected: "neither job.completed nor job.timeout",
      seen: strange.map(shown),
    });
    judgeDeliveries(t, subscription, JOB_EVENTS);
  },
});

/** 120 seconds passed with no worker finishing. */
const timedOut = defineCase({
  id: "6.1/timeout",
  title: "a job that reaches its time-out sends job.timeout and no job.completed",
  requirements: [...deliveryRows, "6.1/5", "6.1/11"],
  async run(t) {
    const subscription = await t.subscribe({ events: JOB_EVENTS });
    for (const model of modelsToTry(t)) {
      await t.behave(model, "silent");
      const before = subscription.endpoint.of("job.timeout").length;
      const answers = await Promise.all([t.api.say({ model: model.id }), t.api.say({ model: model.id, stream: true })]);
      const came = await eventually(t, () => subscription.endpoint.of("job.timeout").length >= before + 2);
      t.check("6.1/5", came, {
        expected: "job.timeout for each of two jobs",
        seen: subscription.endpoint.deliveries.map((each) => each.event),
        exchanges: [subscription.created, ...answers],
      });
      await t.behave(model, "normal");
    }
    const strange = subscription.endpoint.of("job.completed");
    t.check("6.1/11", strange.length === 0, {
      title: "a job that timed out sends job.completed",
      expected: "no job.completed",
      seen: strange.map(shown),
    });
    judgeDeliveries(t, subscription, JOB_EVENTS);
  },
});

/** Someone challenged a completed job: an opened dispute, and no other answer to one. */
const disputed = defineCase({
  id: "6.1/disputed",
  title: "an opened dispute sends job.disputed, one with the worker's own hash sends nothing",
  requirements: [...deliveryRows, "6.1/6", "4.7/13"],
  async run(t) {
    opensDisputes(t);
    const events = ["job.disputed"];
    const subscription = await t.subscribe({ events });
    // Sent a dispute, it would be sent what it did not subscribe.
    await t.subscribe({ events: ["job.completed", "job.failed"] });
    for (const changes of formsToTry(t)) {
      const done = await t.complete(changes);
      const opened = await challenge(t, done, sha256(`${done.text} and more`));
      t.accepted(opened, "a dispute within its window");
      const came = await comes(t, subscription, "job.disputed", done.jobId);
      t.check("6.1/6", came, {
        expected: "job.disputed",
        seen: subscription.endpoint.deliveries.map((each) => each.event),
        exchanges: [subscription.created, done.exchange, opened],
      });
      const untouched = await t.complete(changes);
      const equal = await challenge(t, untouched, sha256(untouched.text.replace(/\n$/, "")));
      await eventually(t, () => about(subscription, "job.disputed", untouched.jobId).length > 0, 5_000);
      t.check("4.7/13", about(subscription, "job.disputed", untouched.jobId).length === 0, {
        title: "a dispute that was not opened sends job.disputed",
        expected: "no job.disputed",
        seen: "job.disputed",
        exchanges: [subscription.created, equal],
      });
    }
    judgeDeliveries(t, subscription, events);
  },
});

/** "The job is created and its units are in escrow": without a job there is nothing to tell of it. */
const refused = defineCase({
  id: "6.1/refused",
  title: "a request that is refused for its form, its model or lack of units sends no event of a job",
  requirements: ["6.1/1"],
  needs: ["receiver", "wallets"],
  async run(t) {
    const wallet = await t.wallet({ credits: 0 });
    const hook = await t.subscribe({ events: JOB_EVENTS, api: wallet.api });
    const faults = [{}, { stream: true }, { temperature: 3 }, { messages: undefined }, { model: "no-such-model" }];
    const answers = [];
    for (const changes of faults) answers.push(await wallet.api.say(changes, { cost: 0 }));
    if (answers.some(({ status }) => status < 400 || status >= 500)) t.giveUp("a request was not refused");
    await eventually(t, () => hook.endpoint.deliveries.length > 0, QUIET);
    const early = hook.endpoint.deliveries.map(shown);
    // What comes of a request that is not refused shows that the webhook hears at all.
    await wallet.topUp(200);
    const done = await t.complete({}, wallet.api);
    if (!(await comes(t, hook, "job.submitted", done.jobId))) t.giveUp("the webhook hears of no job");
    t.check("6.1/1", early.length === 0, {
      title: "a refused request sends an event of a job",
      expected: "none, as there is no job",
      seen: early,
      exchanges: [hook.created, ...answers],
    });
  },
});

const QUIET = 5_000;

export const jobEventCases = [completed, failed, timedOut, disputed, refused];
