/** Section 4.6: the filters `status` and `model`, alone, together, and with cursors. */
import * as fc from "fast-check";
import { succeeded } from "../../exchange/exchange.ts";
import { MINUTES } from "../../target/patience.ts";
import type { JobsQuery } from "../api.ts";
import { type CaseContext, defineCase, type ListedModel, type RequirementId } from "../case.ts";
import { nearMiss } from "../support/hash.ts";
import { beginAll } from "../support/in-flight.ts";
import { ENDED, idsOf, proofHash, reached, STATUSES, settledJob } from "../support/jobs.ts";
import { betweenBatches, judgeOrder, listOrder, shortChats, stock } from "../support/library.ts";
import { type Entry, judgePage, type Order, pageFrom, readPage, walk } from "../support/pages.ts";

/** A list that stands still: every job has ended, or is in the hands of a worker that never finishes. */
interface Collection {
  readonly all: readonly Entry[];
  readonly order: Order;
}

/**
 * Jobs of two models in every status that the controls can bring about, mixed so that no filter's jobs stand together. Null when the whole list is
 * not in order of time, which is told: nothing can be held against it then.
 */
async function collect(t: CaseContext): Promise<Collection | null> {
  const [first, second] = twoModels(t);
  const turn = (index: number) => (index % 2 === 0 ? first : second);
  const batches: (readonly string[])[] = [];
  for (let round = 0; round < 3; round++) {
    if (round > 0) await betweenBatches(t);
    const chats = shortChats(4).map((chat, index) => ({ ...chat, model: turn(index + round).id }));
    batches.push(...(await stock(t, chats, { size: 2 })).batches);
    const { jobId } = await t.complete({ model: turn(round).id });
    const posted = proofHash(await settledJob(t, jobId)) ?? "";
    await t.api.dispute(jobId, nearMiss(posted, "first"));
    await t.behave(turn(round), "failing");
    await t.api.say({ model: turn(round).id });
    await t.behave(turn(round), "normal");
  }
  // The silent ones come last in time, so that they are in flight still while the list is read; the very first one has been refunded by then. Where
  // two minutes are too long to be waited for, the list is without them.
  if (t.clock.affords(MINUTES)) {
    await t.behave(first, "silent");
    const [early] = await beginAll(t, [{ model: first.id }]);
    await early?.pending.finish();
    if (early !== undefined) await reached(t, early.jobId, ["refunded"]);
    await t.behave(second, "silent");
    await beginAll(t, [{ model: second.id }, { model: first.id }]);
    await t.clock.advance(5_000);
  }
  const order = await listOrder(t, batches);
  const walked = await walk(t, { order, query: { limit: 50 } });
  if (walked.stopped !== null) t.giveUp(walked.stopped);
  const settling = walked.entries.filter((entry) => entry.status === "settling");
  if (settling.length > 0) await t.clock.advance(t.clock.movable ? 60_000 : 5_000);
  const settled = await walk(t, { order, query: { limit: 50 } });
  return judgeOrder(t, settled, batches, order) ? { all: settled.entries, order } : null;
}

/** Two models, of which the id of one begins with that of the other, where there are such. */
function twoModels(t: CaseContext): readonly [ListedModel, ListedModel] {
  const models = t.models();
  for (const short of models) {
    const long = models.find((model) => model.id !== short.id && model.id.startsWith(short.id));
    if (long !== undefined) return [short, long];
  }
  return [t.model(), models.find((model) => model.id !== t.model().id) ?? t.model()];
}

const rows: readonly RequirementId[] = [
  ...(["2.5/3", "2.5/5", "4.6/5", "4.6/9", "4.6/10", "4.6/11", "4.6/12", "4.6/13", "4.6/14", "4.6/19"] as const),
];

