/** Defects in reading models, the account and jobs (sections 4.2 to 4.6). */

import type { Changes, Door, Inside } from "../facade/index.ts";
import { view } from "../facade/inside.ts";
import type { JobRecord } from "../facade/jobs.ts";
import { answers, type Body, bodies, status, within, without } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";
import { listed, matching, paged } from "./job-lists.ts";

export const section4Models = [
  single(
    "models-bare-array",
    "4.2/1",
    "The list of models is a bare array",
    bodies((body, { target }) => (target === "/v1/models" ? body.data : body)),
  ),
  single(
    "single-model-slim",
    "4.3/1",
    "A model asked for by its id lacks the live data",
    bodies((body, { target }, inside) =>
      /^\/v1\/models\/./.test(target) && body.object === "model" ? without(body, inside.brand.extension) : body,
    ),
  ),
  single(
    "single-model-context-rounded",
    "4.3/2",
    "A model asked for by its id has its context window in round thousands",
    bodies((body, { target }, inside) =>
      /^\/v1\/models\/./.test(target)
        ? within(body, inside.brand.extension, (live) => ({
            ...live,
            context_window: Math.floor(Number(live.context_window) / 1_024) * 1_000,
          }))
        : body,
    ),
  ),
  single(
    "unknown-model-null",
    "4.3/3",
    "An unknown model id is answered 200 with null",
    answers((answer, { target, method }) =>
      method === "GET" && /^\/v1\/models\/./.test(target) && answer.status === 404
        ? { ...answer, status: 200, text: "null" }
        : answer,
    ),
  ),
];

/** The account as it was when `until` said that it must be read again. */
function cachedAccount(key: (wallet: number, inside: Inside) => string): Changes {
  const cache = new Map<string, Body>();
  return {
    door: (honest) => ({
      accountBody(inside, asking) {
        const name = key(asking.wallet, inside);
        const found = cache.get(name) ?? honest.accountBody(inside, asking);
        cache.set(name, found);
        return found;
      },
    }),
  };
}

export const section4Account = [
  sequence(
    "account-of-caller-before",
    "4.4/2",
    "The account that was read last is shown to whoever reads next within a second",
    () => {
      let last: { at: number; body: Body } | undefined;
      return {
        door: (honest) => ({
          accountBody(inside, key) {
            const { now } = inside.network;
            if (last !== undefined && now - last.at < 1_000_000) return last.body;
            last = { at: now, body: honest.accountBody(inside, key) };
            return last.body;
          },
        }),
      };
    },
  ),
  sequence(
    "account-stale-until-next-job",
    "4.4/3",
    "The account is as it was read first after the wallet's last request",
    () => cachedAccount((wallet, inside) => `${wallet} ${inside.jobs.of(wallet).length}`),
  ),
];

/** Endpoints that act on jobs as if `allows` said whose they are. */
const owns = (allows: (purpose: Parameters<Door["owns"]>[2]) => boolean): Changes => ({
  door: (honest) => ({ owns: (owner, wallet, purpose) => allows(purpose) || honest.owns(owner, wallet, purpose) }),
});

const limits = (changed: Partial<Door["jobsQuery"]>): Changes => ({
  door: (honest) => ({ jobsQuery: { ...honest.jobsQuery, ...changed } }),
});

const everyone = (inside: Inside): JobRecord[] => [...inside.jobs.all()];

