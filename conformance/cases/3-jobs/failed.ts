/** Section 3.1: jobs whose worker drops out, and requests that no worker can take. */
import { at, type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, defineCase, type RequirementId, type Wallet } from "../case.ts";
import { begin, beginAll } from "../support/in-flight.ts";
import { balanceOf, chargeOf, ENDED, idsOf, readJob, settledJob, statusOf } from "../support/jobs.ts";

/** What must be so after a job failed: its status, no settlement, its units back, and a request that was told. */
async function judgeFailed(
  t: CaseContext,
  wallet: Wallet,
  facts: { readonly jobId: string; readonly answer: Exchange; readonly before: number; readonly what: string },
): Promise<boolean> {
  const { jobId, answer, before, what } = facts;
  const job = await t.jobWhen(jobId, ENDED, { within: 130_000, api: wallet.api });
  const last = job ?? (await readJob(t, jobId, wallet.api));
  const shown = { seen: last.text, exchanges: [answer, last] };
  if (!t.check("3.1/5", statusOf(last) === "failed", { ...shown, expected: "failed" })) return false;
  const settlement = at(last.json, "on_chain", "settlement_tx");
  t.check("3.1/10", settlement === undefined || settlement === null, { ...shown, expected: "no settlement" });
  observeCharge(t, last, "1/9");
  const balance = await balanceOf(t, wallet, before);
  const title = "The units of a failed job were not returned.";
  if (!t.check("1/9", balance === before, { title, expected: `${before}, as ${what}`, seen: balance })) return false;

  // A stream that had begun before its worker dropped out has told its 200 already: then it must not end as if it were whole.
  const begun = (answer.headers.get("content-type") ?? "").startsWith("text/event-stream") && answer.status === 200;
  if (begun) {
    const told = { seen: `${answer.ending} ${answer.text.slice(-300)}`, exchanges: answer };
    t.check("4.1/50", !(answer.ending === "answered" && readStream(answer).done), {
      ...told,
      expected: "no whole stream",
    });
    return true;
  }
  const told = answer.status >= 500 && answer.status < 600 && errorCode(answer) !== null;
  t.observe("3.1/18", `${answer.status} \`${errorCode(answer)}\``);
  return t.check("3.1/19", told, {
    expected: "a 5xx with an error object",
    seen: `${answer.status} ${answer.text}`,
    exchanges: answer,
  });
}

/** 3.1/11: which charge a job shows that was never paid: none, or what had been locked, which is the flat price at least. Another one it would have kept. */
export function observeCharge(t: CaseContext, job: Exchange, row: "1/9" | "4.1/39", returned?: unknown): void {
  const charge = at(job.json, "credits_charged");
  const choice =
    charge === undefined ? "absent" : charge === null ? "null" : charge === 0 ? "0" : "what had been locked";
  t.observe("3.1/11", `${statusOf(job)}: ${choice}`);
  if (typeof charge !== "number" || charge === 0) return;
  const flat = t.models().find(({ id }) => id === at(job.json, "model"))?.credits_per_request ?? 0;
  const locked = typeof returned === "number" ? charge === returned : charge >= flat;
  t.check(row, locked, {
    title: "a job that was not paid shows a charge that is neither 0 nor what had been locked",
    expected: typeof returned === "number" ? `0, or the ${returned} that were returned` : `0, or at least ${flat}`,
    seen: charge,
    exchanges: job,
  });
}

const failRows: readonly RequirementId[] = ["1/9", "3.1/5", "3.1/10", "3.1/11", "3.1/18", "3.1/19", "4.1/50"];

/** "Failed before finishing: the units are returned", whatever the model, the form of the request and the size of the lock. */
const failed = defineCase({
  id: "3.1/failed",
  title: "a job whose worker drops out fails, tells so, and gives all its units back",
  requirements: failRows,
  needs: ["credits", "behaviours"],
  cost: (prices) => 4 * prices.flat + 4 * prices.perThousand,
  async run(t) {
    const models = t.home.fresh ? t.models() : [t.model()];
    for (const model of models) {
      await t.behave(model, "failing");
      for (const changes of [{}, { stream: true }, { max_tokens: 1_500 }, { max_tokens: 1_500, stream: true }]) {
        const before = await t.home.balance();
        const { jobId, pending } = await begin(t, { model: model.id, ...changes });
        const answer = await pending.finish();
        if (!(await judgeFailed(t, t.home, { jobId, answer, before, what: "before the request" }))) return;
      }
    }
    await t.behave(t.model(), "normal");
    t.accepted(await t.api.say(), "a request after the failures");
  },
});

