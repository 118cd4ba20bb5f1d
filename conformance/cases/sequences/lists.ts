/** The list of jobs, walked page by page, and held against the jobs that were made. */
import type { Command } from "../../model/command.ts";
import { isOver, type ModelJob, type ModelWallet } from "../../model/state.ts";
import { fateOf } from "../../model/statuses.ts";
import type { Shown } from "../case.ts";
import { slack } from "../support/pace.ts";
import { ENDLESS, type Entry, orderOf, readPage, walk } from "../support/pages.ts";
import { modelOf, type Play, type Player, playerOf } from "./play.ts";

interface Filter {
  readonly status: string | undefined;
  readonly model: string | undefined;
}

type ListStep = Extract<Command, { do: "list" }>;

/** Jobs that were made within a second of each other may stand in any order. */
const APART = 1_100;
const MOST_PAGES = 12;

const surelyOlder = (a: ModelJob, b: ModelJob): boolean =>
  a.bornBefore < b.bornAfter && b.sentAt - a.seenAt >= APART && a.id !== null && b.id !== null;

/** Two jobs of which one is surely older, if there are any. */
function apart({ jobs }: ModelWallet): readonly [ModelJob, ModelJob] | null {
  for (const older of jobs) for (const newer of jobs) if (surelyOlder(older, newer)) return [older, newer];
  return null;
}

/** Learns which way lists run, from any wallet that has two jobs of different ages. */
async function learnOrder(play: Play, { wallet, model }: Player): Promise<void> {
  const pair = apart(model);
  if (play.order !== null || pair === null) return;
  const page = await readPage(play.t, { limit: 100 }, wallet.api);
  play.order = orderOf(page.ids, pair[0].id ?? "", pair[1].id ?? "");
}

export async function list(play: Play, step: ListStep): Promise<void> {
  const { t } = play;
  const player = playerOf(play, step.wallet);
  const { wallet, model: owner } = player;
  if (owner.key !== "active") {
    const answer = await wallet.api.jobs();
    const wanted = owner.key === "revoked" ? 401 : 403;
    t.check(owner.key === "revoked" ? "3.3/2" : "3.3/3", answer.status === wanted, {
      expected: `${wanted} with a ${owner.key} key`,
      seen: answer.status,
    });
    return;
  }
  owner.read = true;
  await learnOrder(play, player);
  const model = step.model === null ? undefined : modelOf(play, step.model).id;
  const filter = { status: step.status ?? undefined, model };
  const query = {
    ...(step.limit === null ? {} : { limit: step.limit }),
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(model === undefined ? {} : { model }),
  };
  // Without two jobs of different ages it is not known which cursor goes on.
  const pages = play.order === null ? 1 : MOST_PAGES;
  const walked = await walk(t, { order: play.order ?? "newest", query, api: wallet.api, mostPages: pages });
  const exchanges = walked.pages.map((page) => page.exchange);
  const shown = { seen: walked.ids, exchanges };
  const limit = step.limit ?? 20;
  const largest = Math.max(0, ...walked.pages.map((page) => page.ids.length));
  t.check(step.limit === null ? "4.6/4" : "4.6/5", largest <= limit, {
    ...shown,
    expected: `at most ${limit} on a page`,
  });
  judgeFilter(play, walked.entries, filter, shown);
  const distinct = new Set(walked.ids).size === walked.ids.length;
  t.check("4.6/16", distinct, { ...shown, title: "walking the pages repeats a job", expected: "each job once" });
  judgeOrder(play, owner, walked.ids, shown);
  judgeStatuses(play, owner, walked.entries, shown);
  const broken = walked.stopped !== null && walked.stopped !== ENDLESS;
  t.check("4.6/15", !broken, { ...shown, expected: "pages that go on to the last", seen: walked.stopped });
  const whole = walked.stopped === null && walked.pages.at(-1)?.hasMore === false;
  if (whole) judgeWhole(play, owner, walked.entries, filter, shown);
}

function judgeFilter({ t }: Play, entries: readonly Entry[], filter: Filter, shown: Shown): void {
  const { status, model } = filter;
  const told = { ...shown, seen: entries, expected: JSON.stringify(filter) };
  const all = (fits: (entry: Entry) => boolean): boolean => entries.every(fits);
  if (status !== undefined)
    t.check(
      "4.6/11",
      all((each) => each.status === status),
      told,
    );
  if (model !== undefined)
    t.check(
      "4.6/12",
      all((each) => each.model === model),
      told,
    );
}

/** Jobs stand by age, one way or the other. */
function judgeOrder({ t, order }: Play, owner: ModelWallet, ids: readonly string[], shown: Shown): void {
  if (order === null) return;
  const place = (job: ModelJob): number => ids.indexOf(job.id ?? "");
  for (const older of owner.jobs) {
    for (const newer of owner.jobs) {
      if (!surelyOlder(older, newer) || place(older) < 0 || place(newer) < 0) continue;
      const inOrder = order === "newest" ? place(newer) < place(older) : place(older) < place(newer);
      if (!t.check("4.6/19", inOrder, { ...shown, expected: `${order} first` })) return;
    }
  }
}

/** What a job is in the list, it can be. */
function judgeStatuses({ t }: Play, owner: ModelWallet, entries: readonly Entry[], shown: Shown): void {
  const now = t.clock.now();
  for (const job of owner.jobs) {
    const entry = entries.find((each) => each.id === job.id);
    if (entry === undefined) continue;
    const { possible, row } = fateOf(job, now, slack(t));
    t.check(row, (possible as readonly string[]).includes(entry.status), {
      ...shown,
      title: "a job is listed in a status that nothing led to",
      expected: possible.join(" or "),
      seen: entry,
    });
  }
}

/** Every job that was made is there, and none that was not. */
function judgeWhole({ t }: Play, owner: ModelWallet, entries: readonly Entry[], filter: Filter, shown: Shown): void {
  const ids = new Set(entries.map((entry) => entry.id));
  const filtered = filter.status !== undefined || filter.model !== undefined;
  const lasting = (job: ModelJob): boolean => isOver(job) && job.dispute?.ended !== true;
  const missing = owner.jobs.filter(
    (job) =>
      job.id !== null &&
      !ids.has(job.id) &&
      (filter.model === undefined || job.model.id === filter.model) &&
      (filter.status === undefined || (lasting(job) && job.status === filter.status)),
  );
  const both = filter.status !== undefined && filter.model !== undefined;
  t.check(both ? "4.6/14" : filtered ? "4.6/13" : "4.6/16", missing.length === 0, {
    ...shown,
    title: filtered ? "a filter leaves out a job that matches it" : "walking the pages loses a job",
    expected: `${missing.map((job) => job.id).join(", ")} among them`,
  });
  if (owner.older.size > 0) return;
  const known = new Set(owner.jobs.map((job) => job.id));
  const strange = [...ids].filter((id) => !known.has(id));
  const nameless = owner.jobs.filter((job) => job.id === null).length;
  t.check("1/2", strange.length <= nameless, {
    ...shown,
    title: "the list shows jobs that no request made",
    expected: `${owner.jobs.length} jobs`,
  });
}
