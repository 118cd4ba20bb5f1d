/** Section 4.4 and what hangs by it: a wallet that has seen everything is served, charged and told as one that has seen nothing. */
import { at, succeeded } from "../exchange/exchange.ts";
import { type CaseContext, defineCase, type Subscription, type Wallet } from "./case.ts";
import { eventually, toldOf } from "./support/deliveries.ts";
import { challenge, openDispute } from "./support/disputed.ts";
import { honestHashes, sha256 } from "./support/hash.ts";
import { balanceOf, idsOf, opened, proofHash, settledJob } from "./support/jobs.ts";
import { mayOpenDisputes } from "./support/may.ts";
import { chargeFor, quietBalance } from "./support/money.ts";
import { answered, told } from "./support/refusals.ts";

const BOUGHT = 100;
/** More than a day: what was kept for an hour or a day is gone. */
const LONG_AGO = 26 * 3_600_000;
const MOST_RATE = 10;

/** A worker that drops out, one that never finishes, a dispute, and a request that is refused. Ends the case where one of them is answered otherwise. */
async function past(t: CaseContext, wallet: Wallet): Promise<void> {
  for (const stream of [false, true]) await unpaid(t, wallet, "failing", stream);
  for (const stream of [false, true]) await unpaid(t, wallet, "silent", stream);
  if (mayOpenDisputes(t)) await openDispute(t, {}, wallet.api);
  await wallet.api.say({ temperature: 3 }, { cost: 0 });
}

/** A job that is not paid, by what its worker does. */
async function unpaid(t: CaseContext, wallet: Wallet, behaviour: "failing" | "silent", stream: boolean): Promise<void> {
  await t.behave(t.model(), behaviour);
  const answer = await wallet.api.say({ stream });
  await t.behave(t.model(), "normal");
  // A stream that has begun can only break off.
  const broken = stream && answer.status === 200;
  if (answer.status < 500 && !broken) t.giveUp(`a job that failed was answered ${told(answer)}`);
}

/** Short completions cost the flat price, and a long estimate is not kept. Resolves to the ids of their jobs. */
async function judgePaid(t: CaseContext, wallet: Wallet): Promise<readonly string[]> {
  const { id: model, credits_per_request: flat } = t.model();
  const ids: string[] = [];
  await t.behave(model, "normal", 12);
  for (const changes of [{}, { stream: true }, { max_tokens: 1_400 }, { max_tokens: 1_400, stream: true }]) {
    const before = await quietBalance(t, wallet);
    const done = await t.complete(changes, wallet.api);
    const { charge } = await chargeFor(t, done, wallet);
    const taken = before - (await quietBalance(t, wallet));
    ids.push(done.jobId);
    const shown = { seen: { charge, taken }, exchanges: done.exchange };
    const title = "a short completion of a wallet with a past does not cost the flat price";
    t.check("4.1/41", charge === flat, { ...shown, title, expected: `${flat} units` });
    t.check("max_tokens" in changes ? "4.1/45" : "4.1/38", taken === flat, {
      ...shown,
      title: "a short completion takes other units than its price from a wallet with a past",
      expected: `${flat} units`,
    });
  }
  return ids;
}

/** What is not paid is given back again, the second time as the first; and what is bought is added. */
async function judgeReturned(t: CaseContext, wallet: Wallet): Promise<void> {
  const before = await quietBalance(t, wallet);
  for (const [behaviour, row] of [
    ["failing", "1/9"],
    ["silent", "4.1/39"],
  ] as const) {
    for (const stream of [false, true]) await unpaid(t, wallet, behaviour, stream);
    const after = await balanceOf(t, wallet, before);
    t.check(row, after === before, {
      title: "a wallet with a past does not get back the units of a job that was not done",
      expected: String(before),
      seen: after,
    });
  }
  await wallet.topUp(BOUGHT);
  const after = await balanceOf(t, wallet, before + BOUGHT);
  t.check("2.1/9", after === before + BOUGHT, {
    title: "units bought for a wallet with a past do not all count",
    expected: String(before + BOUGHT),
    seen: after,
  });
  const account = await wallet.api.account();
  const header = account.headers.get(`x-${t.brand}-credits-remaining`);
  t.check("4.11/7", header === null || Number(header) === at(account.json, "credits_remaining"), {
    title: "the balance in a receipt is not that of the account, with nothing in flight",
    expected: String(at(account.json, "credits_remaining")),
    seen: header,
  });
}

