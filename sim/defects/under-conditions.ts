/** Defects of which all but some requests show nothing: for one tier only, in one form only, after something that has nothing to do with them. */
import { MINUTE, SECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { type Inside, view } from "../facade/inside.ts";
import { type Body, disputed, job, leak, mute, receipt, requests, within } from "../facade/overrides.ts";
import type { JobView } from "../port.ts";
import { boundary, sequence } from "./defect.ts";

type Tier = Inside["network"]["models"][number]["tier"];

/** Changes what chats with models of one tier say before they are looked at. */
const chatsOf = (tier: Tier, change: (body: Body) => Body): Changes =>
  requests((body, _, { network }) =>
    network.models.some((model) => model.id === body.model && model.tier === tier) ? change(body) : body,
  );

export const forOneTier = [
  boundary(
    "bound-of-pro-unchecked",
    "4.1/7",
    "A `max_tokens` that is a text is taken for a number by models of the tier `pro`",
    chatsOf("pro", (body) => (typeof body.max_tokens === "string" ? { ...body, max_tokens: 16 } : body)),
  ),
  boundary(
    "roles-of-streams-of-standard-unchecked",
    "4.1/3",
    "A stream of a model of the tier `standard` may have messages of any role",
    chatsOf("standard", (body) =>
      body.stream === true && Array.isArray(body.messages)
        ? { ...body, messages: body.messages.map((each) => knownRole(each)) }
        : body,
    ),
  ),
  boundary(
    "penalty-of-max-refused-at-two",
    "4.1/12",
    "Models of the tier `max` refuse a `presence_penalty` of 2",
    chatsOf("max", (body) => (body.presence_penalty === 2 ? { ...body, presence_penalty: 2.1 } : body)),
  ),
  boundary(
    "stops-of-standard-unheeded",
    "4.1/11",
    "Models of the tier `standard` heed a single `stop` and no list of them",
    chatsOf("standard", (body) => (Array.isArray(body.stop) ? { ...body, stop: undefined } : body)),
  ),
];

/** Whether a job is of that tier. */
const isOf = ({ network }: Inside, { model }: { readonly model: number }, tier: Tier): boolean =>
  network.models[model]?.tier === tier;

export const disputesOfOneTier = [
  sequence(
    "disputes-of-pro-untold",
    "6.1/6",
    "A dispute of a job of the tier `pro` sends no `job.disputed`",
    mute((event, { job: jobOf, models }) => {
      const view = event.event === "job.disputed" && "job" in event ? jobOf(event.job) : undefined;
      return view !== undefined && models[view.model]?.tier === "pro";
    }),
  ),
  sequence(
    "dispute-of-standard-over-after-two-minutes",
    "3.1/17",
    "A disputed job of the tier `standard` is shown `settled` again two minutes after its request",
    job((body, inside, record) =>
      body.status === "disputed" &&
      isOf(inside, record, "standard") &&
      inside.network.now - view(inside, record).createdAt > 120 * SECOND
        ? { ...body, status: "settled" }
        : body,
    ),
  ),
];

export const receiptsOfOneTier = [
  boundary(
    "receipt-of-max-before-charge",
    "4.11/7",
    "The receipt of a completion of the tier `max` tells the balance that was there before it was charged",
    receipt((headers, inside, { job: record, moment }) => {
      const name = Object.keys(headers).find((each) => each.endsWith("credits-remaining"));
      if (name === undefined || record === undefined || moment !== "whole" || !isOf(inside, record, "max"))
        return headers;
      return { ...headers, [name]: String(Number(headers[name]) + view(inside, record).charged) };
    }),
  ),
];

function knownRole(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("role" in message)) return message;
  return typeof message.role === "string" ? { ...message, role: "user" } : message;
}

const toppedUp = ({ network }: Inside, wallet: number): boolean => network.lastTopUpAt(wallet) >= 0;

