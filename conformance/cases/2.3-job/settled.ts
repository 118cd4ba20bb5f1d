/** Section 2.3: the fields of a job that has settled, for every model, in both forms of a reply. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, type Completed, defineCase, type ListedModel, type RequirementId } from "../case.ts";
import { HASH, honestHashes } from "../support/hash.ts";
import { ENDED, idsOf, namedFields, proofHash, reached, STATUSES, settledJob } from "../support/jobs.ts";
import { completeLong } from "../support/long.ts";
import { slack, streamTimes } from "../support/pace.ts";
import { isWhole, sameValue } from "../support/values.ts";

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const TX = /^0x[0-9a-fA-F]{64}$/;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/;

/** A test of one fact of a job: its row, whether it holds, and what was expected of which value. */
type Fact = readonly [row: RequirementId, holds: boolean, expected: string, seen: unknown];

const fieldRows: readonly RequirementId[] = [
  ...(["2.3/1", "2.3/2", "2.3/3", "2.3/4", "2.3/5", "2.3/6", "2.3/7", "2.3/8", "2.3/9", "2.3/10"] as const),
  ...(["2.3/12", "2.3/13", "2.3/14", "2.3/15", "2.3/16", "2.3/17", "2.3/18", "2.3/22", "2.3/25", "2.3/27"] as const),
];

function factsOf(job: Exchange, done: Completed, model: ListedModel): readonly Fact[] {
  const { json } = job;
  const get = (...path: string[]): unknown => at(json, ...path);
  const chain = (name: string): unknown => get("on_chain", name);
  const usage = ["prompt_tokens", "completion_tokens", "total_tokens"].map((name) => get("usage", name));
  const [prompt, completion, total] = usage;
  const charge = get("credits_charged");
  const value = get("usdg_value");
  const began = Date.parse(String(get("created_at")));
  const ended = Date.parse(String(get("completed_at")));
  const told = [done.promptTokens, done.completionTokens];
  return [
    ["2.3/1", get("id") === done.jobId && done.jobId.startsWith("job_"), "the job's own id, `job_...`", get("id")],
    ["2.3/1", get("object") === "job", "`object` `job`", get("object")],
    ["2.3/2", (STATUSES as readonly unknown[]).includes(get("status")), STATUSES.join(", "), get("status")],
    ["2.3/3", get("model") === model.id, model.id, get("model")],
    ["2.3/4", ["lite", "standard", "pro", "max"].includes(String(get("tier"))), "a tier", get("tier")],
    ["2.3/5", get("tier") === model.tier, model.tier, get("tier")],
    ["2.3/6", isWhole(charge), "a whole number of units", charge],
    ["2.3/6", typeof value === "number", "`usdg_value`, a number", value],
    ["2.3/7", Math.abs(Number(value) - Number(charge) / 100) < 1e-6, "`credits_charged` x 0.01", { charge, value }],
    ["2.3/8", ADDRESS.test(String(get("worker_address"))), "0x and 40 hex digits", get("worker_address")],
    ["2.3/9", ISO.test(String(get("created_at"))), "ISO 8601 UTC", get("created_at")],
    ["2.3/9", ISO.test(String(get("completed_at"))), "ISO 8601 UTC", get("completed_at")],
    // Where seconds are whole, both may be of one second, and each may be rounded by itself.
    ["2.3/10", ended >= began - 1_000, "`completed_at` not before `created_at`", { began, ended }],
    ["2.3/12", TX.test(String(chain("escrow_tx"))), "0x and 64 hex digits", chain("escrow_tx")],
    ["2.3/12", TX.test(String(chain("settlement_tx"))), "0x and 64 hex digits", chain("settlement_tx")],
    ["2.3/13", typeof chain("escrow_address") === "string", "a text", chain("escrow_address")],
    ["2.3/13", isWhole(chain("block_number")), "an integer", chain("block_number")],
    ["2.3/14", HASH.test(String(chain("proof_hash"))), "sha256: and 64 hex digits", chain("proof_hash")],
    ["2.3/15", onChain.every((name) => chain(name) != null), `all of ${onChain.join(", ")}`, get("on_chain")],
    ["2.3/16", usage.every(isWhole), "three integers", get("usage")],
    ["2.3/17", total === Number(prompt) + Number(completion), "the sum of the two", get("usage")],
    ["2.3/18", told.every((count, i) => count === null || count === usage[i]), "as the completion told", usage],
    ["2.3/22", chain("escrow_tx") !== chain("settlement_tx"), "two different hashes", get("on_chain")],
    [
      "2.3/25",
      honestHashes(done.text).includes(String(proofHash(job)).toLowerCase()),
      "SHA-256 of the text",
      proofHash(job),
    ],
    ["2.3/27", Number(charge) >= 0, "0 or more", charge],
  ];
}