/** The posted hash opens nothing, another one a dispute. */
async function judgeDisputed(t: CaseContext, wallet: Wallet): Promise<void> {
  if (!mayOpenDisputes(t)) return;
  const done = await t.complete({}, wallet.api);
  const posted = proofHash(await settledJob(t, done.jobId, wallet.api)) ?? "";
  const hash = honestHashes(done.text).find((each) => each === posted.toLowerCase()) ?? posted;
  const equal = await challenge(t, done, hash, wallet.api);
  const shown = { seen: equal.text, exchanges: equal };
  t.check("4.7/5", succeeded(equal) && !opened(equal), { ...shown, expected: "no dispute: the hashes are equal" });
  const other = await challenge(t, done, sha256("something else"), wallet.api);
  t.check("4.7/3", opened(other), { expected: "a dispute opened", seen: other.text, exchanges: other });
}

/** The dearest model, until the units do not do: down to nothing, and down to one unit less than its price. */
async function judgeLimit(t: CaseContext, wallet: Wallet): Promise<void> {
  const dear = t.models().at(-1) ?? t.model();
  const price = dear.credits_per_request;
  for (const rest of [0, price - 1]) {
    const before = (await quietBalance(t, wallet)) + BOUGHT;
    const bought = BOUGHT + ((((rest - before) % price) + price) % price);
    await wallet.topUp(bought);
    await balanceOf(t, wallet, before - BOUGHT + bought);
    for (let tries = 0; tries < 10; tries++) {
      const balance = await quietBalance(t, wallet);
      const enough = balance >= price;
      const answer = answered(t, await wallet.api.say({ model: dear.id, stream: tries % 2 === 1 }));
      // A worker may drop out.
      if (enough && answer.status >= 500) continue;
      t.check("8/7", answer.status === (enough ? 200 : 402), {
        title: `a wallet with a past is ${enough ? "refused with enough units" : "served without enough of them"}`,
        expected: enough ? "200" : "402",
        seen: `${told(answer)} with ${balance} units, ${price} needed`,
        exchanges: answer,
      });
      if (!enough) break;
      if (answer.status !== 200) return;
    }
  }
}

/** Its webhook is as old as the wallet, and is told of each job. */
async function judgeTold(t: CaseContext, hook: Subscription, ids: readonly string[]): Promise<void> {
  const untold = (): readonly string[] => ids.filter((id) => toldOf(hook, "job.completed", id).length === 0);
  await eventually(t, () => untold().length === 0);
  t.check("6.1/3", untold().length === 0, {
    title: "the old webhook of a wallet with a past is not told of its jobs",
    expected: `job.completed for ${ids.join(", ")}`,
    seen: hook.endpoint.deliveries.map((each) => each.event),
    exchanges: hook.created,
  });
}

const seasoned = defineCase({
  id: "4.4/wallet-with-a-past",
  title:
    "a day after failures, time-outs, a dispute and refusals a wallet is served, charged, repaid and told as before",
  requirements: [
    "1/9",
    "2.1/9",
    "4.1/38",
    "4.1/39",
    "4.1/41",
    "4.1/45",
    "4.6/2",
    "4.7/3",
    "4.7/5",
    "4.11/7",
    "6.1/3",
    "8/7",
  ],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const wallet = await t.wallet({ credits: 120 });
    const events = ["job.completed"];
    // On a clock that runs away answers to deliveries may come too late.
    const hears = t.has("receiver") && t.clock.rate <= MOST_RATE;
    const hook = hears ? await t.subscribe({ events, api: wallet.api }) : null;
    await past(t, wallet);
    await t.clock.advance(LONG_AGO);
    const ids = await judgePaid(t, wallet);
    if (hook !== null) await judgeTold(t, hook, ids);
    await judgeReturned(t, wallet);
    await judgeDisputed(t, wallet);
    await judgeLimit(t, wallet);
    const page = await wallet.api.jobs({ limit: 100 });
    t.accepted(page, "listing one's own jobs");
    t.check(
      "4.6/2",
      ids.every((id) => idsOf(page).includes(id)),
      {
        title: "jobs of a wallet with a past are not all listed",
        expected: ids.join(", "),
        seen: idsOf(page),
        exchanges: page,
      },
    );
  },
});

export const section44Past = [seasoned];
