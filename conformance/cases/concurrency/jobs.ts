/** Jobs that are made, finished and listed at once: each is told of as its own, and pages stay parts of one list. */
import { completedFrom } from "../../checks/completed.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { type CaseContext, type Completed, defineCase, type ListedModel } from "../case.ts";
import { eventually } from "../support/deliveries.ts";
import { leaveIfLate } from "../support/disputed.ts";
import { honestHashes, sha256 } from "../support/hash.ts";
import { chargeOf, idsOf, opened, proofHash, settledJob, statusOf } from "../support/jobs.ts";
import { listOrder, shortChats, stock } from "../support/library.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { ENDLESS, walk } from "../support/pages.ts";
import { refusedToStranger, told } from "../support/refusals.ts";

interface Sent {
  readonly model: ListedModel;
  readonly stream: boolean;
  readonly done: Completed;
}

/** `count` chats at once, over the models and both forms, each with a message of its own. */
async function crowd(t: CaseContext, count: number): Promise<readonly Sent[]> {
  const models = modelsToTry(t);
  const started = Array.from({ length: count }, (_, index) => {
    const model = models[index % models.length] ?? t.model();
    const stream = Math.floor(index / models.length) % 2 === index % 2;
    const messages = [{ role: "user", content: `Say sentence number ${index + 1}.` }];
    // With a seed of its own each text is the same again when the case alone is repeated.
    const request = { model: model.id, stream, messages, max_tokens: 24, seed: index + 1 };
    return { model, stream, pending: t.api.say(request).start() };
  });
  await t.clock.settle();
  const answers = await Promise.all(started.map((each) => each.pending.finish()));
  return answers.map((answer, index) => {
    const done = completedFrom(answer, t.brand) ?? t.giveUp(`a valid chat was not completed: ${told(answer)}`);
    const { model, stream } = started[index] as (typeof started)[number];
    return { model, stream, done };
  });
}

/** Nothing of one answer is in another: job, text, model and price are each request's own. */
const ownAnswers = defineCase({
  id: "concurrency/own-answers",
  title: "of many chats at once each has its own job, text, model and charge, and the balance is lower by their sum",
  requirements: ["1/2", "2.3/3", "2.3/25", "4.1/32", "4.1/38", "4.4/3", "8/6"],
  alone: true,
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const before = await quietBalance(t);
    const sent = await crowd(t, t.home.fresh ? 12 : 4);
    const ids = sent.map(({ done }) => done.jobId);
    const exchanges = sent.map(({ done }) => done.exchange);
    t.check("1/2", new Set(ids).size === ids.length, {
      title: "chats at once share a job",
      expected: `${ids.length} jobs`,
      seen: ids,
      exchanges,
    });
    let sum = 0;
    for (const { model, stream, done } of sent) {
      const job = await settledJob(t, done.jobId);
      const told = { exchanges: [done.exchange, job] };
      const [hash, named] = [proofHash(job), (job.json as { model?: unknown }).model];
      t.check("2.3/3", named === model.id, { ...told, expected: model.id, seen: named });
      t.check(stream ? "4.1/32" : "2.3/25", hash !== null && honestHashes(done.text).includes(hash.toLowerCase()), {
        ...told,
        title: "beside other requests, a job's hash is not that of the text that its client was sent",
        expected: honestHashes(done.text).join(" or "),
        seen: hash,
      });
      const charge = chargeOf(job);
      sum += charge;
      t.check("8/6", charge === model.credits_per_request, {
        ...told,
        title: "beside other requests, a short completion is not charged its own model's price",
        expected: `${model.credits_per_request} units on ${model.tier}`,
        seen: charge,
      });
    }
    const after = await quietBalance(t);
    const shown = { expected: `${sum} units for ${sent.length} jobs`, seen: `${before - after} units`, exchanges };
    t.check("4.1/38", before - after === sum, { title: "jobs that end together take other units", ...shown });
    t.check("4.4/3", before - after === sum, { title: "jobs that end together leave a wrong balance", ...shown });
  },
});

