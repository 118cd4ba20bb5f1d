/** Section 6.1 and 6.2: what happens to a balance, and to workers. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import type { Delivery } from "../../receiver/receiver.ts";
import type { Api } from "../api.ts";
import { type CaseContext, type Completed, defineCase, type Subscription, type Wallet } from "../case.ts";
import { about, deliveryRows, eventually, judgeDeliveries, shown } from "../support/deliveries.ts";
import { challenge, hosted } from "../support/disputed.ts";
import { sha256 } from "../support/hash.ts";
import { settledJob } from "../support/jobs.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";

/** Time in which an event that must not come would have come. */
const QUIET = 5_000;

async function spend(t: CaseContext, wallet: Wallet, model: string, stream = false): Promise<void> {
  const done = await t.complete({ model, stream }, wallet.api);
  await settledJob(t, done.jobId, wallet.api);
}

/** No balance falls below a threshold of 0: then there is nothing to be told. */
function thresholdOf(t: CaseContext): number {
  const threshold = t.controls.lowCreditThreshold;
  return threshold > 0 ? threshold : t.leaveOut("the threshold of `credit.low` is 0");
}

/** A webhook that subscribed other events: it is sent none of what the case is about, or the monitor of deliveries (6/3) tells. */
async function deafTo(t: CaseContext, api: Api = t.api): Promise<void> {
  await t.subscribe({ events: ["job.failed", "job.timeout"], api });
}

async function lows(t: CaseContext, subscription: Subscription, atLeast: number): Promise<number> {
  // What must not come is given the time in which it would.
  if (atLeast > 0) await eventually(t, () => subscription.endpoint.of("credit.low").length >= atLeast);
  else if (t.clock.affords(QUIET)) await t.clock.advance(QUIET);
  return subscription.endpoint.of("credit.low").length;
}

/** The balance fell below the threshold: told at the crossing, for whichever model's charge it was. */
const low = defineCase({
  id: "6.1/credit-low",
  title: "credit.low is sent when a charge takes the balance below the threshold, and not before",
  requirements: [...deliveryRows, "6.1/7", "6.1/12", "6.1/13"],
  async run(t) {
    const threshold = thresholdOf(t);
    for (const [index, model] of modelsToTry(t).entries()) {
      const price = model.credits_per_request;
      const wallet = await t.wallet({ credits: threshold + 3 * price + 1_000 });
      const far = await t.subscribe({ events: ["credit.low"], api: wallet.api });
      await spend(t, wallet, model.id);
      const early = await lows(t, far, 0);
      t.check("6.1/12", early === 0, {
        title: "credit.low is sent far above the threshold",
        expected: "no credit.low",
        seen: far.endpoint.deliveries.map(shown),
        exchanges: far.created,
      });

      const poor = await t.wallet({ credits: threshold + price - 1 });
      const near = await t.subscribe({ events: ["credit.low"], api: poor.api });
      // Names that begin alike are names of different events.
      const unasked = ["job.failed", "credit.topup"];
      const deaf = await t.subscribe({ events: unasked, api: poor.api });
      await spend(t, poor, model.id, index % 2 === 0);
      const balance = await quietBalance(t, poor);
      if (balance >= threshold) t.giveUp("the charge did not take the balance below the threshold");
      const came = await lows(t, near, 1);
      t.check("6.1/7", came >= 1, {
        title: "no credit.low is sent at the crossing",
        expected: `credit.low at a balance of ${balance}`,
        seen: "none",
        exchanges: near.created,
      });
      const once = came;
      if (balance >= price) {
        await spend(t, poor, model.id);
        const later = await lows(t, near, once + 1);
        t.observe("6.1/13", later > once ? "at each charge below" : "once at the crossing");
      }
      judgeDeliveries(t, near, ["credit.low"]);
      judgeDeliveries(t, deaf, unasked);
      t.check("6/3", deaf.endpoint.deliveries.length === 0, {
        title: "a webhook is sent a credit.low that it did not subscribe",
        expected: "nothing",
        seen: deaf.endpoint.deliveries.map(shown),
        exchanges: deaf.created,
      });

      const edge = await t.wallet({ credits: threshold + price });
      const exact = await t.subscribe({ events: ["credit.low"], api: edge.api });
      await spend(t, edge, model.id);
      await lows(t, exact, 0);
      // What tells a lower balance may have counted units that were locked meanwhile.
      const eager = exact.endpoint
        .of("credit.low")
        .filter((each) => at(each.json, "data", "credits_remaining") === threshold);
      t.check("6.1/12", eager.length === 0, {
        title: "credit.low is sent at exactly the threshold",
        expected: `no credit.low at a balance of ${threshold}, which is not below ${threshold}`,
        seen: eager.map(shown),
        exchanges: exact.created,
      });
    }
  },
});