const onChain = ["escrow_tx", "settlement_tx", "escrow_address", "block_number", "proof_hash"];

function judge(t: CaseContext, job: Exchange, done: Completed, model: ListedModel): boolean {
  return factsOf(job, done, model).every(([row, holds, expected, seen]) =>
    t.check(row, holds, { expected, seen, exchanges: [done.exchange, job] }),
  );
}

/** The table of section 2.3, and "the `on_chain` object is filled when the job settles": for the cheapest model, plain and streamed. */
const settled = defineCase({
  id: "2.3/settled",
  title: "a settled job has every field of section 2.3, plain and streamed",
  requirements: fieldRows,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const model = t.model();
    for (const stream of [false, true]) {
      const done = await t.complete({ model: model.id, stream });
      judge(t, await settledJob(t, done.jobId), done, model);
    }
  },
});

/** The same for every model that is listed, since a table may be wrong in one of its lines. */
const models = defineCase({
  id: "2.3/every-model",
  title: "a settled job of each listed model is whole, names the model and has its tier",
  requirements: fieldRows,
  needs: ["wallets"],
  async run(t) {
    for (const [index, model] of t.models().entries()) {
      const done = await t.complete({ model: model.id, stream: index % 2 === 1 });
      judge(t, await settledJob(t, done.jobId), done, model);
    }
  },
});

/** Long replies, replies that were cut, and replies to long conversations are jobs like all others. */
const shapes = defineCase({
  id: "2.3/shapes",
  title: "jobs of long, cut and stopped completions, and after a top-up, are whole",
  requirements: fieldRows,
  needs: ["wallets", "behaviours"],
  async run(t) {
    const model = t.model();
    const long = "Tell me what you know about rivers, winters and letters. ".repeat(40);
    const tries: readonly (readonly [tokens: number, changes: Readonly<Record<string, unknown>>])[] = [
      [1, {}],
      [700, { max_tokens: 900 }],
      [700, { max_tokens: 900, stream: true }],
      [40, { max_tokens: 7 }],
      [60, { max_tokens: 64, stop: ["a"] }],
      [
        30,
        {
          messages: [
            { role: "system", content: long },
            { role: "user", content: "été 東京" },
          ],
          max_tokens: 32,
        },
      ],
    ];
    for (const [tokens, changes] of tries) {
      await t.behave(model, "normal", tokens);
      const done = await t.complete({ model: model.id, ...changes });
      if (!judge(t, await settledJob(t, done.jobId), done, model)) return;
      await t.home.topUp(100);
    }
  },
});

/** Whoever joins the network serves as well as who was there: jobs of a new worker of either kind are like all others. */
const newcomers = defineCase({
  id: "2.3/new-workers",
  title: "jobs that a worker served who has just joined, native or browser, are whole",
  requirements: fieldRows,
  needs: ["wallets", "workers"],
  async run(t) {
    const model = t.models().at(-1) ?? t.model();
    for (const kind of ["browser", "native"] as const) {
      const address = await t.controls.addWorker(kind, [model.id]);
      for (let tries = 0; tries < 6; tries++) {
        const done = await t.complete({ model: model.id, stream: tries % 2 === 1 });
        const job = await settledJob(t, done.jobId);
        if (!judge(t, job, done, model)) return;
        if (String(at(job.json, "worker_address")).toLowerCase() === address.toLowerCase()) break;
      }
    }
  },
});

/** An id identifies: one job, whoever made it. */
const unique = defineCase({
  id: "2.3/unique",
  title: "jobs have ids of their own, whichever way and by whomever they were made",
  requirements: ["2.3/21"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const apis = t.has("wallets") ? [t.api, (await t.wallet()).api] : [t.api];
    const ids: string[] = [];
    for (const api of apis) {
      const answers = await Promise.all([false, true, false].map((stream) => t.complete({ stream }, api)));
      ids.push(...answers.map((done) => done.jobId));
    }
    ids.push((await t.complete()).jobId);
    t.check("2.3/21", new Set(ids).size === ids.length, { expected: `${ids.length} different ids`, seen: ids });
    const page = await t.api.jobs({ limit: 50 });
    const listed = idsOf(page);
    t.check("2.3/21", new Set(listed).size === listed.length, { expected: "a list without repeats", seen: listed });
  },
});

