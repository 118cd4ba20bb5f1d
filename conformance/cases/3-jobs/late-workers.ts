/** Section 3.1 at its limit: workers that finish shortly before 120 seconds have passed, and workers that are too late. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "../case.ts";
import { begin } from "../support/in-flight.ts";
import { balanceOf, chargeOf, ENDED, reached, readJob, SETTLES_WITHIN, statusOf } from "../support/jobs.ts";
import { settlementTime, slack, streamTimes } from "../support/pace.ts";
import { JOB_TIMEOUT } from "./refunded.ts";

const CREDITS = 6_000;
/** More tokens than an honest pace needs to pass the limit; a service that is faster is not tried. */
const MOST_TOKENS = 100_000;

/** A manual clock is moved in steps: an answer that came within a step bears the time at which the step began. */
const LONGEST_STEP = 1_000;

/** Tokens a millisecond, and the time to the first one, as one stream shows them. Ends the case where they cannot be told. */
async function paceOf(t: CaseContext, model: ListedModel): Promise<(milliseconds: number) => number> {
  await t.behave(model, "normal", 400);
  const probe = await t.complete({ model: model.id, stream: true, max_tokens: 400 });
  const times = streamTimes(probe.exchange);
  const span = times === null ? 0 : times.lastAt - times.firstAt;
  if (times === null || span < 200) return t.leaveOut("workers tell their whole text at once");
  const first = times.firstAt - times.sentAt;
  return (milliseconds) => {
    const tokens = Math.ceil((400 * (milliseconds - first)) / span);
    return tokens > 0 && tokens <= MOST_TOKENS ? tokens : t.leaveOut("workers are too fast to come near 120 s");
  };
}

/** The cheapest model whose window takes a very long answer, where there is one. */
function roomy(t: CaseContext): ListedModel {
  return t.models().find((model) => model.context_window > MOST_TOKENS) ?? t.model();
}

interface Long {
  readonly wallet: Wallet;
  readonly jobId: string;
  readonly answer: Exchange;
  readonly job: Exchange;
}

/** One completion of that many tokens, in a wallet of its own. */
async function long(t: CaseContext, model: ListedModel, tokens: number, stream: boolean): Promise<Long> {
  await t.behave(model, "normal", tokens);
  const wallet = await t.wallet({ credits: CREDITS });
  const { jobId, pending } = await begin(t, { model: model.id, stream, max_tokens: tokens }, wallet.api);
  const answer = await pending.finish();
  if (answer.status >= 400 && answer.status < 500) t.leaveOut("a completion of minutes is refused");
  // Then it was the judge who left.
  if (answer.ending === "too-large") t.leaveOut("a completion of minutes is larger than what is read of an answer");
  const job = await reached(t, jobId, ENDED, wallet.api);
  if (answer.ending === "timeout" && statusOf(job) === "settled") {
    t.leaveOut("an answer that waits for its settlement takes longer than is waited for an answer");
  }
  return { wallet, jobId, answer, job };
}

/** The worker had finished: the job is settled, its charge taken, and its answer came as soon as the chain allows after 120 seconds. */
async function judgeInTime(t: CaseContext, run: Long, late: number): Promise<boolean> {
  const { wallet, answer, job } = run;
  const took = answer.endedAt - answer.sentAt;
  const shown = { seen: `${statusOf(job)}, answered after ${took} ms`, exchanges: [answer, job] };
  const title = "A worker that is not finished after 120 seconds is waited for.";
  if (!t.check("3.1/6", took <= JOB_TIMEOUT + late, { ...shown, title, expected: "a refund at 120 s" })) return false;
  if (!t.check("3.1/8", statusOf(job) === "settled", { ...shown, expected: "settled: its worker had finished" }))
    return false;
  const expected = CREDITS - chargeOf(job);
  const balance = await balanceOf(t, wallet, expected);
  const told = { expected: String(expected), seen: balance, exchanges: job };
  if (!t.check("4.1/38", expected < CREDITS && balance === expected, told)) return false;
  if (took < JOB_TIMEOUT / 2) return true;
  // Its time limit comes while the settlement is confirmed, or just after, and finds a job that is finished.
  await t.clock.advance(JOB_TIMEOUT);
  const after = await readJob(t, run.jobId, wallet.api);
  const kept = statusOf(after) === "settled" && (await wallet.balance()) === expected;
  const later = {
    title: "A finished job is refunded at its time limit.",
    expected: "settled, and charged",
    seen: after.text,
  };
  return t.check("4.1/40", kept, { ...later, exchanges: [job, after] });
}

