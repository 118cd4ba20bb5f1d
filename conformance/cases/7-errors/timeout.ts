/** Sections 7.2, 7.3 and 8: a job that no worker finishes in 120 seconds. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "../case.ts";
import { begin } from "../support/in-flight.ts";
import { readJob, statusOf } from "../support/jobs.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { settlementTime, slack } from "../support/pace.ts";
import { answered, told } from "../support/refusals.ts";

const TIMEOUT = 120_000;
/** How long the refund and its answer are waited for. */
const GIVES_UP_AFTER = 120_000;
/** How much earlier than it came an answer may be recorded: a step of the clock, or a clock that is not the service's. */
const STEP = 2_000;
const HASH = /^0x[0-9a-f]{64}$/i;

/** One 504, field by field. `locked` is what its job held. */
async function judgeTimeout(
  t: CaseContext,
  answer: Exchange,
  locked: number,
  { wallet, what }: { readonly wallet: Wallet; readonly what: string },
): Promise<void> {
  const detail = (name: string): unknown => at(answer.json, "error", "details", name);
  const is504 = t.check("7.2/8", answer.status === 504 && errorCode(answer) === "job_timeout", {
    title: `a job that nobody finishes is not answered with 504: ${what}`,
    expected: "504 job_timeout",
    seen: told(answer),
    exchanges: answer,
  });
  if (!is504) return;
  t.check("7/8", at(answer.json, "error", "type") === "timeout_error", {
    expected: "timeout_error",
    seen: at(answer.json, "error", "type"),
    exchanges: answer,
  });
  const id = detail("job_id");
  const tx = detail("refund_tx");
  const form = typeof id === "string" && Number.isInteger(detail("credits_refunded")) && HASH.test(String(tx));
  t.check("7.2/9", form, {
    expected: "`job_id`, the integer `credits_refunded`, and `refund_tx`, a transaction hash",
    seen: at(answer.json, "error", "details"),
    exchanges: answer,
  });
  t.check("7.2/11", detail("credits_refunded") === locked, {
    title: `\`credits_refunded\` is not what was locked: ${what}`,
    expected: `${locked} units`,
    seen: detail("credits_refunded"),
    exchanges: answer,
  });
  const job = await wallet.api.job(String(id));
  t.check("7.2/10", job.status === 200 && at(job.json, "id") === id && statusOf(job) === "refunded", {
    title: `\`details.job_id\` of a 504 is no refunded job of the caller: ${what}`,
    expected: "a refunded job",
    seen: `${job.status}, ${statusOf(job)}`,
    exchanges: [answer, job],
  });
}

const ROWS = ["7/8", "7.2/8", "7.2/9", "7.2/10", "7.2/11", "4.1/39", "4.1/40"] as const;

/** "120 seconds pass with no worker finishing: the units are refunded automatically", and not a moment earlier. */
const timeout = defineCase({
  id: "7.2/timeout",
  title: "a job that nobody finishes is answered 504 after 120 seconds and refunded in full, in every tier",
  requirements: ROWS,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    // A refund takes its way over the chain, as a settlement does: no limit is stated for either.
    const late = t.clock.movable ? 2 * (await settlementTime(t)) + STEP : GIVES_UP_AFTER;
    for (const model of modelsToTry(t)) {
      const before = await quietBalance(t);
      await t.behave(model, "silent");
      const { pending, sentAt, seenAt, jobId } = await begin(t, { model: model.id });
      if (t.clock.movable) {
        await t.clock.until(sentAt + TIMEOUT - 1 - slack(t));
        const early = pending.settled || statusOf(await readJob(t, jobId)) === "refunded";
        t.check("4.1/40", !early, {
          title: "a job is timed out before 120 seconds have passed",
          expected: "an unfinished job 1 ms before its time",
          seen: `${pending.status} on ${model.tier}`,
          exchanges: t.exchanges.slice(-1),
        });
        await t.clock.until(seenAt + TIMEOUT);
        await t.clock.advanceUntil(() => pending.settled, { within: GIVES_UP_AFTER, step: 100 });
      }
      const answer = await pending.finish();
      await t.behave(model, "normal");
      const took = answer.endedAt - sentAt;
      t.check("4.1/40", took >= TIMEOUT - STEP - slack(t), {
        title: "a 504 comes before 120 seconds have passed",
        expected: "120 seconds or more",
        seen: `${took / 1_000} s on ${model.tier}`,
        exchanges: answer,
      });
      t.check("7.2/8", took <= TIMEOUT + late + slack(t), {
        title: "a 504 comes much later than after 120 seconds",
        expected: `120 seconds, and ${late / 1_000} s for the chain`,
        seen: `${took / 1_000} s on ${model.tier}`,
        exchanges: answer,
      });
      await judgeTimeout(t, answer, model.credits_per_request, { wallet: t.home, what: `on ${model.tier}` });
      const after = await quietBalance(t);
      t.check("4.1/39", after === before, {
        title: "a job that timed out does not give all its units back",
        expected: `${before} units, as before`,
        seen: `${after} units on ${model.tier}`,
        exchanges: [answer, ...t.exchanges.slice(-1)],
      });
    }
  },
});