/** A top-up lifts the balance: the next crossing is a crossing again. */
const again = defineCase({
  id: "6.1/credit-low-again",
  title: "after a top-up the next crossing sends credit.low again",
  requirements: ["6/3", "6.1/14", "6.1/8", "6.1/7"],
  async run(t) {
    const threshold = thresholdOf(t);
    const model = t.models().findLast((each) => each.credits_per_request < 100) ?? t.model();
    const price = model.credits_per_request;
    const wallet = await t.wallet({ credits: threshold + price - 1 });
    const subscription = await t.subscribe({ events: ["credit.low", "credit.topup"], api: wallet.api });
    // The top-up is none of its events: the monitor of deliveries (6/3) tells.
    await t.subscribe({ events: ["credit.low"], api: wallet.api });
    await spend(t, wallet, model.id);
    const first = await lows(t, subscription, 1);
    if (!t.check("6.1/7", first >= 1, { expected: "credit.low", seen: "none", exchanges: subscription.created }))
      return;
    await wallet.topUp(100);
    const told = await eventually(t, () => subscription.endpoint.of("credit.topup").length > 0);
    t.check("6.1/8", told, {
      expected: "credit.topup",
      seen: subscription.endpoint.deliveries.map((each) => each.event),
      exchanges: subscription.created,
    });
    for (let left = await quietBalance(t, wallet); left >= threshold; left = await quietBalance(t, wallet)) {
      const paid = t.models().findLast((each) => each.credits_per_request <= Math.min(left, model.credits_per_request));
      if (paid === undefined) return t.leaveOut("no price takes a balance that low below the threshold");
      await spend(t, wallet, paid.id, true);
    }
    const second = await lows(t, subscription, first + 1);
    t.check("6.1/14", second > first, {
      expected: "a second credit.low",
      seen: subscription.endpoint.deliveries.map(shown),
      exchanges: subscription.created,
    });
  },
});

/** Units were added to the balance. */
const topUp = defineCase({
  id: "6.1/credit-topup",
  title: "each top-up sends credit.topup to the wallet's own webhooks",
  requirements: [...deliveryRows, "6.1/8", "6/4"],
  async run(t) {
    const [wallet, other] = [await t.wallet({ credits: 500 }), await t.wallet({ credits: 500 })];
    const events = ["credit.topup", "credit.low", "job.completed", "job.submitted", "job.failed"];
    const mine = await t.subscribe({ events, api: wallet.api });
    const theirs = await t.subscribe({ events, api: other.api });
    await deafTo(t, wallet.api);
    for (const [index, units] of [100, 250].entries()) {
      await wallet.topUp(units);
      const came = await eventually(t, () => mine.endpoint.of("credit.topup").length > index);
      t.check("6.1/8", came, {
        expected: "credit.topup",
        seen: mine.endpoint.deliveries.map((each) => each.event),
        exchanges: mine.created,
      });
    }
    const done = await t.complete({}, wallet.api);
    await settledJob(t, done.jobId, wallet.api);
    await eventually(t, () => theirs.endpoint.deliveries.length > 0, QUIET);
    t.check("6/4", theirs.endpoint.deliveries.length === 0, {
      expected: "nothing: another wallet's jobs and units",
      seen: theirs.endpoint.deliveries.map(shown),
      exchanges: theirs.created,
    });
    judgeDeliveries(t, mine, events);
  },
});

/** A new worker joined the network: somebody is told. */
const registered = defineCase({
  id: "6.1/worker-registered",
  title: "worker.registered is sent when a worker joins, native or browser",
  requirements: [...deliveryRows, "6.1/9", "6.1/15"],
  async run(t) {
    const events = ["worker.registered"];
    const [mine, theirs] = [
      await t.subscribe({ events }),
      t.has("wallets") ? await t.subscribe({ events, api: (await t.wallet()).api }) : null,
    ];
    await deafTo(t);
    for (const kind of ["native", "browser"] as const) {
      const before = mine.endpoint.deliveries.length + (theirs?.endpoint.deliveries.length ?? 0);
      await t.controls.addWorker(kind, [t.model().id]);
      const count = (): number => mine.endpoint.deliveries.length + (theirs?.endpoint.deliveries.length ?? 0);
      const came = await eventually(t, () => count() > before);
      t.check("6.1/9", came, {
        title: `no worker.registered for a ${kind} worker`,
        expected: "worker.registered to a subscriber",
        seen: "none",
        exchanges: mine.created,
      });
    }
    if (theirs !== null) {
      const both = mine.endpoint.deliveries.length > 0 && theirs.endpoint.deliveries.length > 0;
      t.observe("6.1/15", both ? "worker.registered to every subscriber" : "worker.registered to some");
    }
    judgeDeliveries(t, mine, events);
  },
});