/** The worker was too late: all units are back, and stay so when it has done its work. */
async function judgeTooLate(t: CaseContext, run: Long): Promise<boolean> {
  const { wallet, answer, job } = run;
  const took = answer.endedAt - answer.sentAt;
  const shown = { seen: `${statusOf(job)}, ended after ${took} ms`, exchanges: [answer, job] };
  const early = { ...shown, title: "A job at work is cut off before 120 seconds.", expected: "time until 120 s" };
  if (!t.check("4.1/40", took >= JOB_TIMEOUT - LONGEST_STEP - slack(t), early)) return false;
  if (!t.check("3.1/6", statusOf(job) === "refunded", { ...shown, expected: "refunded at 120 s" })) return false;
  if (answer.status === 200)
    t.check("4.1/50", !readStream(answer).done, { ...shown, expected: "a stream without [DONE]" });
  const balance = await balanceOf(t, wallet, CREDITS);
  if (!t.check("4.1/39", balance === CREDITS, { expected: `${CREDITS}, all of it`, seen: balance, exchanges: job }))
    return false;
  // By now the worker has finished, and whatever it posted is confirmed.
  await t.clock.advance(JOB_TIMEOUT);
  const after = await t.jobWhen(run.jobId, ENDED, { within: SETTLES_WITHIN, api: wallet.api });
  const told = { seen: after?.text, exchanges: after ?? job };
  t.check("3.1/12", statusOf(after ?? job) === "refunded", { ...told, expected: "refunded still" });
  const settlement = at(after?.json, "on_chain", "settlement_tx") ?? null;
  t.check("3.1/10", settlement === null, { ...told, expected: "no settlement of a refunded job" });
  const again = await wallet.balance();
  return t.check("4.1/39", again === CREDITS, {
    title: "A refunded job was charged.",
    expected: `${CREDITS}`,
    seen: again,
  });
}

const rows = ["3.1/6", "3.1/8", "3.1/10", "3.1/12", "4.1/38", "4.1/39", "4.1/40", "4.1/50"] as const;

/** Whether a run was finished by its worker; what a stream says of itself stands for both. */
function finished({ answer }: Long): boolean {
  const streamed = (answer.headers.get("content-type") ?? "").startsWith("text/event-stream");
  return succeeded(answer) && (!streamed || readStream(answer).done);
}

/**
 * "120 seconds pass, no worker has finished the job: refunded." A worker at work has not finished: a completion that takes longer is cut off,
 * refunded in full and never paid, whatever arrives afterwards. One that takes less is paid, though its settlement may come later. Paces differ from job
 * to job: which side of the limit a run came to is read off its answer, and each side has its own consequences.
 */
const around = defineCase({
  id: "3.1/around-the-limit",
  title: "completions of about 120 s are finished and paid, or cut off and refunded, never both and never neither",
  requirements: rows,
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const model = roomy(t);
    const tokensFor = await paceOf(t, model);
    for (const share of [0.7, 0.9, 0.97, 1, 1.03, 1.1, 1.4]) {
      const run = await long(t, model, tokensFor(JOB_TIMEOUT * share), false);
      if (!(await (finished(run) ? judgeInTime(t, run, late) : judgeTooLate(t, run)))) return;
    }
  },
});

/** The same for a stream, of which the client has had most of the text when the time is over. */
const streamed = defineCase({
  id: "3.1/late-stream",
  title: "a stream that is still going after 120 s is cut off, and its job refunded in full and for good",
  requirements: rows,
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const model = roomy(t);
    const tokensFor = await paceOf(t, model);
    const run = await long(t, model, tokensFor(JOB_TIMEOUT * 1.4), true);
    await (finished(run) ? judgeInTime(t, run, late) : judgeTooLate(t, run));
  },
});

export const lateWorkers = [around, streamed];
