/** Section 3.1: what follows a dispute. 24 hours of arbitration, a verdict, and what it does to the job and the units. */
import type { Exchange } from "../../exchange/exchange.ts";
import type { Verdict } from "../../target/controls.ts";
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "../case.ts";
import { type Disputed, hosted, openDispute } from "../support/disputed.ts";
import { balanceOf, chargeOf, idsOf, readJob, statusOf } from "../support/jobs.ts";
import { mayOpenDisputes } from "../support/may.ts";
import { formsToTry } from "../support/money.ts";

const DAY = 86_400_000;
/** What the chain may take to confirm what a verdict does. */
const CONFIRMED = 90_000;

/** A disputed job stays disputed during the arbitration: past the dispute window, past the job's own time limit, up to its last second. */
const during = defineCase({
  id: "3.1/arbitration",
  title: "a disputed job stays disputed while its arbitration runs, and its units stay where they are",
  requirements: ["3.1/17", "4.7/24", "8/1"],
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    if (!mayOpenDisputes(t)) t.leaveOut("a dispute is opened only on a deployment with test controls (--control)");
    // Neither arbitration began before this.
    const began = t.clock.now();
    const jobs: Disputed[] = [];
    for (const changes of formsToTry(t)) jobs.push(await openDispute(t, changes));
    let balance = await t.home.balance();
    for (const after of [30_000, 59_000, 90_000, 119_000, 121_000, 190_000, 3_600_000, DAY / 2, DAY - 1_000]) {
      if (!t.clock.affords(Math.max(0, began + after - t.clock.now()))) break;
      await t.clock.until(began + after);
      for (const { done } of jobs) {
        const job = await readJob(t, done.jobId);
        const told = { expected: "disputed", seen: `${job.text}, ${after / 1000} s later`, exchanges: job };
        if (!t.check("3.1/17", statusOf(job) === "disputed", told)) return;
        if (after > DAY / 4) t.pass("8/1");
      }
      if (!t.home.fresh) continue;
      const now = await t.home.balance();
      const title = "The balance moved while a dispute was open.";
      if (!t.check("4.7/24", now === balance, { title, expected: String(balance), seen: now })) return;
      // What a wallet does besides leaves its disputes alone.
      if (after !== 119_000) continue;
      await t.home.topUp(100);
      balance = await balanceOf(t, t.home, now + 100, 60_000);
    }
  },
});

/** What became of a disputed job: the words of the open point, and the units that came back. */
interface Outcome {
  readonly words: string;
  readonly returned: number;
  readonly charge: number;
  readonly job: Exchange;
}

async function outcome(t: CaseContext, wallet: Wallet, dispute: Disputed, before: number): Promise<Outcome> {
  await t.clock.advance(CONFIRMED);
  const job = await readJob(t, dispute.done.jobId, wallet.api);
  const returned = (await wallet.balance()) - before;
  const charge = chargeOf(dispute.settled);
  const units =
    returned === 0 ? "no units returned" : returned === charge ? "the charge returned" : "other units moved";
  return { words: `${statusOf(job)}, ${units}`, returned, charge, job };
}

/** Whether a verdict moved the balance by nothing or by the whole charge. */
function judgeUnits(t: CaseContext, verdict: string, { returned, charge, job }: Outcome): boolean {
  return t.check("3.1/16", returned === 0 || returned === charge, {
    expected: `0 or ${charge} units after the verdict ${verdict}`,
    seen: returned,
    exchanges: job,
  });
}

