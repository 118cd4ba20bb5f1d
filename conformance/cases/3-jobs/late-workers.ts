/** Section 3.1 at its limit: workers that finish just in time, and workers that are too late. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, defineCase, type ListedModel } from "../case.ts";
import { balanceOf, chargeOf, ENDED, reached, readJob, SETTLES_WITHIN, statusOf } from "../support/jobs.ts";
import { slack, streamTimes } from "../support/pace.ts";
import { JOB_TIMEOUT } from "./refunded.ts";

const CREDITS = 4_000;
/** More tokens than any honest pace needs to pass the limit with; a faster service is not tried. */
const MOST_TOKENS = 40_000;

/** One stream of that length, and what became of its job. */
interface Long {
  readonly jobId: string;
  readonly answer: Exchange;
  readonly job: Exchange;
  /** When the last content came, counted from the request; and whether the stream was whole. */
  readonly lasted: number;
  readonly whole: boolean;
  readonly charged: number;
  readonly balance: number;
}

async function long(t: CaseContext, model: ListedModel, tokens: number): Promise<Long> {
  await t.behave(model, "normal", tokens);
  const wallet = await t.wallet({ credits: CREDITS });
  const answer = await wallet.api.say({ model: model.id, stream: true, max_tokens: tokens });
  const stream = readStream(answer);
  const first = at(stream.chunks[0]?.json, "id");
  const jobId = answer.headers.get(`x-${t.brand}-job-id`) ?? String(first ?? "").replace(/^chatcmpl-/, "");
  if (!jobId.startsWith("job_")) t.giveUp("a long stream does not tell its job");
  const job = await reached(t, jobId, ENDED, wallet.api);
  const charged = chargeOf(job);
  const contents = stream.chunks.filter((chunk) => at(chunk.json, "choices", 0, "delta", "content"));
  const lasted = (contents.at(-1)?.at ?? answer.sentAt) - answer.sentAt;
  const expected = statusOf(job) === "settled" ? CREDITS - charged : CREDITS;
  const balance = await balanceOf(t, wallet, expected);
  return { jobId, answer, job, lasted, whole: answer.ending === "answered" && stream.done, charged, balance };
}

/** Tokens that take about so long, by the pace of a short stream. Null where it cannot be told, or would be too many. */
async function tokensFor(t: CaseContext, model: ListedModel, milliseconds: number): Promise<number | null> {
  await t.behave(model, "normal", 400);
  const wallet = await t.wallet({ credits: CREDITS });
  const probe = await t.complete({ model: model.id, stream: true, max_tokens: 400 }, wallet.api);
  const times = streamTimes(probe.exchange);
  const span = times === null ? 0 : times.lastAt - times.firstAt;
  if (times === null || span < 200) return null;
  const tokens = Math.ceil((400 * (milliseconds - (times.firstAt - times.sentAt))) / span);
  return tokens > 0 && tokens <= MOST_TOKENS ? tokens : null;
}

/**
 * "120 seconds pass, no worker has finished the job: refunded." A worker at work is no worker that has finished: a completion that takes longer is
 * cut off, refunded in full, and never paid, whatever arrives afterwards.
 */
const late = defineCase({
  id: "3.1/late-worker",
  title: "a worker that is still at work after 120 s is too late: the job is refunded and stays so",
  requirements: ["3.1/6", "3.1/10", "3.1/12", "4.1/39", "4.1/50"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const model = t.model();
    // Near the limit, so that a limit of a few seconds more is seen too; further off, where paces differ.
    for (const share of [1.03, 1.2]) {
      const tokens = await tokensFor(t, model, JOB_TIMEOUT * share);
      if (tokens === null) return t.leaveOut("workers are too fast to be late, or tell their whole text at once");
      const { answer, job, jobId, lasted, whole, balance } = await long(t, model, tokens);
      const shown = { seen: `${statusOf(job)}, last content after ${lasted} ms`, exchanges: [answer, job] };
      if (whole && lasted <= JOB_TIMEOUT + firstToken(answer) + slack(t)) continue;
      if (!t.check("3.1/6", !whole && statusOf(job) === "refunded", { ...shown, expected: "refunded at 120 s" }))
        return;
      t.check("4.1/50", !readStream(answer).done, { ...shown, expected: "a stream without [DONE]" });
      if (!t.check("4.1/39", balance === CREDITS, { expected: `${CREDITS}, all of it`, seen: balance, exchanges: job }))
        return;
      // By now the worker would have finished, and its proof would have been confirmed.
      await t.clock.advance(JOB_TIMEOUT);
      const key = answer.request.key;
      const after = await t.jobWhen(jobId, ENDED, { within: SETTLES_WITHIN, api: t.as(key) });
      const told = { seen: after?.text, exchanges: after ?? job };
      t.check("3.1/12", after !== null && statusOf(after) === "refunded", { ...told, expected: "refunded still" });
      const settlement = at(after?.json, "on_chain", "settlement_tx") ?? null;
      t.check("3.1/10", settlement === null, { ...told, expected: "no settlement of a refunded job" });
      const account = await t.as(key).account();
      const units = at(account.json, "credits_remaining");
      t.check("4.1/39", units === CREDITS, {
        title: "A refunded job was charged.",
        expected: `${CREDITS}`,
        seen: units,
      });
    }
  },
});

/** Time to the first content: no message of the service needs longer on its way. */
function firstToken(answer: Exchange): number {
  const times = streamTimes(answer);
  return times === null ? 0 : times.firstAt - times.sentAt;
}

/** A worker that finishes before 120 seconds have passed has finished, though its settlement comes later: it is paid, and nothing is refunded. */
const inTime = defineCase({
  id: "3.1/just-in-time",
  title:
    "a worker that finishes shortly before 120 s is in time: the job settles, also when the chain confirms it later",
  requirements: ["3.1/8", "4.1/40", "4.1/38"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const model = t.model();
    let tries = 0;
    for (const share of [0.8, 0.95, 0.97, 0.985, 0.99, 0.995]) {
      const tokens = await tokensFor(t, model, JOB_TIMEOUT * share);
      if (tokens === null)
        return t.leaveOut("workers are too fast to come near 120 s, or tell their whole text at once");
      const { answer, job, lasted, whole, charged, balance } = await long(t, model, tokens);
      // A pace that varies may carry a stream past the limit, which is then no fault.
      if (!whole && answer.endedAt - answer.sentAt >= JOB_TIMEOUT) continue;
      tries += 1;
      const shown = { seen: `${statusOf(job)}, last content after ${lasted} ms`, exchanges: [answer, job] };
      if (!t.check("4.1/40", whole, { ...shown, expected: "a whole stream, before 120 s" })) return;
      if (lasted > JOB_TIMEOUT - slack(t)) continue;
      const settled = await readJob(t, String(at(job.json, "id")), t.as(answer.request.key));
      const ok = statusOf(job) === "settled" && statusOf(settled) === "settled";
      if (!t.check("3.1/8", ok, { ...shown, expected: "settled: its worker had finished" })) return;
      const told = { expected: `${CREDITS} less ${charged}`, seen: balance, exchanges: job };
      if (!t.check("4.1/38", charged > 0 && balance === CREDITS - charged, told)) return;
    }
    if (tries === 0) t.leaveOut("no stream ended near 120 s");
  },
});

export const lateWorkers = [late, inTime];
