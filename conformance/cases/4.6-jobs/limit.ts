/** Section 4.6: how many jobs a page holds. */
import { completedFrom } from "../../checks/completed.ts";
import { at, succeeded } from "../../exchange/exchange.ts";
import type { JobsQuery } from "../api.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { idsOf } from "../support/jobs.ts";
import { betweenBatches, judgeOrder, listOrder, shortChats, stock } from "../support/library.ts";
import { judgePage, readPage, walk } from "../support/pages.ts";

/** Twenty jobs are the default: two more than that are needed to see it. */
const ENOUGH = 22;

/**
 * `limit`: integer, default 20, number of jobs returned, maximum 100. `has_more` tells whether jobs remain, also where a page ends exactly with
 * the last of them.
 */
const limits = defineCase({
  id: "4.6/limits",
  title: "pages have 20 jobs without a limit, and exactly as many as a limit says",
  requirements: [
    ...(["2.5/1", "2.5/2", "2.5/3", "2.5/4", "2.5/5"] as const),
    ...(["4.6/1", "4.6/2", "4.6/4", "4.6/5", "4.6/6", "4.6/18", "4.6/19"] as const),
  ],
  needs: ["credits"],
  alone: true,
  cost: (prices) => ENOUGH * prices.flat,
  async run(t) {
    // A given wallet may have most of them already: two batches of its own tell the order.
    const there = t.home.fresh ? 0 : idsOf(await t.api.jobs({ limit: 100 })).length;
    const count = Math.max(2, ENOUGH - there);
    const { ids, batches } = await stock(t, shortChats(count), { size: Math.min(8, Math.ceil(count / 2)) });
    const plain = await t.api.jobs();
    t.check("4.6/1", plain.status === 200, { expected: "200", seen: plain.status });
    t.accepted(plain, "a list of jobs");
    for (const limit of [1, 100]) {
      const exchange = await t.api.jobs({ limit });
      const told = { expected: `200 for a limit of ${limit}`, seen: `${exchange.status} ${exchange.text}` };
      t.check("4.6/6", succeeded(exchange), told);
    }
    const order = await listOrder(t, batches);
    t.observe("4.6/18", `${order} first`);

    const page = await readPage(t, {});
    const told = { seen: page.exchange.text, exchanges: page.exchange };
    const wrapped = at(page.exchange.json, "object") === "list" && typeof page.hasMore === "boolean";
    t.check("2.5/1", wrapped, { ...told, expected: "`object` list and a boolean `has_more`" });
    t.check("2.5/2", page.entries.every(isJob), { ...told, expected: "`data`, an array of jobs" });
    t.check("4.6/4", page.ids.length === 20, {
      ...told,
      expected: "20 jobs, for there are more",
      seen: page.ids.length,
    });
    t.check("2.5/5", page.hasMore === true, { ...told, expected: "`has_more` true after 20 of more jobs" });

    const whole = await walk(t, { order, query: { limit: 50 } });
    if (whole.stopped !== null) t.giveUp(whole.stopped);
    const missing = ids.filter((id) => !whole.ids.includes(id));
    t.check("4.6/2", missing.length === 0, {
      expected: "every job that was made",
      seen: missing,
      exchanges: whole.pages.map((each) => each.exchange),
    });
    const all = whole.entries;
    for (const limit of [1, 2, 7, 19, 20, 21, 100, all.length - 1, all.length, all.length + 1]) {
      if (limit < 1 || limit > 100) continue;
      const exchange = await t.api.jobs({ limit });
      if (!succeeded(exchange)) continue;
      const cut = await readPage(t, { limit });
      if (!judgePage(t, cut, { limit }, all, order, limit)) return;
      if (cut.hasMore === false) observeLast(t, cut.nextCursor);
    }
  },
});

function isJob(entry: { readonly id: string; readonly status: string }): boolean {
  return entry.id.startsWith("job_") && entry.status !== "undefined";
}

/** 2.5/4: what `next_cursor` is on a last page is open, but for its type. */
function observeLast(t: CaseContext, cursor: unknown): void {
  const choice = cursor === undefined ? "absent" : cursor === null ? "null" : typeof cursor;
  if (choice === "absent" || choice === "null" || choice === "string") t.observe("2.5/4", choice);
  else t.fail("2.5/4", { expected: "absent, null or a string", seen: cursor });
}