export const afterPurchase = [
  sequence(
    "dispute-hashes-swapped-after-topup",
    "2.8/4",
    "The dispute of a wallet that has bought units tells the two hashes in each other's place",
    disputed((body, inside, { wallet }) =>
      toppedUp(inside, wallet) ? { ...body, your_hash: body.worker_hash, worker_hash: body.your_hash } : body,
    ),
  ),
  sequence(
    "block-hidden-after-topup",
    "2.3/15",
    "The settled jobs of a wallet that has bought units tell no block",
    job((body, inside, { wallet }) =>
      toppedUp(inside, wallet) ? within(body, "on_chain", (chain) => ({ ...chain, block_number: null })) : body,
    ),
  ),
];

type End = "settled" | "failed" | "refunded";

/** Units that a wallet loses with an end of a job, from the second job on that ended as `after` says. */
function takenAfter(after: End, at: End, units: (job: JobView) => number) {
  return () => {
    const { take, network } = leak();
    const seen = new Set<number>();
    const hears = (end: End) => (job: JobView) => {
      if (end === at && seen.has(job.wallet)) take(job.wallet, units(job));
      if (end === after) seen.add(job.wallet);
    };
    return { network: network(() => ({ [after]: hears(after), [at]: hears(at) })) };
  };
}

export const afterOtherEnds = [
  sequence(
    "difference-kept-after-failure",
    "4.1/45",
    "Once a job of a wallet has failed, the difference to an estimate loses a unit",
    takenAfter("failed", "settled", (job) => (job.returned > 0 ? 1 : 0)),
  ),
  sequence(
    "second-failure-costs-a-unit",
    "1/9",
    "The second failed job of a wallet keeps a unit",
    takenAfter("failed", "failed", () => 1),
  ),
  sequence(
    "refund-after-refund-short",
    "4.1/39",
    "The second time-out of a wallet keeps a unit",
    takenAfter("refunded", "refunded", () => 1),
  ),
];

export const furtherPages = [
  boundary("page-by-cursor-of-25", "4.6/4", "Without `limit` every page but the first has up to 25 jobs", {
    door: (honest) => ({
      pageOf(inside, jobs, query) {
        const onward = (query.before ?? query.after) !== undefined;
        return honest.pageOf(inside, jobs, onward && query.limit === 20 ? { ...query, limit: 25 } : query);
      },
    }),
  }),
  boundary(
    "page-beside-a-model-of-many",
    "4.6/5",
    "A page of one model's jobs has as many as `limit` says, were it 1,000",
    {
      door: (honest) => ({
        jobsQuery: { ...honest.jobsQuery, maxLimit: 1_000 },
        pageOf: (inside, jobs, query) =>
          honest.pageOf(
            inside,
            jobs,
            query.model === undefined ? { ...query, limit: Math.min(100, query.limit) } : query,
          ),
      }),
    },
  ),
  boundary(
    "long-pages-by-cursor-turned-round",
    "4.6/19",
    "By a cursor, a page of more than thirty jobs begins with its last",
    {
      door: (honest) => ({
        pageOf(inside, jobs, query) {
          const page = honest.pageOf(inside, jobs, query);
          const long = (query.before ?? query.after) !== undefined && page.data.length > 30;
          return long ? { ...page, data: page.data.toReversed() } : page;
        },
      }),
    },
  ),
];

export const asTimePasses = [
  sequence(
    "unit-lost-after-long-jobs",
    "4.4/3",
    "A minute and a half after a job of more than two hundred tokens has settled, its wallet loses a unit",
    () => {
      const { take, network } = leak();
      return {
        network: network((_, honest) => ({
          settled({ wallet, outputTokens }) {
            if (outputTokens > 200) honest.after(90 * SECOND, () => take(wallet, 1));
          },
        })),
      };
    },
  ),
  sequence("completed-untold-after-a-day", "6.1/3", "A webhook that is a day old is told of no completed job", {
    door: (honest) => ({
      subscribers(inside, event) {
        const told = honest.subscribers(inside, event);
        const young = inside.network.now - 24 * 60 * MINUTE;
        return event.event === "job.completed" ? told.filter(({ createdAt }) => createdAt > young) : told;
      },
    }),
  }),
];
