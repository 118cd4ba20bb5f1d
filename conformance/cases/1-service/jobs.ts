/** Section 1: requests become jobs, jobs take units, and nothing else does. */
import { at, errorCode } from "../../exchange/exchange.ts";
import { defineCase, type Wallet } from "../case.ts";
import { proofHash, reached, settledJob } from "../support/jobs.ts";
import { modelsToTry, newestJobs, quietBalance } from "../support/money.ts";
import { answered, paidFor, told } from "../support/refusals.ts";

/** "Each inference request becomes a job": the same request twice is two jobs, one after the other or at once. */
const ownJob = defineCase({
  id: "1/own-job",
  title: "each accepted request, equal ones too, becomes one job of its own",
  requirements: ["1/2"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const before = t.home.fresh ? await newestJobs(t) : [];
    const same = { seed: 11, temperature: 0 };
    const done = [
      await t.complete(same),
      await t.complete(same),
      ...(await Promise.all([t.complete({ ...same, stream: true }), t.complete({ ...same, stream: true })])),
    ];
    const ids = done.map((each) => each.jobId);
    t.check("1/2", new Set(ids).size === ids.length, {
      title: "two accepted requests share a job",
      expected: "four requests, four job ids",
      seen: ids,
      exchanges: done.map((each) => each.exchange),
    });
    for (const id of new Set(ids)) {
      const job = await t.api.job(id);
      t.check("1/2", job.status === 200 && at(job.json, "id") === id, {
        title: "the job of an accepted request is not known",
        expected: "200 with the job",
        seen: told(job),
      });
    }
    if (!t.home.fresh) return;
    const made = (await newestJobs(t)).filter((id) => !before.includes(id));
    t.check("1/2", made.length === ids.length, {
      title: "accepted requests and jobs are not as many",
      expected: `${ids.length} new jobs`,
      seen: made.length,
    });
  },
});

/** "The live list is what can be used": each listed model answers. Where units are somebody's, the cheaper ones do. */
const everyModel = defineCase({
  id: "1/every-model",
  title: "every listed model completes a chat",
  requirements: ["1/17"],
  cost: (prices) => 8 * prices.flat,
  async run(t) {
    let left = t.home.fresh ? Number.POSITIVE_INFINITY : 8 * t.model().credits_per_request;
    for (const model of t.models()) {
      left -= model.credits_per_request;
      if (left < 0) break;
      const answer = paidFor(t, await t.api.say({ model: model.id }));
      // A worker may have left since the list was read.
      if (answer.status === 503 && errorCode(answer) === "no_workers_available") continue;
      t.check("1/17", answer.status === 200 && at(answer.json, "object") === "chat.completion", {
        title: "a listed model does not complete a chat",
        expected: "200 with a completion",
        seen: `${model.id}: ${told(answer)}`,
      });
    }
  },
});

/** Each way to be refused before there is a job: what is sent, and with which wallet. */
const REFUSALS: readonly (readonly [what: string, changes: Readonly<Record<string, unknown>>])[] = [
  ["a missing field", { messages: undefined }],
  ["a wrong type", { max_tokens: "16" }],
  ["a value out of range", { temperature: 2.5 }],
  ["an unknown role", { messages: [{ role: "wizard", content: "Hello." }] }],
  ["an unknown model", { model: "no-such-model" }],
];

/** A refused request buys nothing: not in one piece, not streamed, and not with a long estimate. */
const refusedIsFree = defineCase({
  id: "1/refused-is-free",
  title: "a request refused with 400, 401 or 402 takes no units",
  requirements: ["1/3"],
  alone: true,
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    let before = await quietBalance(t);
    const unmoved = async (what: string, wallet: Wallet = t.home): Promise<void> => {
      const after = await quietBalance(t, wallet);
      t.check("1/3", after === before, {
        title: `a request refused for ${what} changes the balance`,
        expected: `${before} units, as before`,
        seen: after,
        exchanges: t.exchanges.slice(-5),
      });
      before = after;
    };
    for (const [what, changes] of REFUSALS) {
      for (const more of [{}, { stream: true }, { max_tokens: 2_000 }]) {
        await t.api.say({ ...more, ...changes }, { cost: 0 });
      }
      await unmoved(what);
    }
    await t.api.raw({ method: "POST", path: "/v1/chat/completions", body: '{"model": ', cost: 0 });
    await unmoved("a body that cannot be parsed");
    await t.as(null).say({}, { cost: 0 });
    await unmoved("a missing key");
    if (!t.has("wallets")) return;
    const poor = await t.wallet({ credits: t.model().credits_per_request - 1 });
    before = await poor.balance();
    for (const more of [{}, { stream: true }]) await poor.api.say(more, { cost: 0 });
    await unmoved("a lack of units", poor);
  },
});