/** Section 2.5 and 4.6 for a key that has made nothing yet: an empty page, and no more. */
const empty = defineCase({
  id: "4.6/empty",
  title: "a new wallet's list is an empty page with nothing more",
  requirements: ["2.5/1", "2.5/4", "2.5/5", "4.6/1"],
  needs: ["wallets"],
  async run(t) {
    const exchange = await t.api.jobs();
    const json = at(exchange.json, "object") === "list" && Array.isArray(at(exchange.json, "data"));
    if (!t.check("4.6/1", exchange.status === 200 && json, { expected: "200 with a list", seen: exchange.text }))
      return;
    const page = await readPage(t, { limit: 1 });
    t.check("2.5/1", typeof page.hasMore === "boolean", { expected: "a boolean `has_more`", seen: page.hasMore });
    t.check("2.5/5", page.hasMore === false && page.ids.length === 0, {
      expected: "no job and no more",
      seen: exchange.text,
    });
    observeLast(t, page.nextCursor);
  },
});

/** The maximum of 100, which only a list of more than a hundred jobs can show. */
const maximum = defineCase({
  id: "4.6/maximum",
  title: "of more than a hundred jobs, no page has more than 100, and a limit of 100 gives 100",
  requirements: ["4.5/1", "4.6/2", "4.6/4", "4.6/5", "4.6/6", "4.6/7", "4.6/16", "4.6/19", "8/4"],
  needs: ["wallets"],
  async run(t) {
    const short = shortChats(MANY, { max_tokens: 1, stream: false });
    const first = await stock(t, short.slice(0, MANY - BATCH), { size: BATCH });
    await betweenBatches(t);
    // The last of them tell whether there is a quota after all.
    const rest = await Promise.all(short.slice(MANY - BATCH).map((changes) => t.api.say(changes)));
    for (const answer of rest) {
      if (answer.status === 429 || answer.status >= 500) t.giveUp(`a valid chat was answered ${answer.status}`);
      const told = { expected: "200", seen: `${answer.status} ${answer.text}`, exchanges: answer };
      const title = "requests within the balance are refused once there were a hundred";
      if (!t.check("8/4", succeeded(answer), { ...told, title })) return;
    }
    const last = rest.flatMap((answer) => completedFrom(answer, t.brand)?.jobId ?? []);
    const [batches, ids] = [
      [...first.batches, last],
      [...first.ids, ...last],
    ];
    t.pass("8/4");
    const order = await listOrder(t, batches);
    const full = await t.api.jobs({ limit: 100 });
    t.check("4.6/6", succeeded(full), { expected: "200 for a limit of 100", seen: full.status });
    t.accepted(full, "a limit of 100");
    for (const limit of [undefined, 100, 101, 105, 200, 1_000]) {
      const exchange = await t.api.jobs(limit === undefined ? {} : { limit });
      if (!succeeded(exchange)) continue;
      const data = at(exchange.json, "data");
      const size = Array.isArray(data) ? data.length : -1;
      if (limit === undefined) t.check("4.6/4", size === 20, { expected: "20 jobs", seen: size });
      else if (limit === 100) t.check("4.6/5", size === 100, { expected: "100 jobs", seen: size });
      else
        t.check("4.6/5", size <= 100, { title: "A page has more than 100 jobs.", expected: "at most 100", seen: size });
    }
    // The numbers hold beside a cursor and a filter, too. Of the first batch and of the last some may lie beyond the cursor.
    const [eldest, youngest] = [ids[0] as string, ids.at(-1) as string];
    const beside: readonly JobsQuery[] = [{ after: eldest }, { before: youngest }, { model: t.model().id }];
    for (const query of beside) {
      for (const limit of [undefined, 100, 101, 1_000]) {
        const exchange = await t.api.jobs({ ...query, ...(limit === undefined ? {} : { limit }) });
        const size = idsOf(exchange).length;
        if (!succeeded(exchange)) continue;
        const least = limit === undefined ? 20 : limit === 100 ? MANY - BATCH : 0;
        const right = size >= least && size <= (limit === undefined ? 20 : 100);
        t.check(limit === undefined ? "4.6/4" : "4.6/5", right, {
          title: "a page beside a cursor or a filter is shorter or longer than one without",
          expected: `at least ${least} jobs, and not more than without`,
          seen: size,
          exchanges: exchange,
        });
      }
    }
    for (const limit of [undefined, 50, 100, 35]) {
      const walked = await walk(t, { order, query: limit === undefined ? {} : { limit } });
      const sizes = walked.pages.map((page) => page.ids.length);
      const size = limit ?? 20;
      // A page by a cursor is as long as one without.
      t.check(
        limit === undefined ? "4.6/4" : "4.6/5",
        sizes.slice(0, -1).every((each) => each === size),
        {
          title: "a page of a walk, before the last, is shorter or longer than the first",
          expected: `pages of ${size}`,
          seen: sizes,
          exchanges: walked.pages.map((page) => page.exchange),
        },
      );
      const once = walked.stopped === null && new Set(walked.ids).size === walked.ids.length;
      const whole = once && walked.ids.length === ids.length && ids.every((id) => walked.ids.includes(id));
      const shown = { exchanges: walked.pages.map((page) => page.exchange) };
      const seen = walked.stopped ?? `${walked.ids.length} jobs, ${new Set(walked.ids).size} different ones`;
      if (!t.check("4.6/16", whole, { ...shown, expected: `${ids.length} jobs, each once, by ${size}`, seen })) return;
      t.check("4.6/2", whole);
      judgeOrder(t, walked, batches, order);
    }
    for (const limit of ["101", "0", "-1", "-1000"]) await oddLimit(t, limit);
    // What the last page shows can be read by itself, too, however much has come since.
    const [oldest] = ids;
    const alone = oldest === undefined ? null : await t.api.job(oldest);
    t.check("4.5/1", alone?.status === 200, {
      title: "the oldest of many jobs cannot be read any more",
      expected: "200",
      seen: alone === null ? "no job" : `${alone.status} ${alone.text}`,
      exchanges: alone ?? [],
    });
  },
});

