/** A wallet full of jobs, made in batches: within a batch they are made together, and between batches time passes. */
import type { Api } from "../api.ts";
import type { CaseContext } from "../case.ts";
import { beginsWithOldest, type Order, orderOf, readPage, type Walk } from "./pages.ts";

/** Job ids in order of creation, batch by batch. Which job of a batch came first is not known. */
export type Batches = readonly (readonly string[])[];

export interface Stock {
  readonly batches: Batches;
  readonly ids: readonly string[];
}

/** More than a second, so that whole seconds tell batches apart. */
const BETWEEN_BATCHES = 1_100;

/**
 * Completes one chat for each of `chats`, `size` of them at once. Ends the case as inconclusive when one is not completed.
 */
export async function stock(
  t: CaseContext,
  chats: readonly Readonly<Record<string, unknown>>[],
  options: { readonly size?: number; readonly api?: Api } = {},
): Promise<Stock> {
  const { size = 6, api = t.api } = options;
  const batches: string[][] = [];
  for (let from = 0; from < chats.length; from += size) {
    if (from > 0) await betweenBatches(t);
    const batch = chats.slice(from, from + size);
    const done = await Promise.all(batch.map((changes) => t.complete(changes, api)));
    batches.push(done.map((each) => each.jobId));
  }
  return { batches, ids: batches.flat() };
}

/** Lets as much time pass as tells two batches apart, where the clock affords it. */
export async function betweenBatches(t: CaseContext): Promise<void> {
  if (t.clock.affords(BETWEEN_BATCHES)) await t.clock.advance(BETWEEN_BATCHES);
}

/** Holds a walk against the batches that were made: each before or after the next, in the list's one order. */
export function judgeOrder(t: CaseContext, walked: Walk, made: Batches, order: Order): boolean {
  const ages = walked.ids.map((id) => made.findIndex((batch) => batch.includes(id))).filter((age) => age !== -1);
  const sorted = ages.toSorted((a, b) => (order === "oldest" ? a - b : b - a));
  return t.check("4.6/19", ages.join() === sorted.join(), {
    expected: `${order} first throughout`,
    seen: { batches: ages },
    exchanges: walked.pages.map((page) => page.exchange),
  });
}

/** `count` chats that differ in nothing but, every third one, in their form. */
export function shortChats(count: number, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => ({ max_tokens: 2, stream: index % 3 === 2, ...changes }));
}

/** In which order the list shows the first and the last batch. Ends the case when it shows neither. */
export async function listOrder(t: CaseContext, batches: Batches, api: Api = t.api): Promise<Order> {
  const [oldest, newest] = [batches[0] ?? [], batches.at(-1) ?? []];
  const page = await readPage(t, { limit: 50 }, api);
  const pairs = oldest.flatMap((older) => newest.map((newer) => orderOf(page.ids, older, newer)));
  const orders = new Set(pairs.filter((order) => order !== null));
  const [order] = orders;
  if (order !== undefined && orders.size === 1) return order;
  // A page that is in no order of time says less than the one job that its list puts first; of a long list, a page has only one end.
  const shown = orders.size > 1 ? (await readPage(t, { limit: 1 }, api)).ids : page.ids;
  if (newest.some((id) => shown.includes(id))) return "newest";
  if (oldest.some((id) => shown.includes(id))) return "oldest";
  // A list that begins with the oldest shows neither on its first page, once a wallet has jobs enough.
  if (beginsWithOldest(page.exchange)) return "oldest";
  return t.giveUp("the list does not show the jobs that were just made, so that its order is not known");
}
