/** Section 4.11: receipt headers. Every answer may bear them; a completion must, and what they say must be true. */
import { at, type Exchange, errorCode } from "../exchange/exchange.ts";
import { readStream } from "../exchange/sse.ts";
import { type CaseContext, type Completed, defineCase, type ListedModel, type RequirementId } from "./case.ts";
import { sha256 } from "./support/hash.ts";
import { begin } from "./support/in-flight.ts";
import { settledJob, statusOf } from "./support/jobs.ts";
import { modelsToTry, quietBalance } from "./support/money.ts";

/** The five headers without their brand, what each must look like, and the row that asks for it on a completion. */
const HEADERS: readonly (readonly [name: string, form: RegExp, row: RequirementId])[] = [
  ["job-id", /^job_\S+$/, "4.11/1"],
  ["tx-hash", /^0x[0-9a-f]{64}$/i, "4.11/2"],
  ["settlement-tx", /^0x[0-9a-f]{64}$/i, "4.11/3"],
  ["worker", /^0x[0-9a-f]{40}$/i, "4.11/4"],
  ["credits-remaining", /^\d+$/, "4.11/5"],
];

const header = (t: CaseContext, exchange: Exchange, name: string): string | null =>
  exchange.headers.get(`x-${t.brand}-${name}`);

/** Headers that are there have their form, on whatever answer they are. */
function wellFormed(t: CaseContext, exchange: Exchange): void {
  for (const [name, form] of HEADERS) {
    const value = header(t, exchange, name) ?? exchange.trailers.get(`x-${t.brand}-${name}`);
    if (value === null) continue;
    t.check("4.11/10", form.test(value), {
      title: `the receipt header \`${name}\` is malformed`,
      expected: String(form),
      seen: value,
      exchanges: exchange,
    });
  }
}

/** What the receipt says is what the job says. `row` is also broken where a stream's head tells otherwise. */
async function agrees(t: CaseContext, done: Completed, rows: readonly RequirementId[] = ["4.11/6"]): Promise<void> {
  const { exchange } = done;
  const job = await settledJob(t, header(t, exchange, "job-id") ?? done.jobId);
  const body = exchange.json ?? readStream(exchange).chunks[0]?.json;
  const told: readonly (readonly [what: string, said: unknown, known: unknown])[] = [
    ["the job's id", header(t, exchange, "job-id"), String(at(body, "id")).replace(/^chatcmpl-/, "")],
    ["the escrow lock", header(t, exchange, "tx-hash"), at(job.json, "on_chain", "escrow_tx")],
    ["the settlement", header(t, exchange, "settlement-tx"), at(job.json, "on_chain", "settlement_tx")],
    ["the worker", header(t, exchange, "worker"), at(job.json, "worker_address")],
  ];
  for (const [what, said, known] of told) {
    if (said === null) continue;
    for (const row of rows) {
      t.check(row, String(said).toLowerCase() === String(known).toLowerCase(), {
        title: `a receipt and its job disagree on ${what}`,
        expected: known === undefined ? "what the job says" : String(known),
        seen: said,
        exchanges: [exchange, job],
      });
    }
  }
}

/** "Every response carries headers that point to the job's on-chain transactions." */
const completion = defineCase({
  id: "4.11/completion",
  title: "a completion in one piece bears all five headers, well-formed and true, in every tier",
  requirements: ["4.11/1", "4.11/2", "4.11/3", "4.11/4", "4.11/5", "4.11/6", "4.11/10"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const asked = modelsToTry(t).map((model) => ({ model: model.id }));
    for (const changes of [...asked, { max_tokens: 1 }]) {
      const done = await t.complete(changes);
      let settled = await settledWith(t, done);
      if (settled && header(t, done.exchange, "settlement-tx") === null) settled = await settledInItsStep(t, changes);
      for (const [name, , row] of HEADERS) {
        // An answer that comes before its settlement cannot tell of it.
        if (name === "settlement-tx" && !settled && header(t, done.exchange, name) === null) {
          t.notExercised(row, "answers come before the settlement");
          continue;
        }
        t.check(row, header(t, done.exchange, name) !== null, {
          title: `a completion has no header \`${name}\``,
          expected: `x-${t.brand}-${name}`,
          seen: done.exchange.headers.entries.map(([each]) => each).join(", "),
          exchanges: done.exchange,
        });
      }
      wellFormed(t, done.exchange);
      await agrees(t, done);
    }
  },
});