export const section4Jobs = [
  single("unknown-job-400", "4.5/2", "An unknown job id is answered 400", status("job_not_found", 400)),
  single(
    "foreign-job-shown",
    "4.5/3",
    "A job of another wallet is shown",
    owns((purpose) => purpose === "read"),
  ),
  sequence("job-known-when-settled", "4.5/4", "A job can be read once it has ended only", {
    middleware: (inside) => (request, response, next) => {
      const id = /^\/v1\/jobs\/(\w+)$/.exec(request.target)?.[1];
      const record = id === undefined ? undefined : inside.jobs.find(id);
      const early = record !== undefined && view(inside, record).completedAt < 0;
      return next(early ? { ...request, target: "/v1/jobs/job_unknown" } : request, response);
    },
  }),
  sequence(
    "list-without-failed",
    "4.6/2",
    "Jobs that failed or timed out are not listed",
    listed((inside, _wallet, _query, jobs) =>
      jobs.filter((record) => !["failed", "refunded"].includes(view(inside, record).status)),
    ),
  ),
  sequence(
    "list-without-streamed",
    "4.6/2",
    "Streamed jobs are not listed",
    listed((_inside, _wallet, _query, jobs) => jobs.filter((record) => !record.streamed)),
  ),
  single(
    "list-of-everyone",
    "4.6/3",
    "The list holds the jobs of every wallet",
    listed((inside) => everyone(inside)),
  ),
  sequence(
    "list-of-everyone-by-status",
    "4.6/3",
    "With a `status` the list holds the jobs of every wallet",
    listed((inside, _wallet, query, jobs) => (query.status === undefined ? jobs : everyone(inside))),
  ),
  boundary("default-limit-25", "4.6/4", "Without `limit` a page has 25 jobs", limits({ defaultLimit: 25 })),
  boundary("default-limit-10", "4.6/4", "Without `limit` a page has 10 jobs", limits({ defaultLimit: 10 })),
  boundary(
    "limit-one-more",
    "4.6/5",
    "A page has one job more than `limit`",
    paged(({ inside, jobs, query, honest }) => honest(inside, jobs, { ...query, limit: query.limit + 1 })),
  ),
  boundary(
    "limit-capped-at-50",
    "4.6/5",
    "A page has at most 50 jobs, whatever `limit` says",
    paged(({ inside, jobs, query, honest }) => honest(inside, jobs, { ...query, limit: Math.min(50, query.limit) })),
  ),
  boundary("limit-100-refused", "4.6/6", "A `limit` of 100 is refused", limits({ maxLimit: 99 })),
  boundary("limit-1-refused", "4.6/6", "A `limit` of 1 is refused", {
    middleware: () => (request, response, next) =>
      next({ ...request, target: request.target.replace(/([?&])limit=1(?=&|$)/, "$1limit=0") }, response),
  }),
  single(
    "limit-text-500",
    "4.6/8",
    "A `limit` that is no integer is answered 500",
    answers((answer, { target }) =>
      /^\/v1\/jobs\?/.test(target) && answer.status === 400 && answer.text.includes('"param":"limit"')
        ? { ...answer, status: 500 }
        : answer,
    ),
  ),
  boundary(
    "before-inclusive",
    "4.6/9",
    "`before` gives the job it names too",
    matching((record, query, _, honest) => honest(record === query.before ? { ...query, before: undefined } : query)),
  ),
  boundary(
    "after-inclusive",
    "4.6/10",
    "`after` gives the job it names too",
    matching((record, query, _, honest) => honest(record === query.after ? { ...query, after: undefined } : query)),
  ),
  sequence(
    "after-ignored",
    "4.6/10",
    "`after` is ignored",
    matching((_record, query, _inside, honest) => honest({ ...query, after: undefined })),
  ),
  sequence(
    "status-refunded-ignored",
    "4.6/11",
    "The filter for `refunded` gives jobs of every status",
    matching((_record, query, _inside, honest) =>
      honest(query.status === "refunded" ? { ...query, status: undefined } : query),
    ),
  ),
  sequence(
    "status-failed-too-wide",
    "4.6/11",
    "The filter for `failed` gives refunded jobs too",
    matching(
      (_record, query, _inside, honest) =>
        honest(query) || (query.status === "failed" && honest({ ...query, status: "refunded" })),
    ),
  ),
  sequence(
    "model-filter-by-prefix",
    "4.6/12",
    "The filter by model gives models whose id begins with the one asked for",
    matching(
      (record, query, inside, honest) =>
        honest({ ...query, model: undefined }) && inside.network.models[record.model]!.id.startsWith(query.model ?? ""),
    ),
  ),
  sequence(
    "filter-after-paging",
    "4.6/13",
    "Filters are applied to the page, not to the list",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, { ...query, status: undefined, model: undefined });
      return { ...page, data: page.data.filter((record) => inside.door.matches(inside, record, query)) };
    }),
  ),
  sequence(
    "cursor-drops-status",
    "4.6/14",
    "With a cursor the `status` is ignored",
    matching((_record, query, _inside, honest) =>
      honest(query.before === undefined && query.after === undefined ? query : { ...query, status: undefined }),
    ),
  ),
  sequence(
    "model-drops-status",
    "4.6/14",
    "With a `model` the `status` is ignored",
    matching((_record, query, _inside, honest) =>
      honest(query.model === undefined ? query : { ...query, status: undefined }),
    ),
  ),
  sequence(
    "next-cursor-is-the-first",
    "4.6/15",
    "`next_cursor` names the first job of the page",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      return page.hasMore ? { ...page, nextCursor: page.data[0]!.id } : page;
    }),
  ),
  sequence(
    "third-page-repeats",
    "4.6/16",
    "The third page repeats a job of the second",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      const before = query.before === undefined ? 0 : jobs.filter((record) => record.job >= query.before!.job).length;
      if (before < 2 * query.limit || query.before === undefined) return page;
      return { ...page, data: [query.before, ...page.data].slice(0, query.limit) };
    }),
  ),
  sequence(
    "pages-skip-a-job",
    "4.6/16",
    "The first job after each page is lost",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, { ...query, limit: query.limit + 1 });
      if (page.data.length <= query.limit) return page;
      return { data: page.data.slice(0, query.limit), hasMore: true, nextCursor: page.data[query.limit]!.id };
    }),
  ),
  sequence(
    "cursor-is-a-position",
    "4.6/17",
    "A cursor stands for a number of jobs: those made since shift the pages",
    () => {
      const positions = new Map<string, number>();
      return paged(({ inside, jobs, query, honest }) => {
        const known = query.before === undefined ? undefined : positions.get(query.before.id);
        const all = honest(inside, jobs, {
          ...query,
          limit: 1_000_000,
          before: known === undefined ? query.before : undefined,
        });
        const data = all.data.slice(known ?? 0, (known ?? 0) + query.limit);
        const hasMore = all.data.length > (known ?? 0) + data.length;
        const last = data.at(-1);
        if (last !== undefined && (known !== undefined || query.before === undefined)) {
          positions.set(last.id, (known ?? 0) + data.length);
        }
        return { data, hasMore, nextCursor: hasMore && last !== undefined ? last.id : null };
      });
    },
  ),
  sequence(
    "page-by-id",
    "4.6/19",
    "A page is in the order of the jobs' ids",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      return { ...page, data: page.data.toSorted((a, b) => (a.id < b.id ? -1 : 1)) };
    }),
  ),
  sequence(
    "foreign-cursor-shows-its-wallet",
    "4.6/21",
    "A cursor that names another wallet's job lists that wallet's jobs",
    {
      door: (honest) => ({
        owns: (owner, wallet, purpose) => purpose === "cursor" || honest.owns(owner, wallet, purpose),
        listedJobs: (inside, wallet, query) =>
          honest.listedJobs(inside, query.before?.wallet ?? query.after?.wallet ?? wallet, query),
      }),
    },
  ),
];
