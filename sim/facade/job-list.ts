/** `GET /v1/jobs` and `GET /v1/jobs/{job_id}` (sections 2.5, 4.5, 4.6). */
import { PAGE } from "../../fixtures/protocol/limits.ts";
import { JOB_STATUSES } from "../../fixtures/protocol/states.ts";
import type { Answer } from "./http.ts";
import { type Call, type Inside, view } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";
import { invalid, notFound, outOfRange, type Refusal } from "./refusal.ts";

/** What a list is asked for, after its parameters were read. */
export interface JobQuery {
  readonly limit: number;
  readonly before: JobRecord | undefined;
  readonly after: JobRecord | undefined;
  readonly status: string | undefined;
  readonly model: string | undefined;
}

type Body = Readonly<Record<string, unknown>>;

export interface JobPage {
  readonly data: readonly JobRecord[];
  readonly hasMore: boolean;
  readonly nextCursor: string | null | undefined;
}

/** Numbers and words of section 4.6. */
export interface JobsQueryRules {
  readonly defaultLimit: number;
  readonly maxLimit: number;
  readonly statuses: readonly string[];
}

export const jobsQueryRules: JobsQueryRules = {
  defaultLimit: PAGE.defaultLimit,
  maxLimit: PAGE.maximumLimit,
  statuses: JOB_STATUSES,
};

export function getJob(inside: Inside, call: Call): Answer | Refusal {
  const record = inside.jobs.find(call.id);
  if (record === undefined || !inside.door.owns(record.wallet, call.key.wallet, "read")) {
    return notFound(inside.shape, "job", call.id);
  }
  return { status: 200, body: inside.door.jobBody(inside, record) };
}

export function listJobs(inside: Inside, call: Call): Answer | Refusal {
  const { door } = inside;
  const query = readQuery(inside, call);
  if ("code" in query) return query;
  const page =
    query.limit === 0
      ? { data: [], hasMore: false, nextCursor: lastCursor(inside, undefined) }
      : door.pageOf(inside, door.listedJobs(inside, call.key.wallet, query), query);
  return {
    status: 200,
    body: door.pageBody(
      inside,
      page,
      page.data.map((record) => door.jobBody(inside, record)),
    ),
  };
}

/** A page as the API shows it (section 2.5). */
export function pageBody(_: Inside, page: JobPage, data: readonly Body[]): Body {
  return { object: "list", data, has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** The page at the head of what the query leaves, in the shape's order. */
export function pageOf(inside: Inside, jobs: readonly JobRecord[], query: JobQuery): JobPage {
  const { shape, door } = inside;
  const left = jobs.filter((record) => door.matches(inside, record, query));
  if (shape.jobOrder === "newest") left.reverse();
  const data = left.slice(0, query.limit);
  const hasMore = left.length > data.length;
  return { data, hasMore, nextCursor: hasMore ? data.at(-1)!.id : lastCursor(inside, data.at(-1)) };
}

function lastCursor({ shape }: Inside, last: JobRecord | undefined): string | null | undefined {
  if (shape.lastCursor === "last_job" && last !== undefined) return last.id;
  return shape.lastCursor === "absent" ? undefined : null;
}

/** Whether a job is within the cursors and passes the filters. */
export function matches(inside: Inside, record: JobRecord, query: JobQuery): boolean {
  const job = view(inside, record);
  return (
    (query.before === undefined || record.job < query.before.job) &&
    (query.after === undefined || record.job > query.after.job) &&
    (query.status === undefined || job.status === query.status) &&
    (query.model === undefined || inside.network.models[job.model]!.id === query.model)
  );
}

/** A query that nothing matches has the limit 0. */
function readQuery(inside: Inside, call: Call): JobQuery | Refusal {
  const { shape, door } = inside;
  const limit = readLimit(inside, call.query.get("limit"));
  if (typeof limit !== "number") return limit;
  const status = call.query.get("status") ?? undefined;
  const unknownStatus = status !== undefined && !door.jobsQuery.statuses.includes(status);
  if (unknownStatus && shape.unknownStatus === "invalid") {
    return outOfRange(shape, "status", `status is one of ${door.jobsQuery.statuses.join(", ")}.`);
  }
  const cursors: { before?: JobRecord; after?: JobRecord } = {};
  for (const name of ["before", "after"] as const) {
    const id = call.query.get(name);
    if (id === null) continue;
    const record = inside.jobs.find(id);
    if (record !== undefined && door.owns(record.wallet, call.key.wallet, "cursor")) cursors[name] = record;
    else if (shape.unknownCursor === "invalid") return invalid(name, `${name} is the id of a job.`);
    else if (shape.unknownCursor === "not_found") return { ...notFound(shape, "job", id), param: name };
    else return { limit: 0, before: undefined, after: undefined, status: undefined, model: undefined };
  }
  const { before, after } = cursors;
  return { limit: unknownStatus ? 0 : limit, before, after, status, model: call.query.get("model") ?? undefined };
}

function readLimit({ shape, door }: Inside, text: string | null): number | Refusal {
  const { defaultLimit, maxLimit } = door.jobsQuery;
  if (text === null) return defaultLimit;
  if (!/^[+-]?\d+$/.test(text)) return invalid("limit", "limit is an integer.");
  const limit = Number(text);
  if (limit >= 1 && limit <= maxLimit) return limit;
  if (shape.limitOutOfRange === "refused") return outOfRange(shape, "limit", `limit is from 1 to ${maxLimit}.`);
  return limit < 1 ? 1 : maxLimit;
}