/** Each is told of: many events at once must not push one another out. */
const toldOfAll = defineCase({
  id: "concurrency/told-of-all",
  title: "of many jobs that are made and finish at once, each is told of by its events",
  requirements: ["6.1/1", "6.1/2", "6.1/3", "6.2/3"],
  needs: ["receiver", "credits"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const hook = await t.subscribe({ events: ["job.submitted", "job.processing", "job.completed"] });
    const sent = await crowd(t, t.home.fresh ? 10 : 4);
    const { endpoint } = hook;
    const completedOf = (id: string) => endpoint.of("job.completed").find((delivery) => delivery.jobId === id);
    await eventually(t, () => sent.every(({ done }) => completedOf(done.jobId) !== undefined), 300_000);
    const shown = () => ({
      seen: endpoint.deliveries.map((each) => `${each.event} ${each.jobId ?? ""}`),
      exchanges: hook.created,
    });
    for (const { done } of sent) {
      const delivery = completedOf(done.jobId);
      t.check("6.1/3", delivery !== undefined, {
        ...shown(),
        title: "of many jobs that finish at once one is not told of",
        expected: `job.completed of ${done.jobId}`,
      });
      const job = await settledJob(t, done.jobId);
      const data = (delivery?.json as { data?: { credits_charged?: unknown; model?: unknown } } | undefined)?.data;
      const same = data?.credits_charged === chargeOf(job) && data.model === (job.json as { model?: unknown }).model;
      t.check("6.2/3", delivery === undefined || same, {
        title: "the events of jobs that finish at once have each other's data",
        expected: job.text,
        seen: data,
        exchanges: [hook.created, job],
      });
    }
    for (const [event, row] of [
      ["job.submitted", "6.1/1"],
      ["job.processing", "6.1/2"],
    ] as const) {
      const came = await eventually(t, () => endpoint.of(event).length >= sent.length);
      t.check(row, came, {
        ...shown(),
        title: `of many jobs that begin at once not all send \`${event}\``,
        expected: `${sent.length} of ${event}`,
      });
    }
  },
});

/** A walk while jobs are made: every page is what the list held when it was read, whichever jobs were in by then. */
const walkedMeanwhile = defineCase({
  id: "concurrency/walked-meanwhile",
  title: "a list that is walked while jobs are made loses and repeats no older job, and shows no page that never was",
  requirements: ["4.6/16", "4.6/17", "4.6/19"],
  needs: ["wallets", "credits"],
  async run(t) {
    const { batches, ids } = await stock(t, shortChats(9), { size: 3 });
    const order = await listOrder(t, batches);
    let older = ids;
    if (t.clock.affords(1_100)) await t.clock.advance(1_100);
    for (const limit of [1, 2, 4]) {
      const pending = shortChats(4).map((changes) => t.api.say(changes).start());
      const walked = await walk(t, { order, query: { limit }, mostPages: 40 });
      for (const each of pending) t.accepted(await each.finish(), "a valid chat");
      if (walked.stopped === ENDLESS) t.giveUp("the pages did not end");
      const all = (await walk(t, { order, query: { limit: 100 } })).ids;
      const shown = { seen: walked.ids, exchanges: walked.pages.map((page) => page.exchange) };
      t.check("4.6/16", new Set(walked.ids).size === walked.ids.length, {
        ...shown,
        title: "a walk beside new jobs repeats a job",
        expected: "each job once",
      });
      const missing = older.filter((id) => !walked.ids.includes(id));
      t.check("4.6/17", missing.length === 0, {
        ...shown,
        title: "a walk beside new jobs loses an older one",
        expected: missing.join(", "),
      });
      // One order explains all pages: that of the list once nothing is made any more.
      const places = walked.ids.map((id) => all.indexOf(id));
      const sorted = places.every((place, index) => index === 0 || place > (places[index - 1] ?? -1));
      t.check("4.6/19", sorted && !places.includes(-1), {
        ...shown,
        title: "pages read beside new jobs are in no order that the list ever had",
        expected: all.join(", "),
      });
      if (t.clock.affords(1_100)) await t.clock.advance(1_100);
      older = all;
    }
  },
});

