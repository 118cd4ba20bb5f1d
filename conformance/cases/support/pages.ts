/** Pages of jobs: reading them, walking them, and what a page may hold. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import type { Api, JobsQuery } from "../api.ts";
import type { CaseContext, RequirementId } from "../case.ts";

/** What is known of a job for the purposes of a list. */
export interface Entry {
  readonly id: string;
  readonly status: string;
  readonly model: string;
}

export interface Page {
  readonly exchange: Exchange;
  readonly entries: readonly Entry[];
  readonly ids: readonly string[];
  readonly hasMore: unknown;
  readonly nextCursor: unknown;
}

/** Newest first or oldest first: which it is, is open (4.6/18). */
export type Order = "newest" | "oldest";

/** A page that must be there, else the case ends as inconclusive. */
export async function readPage(t: CaseContext, query: JobsQuery, api: Api = t.api): Promise<Page> {
  const exchange = await api.jobs(query);
  t.accepted(exchange, "a page of jobs");
  return pageFrom(exchange);
}

export function pageFrom(exchange: Exchange): Page {
  const data = at(exchange.json, "data");
  const entries = (Array.isArray(data) ? data : []).map(
    (job): Entry => ({
      id: String(at(job, "id")),
      status: String(at(job, "status")),
      model: String(at(job, "model")),
    }),
  );
  return {
    exchange,
    entries,
    ids: entries.map((entry) => entry.id),
    hasMore: at(exchange.json, "has_more"),
    nextCursor: at(exchange.json, "next_cursor"),
  };
}

/** Whether a page tells by its jobs' times that its list begins with the oldest. */
export function beginsWithOldest(page: Exchange): boolean {
  const data = at(page.json, "data");
  const times = (Array.isArray(data) ? data : []).map((job) => Date.parse(String(at(job, "created_at"))));
  const [first, last] = [times[0], times.at(-1)];
  return first !== undefined && last !== undefined && first < last;
}

/** The page with the newest jobs, whichever way the list goes: of one that begins with the oldest it is the last. */
export async function newestPage(t: CaseContext, limit: number, api: Api = t.api): Promise<Exchange> {
  const seen = lastSeen.get(api);
  let page = await api.jobs(seen === undefined ? { limit } : { limit, after: seen });
  for (let read = 0; read < MOST_READ; read++) {
    t.accepted(page, "listing one's own jobs");
    if (at(page.json, "has_more") !== true || !beginsWithOldest(page)) return page;
    const last = pageFrom(page).ids.at(-1);
    if (last === undefined) return page;
    lastSeen.set(api, last);
    page = await api.jobs({ limit, after: last });
  }
  return page;
}

/** The last job of a full page of a list that begins with the oldest: what is newer comes after it. */
const lastSeen = new WeakMap<Api, string>();
const MOST_READ = 20;

/** The order of a list in which `older` comes from an earlier job than `newer`; null where one of them is missing. */
export function orderOf(ids: readonly string[], older: string, newer: string): Order | null {
  const [first, second] = [ids.indexOf(older), ids.indexOf(newer)];
  if (first === -1 || second === -1) return null;
  return first > second ? "newest" : "oldest";
}

export interface WalkOptions {
  readonly order: Order;
  readonly query?: JobsQuery;
  readonly api?: Api;
  /** Done after the page of that number, from 1. */
  readonly between?: (page: number) => Promise<void>;
  readonly mostPages?: number;
}

/** A walk, and why it ended before the end, if it did. */
export interface Walk {
  readonly pages: readonly Page[];
  readonly ids: readonly string[];
  readonly entries: readonly Entry[];
  /** What was wrong with a cursor or an end; null when the walk came to its end in order. */
  readonly stopped: string | null;
}

/** Why a walk ended that came to `mostPages`. */
export const ENDLESS = "the pages did not end";