/** Milliseconds of the service's time that a look at a job may take to tell of its answer's own moment. */
const AT_ONCE = 50;

/** Whether a job had settled when its answer came: time that flows must not have settled it since. */
async function settledWith(t: CaseContext, done: Completed): Promise<boolean> {
  const job = await t.api.job(done.jobId);
  const quick = t.clock.kind === "manual" || job.endedAt - done.exchange.endedAt <= AT_ONCE;
  return quick && statusOf(job) === "settled";
}

/**
 * Whether a job has settled with its answer, on a clock that is moved: one step of it can take in an answer and a settlement that came after it.
 * In fine steps the two are told apart.
 */
async function settledInItsStep(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<boolean> {
  if (t.clock.kind !== "manual") return true;
  const { pending, jobId } = await begin(t, changes);
  await t.clock.advanceUntil(() => pending.settled, { within: 30_000, step: FINE });
  const job = await t.api.job(jobId);
  await pending.finish();
  return statusOf(job) === "settled";
}

/** Milliseconds of a fine step. */
const FINE = 5;

/** A stream's head goes out early: the job and its lock are known by then, the worker once it has spoken. */
const stream = defineCase({
  id: "4.11/stream",
  title: "a stream's head bears the headers that are known when it begins, and they are true",
  requirements: ["4.11/4", "4.11/6", "4.11/10", "4.11/11"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    for (const model of modelsToTry(t)) {
      const done = await t.complete({ stream: true, model: model.id });
      const { exchange } = done;
      // Where the head comes with the first chunk, whoever made the chunk is known; a trailer may tell it later, too.
      const named = exchange.trailers.has(`x-${t.brand}-worker`) || header(t, exchange, "worker") !== null;
      const worker = named || (await headIsEarly(t, model, exchange)) ? [] : ["worker"];
      t.check("4.11/4", worker.length === 0, {
        title: "a stream does not name the worker that made it",
        expected: `x-${t.brand}-worker`,
        seen: exchange.headers.entries.map(([each]) => each).join(", "),
        exchanges: exchange,
      });
      for (const name of ["job-id", "tx-hash", ...worker]) {
        t.check("4.11/11", header(t, exchange, name) !== null, {
          title: `a stream has no header \`${name}\``,
          expected: `x-${t.brand}-${name}`,
          seen: exchange.headers.entries.map(([each]) => each).join(", "),
          exchanges: exchange,
        });
      }
      wellFormed(t, exchange);
      await agrees(t, done, ["4.11/6", "4.11/11"]);
    }
  },
});

/** Milliseconds by which a head is early that is not sent with the first chunk. */
const EARLY = 3;

/**
 * Whether a stream's head is sent before its worker speaks. On a clock that is moved it comes while time stands still; on one that flows it comes
 * some time before the first chunk, again and again.
 */
async function headIsEarly(t: CaseContext, model: ListedModel, first: Exchange): Promise<boolean> {
  if (t.clock.kind === "manual") {
    const pending = t.api.say({ stream: true, model: model.id }).start();
    for (let round = 0; round < 5 && pending.status === 0; round++) await t.clock.settle();
    const early = pending.status === 200 && pending.arrivals.every(({ bytes }) => !text(bytes).includes("data:"));
    await pending.finish();
    return early;
  }
  const second = await t.complete({ stream: true, model: model.id });
  return [first, second.exchange].every(
    (each) => each.headAt < (readStream(each).chunks[0]?.at ?? each.endedAt) - EARLY,
  );
}

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const TRIES = 4;

/**
 * "Unit balance after this request is accounted." A completion whose settlement is not yet confirmed may show the units it will lose, or those
 * of its estimate, as the balance in flight is open; one that has settled may not, and not time after time.
 */
const accounted = defineCase({
  id: "4.11/balance",
  title:
    "the balance in a completion's receipt is that after the request, once it has settled, and in any other receipt the account's",
  requirements: ["4.11/5", "4.11/7"],
  alone: true,
  cost: (prices) => TRIES * prices.flat,
  async run(t) {
    // A short estimate is the flat price itself; a long one is locked and mostly returned.
    const other = modelsToTry(t).slice(1);
    const long = { max_tokens: 2_600 };
    const more = t.home.fresh ? [long, { stream: true }, { ...long, stream: true }] : [];
    for (const changes of [{}, ...more, ...other.map(({ id: model }) => ({ model }))]) {
      const mayLockMore = "max_tokens" in changes || "stream" in changes;
      const stale: Exchange[] = [];
      for (let index = 0; index < TRIES; index++) {
        const before = await quietBalance(t);
        const done = await t.complete(changes);
        // A stream's head was sent before.
        const settledAtOnce = !("stream" in changes) && (await settledWith(t, done));
        await settledJob(t, done.jobId);
        const after = await quietBalance(t);
        const text = header(t, done.exchange, "credits-remaining");
        const told = Number(text ?? Number.NaN);
        // A lock may be above the charge: what is locked is gone, or all of it is there.
        const possible = told === before || (mayLockMore ? told <= after : told === after);
        t.check("4.11/5", possible, {
          title: "the balance in a receipt is neither that before the request nor that after it",
          expected: `${after} units`,
          seen: text,
          exchanges: done.exchange,
        });
        if (told !== after && settledAtOnce) stale.push(done.exchange);
      }
      const often = stale.length >= TRIES - 1 && (await settledInItsStep(t, changes));
      for (const row of ["4.11/5", "4.11/7"] as const) {
        t.check(row, !often, {
          title: "the balance in a receipt is not that after the request, though its job has settled",
          expected: "the balance of the account",
          seen: "the balance before the charge, or with the estimate still locked",
          exchanges: stale,
        });
      }
    }
    await quietReceipts(t);
  },
});

/** With nothing in flight, there is one balance to tell. Each answer comes after another request, so that none repeats the last. */
async function quietReceipts(t: CaseContext): Promise<void> {
  if (t.home.fresh) {
    await quietBalance(t);
    // A purchase has no answer of its own: the next answer is the first that can tell of it.
    const bought = await t.home.topUp(100);
    const first = await t.api.models();
    const told = header(t, first, "credits-remaining");
    t.check("4.11/7", told === null || told === String(bought), {
      title: "the balance in a receipt is not that of the account after a top-up",
      expected: `${bought} units`,
      seen: told,
      exchanges: first,
    });
  }
  for (let round = 0; round < 2; round++) {
    const { jobId } = await t.complete({ stream: round > 0 });
    const balance = await quietBalance(t);
    const asked = [
      () => t.api.models(),
      () => t.api.jobs({ limit: 1 }),
      () => t.api.account(),
      () => t.api.say({ temperature: 3 }, { cost: 0 }),
      () => t.api.job(jobId),
      () => t.api.model(t.model().id),
      () => t.api.job(`job_${t.random.text(24)}`),
      () => t.api.webhooks(),
    ];
    // What another answer told before is not what this one may tell: the first of each round is asked straight after a job.
    const turned = [...asked.slice(round), ...asked.slice(0, round)];
    for (const send of turned) {
      const exchange = await send();
      const told = header(t, exchange, "credits-remaining");
      t.check("4.11/7", told === null || told === String(balance), {
        title: "the balance in a receipt is not that of the account, with nothing in flight",
        expected: `${balance} units`,
        seen: told,
        exchanges: exchange,
      });
    }
  }
}

/** Answers that made no job: whatever they bear is well-formed, and a job that they name exists. */
const withoutJob = defineCase({
  id: "4.11/without-job",
  title: "headers on answers that made no job are well-formed, and name no job that is not known",
  requirements: ["4.11/8", "4.11/9", "4.11/10"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete();
    const answers = [
      await t.api.models(),
      await t.api.model(t.model().id),
      await t.api.account(),
      await t.api.jobs(),
      await t.api.job(done.jobId),
      await t.api.job(`job_${t.random.text(24)}`),
      await t.api.webhooks(),
      await t.api.dispute(done.jobId, {}),
      await t.api.dispute(`job_${t.random.text(24)}`, sha256("nothing")),
      await t.api.say({ messages: undefined }, { cost: 0 }),
      await t.api.say({ temperature: 3, stream: true }, { cost: 0 }),
      await t.api.say({ model: "no-such-model" }, { cost: 0 }),
      await t.api.raw({ method: "GET", path: "/v1/nowhere" }),
      await t.as(null).say(),
      await t.as(`svc_live_${t.random.text(32)}`).account(),
    ];
    if (t.has("wallets")) answers.push(await (await t.wallet({ credits: 0 })).api.say());
    if (t.has("behaviours")) {
      await t.behave(t.model(), "absent");
      answers.push(await t.api.say());
      await t.behave(t.model(), "failing");
      answers.push(await t.api.say());
    }
    for (const answer of answers) {
      wellFormed(t, answer);
      const names = HEADERS.map(([name]) => name).filter((name) => header(t, answer, name) !== null);
      const only = names.length === 1 && names[0] === "credits-remaining";
      t.observe("4.11/8", names.length === 0 ? "absent" : only ? "balance" : "more");
      const id = header(t, answer, "job-id");
      if (id === null) continue;
      const job = await t.api.job(id);
      t.check("4.11/9", job.status === 200, {
        title: "a receipt names a job that is not known",
        expected: "200 with the job",
        seen: `${job.status} for a job named by a ${answer.status}`,
        exchanges: [answer, job],
      });
    }
    const known = await t.api.job(header(t, done.exchange, "job-id") ?? done.jobId);
    t.check("4.11/9", known.status === 200, { expected: "200 with the job", seen: known.status });
  },
});

/** A 504 tells of its job twice. */
const timedOut = defineCase({
  id: "4.11/timeout",
  title: "the receipt of a 504 names the job that its details name, and tells a balance with the refund in it",
  requirements: ["4.11/7", "4.11/12"],
  async run(t) {
    t.accepted(await t.api.say());
    for (const stream of [false, true]) {
      await t.behave(t.model(), "silent");
      const answer = await t.api.say({ stream });
      await t.behave(t.model(), "normal");
      if (answer.status !== 504 || errorCode(answer) !== "job_timeout") {
        if (stream) continue;
        return t.giveUp(`a job without end was answered ${answer.status}`);
      }
      const named = header(t, answer, "job-id");
      t.check("4.11/12", named === null || named === at(answer.json, "error", "details", "job_id"), {
        expected: String(at(answer.json, "error", "details", "job_id")),
        seen: named,
      });
      // "After a 504 the refunded units can be spent at once": they are in the balance that it tells.
      const balance = String(await quietBalance(t));
      const told = header(t, answer, "credits-remaining");
      t.check("4.11/7", told === null || told === balance, {
        title: "the balance in the receipt of a 504 is not that of the account, with nothing in flight",
        expected: `${balance} units`,
        seen: told,
        exchanges: answer,
      });
    }
  },
});

/** A failed job's units may take their time to come back. Where they are there when the answer comes, its receipt has them, too. */
const failedReceipt = defineCase({
  id: "4.11/failed",
  title: "the receipt of a request whose job failed tells the balance that the account tells at that moment",
  requirements: ["4.11/7"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    // Time that flows may bring the units between the two looks.
    if (t.clock.kind !== "manual") t.leaveOut("the clock does not stand still between two looks");
    for (const changes of [{}, { max_tokens: 1_500 }]) {
      await t.behave(t.model(), "failing");
      const before = await quietBalance(t);
      const { pending } = await begin(t, changes);
      const during = await t.api.account();
      // Fine steps: a coarse one that ends with the answer may take in what came after it.
      await t.clock.advanceUntil(() => pending.settled, { within: 30_000, step: FINE });
      const account = await t.api.account();
      const answer = await pending.finish();
      if (answer.status < 500) t.giveUp(`a job whose worker drops out was answered ${answer.status}`);
      // An account that counts locked units never shows whether they are back.
      const units = (exchange: Exchange): number => Number(at(exchange.json, "credits_remaining"));
      const back = units(during) < before && units(account) === before;
      const told = header(t, answer, "credits-remaining");
      if (!back) {
        t.notExercised("4.11/7", "the account does not tell that the units came back with the answer");
        continue;
      }
      t.check("4.11/7", told === null || told === String(before), {
        title: "the balance in the receipt of a failed job lacks the units that have come back",
        expected: `${before} units`,
        seen: told,
        exchanges: [during, answer, account],
      });
    }
  },
});

export const section411 = [completion, stream, accounted, withoutJob, timedOut, failedReceipt];
