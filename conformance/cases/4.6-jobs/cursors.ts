/** Section 4.6: the cursors `before` and `after`, at each place of a list. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { challenge } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { begin } from "../support/in-flight.ts";
import { ENDED, namedFields, opened, reached, readJob } from "../support/jobs.ts";
import { listOrder, shortChats, stock } from "../support/library.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { judgePage, type Page, readPage, walk } from "../support/pages.ts";
import { sameValue } from "../support/values.ts";

/** "Only jobs created before this job", "only jobs created after this job": the named job itself is in neither. */
const cursors = defineCase({
  id: "4.6/cursors",
  title: "`before` and `after` each job of a list give the jobs on their side, without the job itself",
  requirements: ["2.5/3", "2.5/5", "4.6/5", "4.6/9", "4.6/10", "4.6/19"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 5 * prices.flat,
  async run(t) {
    const count = t.home.fresh ? 7 : 5;
    const { batches, ids } = await stock(t, shortChats(count), { size: 1 });
    const order = await listOrder(t, batches);
    const all = t.home.fresh ? (await walk(t, { order, query: { limit: 50 } })).entries : null;
    for (const [index, id] of ids.entries()) {
      for (const name of ["before", "after"] as const) {
        const page = await readPage(t, { [name]: id, limit: 100 });
        const sides = { before: ids.slice(0, index), after: ids.slice(index + 1) };
        const [mine, other] = name === "before" ? [sides.before, sides.after] : [sides.after, sides.before];
        const row = name === "before" ? "4.6/9" : "4.6/10";
        const wrong = page.ids.filter((each) => each === id || other.includes(each));
        const shown = { exchanges: page.exchange, seen: page.ids };
        if (!t.check(row, wrong.length === 0, { ...shown, expected: `only jobs made ${name} ${id}` })) return;
        const reachable = t.home.fresh || (name === "before") === (order === "newest");
        const whole = !reachable || mine.every((each) => page.ids.includes(each));
        if (
          !t.check("4.6/5", whole, { ...shown, expected: mine.join(), title: "A page with a cursor leaves jobs out." })
        )
          return;
        for (const limit of [1, 2]) {
          const query = { [name]: id, limit };
          if (all !== null && !judgePage(t, await readPage(t, query), query, all, order, limit)) return;
        }
      }
    }
  },
});

/** Section 2.5: a page holds jobs, and a job reads the same wherever it is read. */
const same = defineCase({
  id: "2.5/same-job",
  title: "a job reads the same on each page and on its own",
  requirements: ["2.5/2", "2.5/6"],
  alone: true,
  cost: (prices) => 5 * prices.flat,
  async run(t) {
    // Some are locked for more than they are charged, where that costs nobody anything.
    const long = t.home.fresh
      ? [
          { max_tokens: 1_800, stop: " " },
          { max_tokens: 2_500, stop: " ", stream: true },
        ]
      : [];
    const made = await stock(t, [...shortChats(5), ...long, ...shortChats(t.home.fresh ? 2 : 0)], { size: 3 });
    const order = await listOrder(t, made.batches);
    for (const id of made.ids) await reached(t, id, ENDED);
    const walked = await walk(t, { order, query: { limit: 3 }, mostPages: 4 });
    for (const page of walked.pages) {
      const data = at(page.exchange.json, "data") as readonly unknown[];
      for (const listed of data) {
        const id = String(at(listed, "id"));
        // Jobs that still move would be compared at two moments.
        if (at(listed, "status") !== "settled") continue;
        const alone = await readJob(t, id);
        const ok = t.check("2.5/6", sameValue(namedFields(alone.json), namedFields(listed)), {
          expected: `the same fields as alone: ${alone.text}`,
          seen: listed,
          exchanges: [page.exchange, alone],
        });
        const missing = Object.keys(namedFields(alone.json)).filter((name) => !(name in namedFields(listed)));
        const told = {
          expected: "every field that the job has alone",
          seen: { missing },
          exchanges: [page.exchange, alone],
        };
        t.check("2.5/2", at(listed, "object") === "job" && missing.length === 0, told);
        if (!ok) return;
      }
    }
  },
});

/** The list holds a job from its request on, in whatever form and state: pending, streamed, failed, refunded. */
const holds = defineCase({
  id: "4.6/holds-every-job",
  title: "a job is in the list while it is in flight, and after it failed or was refunded",
  requirements: ["4.6/2", "4.6/13", "2.5/6"],
  needs: ["credits", "behaviours", "patience"],
  cost: (prices) => 6 * prices.flat,
  async run(t) {
    const model = t.model();
    const listed = async (id: string, what: string): Promise<void> => {
      const page = await readPage(t, { limit: 100 });
      t.check("4.6/2", page.ids.includes(id), { expected: `the job in the list, ${what}`, seen: page.ids });
      const alone = await readJob(t, id);
      const status = String(at(alone.json, "status"));
      await readsTheSame(t, id, { page, alone });
      const narrowed = await readPage(t, { limit: 100, status });
      t.check("4.6/13", narrowed.ids.includes(id), {
        expected: `the job among the ${status} ones`,
        seen: narrowed.ids,
      });
    };
    for (const stream of [false, true]) {
      await t.behave(model, "failing");
      const failed = await begin(t, { model: model.id, stream });
      await failed.pending.finish();
      await listed(failed.jobId, "after it failed");
      await t.behave(model, "silent");
      if (t.home.fresh) await heldMeanwhile(t, { model: model.id, stream });
      const silent = await begin(t, { model: model.id, stream });
      await t.clock.advance(10_000);
      await listed(silent.jobId, "in flight");
      await silent.pending.finish();
      await listed(silent.jobId, "after its time-out");
      await t.behave(model, "normal");
      if (!mayOpenDisputes(t)) continue;
      const done = await t.complete({ stream });
      const dispute = await challenge(t, done, sha256(`${done.text} (not what was said)`));
      if (opened(dispute)) await listed(done.jobId, "disputed");
    }
  },
});

/** However a job ended, a page tells of it what it tells of itself. One that moved between the two readings is not compared. */
async function readsTheSame(
  t: CaseContext,
  id: string,
  { page, alone }: { readonly page: Page; readonly alone: Exchange },
): Promise<void> {
  const data = at(page.exchange.json, "data");
  const listed = Array.isArray(data) ? data.find((job) => at(job, "id") === id) : undefined;
  if (listed === undefined || !ENDED.includes(String(at(alone.json, "status")))) return;
  // Both readings are between two others that agree, so that nothing happened in between.
  const again = await readPage(t, { limit: 100 });
  const later = (at(again.exchange.json, "data") as readonly unknown[] | undefined)?.find(
    (job) => at(job, "id") === id,
  );
  if (!sameValue(listed, later)) return;
  t.check("2.5/6", sameValue(namedFields(alone.json), namedFields(listed)), {
    expected: `the same fields as alone: ${alone.text}`,
    seen: listed,
    exchanges: [page.exchange, alone],
  });
}

/** What the list shows once a request was given up, it must have shown while the request was in flight. */
async function heldMeanwhile(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const known = new Set((await readPage(t, { limit: 100 })).ids);
  const pending = t.api.say(changes).start();
  await t.clock.advance(15_000);
  const during = await readPage(t, { limit: 100 });
  await pending.finish();
  const after = await readPage(t, { limit: 100 });
  const late = after.ids.filter((id) => !known.has(id) && !during.ids.includes(id));
  t.check("4.6/2", late.length === 0, {
    title: "a job is not in the list while it is in flight",
    expected: "the job in the list 15 s after its request",
    seen: `${late.join(", ")} only after the request had ended`,
    exchanges: [during.exchange, after.exchange],
  });
}

export const cursorCases = [cursors, same, holds];