/** What is recorded stays: read again at once, after other jobs, and long after. */
const stays = defineCase({
  id: "2.3/stays",
  title: "a settled job read again, after other jobs, minutes and days, is the same job, and in the list still",
  requirements: ["2.3/23", "4.5/1", "4.6/2"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const done = await t.complete();
    const first = await settledJob(t, done.jobId);
    const again = async (when: string): Promise<boolean> => {
      const job = await t.api.job(done.jobId);
      const told = { expected: `200 ${when}`, seen: `${job.status} ${job.text}`, exchanges: [first, job] };
      if (!t.check("4.5/1", succeeded(job), { ...told, title: "a settled job is not known any more" })) return false;
      return t.check("2.3/23", sameValue(namedFields(job.json), namedFields(first.json)), {
        expected: `the same fields ${when}: ${first.text}`,
        seen: job.text,
        exchanges: [first, job],
      });
    };
    if (!(await again("at once"))) return;
    await t.complete({ stream: true });
    if (!(await again("after another job"))) return;
    for (const span of [10_000, 60_000, 120_000, 86_400_000]) {
      if (!t.clock.movable) return;
      await t.clock.advance(span);
      if (!(await again(`${span / 1000} s later`))) return;
    }
    const page = await t.api.jobs({ limit: 100 });
    t.accepted(page, "a page of jobs");
    const there = !t.home.fresh || idsOf(page).includes(done.jobId);
    t.check("4.6/2", there, {
      title: "a job of yesterday is not in the list",
      expected: done.jobId,
      seen: idsOf(page),
    });
  },
});

/** Section 2.3: `created_at` of a job is when its request arrived; which moment `completed_at` is, is open. */
const times = defineCase({
  id: "2.3/times",
  title: "`created_at` is the time of the request; `completed_at` comes after it",
  requirements: ["2.3/10", "2.3/11", "2.3/26"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    // A long text takes time, by which its beginning and its end can be told apart; where time is moved, it costs none.
    const long = t.home.fresh && t.has("behaviours") && t.clock.kind === "manual";
    if (long) await t.behave(t.model(), "normal", LONG_TEXT);
    for (const stream of [false, true]) {
      const lengthy = long ? await completeLong(t, { stream, max_tokens: undefined }) : null;
      const done = lengthy ?? (await t.complete({ stream }));
      const { jobId, exchange } = done;
      const job = await reached(t, jobId, ENDED);
      const created = Date.parse(String(at(job.json, "created_at")));
      const completed = Date.parse(String(at(job.json, "completed_at")));
      t.check("2.3/10", completed >= created - 1_000, { expected: "not before `created_at`", seen: job.text });
      const [from, to] = arrivalOf(t, exchange) ?? t.leaveOut("the answer tells no time to compare with");
      t.check("2.3/11", created >= from - A_FEW_SECONDS && created <= to + A_FEW_SECONDS, {
        expected: `within a few seconds of ${new Date(from).toISOString()}`,
        seen: at(job.json, "created_at"),
        exchanges: [exchange, job],
      });
      const last = exchange.arrivals.at(-1)?.at ?? exchange.endedAt;
      const content = stream ? streamTimes(exchange)?.lastAt : undefined;
      // Of a stream the judge knows when its last token came; it was made earlier by no more than the first one's way took.
      if (content !== undefined && t.clock.kind !== "none") {
        const early = content - 1_000 - slack(t);
        t.check("2.3/26", completed >= early, {
          title: "`completed_at` is a time before the final output token",
          expected: `not before ${new Date(early).toISOString()}`,
          seen: at(job.json, "completed_at"),
          exchanges: [exchange, job],
        });
      }
      // Whichever of the two moments it is, it is past.
      t.check("2.3/26", t.clock.kind === "none" || completed <= t.clock.now() + A_FEW_SECONDS, {
        title: "`completed_at` is a time to come",
        expected: `not after ${new Date(t.clock.now()).toISOString()}`,
        seen: at(job.json, "completed_at"),
        exchanges: [exchange, job],
      });
      if (stream && t.clock.kind === "manual" && exchange.endedAt - last > 2_000) {
        t.observe("2.3/26", Math.abs(completed - last) < 1_000 ? "the final output token" : "the settlement");
      } else t.observe("2.3/26", "not told apart: the settlement came at once");
    }
  },
});

const A_FEW_SECONDS = 5_000;
/** Tokens of a text that takes a while, at the pace that most models have. */
const LONG_TEXT = 900;

/** Between which times the service has seen the request: by its own clock where there is one to read, else by its `Date`. */
function arrivalOf(t: CaseContext, exchange: Exchange): readonly [number, number] | null {
  if (t.clock.kind !== "none") return [exchange.sentAt, exchange.sentAt];
  const date = Date.parse(exchange.headers.get("date") ?? "");
  return Number.isFinite(date) ? [date - (exchange.headAt - exchange.sentAt), date] : null;
}

export const settledJobs = [settled, models, shapes, newcomers, unique, stays, times];
