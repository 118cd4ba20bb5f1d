/** Further defects in reading and listing jobs (sections 4.5, 4.6): those that hide behind a filter, a page, a wallet or an instant. */
import { parseTarget } from "../facade/http.ts";
import type { Inside } from "../facade/index.ts";
import { view } from "../facade/inside.ts";
import type { JobRecord } from "../facade/jobs.ts";
import { answers, bodies } from "../facade/overrides.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";
import { matching, paged } from "./job-lists.ts";

const createdAt = (inside: Inside, record: JobRecord): number => view(inside, record).createdAt;

export const section4JobsMore = [
  single(
    "job-in-an-envelope",
    "4.5/1",
    "A job is answered within an object `data`",
    bodies((body, { method, target }) =>
      method === "GET" && /^\/v1\/jobs\/[^/]+$/.test(target) && body.object === "job" ? { data: body } : body,
    ),
  ),
  sequence("disputed-job-is-public", "4.5/3", "A job that is disputed can be read by every wallet", () => {
    let open = false;
    return {
      middleware: (inside) => (request, response, next) => {
        const id = request.method === "GET" ? /^\/v1\/jobs\/(\w+)$/.exec(request.target)?.[1] : undefined;
        const record = id === undefined ? undefined : inside.jobs.find(id);
        open = record !== undefined && view(inside, record).status === "disputed";
        try {
          return next(request, response);
        } finally {
          open = false;
        }
      },
      door: (honest) => ({ owns: (owner, wallet, purpose) => open || honest.owns(owner, wallet, purpose) }),
    };
  }),
  single(
    "empty-list-404",
    "4.6/1",
    "The list of a wallet without jobs is answered 404",
    answers((answer, { method, target }) =>
      method === "GET" && /^\/v1\/jobs(\?|$)/.test(target) && answer.text.includes('"data":[]')
        ? {
            ...answer,
            status: 404,
            text: '{"error":{"code":"no_jobs","message":"none","type":"x","param":null,"docs":"x"}}',
          }
        : answer,
    ),
  ),
  sequence(
    "list-without-unfinished",
    "4.6/2",
    "Jobs that are not finished are not listed",
    matching((record, query, inside, honest) => view(inside, record).completedAt >= 0 && honest(query)),
  ),
  sequence(
    "list-without-judged",
    "4.6/2",
    "Jobs that a verdict was given on are not listed",
    matching(
      (record, query, inside, honest) =>
        !(record.dispute !== undefined && view(inside, record).status !== "disputed") && honest(query),
    ),
  ),
  sequence(
    "status-settled-too-early",
    "4.6/11",
    "The filter for `settled` gives the jobs that are still settling too",
    matching(
      (_record, query, _inside, honest) =>
        honest(query) || (query.status === "settled" && honest({ ...query, status: "settling" })),
    ),
  ),
  concurrent(
    "twins-lost-at-the-cursor",
    "4.6/16",
    "Jobs made at the same instant as the cursor's are on no page",
    matching((record, query, inside, honest) => {
      const at = createdAt(inside, record);
      const twin = [query.before, query.after].some(
        (cursor) => cursor !== undefined && createdAt(inside, cursor) === at,
      );
      return !twin && honest(query);
    }),
  ),
  sequence(
    "limit-of-filtered-lists-ignored",
    "4.6/5",
    "A list that is filtered by status has 20 jobs a page whatever the limit",
    paged(({ inside, jobs, query, honest }) =>
      honest(inside, jobs, query.status === undefined ? query : { ...query, limit: 20 }),
    ),
  ),
  boundary("limit-above-100-served", "4.6/5", "A limit of up to 200 is served", () => {
    let wide: number | undefined;
    return {
      middleware: () => (request, response, next) => {
        const limit = /[?&]limit=(1\d\d|200)(?!\d)/.exec(request.target)?.[1];
        if (limit === undefined) return next(request, response);
        wide = Number(limit);
        try {
          return next({ ...request, target: request.target.replace(/limit=\d+/, "limit=100") }, response);
        } finally {
          wide = undefined;
        }
      },
      ...paged(({ inside, jobs, query, honest }) => honest(inside, jobs, { ...query, limit: wide ?? query.limit })),
    };
  }),
  sequence(
    "has-more-of-the-unfiltered",
    "2.5/5",
    "`has_more` of a filtered list tells whether jobs of any kind remain",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      const any = honest(inside, jobs, { ...query, status: undefined, model: undefined });
      return {
        ...page,
        hasMore: any.hasMore,
        nextCursor: any.hasMore ? (page.data.at(-1)?.id ?? null) : page.nextCursor,
      };
    }),
  ),
  sequence(
    "no-cursor-on-third-page",
    "4.6/15",
    "The third page has no `next_cursor` though there is more",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      const cursor = query.before;
      const passed = cursor === undefined ? 0 : jobs.filter((record) => record.job >= cursor.job).length;
      return page.hasMore && passed >= 2 * query.limit ? { ...page, nextCursor: null } : page;
    }),
  ),
  sequence(
    "cursor-outside-the-filter-ignored",
    "4.6/14",
    "A cursor that names a job which the filter leaves out is not heeded",
    paged(({ inside, jobs, query, honest }) => {
      const strange = (cursor: JobRecord | undefined): boolean =>
        cursor !== undefined && query.status !== undefined && view(inside, cursor).status !== query.status;
      const before = strange(query.before) ? undefined : query.before;
      const after = strange(query.after) ? undefined : query.after;
      return honest(inside, jobs, { ...query, before, after });
    }),
  ),
  concurrent("twins-share-an-id", "2.3/21", "Two jobs of a wallet made at the same instant are listed under one id", {
    door: (honest) => ({
      pageBody(inside, page, data) {
        const at = page.data.map((record) => createdAt(inside, record));
        const shown = data.map((body, index) => {
          const twin = index > 0 && at[index] === at[index - 1];
          return twin ? { ...body, id: data[index - 1]!.id } : body;
        });
        return honest.pageBody(inside, page, shown);
      },
    }),
  }),
  sequence(
    "long-page-turned-round",
    "4.6/19",
    "A page of more than twenty jobs is in the other order",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      return page.data.length > 20 ? { ...page, data: page.data.toReversed() } : page;
    }),
  ),
  sequence(
    "last-page-filled-with-strangers",
    "4.6/3",
    "The last page behind a cursor is filled up with the newest jobs of others",
    paged(({ inside, jobs, query, honest }) => {
      const page = honest(inside, jobs, query);
      if (query.before === undefined || page.data.length >= query.limit) return page;
      const mine = jobs[0]?.wallet;
      const others = [...inside.jobs.all()].filter((record) => record.wallet !== mine);
      return { ...page, data: [...page.data, ...others.slice(page.data.length - query.limit)] };
    }),
  ),
  sequence("unknown-status-not-heeded", "4.6/20", "A `status` that is none of the seven is not heeded", {
    middleware: (inside) => (request, response, next) => {
      const status = parseTarget(request.target).query.get("status");
      const known = status === null || inside.door.jobsQuery.statuses.includes(status);
      const target = known ? request.target : request.target.replace(/([?&])status=[^&]*/, "$1");
      return next({ ...request, target }, response);
    },
  }),
];