const MANY = 105;
/** How many are sent at once: in no order among themselves. */
const BATCH = 21;

/**
 * A `limit` that is out of range is refused or clamped; one that is no integer is refused or ignored. Neither gives more than a page, nor does
 * either upset the service.
 */
const odd = defineCase({
  id: "4.6/odd-limits",
  title: "a limit out of range or of another form is refused, clamped or ignored",
  requirements: ["4.6/5", "4.6/7", "4.6/8"],
  async run(t) {
    t.accepted(await t.api.jobs({ limit: 5 }), "a limit of 5");
    for (const limit of ["0", "-1", "101", "1000", "2147483648", "99999999999999999999"]) await oddLimit(t, limit);
    const words = [
      "ten",
      "",
      " ",
      "1.5",
      "1e2",
      "0x10",
      "5;",
      "5,6",
      "null",
      "NaN",
      "Infinity",
      "[]",
      "true",
      "五",
      "'",
      "5 OR 1=1",
    ];
    for (const limit of words) {
      const exchange = await t.api.jobs({ limit });
      judgeOdd(t, "4.6/8", exchange.status);
      if (succeeded(exchange)) judgeSize(t, at(exchange.json, "data"));
    }
    for (const path of [
      "/v1/jobs?limit",
      "/v1/jobs?limit=1&limit=2",
      "/v1/jobs?limit[]=1",
      "/v1/jobs?limit=%00",
      "/v1/jobs?&&=",
    ]) {
      judgeOdd(t, "4.6/8", (await t.api.raw({ method: "GET", path })).status);
    }
  },
});

async function oddLimit(t: CaseContext, limit: string): Promise<void> {
  const exchange = await t.api.jobs({ limit });
  if (!judgeOdd(t, "4.6/7", exchange.status)) return;
  if (succeeded(exchange)) judgeSize(t, at(exchange.json, "data"));
  const side = limit === "0" || limit.startsWith("-") ? "below 1" : "above 100";
  t.observe("4.6/7", `${side}: ${succeeded(exchange) ? "clamped" : `refused with ${exchange.status}`}`);
}

function judgeOdd(t: CaseContext, row: "4.6/7" | "4.6/8", status: number): boolean {
  const ok = (status >= 200 && status < 300) || (status >= 400 && status < 500);
  if (ok && row === "4.6/7") return true;
  return t.check(row, ok, { expected: "a 2xx or a 4xx", seen: status });
}

function judgeSize(t: CaseContext, data: unknown): void {
  const size = Array.isArray(data) ? data.length : Number.NaN;
  t.check("4.6/5", size <= 100, { title: "A page has more than 100 jobs.", expected: "at most 100 jobs", seen: size });
}

export const limitCases = [limits, empty, maximum, odd];
