/** Section 4.7: jobs without a result, which there is nothing to dispute about; and jobs whose settlement is under way. */
import { type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { sha256 } from "../support/hash.ts";
import { begin, type InFlight } from "../support/in-flight.ts";
import { balanceOf, ENDED, opened, proofHash, reached, readJob, SETTLES_WITHIN, statusOf } from "../support/jobs.ts";
import { opensDisputes } from "../support/may.ts";
import { answered } from "../support/refusals.ts";

/** Refused, and nothing came of it: the job goes on or stays as it was. */
async function judgeRefused(t: CaseContext, jobId: string): Promise<boolean> {
  const before = await readJob(t, jobId);
  for (const hash of [sha256("nothing was said"), proofHash(before)]) {
    if (hash === null) continue;
    const answer = answered(t, await t.api.dispute(jobId, hash));
    const exchanges = [before, answer];
    const told = { seen: `${statusOf(before)}: ${answer.status} ${answer.text}`, exchanges };
    const after = await readJob(t, jobId);
    const untouched = !opened(answer) && statusOf(after) !== "disputed";
    if (!t.check("4.7/19", untouched, { ...told, expected: "no dispute of a job without a result" })) return false;
    if (answer.status >= 500) {
      t.fail("4.7/18", { ...told, expected: "409 or 422" });
      return false;
    }
    t.observe("4.7/18", `${statusOf(before)}: ${answer.status}`);
    const kept = { expected: `${statusOf(before)}, as before`, seen: after.text, exchanges: [...exchanges, after] };
    if (!succeeded(answer) && !t.check("4.7/13", goesOn(statusOf(before), statusOf(after)), kept)) return false;
  }
  return true;
}

/** A job in flight may go on between two looks, whatever became of the dispute. */
const COMES_NEXT: Readonly<Record<string, readonly string[]>> = {
  pending: ["processing", "settling", "settled"],
  processing: ["settling", "settled"],
  settling: ["settled"],
};
const goesOn = (before: string | null, after: string | null): boolean =>
  before === after || (COMES_NEXT[before ?? ""] ?? []).includes(after ?? "");

/** "A completed job" is what the move starts from: a job that is waiting, at work, failed or refunded has nothing to be disputed. */
const unfinished = defineCase({
  id: "4.7/without-result",
  title: "a job that is in flight, failed or refunded cannot be disputed",
  requirements: ["4.7/13", "4.7/18", "4.7/19"],
  needs: ["credits", "behaviours", "patience"],
  cost: (prices) => 4 * prices.flat,
  async run(t) {
    const model = t.model();
    for (const stream of [false, true]) {
      await t.behave(model, "failing");
      const failed = await begin(t, { stream });
      await failed.pending.finish();
      await reached(t, failed.jobId, ["failed", "refunded"]);
      if (!(await judgeRefused(t, failed.jobId))) return;
      await t.behave(model, "silent");
      const before = await t.home.balance();
      const silent = await begin(t, { stream });
      if (!(await judgeRefused(t, silent.jobId))) return;
      if (t.clock.affords(3_000)) await t.clock.advance(3_000);
      if (!(await judgeRefused(t, silent.jobId))) return;
      await silent.pending.finish();
      await reached(t, silent.jobId, ["refunded"]);
      if (!(await judgeRefused(t, silent.jobId))) return;
      const balance = await balanceOf(t, t.home, before);
      if (!t.home.fresh) continue;
      t.check("4.7/13", balance === before, {
        title: "A refused dispute of a job without a result moved units.",
        expected: String(before),
        seen: balance,
      });
    }
  },
});

/** A worker that tells its text token by token is disputed before the last one: the same refusal. */
const midway = defineCase({
  id: "4.7/midway",
  title: "a job that is being streamed cannot be disputed before its last token, and completes undisturbed",
  requirements: ["3.1/8", "4.7/13", "4.7/18", "4.7/19"],
  needs: ["wallets", "behaviours"],
  async run(t) {
    await t.behave(t.model(), "normal", 300);
    const job = await begin(t, { stream: true, max_tokens: 300 });
    await t.clock.advanceUntil(() => job.pending.arrivals.length > 1 || job.pending.settled, {
      within: 30_000,
      step: 50,
    });
    if (job.pending.settled) t.leaveOut("the stream came at once");
    const now = await readJob(t, job.jobId);
    if (statusOf(now) === "settling" || ENDED.includes(statusOf(now) ?? "")) t.leaveOut("the stream came at once");
    if (!(await judgeRefused(t, job.jobId))) return;
    t.accepted(await job.pending.finish(), "a stream");
    const after = await t.jobWhen(job.jobId, ENDED, { within: SETTLES_WITHIN });
    t.check("3.1/8", after !== null && statusOf(after) === "settled", { expected: "settled", seen: after?.text });
  },
});

/** While the proof is being confirmed a dispute may be heard or refused; what was opened stays open when the settlement comes. */
const settling = defineCase({
  id: "4.7/settling",
  title: "a dispute of a settling job is opened whole, or refused with the job settling on",
  requirements: ["3.1/17", "4.7/4", "4.7/13", "4.7/20"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    opensDisputes(t);
    for (const stream of [false, true]) {
      const before = await t.home.balance();
      const job = await begin(t, { stream, max_tokens: 8 });
      const at = await whileSettling(t, job);
      const answer = await t.api.dispute(job.jobId, sha256("too early to tell"));
      const told = { seen: `${answer.status} ${answer.text}`, exchanges: [at, answer] };
      if (answer.status >= 500) {
        t.fail("4.7/20", { ...told, expected: "a 2xx, 409 or 422" });
        return;
      }
      t.observe("4.7/20", opened(answer) ? "allowed" : `refused with ${answer.status}`);
      if (!(await judgeSettled(t, job, answer, before))) return;
    }
  },
});

async function whileSettling(t: CaseContext, { jobId }: InFlight): Promise<Exchange> {
  let last: Exchange | null = null;
  await t.clock.advanceUntil(
    async () => {
      last = await readJob(t, jobId);
      return !["pending", "processing"].includes(statusOf(last) ?? "");
    },
    { within: SETTLES_WITHIN, step: 50 },
  );
  const found = last as Exchange | null;
  return found !== null && statusOf(found) === "settling" ? found : t.leaveOut("no job was seen settling");
}

/** What came of a dispute during the settlement, once the settlement would have been confirmed. */
async function judgeSettled(t: CaseContext, job: InFlight, answer: Exchange, before: number): Promise<boolean> {
  const wasOpened = opened(answer);
  if (wasOpened) {
    const now = await readJob(t, job.jobId);
    const whole = { expected: "disputed", seen: now.text, exchanges: [answer, now] };
    if (!t.check("4.7/4", statusOf(now) === "disputed", whole)) return false;
    await t.clock.advance(100_000);
    const later = await readJob(t, job.jobId);
    const told = {
      expected: "disputed still, after its settlement was due",
      seen: later.text,
      exchanges: [answer, later],
    };
    if (!t.check("3.1/17", statusOf(later) === "disputed", told)) return false;
  }
  const reply = await job.pending.finish();
  const after = wasOpened ? await readJob(t, job.jobId) : await t.jobWhen(job.jobId, ENDED, { within: SETTLES_WITHIN });
  if (!wasOpened) {
    const told = { expected: "settled, as if nothing had been asked", seen: after?.text, exchanges: [answer, reply] };
    if (!t.check("4.7/13", after !== null && statusOf(after) === "settled", told)) return false;
  }
  const balance = await t.home.balance();
  const charge = before - balance;
  return t.check("4.7/13", !t.home.fresh || (charge >= 0 && charge <= 1_000), {
    title: "A dispute during the settlement moved units.",
    expected: "at most the charge taken",
    seen: { before, balance },
  });
}

export const withoutResultCases = [unfinished, midway, settling];