/** One verdict, for jobs of every model, in both forms, of honest and of dishonest workers: one outcome. */
async function tryVerdict(t: CaseContext, verdict: Verdict): Promise<void> {
  const tries = t.models().flatMap((model): [ListedModel, boolean][] => [
    [model, false],
    [model, true],
  ]);
  let first: Outcome | null = null;
  for (const [index, [model, stream]] of tries.entries()) {
    const wallet = await t.wallet({ credits: 300 });
    if (t.has("behaviours")) await t.behave(model, index % 3 === 2 ? "normal" : "dishonest");
    // Long ones cost more than the flat price: what is returned must be what was charged.
    const changes = index === 1 && t.has("behaviours") ? { max_tokens: 1_400 } : {};
    if (index === 1 && t.has("behaviours")) await t.behave(model, "dishonest", 1_300);
    const dispute = await openDispute(t, { model: model.id, stream, ...changes }, wallet.api);
    const before = await wallet.balance();
    await t.controls.giveVerdict(dispute.done.jobId, verdict);
    const ended = await outcome(t, wallet, dispute, before);
    t.observe("3.1/14", `${verdict}: ${ended.words}`);
    first = compare(t, first, ended);
    if (!judgeUnits(t, verdict, ended) || !(await hosted(t, [model.id]))) return;
    if (index === 0) await judgeListed(t, wallet, dispute);
    if (index % 4 !== 0) continue;
    await t.clock.advance(DAY);
    const later = await outcome(t, wallet, dispute, before);
    const told = { expected: ended.words, seen: later.words, exchanges: [ended.job, later.job] };
    if (!t.check("3.1/15", later.words === ended.words, { title: "A verdict has a second outcome later.", ...told }))
      return;
    judgeUnits(t, verdict, later);
  }
}

/** A verdict takes no job off its wallet's list. */
async function judgeListed(t: CaseContext, wallet: Wallet, { done }: Disputed): Promise<void> {
  const page = await wallet.api.jobs({ limit: 20 });
  t.accepted(page, "listing one's own jobs");
  t.check("4.6/2", idsOf(page).includes(done.jobId), {
    title: "a job is not listed after its verdict",
    expected: done.jobId,
    seen: idsOf(page),
    exchanges: page,
  });
}

/** Holds an outcome against the first one of the case; returns the one that counts. */
function compare(t: CaseContext, first: Outcome | null, ended: Outcome): Outcome {
  const known = first ?? ended;
  const told = { expected: known.words, seen: ended.words, exchanges: [known.job, ended.job] };
  t.check("3.1/15", ended.words === known.words, told);
  return known;
}

const fraudulent = defineCase({
  id: "3.1/verdict-fraudulent",
  title: "the verdict `fraudulent` has one outcome, and returns the charge or nothing",
  requirements: ["3.1/14", "3.1/15", "3.1/16", "4.6/2"],
  needs: ["wallets", "arbitration", "clock"],
  run: (t) => tryVerdict(t, "fraudulent"),
});

const honest = defineCase({
  id: "3.1/verdict-honest",
  title: "the verdict `honest` has one outcome, and returns the charge or nothing",
  requirements: ["3.1/14", "3.1/15", "3.1/16", "4.6/2"],
  needs: ["wallets", "arbitration", "clock"],
  run: (t) => tryVerdict(t, "honest"),
});

/** 24 hours without a verdict: whatever it is that happens then, it moves no other units than the charge. */
const none = defineCase({
  id: "3.1/no-verdict",
  title: "24 hours without a verdict have one outcome, and return the charge or nothing",
  requirements: ["3.1/14", "3.1/15", "3.1/16"],
  needs: ["wallets", "clock"],
  async run(t) {
    let first: Outcome | null = null;
    for (const stream of [false, true]) {
      const wallet = await t.wallet({ credits: 300 });
      const dispute = await openDispute(t, { stream }, wallet.api);
      const before = await wallet.balance();
      await t.clock.advance(DAY + 60_000);
      const ended = await outcome(t, wallet, dispute, before);
      t.observe("3.1/14", `24 hours without a verdict: ${ended.words}`);
      if (!judgeUnits(t, "of nobody", ended)) return;
      first = compare(t, first, ended);
    }
  },
});

export const arbitration = [during, fraudulent, honest, none];