/** A stream waits for its first chunk, so that its 504 can be one; a long estimate was locked for it. */
const streamed = defineCase({
  id: "7.2/timeout-streamed",
  title: "a stream without a first chunk, and a request with a long estimate, are refunded in full after 120 seconds",
  requirements: ["7.2/11", "4.1/39", "4.1/50"],
  async run(t) {
    for (const changes of [{ stream: true }, { max_tokens: 2_600 }, { stream: true, max_tokens: 2_600 }]) {
      const before = await quietBalance(t);
      await t.behave(t.model(), "silent");
      const { pending } = await begin(t, changes);
      const shown = await t.home.balance();
      const answer = await pending.finish();
      await t.behave(t.model(), "normal");
      const refunded = at(answer.json, "error", "details", "credits_refunded");
      // Where the balance shows the lock, it is known to the unit.
      if (answer.status === 504 && shown < before) {
        t.check("7.2/11", refunded === before - shown, {
          title: "`credits_refunded` is not what the balance had shown as locked",
          expected: `${before - shown} units`,
          seen: refunded,
          exchanges: answer,
        });
      }
      t.observe("4.1/50", answer.status === 200 ? "cut" : "error-object");
      const after = await quietBalance(t);
      t.check("4.1/39", after === before, {
        title: "a long or streamed job that timed out does not give all its units back",
        expected: `${before} units, as before`,
        seen: after,
        exchanges: [answer, ...t.exchanges.slice(-1)],
      });
    }
    t.pass("7.2/11");
  },
});

/** Two at once, begun apart: each 504 tells of its own job, and each job has its own 120 seconds. */
const several = defineCase({
  id: "7.2/timeouts-apart",
  title: "jobs begun apart time out apart, each with its own 504",
  requirements: ["7.2/10", "4.1/40", "4.1/39"],
  async run(t) {
    const model = t.model();
    const before = await quietBalance(t);
    await t.behave(model, "silent");
    const first = await begin(t, { model: model.id });
    if (t.clock.movable) await t.clock.advance(45_000);
    const second = await begin(t, { model: model.id });
    const answers = await Promise.all([first.pending.finish(), second.pending.finish()]);
    await t.behave(model, "normal");
    for (const [index, { jobId, sentAt }] of [first, second].entries()) {
      const answer = answers[index];
      if (answer?.status !== 504) return t.giveUp("a job without end was not answered with 504");
      t.check("7.2/10", at(answer.json, "error", "details", "job_id") === jobId, {
        title: "a 504 tells of another request's job",
        expected: jobId,
        seen: at(answer.json, "error", "details", "job_id"),
        exchanges: answers,
      });
      t.check("4.1/40", answer.endedAt - sentAt >= TIMEOUT - STEP, {
        title: "a 504 comes before its own 120 seconds have passed",
        expected: "120 seconds or more",
        seen: `${(answer.endedAt - sentAt) / 1_000} s`,
        exchanges: answers,
      });
    }
    const after = await quietBalance(t);
    t.check("4.1/39", after === before, {
      title: "two jobs that timed out do not give all their units back",
      expected: `${before} units`,
      seen: after,
    });
  },
});

/** "After a 504 the refunded units can be spent at once": they were all there was. */
const spendable = defineCase({
  id: "7.3/spend-refund",
  title: "the last units of a wallet, refunded by a 504, pay for the next request at once, again and after a top-up",
  requirements: ["7.3/5"],
  async run(t) {
    for (const model of modelsToTry(t)) await spendTwice(t, model);
  },
});

async function spendTwice(t: CaseContext, model: ListedModel): Promise<void> {
  const wallet = await t.wallet({ credits: model.credits_per_request });
  for (const stream of [false, true]) {
    await t.behave(model, "silent");
    const answer = await wallet.api.say({ model: model.id, stream });
    await t.behave(model, "normal");
    if (answer.status === 504) continue;
    // How a stream is answered whose worker never finishes is open: its units are waited for.
    const back = async () => (await wallet.balance()) === model.credits_per_request;
    if (!stream || answer.status !== 200 || !(await t.clock.advanceUntil(back, { within: 60_000 })))
      return t.giveUp("a job without end was not answered with 504");
  }
  const next = answered(t, await wallet.api.say({ model: model.id }));
  t.check("7.3/5", next.status === 200, {
    title: "units refunded by a 504 cannot be spent at once",
    expected: "200",
    seen: `${told(next)} on ${model.tier}`,
  });
}

export const timeoutCases = [timeout, streamed, several, spendable];