/** Only jobs with this one status; only jobs for this one model; and none of them left out. Every status, both models, each pair. */
const filters = defineCase({
  id: "4.6/filters",
  title: "each status and each model, alone and together, gives all its jobs and no other",
  requirements: [...rows, "4.6/15", "4.6/16"],
  needs: ["wallets", "behaviours"],
  async run(t) {
    const collection = await collect(t);
    if (collection === null) return;
    const { all, order } = collection;
    const models = [...new Set(all.map((entry) => entry.model))];
    const queries: JobsQuery[] = [
      ...STATUSES.map((status) => ({ status })),
      ...models.map((model) => ({ model })),
      ...STATUSES.flatMap((status) => models.map((model) => ({ status, model }))),
    ];
    for (const query of queries) {
      const exchange = await t.api.jobs({ ...query, limit: 100 });
      if (!t.check("4.6/11", succeeded(exchange), { expected: "200 for every status", seen: exchange.text })) return;
      judgePage(t, pageFrom(exchange), query, all, order, 100);
      const cut = { ...query, limit: 2 };
      judgePage(t, await readPage(t, cut), cut, all, order, 2);
    }
    // Pages of what a filter leaves: the jobs between are skipped, not counted.
    for (const query of [
      { status: "settled" },
      { model: models[0] ?? "" },
      { status: "disputed" },
      { status: "failed" },
    ]) {
      for (const limit of [1, 2]) {
        const walked = await walk(t, { order, query: { ...query, limit } });
        const expected = all.filter(
          (entry) =>
            (query.status === undefined || entry.status === query.status) &&
            (query.model === undefined || entry.model === query.model),
        );
        const shown = { exchanges: walked.pages.map((page) => page.exchange), seen: walked.stopped ?? walked.ids };
        const full = walked.pages.slice(0, -1).every((page) => page.ids.length === limit);
        t.check("4.6/13", full, { ...shown, title: "A page of a filtered list is not full though more matches." });
        t.check("4.6/15", walked.stopped === null, { ...shown, expected: "a walk to the end" });
        const same = walked.ids.join() === expected.map((entry) => entry.id).join();
        const title = "Walking the pages of a filtered list loses or repeats a job.";
        if (!t.check("4.6/16", same, { ...shown, title, expected: expected.map((entry) => entry.id).join() })) return;
      }
    }
  },
});

/** Every rule at once, in any mixture: cursors may name jobs that the filters leave out. Held against the whole list. */
const mixtures = defineCase({
  id: "4.6/any-query",
  title: "any mixture of limit, cursors and filters gives what the whole list says",
  requirements: rows,
  needs: ["wallets", "behaviours"],
  async run(t) {
    const collection = await collect(t);
    if (collection === null) return;
    const { all, order } = collection;
    const id = fc.constantFrom(...all.map((entry) => entry.id));
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    await t.property({
      arbitrary: fc.record({
        limit: optional(fc.integer({ min: 1, max: 12 })),
        status: optional(fc.constantFrom(...STATUSES)),
        model: optional(fc.constantFrom(...new Set(all.map((entry) => entry.model)))),
        before: optional(id),
        after: optional(id),
      }),
      runs: Math.max(60, t.runs),
      show: (query) => JSON.stringify(query),
      async run(drawn) {
        const query = Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as JobsQuery;
        const exchange = await t.api.jobs(query);
        // Two cursors in one request are not spoken of: a service may refuse them.
        if (query.before !== undefined && query.after !== undefined && !succeeded(exchange)) return;
        if (!t.check("4.6/14", succeeded(exchange), { expected: "200", seen: exchange.text })) return;
        judgePage(t, pageFrom(exchange), query, all, order, drawn.limit ?? 20);
      },
    });
  },
});

/** The model filter with nothing but a key: the jobs of one model, and of another. */
const byModel = defineCase({
  id: "4.6/by-model",
  title: "`model` and `status` narrow a list that holds several models",
  requirements: ["4.6/11", "4.6/12", "4.6/13", "4.6/14"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const made = await stock(t, shortChats(4), { size: 4 });
    const model = t.model().id;
    for (const id of made.ids) await reached(t, id, ENDED);
    const page = await readPage(t, { model, limit: 100 });
    const shown = { exchanges: page.exchange, seen: page.exchange.text };
    const only = page.entries.every((entry) => entry.model === model);
    t.check("4.6/12", only, { ...shown, expected: `only jobs for ${model}` });
    const order = await listOrder(t, made.batches);
    const reachable = t.home.fresh || order === "newest";
    if (reachable)
      t.check(
        "4.6/13",
        made.ids.every((id) => page.ids.includes(id)),
        { ...shown, expected: made.ids.join() },
      );
    const settled = await readPage(t, { status: "settled", limit: 100 });
    const told = { exchanges: settled.exchange, seen: settled.exchange.text };
    t.check(
      "4.6/11",
      settled.entries.every((entry) => entry.status === "settled"),
      { ...told, expected: "only settled jobs" },
    );
    if (reachable)
      t.check(
        "4.6/13",
        made.ids.every((id) => settled.ids.includes(id)),
        { ...told, expected: made.ids.join() },
      );
    for (const status of STATUSES.filter((each) => each !== "settled")) {
      const others = await readPage(t, { status, model, limit: 100 });
      const strangers = others.entries.filter((entry) => entry.status !== status || entry.model !== model);
      t.check("4.6/14", strangers.length === 0, {
        expected: `only ${status} jobs for ${model}`,
        seen: strangers,
        exchanges: others.exchange,
      });
    }
  },
});