/** Several jobs of a wallet at once: each dispute is its own job's, and a stranger's changes nothing. */
const disputedTogether = defineCase({
  id: "concurrency/disputed-together",
  title: "disputes of several jobs at once open one each, beside those of a stranger, which open none",
  requirements: ["4.7/3", "4.7/4", "4.7/15"],
  needs: ["wallets", "credits"],
  async run(t) {
    if (!mayOpenDisputes(t)) t.leaveOut("a dispute is opened only on a deployment with test controls (--control)");
    const stranger = await t.otherWallet();
    const done = await Promise.all([0, 1, 2, 3].map((index) => t.complete({ stream: index % 2 === 1 })));
    for (const { jobId } of done) await settledJob(t, jobId);
    const disputed = done.slice(0, 3);
    const calls = disputed.map(({ jobId }) => t.api.dispute(jobId, sha256(`not ${jobId}`)).start());
    const foreign = done.map(({ jobId }) => stranger.api.dispute(jobId, sha256("a stranger's")).start());
    await t.clock.settle();
    const answers = await Promise.all(calls.map((each) => each.finish()));
    const strangers = await Promise.all(foreign.map((each) => each.finish()));
    const exchanges = [...answers, ...strangers];
    for (const [index, answer] of answers.entries()) leaveIfLate(t, disputed[index] as Completed, answer);
    for (const answer of strangers) {
      t.check("4.7/15", refusedToStranger(answer), { expected: "404 or 403", seen: told(answer), exchanges: answer });
    }
    const txs = answers.map((answer) => (answer.json as { dispute_tx?: unknown } | undefined)?.dispute_tx);
    t.check("4.7/3", answers.every(opened) && new Set(txs).size === txs.length, {
      title: "disputes of several jobs at once do not open one each",
      expected: "three disputes, three transactions",
      seen: answers.map((answer) => `${answer.status} ${answer.text}`),
      exchanges,
    });
    const statuses: (string | null)[] = [];
    for (const { jobId } of done) statuses.push(statusOf(await t.api.job(jobId)));
    const expected = ["disputed", "disputed", "disputed", "settled"];
    t.check("4.7/4", statuses.join() === expected.join(), {
      title: "disputes of several jobs at once leave the wrong jobs disputed",
      expected: expected.join(", "),
      seen: statuses,
      exchanges,
    });
  },
});

/** Reads beside writes: every page is whole, and every job that was answered for is in the list. */
const readBeside = defineCase({
  id: "concurrency/read-beside",
  title: "a job is in the list, and can be read, as soon as its answer has come, whatever else is going on",
  requirements: ["4.5/4", "4.6/2"],
  alone: true,
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const rest = [0, 1].map((index) => t.api.say({ stream: index === 1 }).start());
    const done = await t.complete();
    const [job, page] = await Promise.all([t.api.job(done.jobId), t.api.jobs({ limit: 100 })]);
    t.check("4.5/4", job.status === 200, { expected: "200", seen: told(job), exchanges: [done.exchange, job] });
    // Of a long list the first page may hold the oldest jobs only.
    const listed = idsOf(page).includes(done.jobId) || !t.home.fresh;
    t.check("4.6/2", listed, {
      expected: done.jobId,
      seen: idsOf(page),
      exchanges: [done.exchange, page] as Exchange[],
    });
    for (const each of rest) await each.finish();
  },
});

export const jobCases = [ownAnswers, toldOfAll, walkedMeanwhile, disputedTogether, readBeside];
