/** Section 4.6: walking the pages. Pages are parts of one list, so that a walk meets every job once. */
import type { CaseContext, RequirementId } from "../case.ts";
import { defineCase } from "../case.ts";
import { type Batches, judgeOrder, listOrder, shortChats, stock } from "../support/library.ts";
import { ENDLESS, type Order, readPage, type Walk, walk } from "../support/pages.ts";

const TOO_LONG = "the wallet's list is too long to be walked, and shows its oldest jobs first";

/** Every job that was made once, nothing twice, and batches in the order in which they were made. Each fault is told, whatever the others. */
function judgeWalk(
  t: CaseContext,
  walked: Walk,
  made: Batches,
  order: Order,
  rows: { readonly whole: RequirementId; readonly title?: string },
): boolean {
  const shown = { exchanges: walked.pages.map((page) => page.exchange) };
  const titled = rows.title === undefined ? shown : { ...shown, title: rows.title };
  const overlaps = walked.pages.some((page, index) => walked.pages[index - 1]?.ids.some((id) => page.ids.includes(id)));
  const onward = walked.stopped ?? (overlaps ? "a page repeats jobs of the page before" : null);
  const goes = t.check("4.6/15", onward === null, { ...shown, expected: "page after page, to the end", seen: onward });
  const twice = walked.ids.filter((id, index) => walked.ids.indexOf(id) !== index);
  const missing = made.flat().filter((id) => !walked.ids.includes(id));
  const whole = twice.length === 0 && missing.length === 0;
  const once = t.check(rows.whole, whole, { ...titled, expected: "every job once", seen: { twice, missing } });
  const sound = !once || judgeOrder(t, walked, made, order);
  return goes && once && sound;
}

/** `next_cursor`, passed back, gives the next page: over many pages, at each size, until all jobs have been met. */
const walks = defineCase({
  id: "4.6/walk",
  title: "walking the pages, three of them and more, meets every job once and in order",
  requirements: ["2.5/5", "4.6/15", "4.6/16", "4.6/18", "4.6/19"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 10 * prices.flat,
  async run(t) {
    const { batches, ids } = await stock(t, shortChats(10), { size: 3 });
    const order = await listOrder(t, batches);
    t.observe("4.6/18", `${order} first; \`next_cursor\` goes with \`${order === "newest" ? "before" : "after"}\``);
    for (const limit of [1, 2, 3, 5, 9, 10]) {
      // A given wallet may have a long past: its walk ends when the case's own jobs have been met.
      const walked = t.home.fresh ? await walk(t, { order, query: { limit } }) : await walkMine(t, order, limit, ids);
      if (!judgeWalk(t, walked, batches, order, { whole: "4.6/16" })) return;
      const sizes = walked.pages.map((page) => page.ids.length);
      const even = !t.home.fresh || sizes.slice(0, -1).every((size) => size === limit);
      t.check("4.6/16", even, {
        title: "A page before the last is not full.",
        expected: `pages of ${limit}`,
        seen: sizes,
      });
      const last = walked.pages.at(-1);
      t.check("2.5/5", !t.home.fresh || (sizes.at(-1) ?? 0) > 0, {
        title: "A page says that there is more, and the next page is empty.",
        expected: "jobs on the last page",
        seen: last?.exchange.text,
        exchanges: walked.pages.slice(-2).map((page) => page.exchange),
      });
    }
  },
});

/** Walks until the case's own jobs have all been met, or until there is no more. */
async function walkMine(t: CaseContext, order: Order, limit: number, ids: readonly string[]): Promise<Walk> {
  if (order === "newest") {
    const enough = Math.ceil((ids.length + 4) / limit);
    const walked = await walk(t, { order, query: { limit }, mostPages: enough });
    return walked.stopped === ENDLESS ? { ...walked, stopped: null } : walked;
  }
  const walked = await walk(t, { order, query: { limit: Math.max(limit, 50) } });
  return walked.stopped === ENDLESS ? t.leaveOut(TOO_LONG) : walked;
}

/** The other cursor leads back: from the far end of the list to the near one, page by page. */
const back = defineCase({
  id: "4.6/walk-back",
  title: "walking back with the other cursor meets every job once",
  requirements: ["4.6/9", "4.6/10", "4.6/16"],
  needs: ["wallets"],
  async run(t) {
    const { batches, ids } = await stock(t, shortChats(9), { size: 3 });
    const order = await listOrder(t, batches);
    const all = (await walk(t, { order, query: { limit: 50 } })).ids;
    if (all.length !== ids.length) t.giveUp("the list is not whole");
    for (const limit of [1, 2, 3, 4]) {
      const met = await walkBack(t, order, limit, all);
      if (met === null) return;
      const missing = all.slice(0, -1).filter((id) => !met.includes(id));
      const once = new Set(met).size === met.length && missing.length === 0;
      if (
        !t.check("4.6/16", once, {
          title: "Walking back loses or repeats a job.",
          expected: "every job once",
          seen: met,
        })
      )
        return;
    }
  },
});

/**
 * From the far end of the list towards its head. Whether a page holds the jobs next to the cursor or those next to the head is not said: the first
 * are followed by a new cursor, the second ones by narrowing from the head. Null when a page was empty before the end.
 */
async function walkBack(t: CaseContext, order: Order, limit: number, all: readonly string[]): Promise<string[] | null> {
  const [towards, away] = order === "newest" ? (["after", "before"] as const) : (["before", "after"] as const);
  const row = order === "newest" ? "4.6/10" : "4.6/9";
  const met: string[] = [];
  let from = all.at(-1) as string;
  let upTo: string | undefined;
  while (met.length < all.length) {
    const cursors = { [towards]: from, ...(upTo === undefined ? {} : { [away]: upTo }) };
    const page = await readPage(t, { limit, ...cursors });
    if (page.ids.length === 0) break;
    const places = page.ids.map((id) => all.indexOf(id));
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const within = first > (upTo === undefined ? -1 : all.indexOf(upTo)) && last < all.indexOf(from);
    if (!t.check(row, within, { expected: `jobs ${towards} the cursor only`, seen: page.ids })) return null;
    met.push(...page.ids);
    if (last === all.indexOf(from) - 1) from = all[first] as string;
    else upTo = all[last];
  }
  return met;
}

/** A cursor names a job, not an offset: jobs that are made during a walk move nothing. */
const arrivals = defineCase({
  id: "4.6/walk-during-arrivals",
  title: "jobs made between the pages of a walk make it lose or repeat no older job",
  requirements: ["4.6/15", "4.6/16", "4.6/17", "4.6/19"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 12 * prices.flat,
  async run(t) {
    const { batches, ids } = await stock(t, shortChats(8), { size: 4 });
    const order = await listOrder(t, batches);
    for (const limit of t.home.fresh ? [1, 2, 3] : [3]) {
      const walked = await walk(t, {
        order,
        query: { limit },
        mostPages: t.home.fresh ? 60 : Math.ceil((ids.length + 8) / limit),
        between: async (page) => {
          if (page <= 2) await stock(t, shortChats(page === 1 ? 1 : 3));
        },
      });
      const bounded = walked.stopped === ENDLESS && !t.home.fresh;
      if (bounded && order === "oldest") t.leaveOut(TOO_LONG);
      const ended = bounded ? { ...walked, stopped: null } : walked;
      if (!judgeWalk(t, ended, batches, order, { whole: "4.6/17" })) return;
    }
  },
});

export const walkCases = [walks, back, arrivals];
