/** Section 3.1: jobs that no worker finishes. After 120 seconds the units are returned, the request is told, and the job is `refunded`. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, defineCase, type RequirementId, type Wallet } from "../case.ts";
import { beginAll, type InFlight } from "../support/in-flight.ts";
import { balanceOf, chargeOf, idsOf, readJob, settledJob, statusOf, UNFINISHED } from "../support/jobs.ts";
import { settlementTime, slack } from "../support/pace.ts";
import { observeCharge } from "./failed.ts";

export const JOB_TIMEOUT = 120_000;

const refundRows: readonly RequirementId[] = [
  ...(["3.1/6", "3.1/10", "3.1/11", "4.1/39", "4.1/40", "4.1/50", "7.2/8", "7.2/9", "7.2/10", "7.2/11"] as const),
];

/** A millisecond before its time a job must be in flight still; moves the clock there. */
async function judgeBefore(t: CaseContext, wallet: Wallet, job: InFlight): Promise<boolean> {
  const last = job.sentAt + JOB_TIMEOUT - 1;
  if (t.clock.now() > last) t.leaveOut("other jobs took so long to settle that the time of one was over before");
  await t.clock.until(last - slack(t));
  await t.clock.settle();
  const now = await readJob(t, job.jobId, wallet.api);
  const waits = !job.pending.settled && UNFINISHED.includes(statusOf(now) ?? "");
  const seen = job.pending.settled ? `answered; ${now.text}` : now.text;
  return t.check("4.1/40", waits, { expected: "unfinished, 119.999 s after the request", seen, exchanges: now });
}

/** After its time, and what the chain takes to confirm, a job is refunded and its request answered; moves the clock until it is. */
async function judgeAfter(t: CaseContext, wallet: Wallet, job: InFlight, late: number): Promise<Exchange | null> {
  const left = Math.max(1, job.seenAt + JOB_TIMEOUT + late - t.clock.now());
  let now = await readJob(t, job.jobId, wallet.api);
  const done = async (): Promise<boolean> => {
    now = await readJob(t, job.jobId, wallet.api);
    return job.pending.settled && statusOf(now) === "refunded";
  };
  await t.clock.advanceUntil(done, { within: left, step: late < 5_000 ? 100 : 1_000 });
  const shown = { seen: now.text, exchanges: now };
  if (!t.check("3.1/6", statusOf(now) === "refunded", { ...shown, expected: "refunded, 120 s after the request" }))
    return null;
  if (!job.pending.settled) {
    t.fail("7.2/8", { expected: "an answer, 120 s after the request", seen: "none", exchanges: now });
    return null;
  }
  const settlement = at(now.json, "on_chain", "settlement_tx") ?? null;
  t.check("3.1/10", settlement === null, { ...shown, expected: "no settlement" });
  const answer = await job.pending.finish();
  observeCharge(t, now, "4.1/39", at(answer.json, "error", "details", "credits_refunded"));
  judgeAnswer(t, answer, now, job);
  return answer;
}

/** 504 `job_timeout` with its details; a stream that had begun ends without `[DONE]` instead. */
function judgeAnswer(t: CaseContext, answer: Exchange, job: Exchange, { jobId }: InFlight): void {
  const exchanges = [answer, job];
  if (answer.status === 200 && (answer.headers.get("content-type") ?? "").startsWith("text/event-stream")) {
    const whole = answer.ending === "answered" && readStream(answer).done;
    t.check("4.1/50", !whole, { expected: "no whole stream", seen: answer.text.slice(-300), exchanges });
    return;
  }
  const code = answer.status === 504 && errorCode(answer) === "job_timeout";
  t.check("7.2/8", code, { expected: "504 job_timeout", seen: `${answer.status} ${answer.text}`, exchanges });
  if (!code) return;
  const details = at(answer.json, "error", "details");
  const [id, units, tx] = ["job_id", "credits_refunded", "refund_tx"].map((name) => at(details, name));
  const typed = typeof id === "string" && Number.isInteger(units) && typeof tx === "string";
  t.check("7.2/9", typed, { expected: "`job_id`, `credits_refunded`, `refund_tx`", seen: details, exchanges });
  t.check("7.2/10", id === jobId, { expected: jobId, seen: id, exchanges });
}

/** What was locked, where the balance shows it; null where the balance counts locked units (4.1/47 is open). */
async function lockSeen(t: CaseContext, wallet: Wallet, before: number): Promise<number | null> {
  const during = await wallet.balance();
  return during < before && t.home.fresh ? before - during : null;
}