/** Each listed model, alone: its jobs, and those of no other whose name or tier is alike. The status filter leaves none of them out. */
const eachModel = defineCase({
  id: "4.6/each-model",
  title: "`model` gives the jobs of each listed model and of no other, and `status` those of all models",
  requirements: ["4.6/11", "4.6/12", "4.6/13"],
  needs: ["wallets"],
  async run(t) {
    const models = t.models();
    const chats = models.map((model, index) => ({ model: model.id, max_tokens: 2, stream: index % 2 === 1 }));
    const { ids } = await stock(t, [...chats, ...chats], { size: models.length });
    for (const [index, model] of models.entries()) {
      const page = await readPage(t, { model: model.id });
      const mine = [ids[index], ids[index + models.length]];
      const shown = { exchanges: page.exchange, seen: page.exchange.text };
      const only = page.entries.every((entry) => entry.model === model.id);
      t.check("4.6/12", only, { ...shown, expected: `only jobs for ${model.id}` });
      const whole = mine.every((id) => id !== undefined && page.ids.includes(id));
      t.check("4.6/13", whole, { ...shown, expected: mine.join() });
    }
    for (const id of ids) await reached(t, id, ENDED);
    await judgeStatus(t, "settled");
    if (!t.has("behaviours")) return;
    for (const model of models) await t.behave(model.id, "failing");
    await Promise.all(models.map((model, index) => t.api.say({ model: model.id, stream: index % 2 === 0 })));
    await judgeStatus(t, "failed");
  },
});

/** A status gives just those jobs of the whole list that have it, of whichever model. */
async function judgeStatus(t: CaseContext, status: string): Promise<void> {
  const all = await readPage(t, { limit: 100 });
  const page = await readPage(t, { status, limit: 100 });
  const expected = all.entries.filter((entry) => entry.status === status).map((entry) => entry.id);
  const missing = expected.filter((id) => !page.ids.includes(id));
  t.check("4.6/13", missing.length === 0, {
    title: `the jobs of a model are left out of those that are ${status}`,
    expected: expected.join(),
    seen: page.ids.join(),
    exchanges: [all.exchange, page.exchange],
  });
  t.check(
    "4.6/11",
    page.entries.every((entry) => entry.status === status),
    {
      expected: `only ${status} jobs`,
      seen: page.exchange.text,
      exchanges: page.exchange,
    },
  );
}

/**
 * What matches nothing gives nothing, whether it is refused or not: an unknown status, an unknown model. A cursor that names no job bounds nothing: its
 * list may also be the whole one. Words that a generous service may take for a known status are left out.
 */
const unknown = defineCase({
  id: "4.6/unknown-values",
  title: "an unknown status or model shows no job, and neither they nor an unknown cursor upset anything",
  requirements: ["4.6/12", "4.6/20"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const { ids } = await stock(t, shortChats(2));
    t.accepted(await t.api.jobs({ status: "settled" }), "a known status");
    const [id] = ids;
    t.accepted(await t.api.jobs({ before: id ?? "" }), "a known cursor");
    const words: readonly (readonly [kind: string, query: JobsQuery])[] = [
      ...["done", "unsettled", "' OR '1'='1", "*", "%", "undefined"].map((status) => ["status", { status }] as const),
      ...["before", "after"].flatMap((name) =>
        [`job_${t.random.text(24)}`, "job_", "not-a-job", "0", "../account", "' OR '1'='1", "%"].map(
          (cursor) => ["cursor", { [name]: cursor }] as const,
        ),
      ),
    ];
    for (const [kind, query] of words) {
      const exchange = await t.api.jobs(query);
      const refused = exchange.status >= 400 && exchange.status < 500;
      const nothing = succeeded(exchange) && idsOf(exchange).length === 0;
      const heedless = succeeded(exchange) && !nothing;
      const ok = t.check("4.6/20", refused || nothing || (heedless && kind === "cursor"), {
        title: `An unknown ${kind} ${heedless ? "shows jobs" : "upsets the service"}.`,
        expected: "400, 404 or 422, or an empty page",
        seen: `${exchange.status} ${exchange.text}`,
      });
      const choice = refused ? `refused with ${exchange.status}` : nothing ? "an empty page" : "not heeded";
      if (ok) t.observe("4.6/20", `unknown ${kind}: ${choice}`);
    }
    const models = [`no-such-model-${t.random.text(6)}`, `${t.model().id}x`, "gpt-4o"];
    for (const model of models) {
      const exchange = await t.api.jobs({ model });
      const none = exchange.status < 500 && idsOf(exchange).length === 0;
      t.check("4.6/12", none, { expected: "no job, or a refusal", seen: `${exchange.status} ${exchange.text}` });
    }
  },
});

export const filterCases = [filters, mixtures, byModel, eachModel, unknown];
