/**
 * Section 4.7: "allowed only within 60 seconds of the final output token".
 *
 * When that token was made is known between two bounds only. It was not made before the request, nor later than the end of the stream that brought it,
 * nor later than its job was first seen with a proof. So a dispute is held to be in time 60 seconds after the lower bound, and late 60 seconds after
 * the upper one; in between either answer is right. Short completions bring the bounds close together.
 */
import { type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { otherHash } from "../support/disputed.ts";
import { begin } from "../support/in-flight.ts";
import { opened, proofHash, readJob, settledJob, statusOf, UNFINISHED } from "../support/jobs.ts";
import { follow } from "../support/live-stream.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { slack } from "../support/pace.ts";

const WINDOW = 60_000;
/** Fine steps for an answer of a few tokens; a long one is followed in coarser ones, still far below a second. */
const STEP = 20;
const LONG_STEP = 100;
const stepFor = (changes: Readonly<Record<string, unknown>>): number =>
  Number(changes.max_tokens) > 100 ? LONG_STEP : STEP;

/** A finished job, and the bounds of its last token. */
interface Finished {
  readonly jobId: string;
  readonly from: number;
  readonly to: number;
}

/** Streams in fine steps. No message is longer on its way than the first content was, so the last token is not much older than its arrival. */
async function finishStream(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<Finished> {
  const sentAt = t.clock.now();
  const pending = t.api.say({ stream: true, ...changes }).start();
  const stream = follow(pending);
  let [first, last, previous, count] = [0, 0, sentAt, 0];
  const ended = await t.clock.advanceUntil(
    () => {
      const { contents, finished } = stream.look();
      if (contents > 0 && first === 0) first = t.clock.now();
      if (contents > count) [last, count] = [previous, contents];
      previous = t.clock.now();
      return pending.settled || finished;
    },
    { within: 115_000, step: stepFor(changes) },
  );
  const to = t.clock.now();
  const { jobId } = stream.look();
  if (!ended || first === 0 || jobId === null) return t.giveUp("a stream did not end");
  t.accepted(await pending.finish(), "a valid stream");
  return { jobId, from: Math.max(sentAt, last - (first - sentAt)) - slack(t), to: to + slack(t) };
}

/** Answers in one piece may wait for their settlement; the job's status tells earlier that the worker has finished. */
async function finishPlain(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<Finished> {
  const { jobId, pending, sentAt } = await begin(t, changes);
  let to = 0;
  const ended = await t.clock.advanceUntil(
    async () => {
      const over = pending.settled || !["pending", "processing"].includes(statusOf(await readJob(t, jobId)) ?? "");
      // Afterwards: a read that met a 429 was waited for, and the worker may have finished meanwhile.
      to = t.clock.now();
      return over;
    },
    { within: 115_000, step: stepFor(changes) },
  );
  if (!ended) return t.giveUp("a completion did not end");
  t.accepted(await pending.finish(), "a valid chat");
  return { jobId, from: sentAt - slack(t), to: to + slack(t) };
}

/** In time with the worker's own hash, which is heard and opens nothing; and, where it may be, with another, which does. */
async function judgeInTime(t: CaseContext, { jobId, from }: Finished, opens: boolean): Promise<boolean> {
  const now = await t.clock.until(from + WINDOW - 1);
  const job = await readJob(t, jobId);
  if (now > from + WINDOW - 1 + slack(t) || UNFINISHED.includes(statusOf(job) ?? "")) {
    t.notExercised("4.7/10", "the settlement takes longer than the dispute window");
    return true;
  }
  const posted = proofHash(job) ?? t.giveUp("the job tells no hash");
  const answer = await t.api.dispute(jobId, opens ? otherHash(t, posted) : posted);
  return t.check("4.7/10", opens ? opened(answer) : succeeded(answer), {
    expected: opens
      ? "a dispute opened, less than 60 s after the last token"
      : "a 2xx, less than 60 s after the last token",
    seen: `${answer.status} ${answer.text}`,
    exchanges: [job, answer],
  });
}

/** Late: 422, whether or not the hash differs, as often as it is asked; and the job and the balance stay as they were. */
async function judgeLate(t: CaseContext, { jobId, to }: Finished): Promise<boolean> {
  await t.clock.until(to + WINDOW + 1);
  // It may settle later still; then it is later still.
  const job = await settledJob(t, jobId);
  const posted = proofHash(job) ?? t.giveUp("the job tells no hash");
  const other = otherHash(t, posted);
  const balance = await t.home.balance();
  const refused = async (hash: string, row: "4.7/11" | "4.7/12" | "7.2/18"): Promise<Exchange | null> => {
    const answer = await t.api.dispute(jobId, hash);
    const told = { expected: "422, more than 60 s after the last token", seen: `${answer.status} ${answer.text}` };
    return t.check(row, answer.status === 422, { ...told, exchanges: [job, answer] }) ? answer : null;
  };
  const first = await refused(other, "4.7/11");
  if (first === null) return false;
  const told = { expected: "dispute_window_expired", seen: errorCode(first), exchanges: first };
  t.check("7.2/14", errorCode(first) === "dispute_window_expired", told);
  if ((await refused(posted, "4.7/12")) === null) return false;
  const again = await refused(other, "7.2/18");
  if (again === null) return false;
  const after = await readJob(t, jobId);
  const kept = { expected: `${statusOf(job)}, as before`, seen: after.text, exchanges: [first, after] };
  if (!t.check("4.7/13", statusOf(after) === statusOf(job), kept)) return false;
  const now = await t.home.balance();
  const same = !t.home.fresh || now === balance;
  return t.check("4.7/13", same, {
    title: "A refused dispute moved the balance.",
    expected: String(balance),
    seen: now,
  });
}

const rows = ["4.7/10", "4.7/11", "4.7/12", "4.7/13", "7.2/14", "7.2/18"] as const;

/** Both sides of the window, for a reply in one piece and for a stream. */
const sides = defineCase({
  id: "4.7/window",
  title: "a dispute is heard until 60 s after the last token and refused later, plain and streamed",
  requirements: rows,
  needs: ["credits", "patience"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    if (!t.clock.affords(2 * WINDOW) && !t.clock.affords(WINDOW + 5_000))
      t.leaveOut("needs to wait a minute (--patience long)");
    for (const finish of [finishStream, finishPlain]) {
      const done = await finish(t, { max_tokens: 2 });
      if (!(await judgeInTime(t, done, false))) return;
      if (!(await judgeLate(t, done))) return;
    }
  },
});

/** Each model has workers and a pace of its own, and the same window. */
const everyModel = defineCase({
  id: "4.7/window-of-each-model",
  title: "the dispute window is 60 s for every model, and a dispute in its last second is opened",
  requirements: rows,
  needs: ["wallets", "clock"],
  async run(t) {
    for (const [index, model] of t.models().entries()) {
      const finish = index % 2 === 0 ? finishStream : finishPlain;
      const heard = await finish(t, { model: model.id, max_tokens: 2 });
      if (!(await judgeInTime(t, heard, mayOpenDisputes(t)))) return;
      const late = await (index % 2 === 0 ? finishPlain : finishStream)(t, { model: model.id, max_tokens: 2 });
      if (!(await judgeLate(t, late))) return;
    }
  },
});

/** "Of the final output token": not of the request, the first token, or the settlement, which a long completion tells apart. */
const long = defineCase({
  id: "4.7/window-of-long",
  title: "the dispute window of a completion of many seconds is counted from its last token",
  requirements: rows,
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const model = t.model();
    for (const [tokens, finish] of [
      [1_600, finishStream],
      [3_200, finishStream],
    ] as const) {
      await t.behave(model, "normal", tokens);
      const changes = { model: model.id, max_tokens: tokens };
      if (!(await judgeInTime(t, await finish(t, changes), false))) return;
      if (!(await judgeLate(t, await finish(t, changes)))) return;
    }
    await judgeLate(t, await finishPlain(t, { model: model.id, max_tokens: 3_200 }));
  },
});

/** A window that is over stays over: a minute, two minutes, a day later, for a job that was once asked about in time. */
const over = defineCase({
  id: "4.7/window-stays-closed",
  title: "a dispute is refused long after the window too, also for a job asked about in time",
  requirements: ["4.7/11", "4.7/12", "4.7/13", "7.2/14", "7.2/18"],
  needs: ["credits", "clock"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const asked = await finishStream(t, { max_tokens: 2 });
    const left = await finishPlain(t, { max_tokens: 2 });
    const job = await t.jobWhen(asked.jobId, ["settled"]);
    const posted = job === null ? null : proofHash(job);
    if (posted !== null) await t.api.dispute(asked.jobId, posted);
    for (const span of [0, 60_000, 600_000, 86_400_000]) {
      if (span > 0) await t.clock.advance(span);
      for (const done of [asked, left]) if (!(await judgeLate(t, done))) return;
    }
  },
});

export const windowCases = [sides, everyModel, long, over];