/** Several at once, among jobs that succeed, and with a top-up in between: each failure gives back its own units and no others. */
const among = defineCase({
  id: "3.1/failed-among-others",
  title: "jobs that fail together, beside jobs that settle and after a top-up, give back exactly their units",
  requirements: failRows,
  needs: ["wallets", "behaviours"],
  async run(t) {
    const [good, bad] = [t.model(), t.models().at(-1) ?? t.model()];
    if (good.id === bad.id) t.leaveOut("only one model is listed");
    const wallet = await t.wallet({ credits: 3 * bad.credits_per_request + 2 * good.credits_per_request });
    await t.behave(bad, "failing");
    const before = await wallet.balance();
    const failing = await beginAll(
      t,
      [{ model: bad.id }, { model: bad.id, stream: true }, { model: bad.id }],
      wallet.api,
    );
    const settling = await Promise.all([
      t.complete({ model: good.id }, wallet.api),
      t.complete({ model: good.id, stream: true }, wallet.api),
    ]);
    await wallet.topUp(100);
    let paid = 0;
    for (const { jobId } of settling) paid += chargeOf(await settledJob(t, jobId, wallet.api));
    for (const { jobId, pending } of failing) {
      const answer = await pending.finish();
      const what = "topped up by 100 and charged for the jobs that settled";
      if (!(await judgeFailed(t, wallet, { jobId, answer, before: before + 100 - paid, what }))) return;
    }
  },
});

/** A failed job has ended: its 120-second limit, when it comes, moves neither its status nor the balance a second time. */
const once = defineCase({
  id: "3.1/failed-once",
  title: "a failed job stays failed past its time limit, and is not paid back twice",
  requirements: ["1/9", "3.1/12"],
  needs: ["credits", "behaviours", "clock"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    await t.behave(t.model(), "failing");
    const before = await t.home.balance();
    const jobs = await beginAll(t, [{}, { stream: true }]);
    for (const { pending } of jobs) await pending.finish();
    for (const { jobId } of jobs) await t.jobWhen(jobId, ["failed"], { within: 110_000 });
    if ((await balanceOf(t, t.home, before)) !== before) t.giveUp("the units were not returned");
    for (const span of [60_000, 59_000, 2_000, 60_000, 3_600_000]) {
      await t.clock.advance(span);
      for (const { jobId } of jobs) {
        const job = await readJob(t, jobId);
        if (!t.check("3.1/12", statusOf(job) === "failed", { expected: "failed", seen: job.text, exchanges: job }))
          return;
      }
      const balance = await t.home.balance();
      const title = "The units of a failed job were returned twice.";
      if (!t.check("1/9", balance === before, { title, expected: String(before), seen: balance })) return;
    }
  },
});

/** A model that is known and that nobody hosts: whether a job is made is open; the units stay. */
const absent = defineCase({
  id: "3.1/absent",
  title: "a request to a model that nobody hosts costs nothing, whether or not it makes a job",
  requirements: ["3.1/20", "3.1/21", "3.1/10"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 4 * prices.flat + 4 * prices.perThousand,
  async run(t) {
    for (const model of t.home.fresh ? t.models() : [t.model()]) {
      const before = await t.home.balance();
      const known = new Set(idsOf(await t.api.jobs({ limit: 50 })));
      await t.behave(model, "absent");
      for (const changes of [{}, { stream: true }, { max_tokens: 2_000 }]) {
        const answer = await t.api.say({ model: model.id, ...changes });
        if (succeeded(answer)) t.giveUp("a model without workers answered");
        const balance = await balanceOf(t, t.home, before);
        const told = { expected: String(before), seen: balance, exchanges: answer };
        if (!t.check("3.1/21", balance === before, told)) return;
        const made = idsOf(await t.api.jobs({ limit: 50 })).filter((id) => !known.has(id));
        t.observe("3.1/20", made.length > 0 ? "a job is made" : "no job is made");
        for (const id of made) {
          known.add(id);
          const job = await readJob(t, id);
          const settlement = at(job.json, "on_chain", "settlement_tx") ?? null;
          t.check("3.1/10", settlement === null, { expected: "no settlement", seen: job.text, exchanges: job });
        }
      }
      await t.behave(model, "normal");
    }
  },
});

export const failures = [failed, among, once, absent];
