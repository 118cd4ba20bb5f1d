/** Section 3.1: the life of a job whose worker does its work. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel } from "../case.ts";
import { begin, type InFlight } from "../support/in-flight.ts";
import { balanceOf, chargeOf, ENDED, readJob, SETTLES_WITHIN, settledJob, statusOf } from "../support/jobs.ts";

/** The table's order of meanings. What has ended stays ended; a dispute may follow a settlement. */
const STEP: Readonly<Record<string, number>> = {
  pending: 0,
  processing: 1,
  settling: 2,
  settled: 3,
  failed: 3,
  refunded: 3,
  disputed: 4,
};

/** Reads a job at each step until it has ended, and holds each reading that differs against the one before. */
async function watch(t: CaseContext, { jobId }: InFlight, step: number): Promise<readonly Exchange[]> {
  const seen: Exchange[] = [];
  const ended = async (): Promise<boolean> => {
    const job = await readJob(t, jobId);
    const before = seen.at(-1);
    if (before === undefined || statusOf(before) !== statusOf(job)) seen.push(job);
    else seen[seen.length - 1] = job;
    return ENDED.includes(statusOf(job) ?? "");
  };
  if (!(await t.clock.advanceUntil(ended, { within: 15_000, step }))) {
    await t.clock.advanceUntil(ended, { within: SETTLES_WITHIN, step: 2_000 });
  }
  for (const [index, job] of seen.entries()) {
    const before = seen[index - 1];
    if (before === undefined) continue;
    const forward = (STEP[statusOf(before) ?? ""] ?? -1) <= (STEP[statusOf(job) ?? ""] ?? -1);
    const change = `${statusOf(before)} to ${statusOf(job)}`;
    if (!t.check("3.1/9", forward, { expected: "no step back", seen: change, exchanges: [before, job] })) break;
  }
  return seen;
}

/**
 * Pending, processing, settling, settled: some may be skipped, none is gone back to. A worker that has taken a job is the one that finishes it; a job
 * whose proof is on-chain is finished by nobody else; and what was delivered settles.
 */
const life = defineCase({
  id: "3.1/life",
  title: "a job goes forward only, from its request to `settled`, in every form",
  requirements: ["3.1/2", "3.1/3", "3.1/4", "3.1/8", "3.1/9", "3.1/13"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const models = t.home.fresh ? t.models() : [t.model()];
    for (const [index, model] of models.entries()) {
      // The cheapest model is tried both ways, the others in turn.
      for (const stream of index === 0 ? [false, true] : [index % 2 === 0]) await live(t, model, { stream });
    }
  },
});

async function live(t: CaseContext, model: ListedModel, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const before = await t.home.balance();
  const begun = await begin(t, { model: model.id, ...changes });
  const seen = await watch(t, begun, 100);
  const answer = await begun.pending.finish();
  t.accepted(answer, "a valid chat");
  const statuses = [...new Set(seen.map(statusOf))];
  t.observe(
    "3.1/13",
    statuses.filter((status) => !ENDED.includes(status ?? "")).join(", ") || "seen only when it had ended",
  );
  const last = seen.at(-1) as Exchange;
  const exchanges = [answer, last];
  t.check("3.1/8", statusOf(last) === "settled", { expected: "settled", seen: last.text, exchanges });
  const worker = at(last.json, "worker_address");
  for (const job of seen) {
    const [status, taken] = [statusOf(job), at(job.json, "worker_address")];
    const told = { seen: job.text, exchanges: [job, last] };
    const same = taken === undefined || taken === null || taken === worker;
    if (status === "processing")
      t.check("3.1/2", same, { ...told, expected: `the worker that finished it, ${worker}` });
    const settlement = at(job.json, "on_chain", "settlement_tx");
    const open =
      settlement === undefined || settlement === null || settlement === at(last.json, "on_chain", "settlement_tx");
    if (status === "settling") t.check("3.1/3", open, { ...told, expected: "no other settlement than the final one" });
  }
  for (const [row, status] of [
    ["3.1/2", "processing"],
    ["3.1/3", "settling"],
  ] as const) {
    if (!statuses.includes(status)) t.notExercised(row, `no job was seen ${status}: statuses may be skipped`);
  }
  if (!t.home.fresh) return t.notExercised("3.1/4", "the wallet of a given key may be in use by others");
  const charge = chargeOf(last);
  const after = await t.home.balance();
  t.check("3.1/4", charge > 0 && after === before - charge, {
    expected: `${before} less ${charge}`,
    seen: after,
    exchanges: [last, t.exchanges.at(-1) as Exchange],
  });
}