/** For each model, plain and streamed, with small locks and large ones: each alone in its wallet, so that each refund is seen by itself. */
const refunded = defineCase({
  id: "3.1/refunded",
  title: "a job that nobody finishes is refunded at 120 s, not before, exactly, in every form",
  requirements: refundRows,
  needs: ["wallets", "behaviours", "patience"],
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const runs: { wallet: Wallet; job: InFlight; before: number; lock: number | null }[] = [];
    for (const model of t.models()) {
      await t.behave(model, "silent");
      for (const changes of [{}, { stream: true }, { max_tokens: 2_800 }, { max_tokens: 700, stream: true }]) {
        const wallet = await t.wallet({ credits: 500 });
        const [job] = await beginAll(t, [{ model: model.id, ...changes }], wallet.api);
        if (job === undefined) continue;
        await t.clock.advance(50);
        runs.push({ wallet, job, before: 500, lock: await lockSeen(t, wallet, 500) });
      }
    }
    for (const { wallet, job } of runs) if (!(await judgeBefore(t, wallet, job))) return;
    for (const { wallet, job, before, lock } of runs) {
      const answer = await judgeAfter(t, wallet, job, late);
      if (answer === null) return;
      const balance = await balanceOf(t, wallet, before);
      const told = { seen: balance, exchanges: answer, expected: `${before}, as before the request` };
      if (!t.check("4.1/39", balance === before, told)) return;
      const units = at(answer.json, "error", "details", "credits_refunded");
      if (lock !== null && units !== undefined) {
        t.check("7.2/11", units === lock, { expected: `${lock}, as was locked`, seen: units, exchanges: answer });
      }
    }
  },
});

/** The same in one wallet, given or fresh, with nothing but the behaviours: one plain request, and one streamed. */
const plainRefund = defineCase({
  id: "3.1/refunded-in-one-wallet",
  title: "two jobs of one wallet that nobody finishes are refunded together",
  requirements: refundRows,
  needs: ["credits", "behaviours", "patience"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    await t.behave(t.model(), "silent");
    const before = await t.home.balance();
    const jobs = await beginAll(t, [{}, { stream: true }]);
    for (const job of jobs) if (!(await judgeBefore(t, t.home, job))) return;
    for (const job of jobs) if ((await judgeAfter(t, t.home, job, late)) === null) return;
    const balance = await balanceOf(t, t.home, before);
    t.check("4.1/39", balance === before, { expected: `${before}, as before the requests`, seen: balance });
  },
});

/** Each job has a time limit of its own: three that began 20 and 45 seconds apart are refunded 20 and 45 seconds apart. */
const apart = defineCase({
  id: "3.1/refunded-apart",
  title: "several jobs of one wallet are each refunded at their own 120 s, not together",
  requirements: [...refundRows, "3.1/12"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const models = t.models();
    for (const model of models) await t.behave(model, "silent");
    const wallet = await t.wallet({ credits: 400 });
    const jobs: InFlight[] = [];
    for (const [index, pause] of [20_000, 45_000, 0].entries()) {
      const model = models[index % models.length] ?? t.model();
      jobs.push(...(await beginAll(t, [{ model: model.id, stream: index === 1 }], wallet.api)));
      if (pause > 0) await t.clock.advance(pause);
    }
    for (const job of jobs) {
      if (!(await judgeBefore(t, wallet, job))) return;
      if ((await judgeAfter(t, wallet, job, Math.min(late, 15_000))) === null) return;
    }
    const balance = await balanceOf(t, wallet, 400);
    if (!t.check("4.1/39", balance === 400, { expected: "400, as before the requests", seen: balance })) return;
    await t.clock.advance(600_000);
    await t.clock.advance(3 * 3_600_000);
    for (const job of jobs) {
      const now = await readJob(t, job.jobId, wallet.api);
      t.check("3.1/12", statusOf(now) === "refunded", { expected: "refunded still", seen: now.text, exchanges: now });
    }
    const again = await wallet.balance();
    t.check("4.1/39", again === 400, { title: "A refund does not last.", expected: "400", seen: again });
  },
});