/** Follows `next_cursor`, by the parameter that goes with the order, until there is no more. */
export async function walk(t: CaseContext, options: WalkOptions): Promise<Walk> {
  const { order, query = {}, api = t.api, between, mostPages = 60 } = options;
  const pages: Page[] = [];
  const end = (stopped: string | null): Walk => ({
    pages,
    ids: pages.flatMap((page) => page.ids),
    entries: pages.flatMap((page) => page.entries),
    stopped,
  });
  let cursor: string | undefined;
  while (pages.length < mostPages) {
    const onward = cursor === undefined ? {} : { [order === "newest" ? "before" : "after"]: cursor };
    const exchange = await api.jobs({ ...query, ...onward });
    if (exchange.status !== 200 && pages.length > 0) return end(`a \`next_cursor\` was refused: ${exchange.status}`);
    t.accepted(exchange, "a page of jobs");
    const page = pageFrom(exchange);
    pages.push(page);
    if (page.hasMore !== true) return end(null);
    if (page.ids.length === 0) return end("an empty page says that there is more");
    if (typeof page.nextCursor !== "string") return end("a page with more has no `next_cursor`");
    if (page.nextCursor === cursor) return end("`next_cursor` names the same job again");
    cursor = page.nextCursor;
    await between?.(pages.length);
  }
  return end(ENDLESS);
}

/** The rows that a page can break. */
export const pageRows: readonly RequirementId[] = [
  ...(["2.5/1", "2.5/3", "2.5/5", "4.6/5", "4.6/9", "4.6/10", "4.6/11", "4.6/12", "4.6/13", "4.6/14"] as const),
  "4.6/19",
];

/**
 * Holds one page against the whole list, which must not change meanwhile: what may be on it, how many, in which order, and whether more is
 * told to remain. `all` is in the list's own order. Where both a cursor and a limit cut, either end of what is left may be shown: the contract
 * does not say which.
 */
export function judgePage(
  t: CaseContext,
  page: Page,
  query: JobsQuery,
  all: readonly Entry[],
  order: Order,
  /** Only cursors that name a job of the list; others are not judged here. */
  limit: number,
): boolean {
  const place = (id: string | undefined): number => all.findIndex((entry) => entry.id === id);
  /** In order of creation, whatever the list's. */
  const age = (index: number): number => (order === "newest" ? all.length - index : index);
  const passes = {
    before: (index: number) => query.before === undefined || age(index) < age(place(query.before)),
    after: (index: number) => query.after === undefined || age(index) > age(place(query.after)),
    status: (index: number) => query.status === undefined || all[index]?.status === query.status,
    model: (index: number) => query.model === undefined || all[index]?.model === query.model,
  };
  const told = { seen: page.exchange.text, exchanges: page.exchange };
  const rowOf = { before: "4.6/9", after: "4.6/10", status: "4.6/11", model: "4.6/12" } as const;
  const used = (["before", "after", "status", "model"] as const).filter((name) => query[name] !== undefined);
  for (const name of used) {
    const strangers = page.ids.filter((id) => place(id) !== -1 && !passes[name](place(id)));
    const shown = { ...told, expected: `only jobs within \`${name}\`` };
    // A rule that holds alone and not beside another breaks their holding together.
    if (!t.check(used.length > 1 ? "4.6/14" : rowOf[name], strangers.length === 0, shown)) return false;
  }
  t.check("4.6/5", page.ids.length <= limit, {
    ...told,
    title: "a page has more jobs than its limit",
    expected: `at most ${limit} jobs`,
    seen: page.ids.length,
  });
  const matching = all.filter((_, index) => Object.values(passes).every((test) => test(index))).map((each) => each.id);
  const expected = Math.min(limit, matching.length);
  const filters = used.filter((name) => name === "status" || name === "model").length;
  const fullRow = filters === 0 ? "4.6/5" : used.length > 1 ? "4.6/14" : "4.6/13";
  const full = page.ids.length === expected && page.ids.every((id) => matching.includes(id));
  t.check(fullRow, full, { ...told, expected: `${expected} of the ${matching.length} jobs that match` });

  const shown = page.ids.join();
  const head = matching.slice(0, expected);
  const tail = matching.slice(matching.length - expected);
  const slices = [head, tail].flatMap((slice) => [slice.join(), [...slice].reverse().join()]);
  const cut = used.includes("before") || used.includes("after");
  const inOrder = !full || (cut ? slices.includes(shown) : shown === head.join());
  t.check("4.6/19", inOrder, { ...told, expected: head.join(", ") });

  const more = matching.length > expected;
  const honest = t.check("2.5/5", page.hasMore === more, { ...told, expected: `\`has_more\` ${more}` });
  const named = !more || (typeof page.nextCursor === "string" && place(page.nextCursor) !== -1);
  if (more) t.check("2.5/3", named, { ...told, expected: "`next_cursor`, the id of a job" });
  return full && inOrder && honest && named;
}