/** Reads that overlap tell of one history: what is sent after an answer has come tells nothing older. A settled job is settled in all its parts. */
const overlapping = defineCase({
  id: "3.1/read-while-settling",
  title: "reading a job and its list while it settles shows no half-made settlement and no step back",
  requirements: ["2.3/15", "3.1/9", "4.6/11"],
  needs: ["credits"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    for (const stream of [false, true]) {
      const { jobId, pending } = await begin(t, { stream });
      let reached = 0;
      const ended = await t.clock.advanceUntil(
        async () => {
          const reads = [
            t.api.job(jobId),
            t.api.jobs({ limit: 5 }),
            t.api.job(jobId),
            t.api.jobs({ status: "settled", limit: 5 }),
            t.api.jobs({ status: "settling", limit: 5 }),
          ];
          const pendings = reads.map((read) => read.start());
          await t.clock.settle();
          const answers = await Promise.all(pendings.map((each) => each.finish()));
          let most = reached;
          for (const [index, status] of [[3, "settled"] as const, [4, "settling"] as const]) {
            const page = answers[index]?.json;
            t.check(
              "4.6/11",
              statusesIn(page).every((each) => each === status),
              {
                title: "a list of jobs with one status shows a job with another, while it settles",
                expected: `only ${status} jobs`,
                seen: page,
                exchanges: answers.slice(index, index + 1),
              },
            );
          }
          for (const answer of answers) {
            const job = at(answer.json, "object") === "job" ? answer.json : listed(answer.json, jobId);
            const status = at(job, "status");
            const step = STEP[String(status)];
            if (step === undefined) continue;
            const told = { seen: job, exchanges: answer };
            t.check("3.1/9", step >= reached, { ...told, expected: "no older status than was told before" });
            const chain = ["escrow_tx", "settlement_tx", "escrow_address", "block_number", "proof_hash"];
            const whole = status !== "settled" || chain.every((name) => at(job, "on_chain", name) != null);
            t.check("2.3/15", whole, { ...told, expected: "all of `on_chain` as soon as the job is settled" });
            most = Math.max(most, step);
          }
          reached = most;
          return reached >= 3;
        },
        { within: SETTLES_WITHIN, step: 100 },
      );
      if (!ended) t.giveUp("the job did not end");
      await pending.finish();
    }
  },
});

/** The statuses that a page of jobs tells. */
function statusesIn(page: unknown): readonly unknown[] {
  const data = at(page, "data");
  return Array.isArray(data) ? data.map((job) => at(job, "status")) : [];
}

function listed(page: unknown, id: string): unknown {
  const data = at(page, "data");
  return Array.isArray(data) ? data.find((job) => at(job, "id") === id) : undefined;
}

/** The units of a job in flight are held: a wallet that has no more than one price cannot begin a second request, and can when it is returned. */
const held = defineCase({
  id: "3.1/held",
  title: "a job's units are held while a worker is sought and while it works, and are free again after its refund",
  requirements: ["3.1/1"],
  needs: ["wallets", "behaviours"],
  async run(t) {
    const model = t.model();
    await t.behave(model, "silent");
    const wallet = await t.wallet({ credits: model.credits_per_request });
    const { jobId, pending } = await begin(t, { model: model.id }, wallet.api);
    const statuses: string[] = [];
    for (const span of [0, 50, 1_000, 10_000, 60_000]) {
      if (span > 0) await t.clock.advance(span);
      const job = await readJob(t, jobId, wallet.api);
      statuses.push(statusOf(job) ?? "none");
      const second = await wallet.api.say({ model: model.id });
      const ok = second.status === 402 && errorCode(second) === "insufficient_credits";
      if (!t.check("3.1/1", ok, { expected: "402: the units are held", seen: second.text, exchanges: [job, second] }))
        return;
    }
    await pending.finish();
    await t.behave(model, "normal");
    const balance = await balanceOf(t, wallet, model.credits_per_request);
    t.check("3.1/1", balance === model.credits_per_request, { expected: "the price, once more", seen: balance });
    await t.complete({ model: model.id }, wallet.api);
  },
});

/** Only a trigger moves a job: a settled one keeps its status and its units past every time limit of the contract. */
const keeps = defineCase({
  id: "3.1/keeps-settled",
  title: "a settled job keeps its status and its charge past 60 s, 120 s and a day",
  requirements: ["3.1/12", "3.1/4"],
  needs: ["credits", "clock"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const jobs = [await t.complete(), await t.complete({ stream: true })];
    for (const { jobId } of jobs) await settledJob(t, jobId);
    const balance = await t.home.balance();
    for (const span of [50_000, 15_000, 60_000, 3_600_000, 86_400_000]) {
      await t.clock.advance(span);
      for (const { jobId } of jobs) {
        const job = await readJob(t, jobId);
        if (!t.check("3.1/12", statusOf(job) === "settled", { expected: "settled", seen: job.text, exchanges: job }))
          return;
      }
      if (!t.home.fresh) continue;
      const now = await t.home.balance();
      const title = "The balance moved while only time passed.";
      if (!t.check("3.1/4", now === balance, { title, expected: String(balance), seen: now })) return;
    }
  },
});

export const lives = [life, overlapping, held, keeps];