/** A refund gives back units, not an old balance: what was bought and spent meanwhile stays bought and spent. */
const meanwhile = defineCase({
  id: "3.1/refunded-meanwhile",
  title: "a refund is exact when the balance moved meanwhile: top-ups before and during, jobs that settled and failed",
  requirements: [...refundRows, "7.3/5"],
  needs: ["wallets", "behaviours", "patience"],
  async run(t) {
    const [slow, quick] = [t.model(), t.models().find((model) => model.id !== t.model().id)];
    if (quick === undefined) return t.leaveOut("only one model is listed");
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const wallet = await t.wallet({ credits: 300 });
    await wallet.topUp(100);
    await t.behave(slow, "silent");
    const jobs = await beginAll(
      t,
      [
        { model: slow.id, max_tokens: 1_200 },
        { model: slow.id, stream: true },
      ],
      wallet.api,
    );
    await wallet.topUp(150);
    const charge = chargeOf(await settledJob(t, (await t.complete({ model: quick.id }, wallet.api)).jobId, wallet.api));
    await t.behave(quick, "failing");
    await wallet.api.say({ model: quick.id });
    const expected = 550 - charge;
    for (const job of jobs) if (!(await judgeBefore(t, wallet, job))) return;
    for (const job of jobs) if ((await judgeAfter(t, wallet, job, late)) === null) return;
    const balance = await balanceOf(t, wallet, expected);
    t.check("4.1/39", balance === expected, { expected: `${expected}: 300 + 100 + 150 - ${charge}`, seen: balance });

    // "After a 504 the refunded units can be spent at once": a wallet that has nothing else.
    const poor = await t.wallet({ credits: slow.credits_per_request });
    const [only] = await beginAll(t, [{ model: slow.id }], poor.api);
    const answer = (await only?.pending.finish()) ?? t.giveUp("no request was begun");
    await t.behave(slow, "normal");
    if (answer.status !== 504) t.giveUp("a job that nobody finished was not answered 504");
    const again = await poor.api.say({ model: slow.id });
    t.check("7.3/5", again.status === 200, { expected: "200", seen: again.text, exchanges: [answer, again] });
  },
});

/** The refund is the job's, not the connection's: a client that has left gets its units back too. */
const gone = defineCase({
  id: "3.1/refunded-client-gone",
  title: "a client that leaves while its job waits gets its units back all the same",
  requirements: ["4.1/39"],
  needs: ["wallets", "behaviours", "patience"],
  async run(t) {
    const model = t.model();
    await t.behave(model, "silent");
    for (const stream of [false, true]) {
      const wallet = await t.wallet({ credits: 200 });
      const [job] = await beginAll(t, [{ model: model.id, stream }], wallet.api);
      await t.clock.advance(2_000);
      job?.pending.abort();
      await t.clock.settle();
      await t.clock.advance(JOB_TIMEOUT);
      const balance = await balanceOf(t, wallet, 200);
      const title = "The units of a client that left were not returned.";
      const known = idsOf(await wallet.api.jobs());
      const last = known[0] === undefined ? undefined : await readJob(t, known[0], wallet.api);
      t.check("4.1/39", balance === 200, {
        title,
        expected: "200",
        seen: balance,
        exchanges: last === undefined ? [] : [last],
      });
    }
  },
});

/** "Any unfinished state": a job that no worker has taken, too. Its units are held "while a worker is sought", and the last one has just gone. */
const untaken = defineCase({
  id: "3.1/refunded-untaken",
  title: "a job whose workers are gone before one has taken it is answered, ends within its 120 s, and costs nothing",
  requirements: ["3.1/6", "4.1/39", "7.2/8"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const late = 2 * (await settlementTime(t)) + 1_000 + slack(t);
    const model = t.model();
    for (const stream of [false, true]) {
      await t.behave(model, "normal");
      const wallet = await t.wallet({ credits: 200 });
      const pending = wallet.api.say({ model: model.id, stream }).start();
      await t.behave(model, "absent");
      const [jobId] = idsOf(await wallet.api.jobs());
      const sought = jobId === undefined ? null : await readJob(t, jobId, wallet.api);
      const answer = await pending.finish();
      // Who finds a worker at once, or refuses where there is none, has no such job.
      if (jobId === undefined || sought === null || statusOf(sought) !== "pending") continue;
      let job = sought;
      const ended = async (): Promise<boolean> => {
        job = await readJob(t, jobId, wallet.api);
        return !UNFINISHED.includes(statusOf(job) ?? "");
      };
      const came = await t.clock.advanceUntil(ended, { within: late });
      const shown = { exchanges: [answer, job] };
      const told = answer.ending === "answered" && (answer.status === 200 || answer.status >= 500);
      const seen = answer.ending === "answered" ? `${answer.status} ${answer.text}` : answer.ending;
      const what = "the request of a job that no worker has taken";
      if (!t.check("7.2/8", told, { ...shown, title: `${what} is not answered`, expected: "a 5xx, in 120 s", seen }))
        return;
      if (!t.check("3.1/6", came, { ...shown, expected: "an end, 120 s after the request", seen: job.text })) return;
      if (answer.status === 200) continue;
      const balance = await balanceOf(t, wallet, 200);
      t.check("4.1/39", balance === 200, { ...shown, expected: "200, as before the request", seen: balance });
    }
  },
});

export const refunds = [refunded, plainRefund, apart, meanwhile, gone, untaken];