/** "If the job fails ... the units are returned": all of them, whatever was locked, for every tier, streamed or not. */
const failedIsFree = defineCase({
  id: "1/failed-is-free",
  title: "a failed job gives all its units back, in every tier, plain and streamed, with a short and a long estimate",
  requirements: ["1/9", "3.1/19"],
  async run(t) {
    t.accepted(await t.api.say(), "a chat before the workers drop out");
    for (const model of modelsToTry(t)) {
      for (const changes of [{}, { stream: true }, { max_tokens: 3_000 }, { max_tokens: 3_000, stream: true }]) {
        const before = await quietBalance(t);
        await t.behave(model, "failing");
        const answer = await t.api.say({ model: model.id, ...changes });
        await t.behave(model, "normal");
        if (answer.ending === "answered" && answer.status !== 200) {
          t.check("3.1/19", answer.status >= 500, {
            title: "a failed job is not answered with a 5xx",
            expected: "a 5xx error object",
            seen: told(answer),
          });
        }
        const after = await quietBalance(t);
        t.check("1/9", after === before, {
          title: `a failed job${"stream" in changes ? ", streamed," : ""} does not give all its units back`,
          expected: `${before} units, as before`,
          seen: `${after} units after a failed job on ${model.tier}`,
          exchanges: t.exchanges.slice(-6),
        });
      }
    }
  },
});

/** One more wallet that was topped up since: its locks draw on both purchases. */
const failedAfterTopUp = defineCase({
  id: "1/failed-after-topup",
  title: "a job that locks units of two purchases gives all of them back",
  requirements: ["1/9"],
  needs: ["wallets", "behaviours", "credits"],
  wallet: 1,
  async run(t) {
    const model = t.models().at(-1) ?? t.model();
    await t.home.topUp(Math.max(100, model.credits_per_request));
    const before = await quietBalance(t);
    for (const stream of [false, true]) {
      await t.behave(model, "failing");
      await t.api.say({ model: model.id, stream });
      await t.behave(model, "normal");
      const after = await quietBalance(t);
      t.check("1/9", after === before, {
        title: "a job failed after a top-up does not give all its units back",
        expected: `${before} units`,
        seen: after,
        exchanges: t.exchanges.slice(-5),
      });
    }
    t.accepted(await t.api.say({ model: model.id }), "a chat paid from what came back");
  },
});

/** "Using the API needs no token": a wallet that has never been on the chain but to buy units. */
const noToken = defineCase({
  id: "1/no-token",
  title: "a fresh wallet with units and no governance token is served",
  requirements: ["1/20"],
  async run(t) {
    const wallet = await t.wallet({ credits: 100 });
    const answer = answered(t, await wallet.api.say());
    t.check("1/20", answer.status === 200, { expected: "200", seen: told(answer) });
  },
});

/** Section 1: field, header and error names say `credits` where prose says units. */
const names = defineCase({
  id: "1/credits",
  title: "fields and headers call units credits",
  requirements: ["1/7"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete();
    const account = await t.api.account();
    const models = await t.api.models();
    const job = await settledJob(t, done.jobId);
    const named = (what: string, there: boolean, exchange = account): void => {
      t.check("1/7", there, {
        title: `${what} is missing`,
        expected: what,
        seen: exchange.text,
        exchanges: exchange,
      });
    };
    named("`credits_remaining` of the account", at(account.json, "credits_remaining") !== undefined);
    const prices = at(models.json, "data", 0, t.brand);
    named("`credits_per_request` of a model", at(prices, "credits_per_request") !== undefined, models);
    named("`credits_per_1k_tokens` of a model", at(prices, "credits_per_1k_tokens") !== undefined, models);
    named("`credits_charged` of a job", at(job.json, "credits_charged") !== undefined, job);
    const header = `x-${t.brand}-credits-remaining`;
    named("the header of the remaining credits", done.exchange.headers.has(header), done.exchange);
  },
});

/** No purge of old balances: a year goes by in steps that a timer of 32 bits can hold. */
const DAY = 86_400_000;
const STEP = 20 * DAY;
const STEPS = 19;

export const neverExpire = defineCase({
  id: "1/never-expire",
  title: "a balance that nobody touches is the same after a year",
  requirements: ["1/5"],
  async run(t) {
    await t.complete();
    const before = await quietBalance(t);
    const bought = t.has("wallets") ? await t.wallet({ credits: 250 }) : null;
    for (let step = 1; step <= STEPS; step++) {
      await t.clock.advance(STEP);
      const after = await t.home.balance();
      const untouched = (await bought?.balance()) ?? 250;
      const same = t.check("1/5", after === before && untouched === 250, {
        title: "a balance changes by time alone",
        expected: `${before} units, and 250 in a wallet never used`,
        seen: `${after} and ${untouched} after ${step * 20} days`,
      });
      if (!same) return;
    }
    const answer = answered(t, await t.api.say());
    t.check("1/5", answer.status !== 402, {
      title: "units that are shown cannot be spent after a year",
      expected: "200",
      seen: told(answer),
    });
  },
});

/** The proof of a job is of its own text even where two equal requests ran at once; helps `1/2` to tell two jobs apart. */
const ownProof = defineCase({
  id: "1/own-proof",
  title: "equal requests at once have a transaction each",
  requirements: ["1/2"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const done = await Promise.all([t.complete({ seed: 3 }), t.complete({ seed: 3 })]);
    const locks: unknown[] = [];
    for (const { jobId } of done) {
      const job = await reached(t, jobId, ["settled"]);
      if (proofHash(job) !== null) locks.push(at(job.json, "on_chain", "escrow_tx"));
    }
    t.check("1/2", new Set(locks).size === locks.length, {
      title: "two jobs share their escrow lock",
      expected: "a transaction for each",
      seen: locks,
    });
  },
});

export const jobCases = [ownJob, ownProof, everyModel, refusedIsFree, failedIsFree, failedAfterTopUp, noToken, names];