/** Whom a slash names. */
async function judgeSlash(
  t: CaseContext,
  { created }: Subscription,
  event: Delivery,
  done: Completed,
  dispute: Exchange,
): Promise<void> {
  // A job that has not settled need not name its worker yet; the receipt does.
  const job = await t.api.job(done.jobId);
  const receipt = done.exchange.headers.get(`x-${t.brand}-worker`);
  const [named, worker] = [at(event.json, "data", "worker_address"), at(job.json, "worker_address") ?? receipt];
  const right =
    String(named).toLowerCase() === String(worker).toLowerCase() &&
    at(event.json, "data", "related_job_id") === done.jobId;
  t.check("6.2/9", right, {
    expected: `worker_address ${worker}, related_job_id ${done.jobId}`,
    seen: shown(event),
    exchanges: [created, job],
  });
  // The stake is taken after the verdict: by no transaction that was there before.
  const slash = String(at(event.json, "data", "slash_tx")).toLowerCase();
  const onChain = [at(job.json, "on_chain", "escrow_tx"), at(job.json, "on_chain", "settlement_tx")];
  const earlier = [...onChain, at(dispute.json, "dispute_tx")].find((tx) => String(tx).toLowerCase() === slash);
  t.check("6.2/9", earlier === undefined, {
    title: "the transaction of a slash is one of its job's, from before the verdict",
    expected: "a transaction of its own",
    seen: shown(event),
    exchanges: [created, job, dispute],
  });
}

/**
 * Stake is taken after a proof was confirmed fraudulent, and only then. A browser worker need have no stake, and what it has not cannot be taken: the
 * dearest model is asked, and one slash among several verdicts is enough.
 */
const slashed = defineCase({
  id: "6.1/worker-slashed",
  title: "worker.slashed is sent for a fraudulent verdict, with the job's worker, and not for an honest one",
  requirements: [...deliveryRows, "6.1/10", "6.1/11", "6.1/16", "6.2/9"],
  async run(t) {
    const events = ["worker.slashed"];
    const subscription = await t.subscribe({ events });
    const endings = await t.subscribe({ events: ["job.failed", "job.timeout"] });
    await deafTo(t);
    const model = t.models().at(-1)?.id ?? t.model().id;
    const honest = await t.complete({ model });
    t.accepted(await challenge(t, honest, sha256(`${honest.text} and more`)), "a dispute within its window");
    await t.controls.giveVerdict(honest.jobId, "honest");
    await eventually(t, () => subscription.endpoint.deliveries.length > 0, QUIET);
    t.check("6.1/16", about(subscription, "worker.slashed", honest.jobId).length === 0, {
      expected: "no worker.slashed",
      seen: subscription.endpoint.deliveries.map(shown),
      exchanges: subscription.created,
    });
    const job = await t.api.job(honest.jobId);
    const ended = at(job.json, "status") === "settled" && endings.endpoint.deliveries.length > 0;
    t.check("6.1/11", !ended, {
      title: "a verdict of honesty sends an ending that the job did not have",
      expected: "neither job.failed nor job.timeout of a job that is settled",
      seen: endings.endpoint.deliveries.map(shown),
      exchanges: [job, endings.created],
    });

    const fraudulent: string[] = [];
    for (const stream of [false, true, false, true]) {
      // Told each time: who took the place of one that had to leave may not have heard it.
      await t.behave(model, "dishonest");
      const done = await t.complete({ model, stream });
      const dispute = await challenge(t, done, sha256(done.text.replace(/\n$/, "")));
      t.accepted(dispute, "a dispute within its window");
      await t.controls.giveVerdict(done.jobId, "fraudulent");
      fraudulent.push(done.jobId);
      await eventually(t, () => about(subscription, "worker.slashed", done.jobId).length > 0);
      const [event] = about(subscription, "worker.slashed", done.jobId);
      if (event !== undefined) await judgeSlash(t, subscription, event, done, dispute);
      if (!(await hosted(t, [model]))) break;
    }
    const told = subscription.endpoint.of("worker.slashed");
    const some = told.length > 0;
    // Somebody else's slashes may be told, too; of those asked for here one is enough.
    const named = told.some((event) => fraudulent.includes(String(at(event.json, "data", "related_job_id"))));
    t.check("6.2/9", !some || named, {
      title: "no worker.slashed names a job of which the verdict was fraudulent",
      expected: fraudulent.join(", "),
      seen: told.map(shown),
      exchanges: subscription.created,
    });
    t.check("6.1/10", some, {
      expected: "worker.slashed after one of four fraudulent verdicts",
      seen: "none",
      exchanges: subscription.created,
    });
    judgeDeliveries(t, subscription, events);
  },
});

export const creditAndWorkerCases = [low, again, topUp, registered, slashed];
