/** `GET /v1/jobs`: the jobs of a wallet, page by page. */
import { type Asked, Refusal, type Reply } from "./http.ts";
import { jobBody, seenStatus } from "./reading.ts";
import type { Job, Wallet } from "./state.ts";
import type { World } from "./world.ts";

const STATUSES = ["pending", "processing", "settling", "settled", "failed", "refunded", "disputed"];
const DEFAULT = 20;
const MOST = 100;

export function jobList(world: World, asked: Asked, wallet: Wallet): Reply {
  const { choices, flawed } = world;
  const { query } = asked;
  if (flawed("limit-word-crashes") && /[a-z]/.test(query.get("limit") ?? ""))
    throw new Refusal(500, "internal_error", "NaN");
  const limit = limitOf(world, query.get("limit"));
  const [status, model] = [query.get("status"), query.get("model")];
  if (status !== null && !STATUSES.includes(status)) {
    if (choices.unknownStatus !== "empty") throw refused(choices.unknownStatus, "status");
    return page(world, [], false);
  }
  const [before, after] = (["before", "after"] as const).map((name) => {
    const id = query.get(name);
    if (id === null) return null;
    const job = world.jobs.byId.get(id);
    return job !== undefined && (job.wallet === wallet || flawed("foreign-cursor")) ? job : undefined;
  }) as [Job | null | undefined, Job | null | undefined];
  if (before === undefined || after === undefined) {
    if (choices.unknownCursor !== "empty")
      throw refused(choices.unknownCursor, before === undefined ? "before" : "after");
    return page(world, [], false);
  }
  if (before !== null && after !== null && choices.twoCursors === "refused") throw refused(400, "after");
  const owner = before?.wallet ?? after?.wallet ?? wallet;
  const filtered = status !== null || model !== null;
  const inclusive = flawed("cursor-repeats") && filtered;
  const isModel = (id: string): boolean =>
    model === null || id === model || (flawed("model-by-prefix") && id.startsWith(model));
  const second = (job: Job): number => Math.floor(job.createdAt / 1_000);
  const bySecond = (job: Job, cursor: Job | null): boolean =>
    flawed("cursor-by-second") && cursor !== null && second(job) === second(cursor);
  const listable = (job: Job): boolean =>
    !(flawed("list-forgets-days") && world.time.now() - job.createdAt > 86_400_000) &&
    !(flawed("list-of-hundred") && job.wallet.jobs.length - job.wallet.jobs.indexOf(job) > 100) &&
    !(flawed("tenth-unlisted") && job.wallet.jobs.indexOf(job) % 10 === 9) &&
    !bySecond(job, before) &&
    !bySecond(job, after);
  const fits = (job: Job): boolean =>
    listable(job) &&
    (before === null || job.number < before.number || (inclusive && job === before)) &&
    (after === null || job.number > after.number || (inclusive && job === after)) &&
    isModel(job.model.id);
  const hasStatus = (job: Job): boolean => {
    if (flawed("cursor-forgets-status") && (before ?? after) !== null) return true;
    if (flawed("refunded-with-failed") && status === "refunded" && job.status === "failed") return true;
    if (flawed("refunded-streams-unlisted") && status === "refunded" && job.stream) return false;
    return status === null
      ? !(flawed("failed-not-listed") && job.status === "failed")
      : seenStatus(choices, job) === status;
  };
  const ordered = choices.order === "newest" ? [...owner.jobs].reverse() : owner.jobs;
  const late = flawed("filter-after-limit");
  let matching = ordered.filter((job) => fits(job) && (late || hasStatus(job)));
  const walked = before === null && after === null ? 0 : ordered.findIndex((job) => job === (before ?? after));
  if (flawed("third-page-skips") && walked >= 2 * limit - 1 && walked > 0) matching = matching.slice(1);
  // A cursor that leads back to the head of the list: what is next to it, or the head again.
  const leads = choices.order === "newest" ? after !== null && before === null : before !== null && after === null;
  const from = leads && choices.besideCursor === "nearest" ? Math.max(0, matching.length - limit) : 0;
  const shown = matching.slice(from, from + limit).filter((job) => !late || hasStatus(job));
  const ended = flawed("walk-ends-early") && walked + shown.length >= 40;
  const more = (matching.length > limit && !ended) || (flawed("full-page-has-more") && shown.length === limit);
  return page(world, shown, more, flawed("third-page-without-usage") && walked >= 2 * limit - 1 && walked > 0);
}

function page(world: World, jobs: readonly Job[], more: boolean, bare = false): Reply {
  const { lastCursor } = world.choices;
  const last = jobs.at(-1)?.id ?? null;
  const cursor = more || lastCursor === "given" ? last : null;
  const swapped = world.flawed("tier-swapped");
  const data = jobs.map((job) => {
    const body: Record<string, unknown> = { ...jobBody(world, job), ...(bare ? { usage: null } : {}) };
    if (world.flawed("disputed-listed-settled") && job.status === "disputed") return { ...body, status: "settled" };
    if (world.flawed("listed-without-proof") && job.settledAt !== null) {
      return { ...body, on_chain: { ...(body.on_chain as object), proof_hash: undefined } };
    }
    return swapped && job.model.tier === "pro" ? { ...body, tier: "standard" } : body;
  });
  return {
    status: 200,
    body: {
      ...{ object: "list", data, has_more: more },
      ...(cursor !== null || lastCursor !== "absent" ? { next_cursor: cursor } : {}),
    },
  };
}

function limitOf({ choices, flawed }: World, given: string | null): number {
  if (given === null) return flawed("default-of-25") ? 25 : DEFAULT;
  const limit = Number(given);
  if (!/^-?\d+$/.test(given) || limit < 1 || limit > MOST) {
    if (choices.limits !== "clamp") throw refused(choices.limits, "limit");
    return Number.isInteger(limit) ? Math.min(MOST, Math.max(1, limit)) : DEFAULT;
  }
  return flawed("limit-100-is-99") && limit === MOST ? MOST - 1 : limit;
}

function refused(status: number, param: string): Refusal {
  const code = status === 404 ? "unknown_cursor" : "invalid_request";
  return new Refusal(status, status === 400 ? code : "unusable_parameter", `\`${param}\` is unusable.`, { param });
}
