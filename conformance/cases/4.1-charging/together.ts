/** Section 4.1, charging rules: several things that draw on one balance at once. */
import { type CaseContext, defineCase, type ListedModel, type Wallet } from "../case.ts";
import { begin, beginAll } from "../support/in-flight.ts";
import { chargeOf, reached, settledJob, statusOf } from "../support/jobs.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { told } from "../support/refusals.ts";

/** Which requests race for one balance. */
const RACES: readonly (readonly [what: string, chats: readonly Readonly<Record<string, unknown>>[]])[] = [
  ["completions", [{}, {}, {}, {}, {}]],
  ["streams", [{ stream: true }, { stream: true }, { stream: true }, { stream: true }]],
  ["completions and streams", [{ stream: true }, {}, { stream: true }, {}, {}]],
  ["equal requests of one seed", [{ seed: 1 }, { seed: 1 }, { seed: 1 }]],
];

/** Two requests' worth of units, and more requests than that at once: exactly two are answered. */
const spentOnce = defineCase({
  id: "4.1/spent-once",
  title: "requests at once cannot spend the same units: as many are answered as the balance pays for",
  requirements: ["4.1/48"],
  async run(t) {
    for (const [what, chats] of RACES) {
      const model = what === "completions" ? (t.models().at(-1) ?? t.model()) : t.model();
      const wallet = await t.wallet({ credits: 2 * model.credits_per_request });
      const answers = await Promise.all(chats.map((changes) => wallet.api.say({ model: model.id, ...changes })));
      const paid = answers.filter((answer) => answer.status === 200).length;
      const short = answers.filter((answer) => answer.status === 402).length;
      if (paid + short < answers.length) t.giveUp(`some request was neither answered nor refused with 402`);
      t.check("4.1/48", paid === 2, {
        title: `${what} at once spend more, or less, than there is`,
        expected: `2 of ${answers.length} answered, the others refused with 402`,
        seen: answers.map(told),
        exchanges: answers,
      });
      const after = await quietBalance(t, wallet);
      t.check("4.1/48", after === 0, {
        title: `a balance that ${what} at once have used up is not 0`,
        expected: "0 units",
        seen: after,
        exchanges: [...answers, ...t.exchanges.slice(-1)],
      });
    }
  },
});

/** "Units are locked in escrow as soon as the request arrives, before routing": while no worker finishes, they are not there for another. */
const locked = defineCase({
  id: "4.1/locked-on-arrival",
  title: "the units of a request in flight pay for no other, plain or streamed, until they come back",
  requirements: ["4.1/36"],
  async run(t) {
    for (const model of modelsToTry(t)) {
      for (const stream of [false, true]) {
        const wallet = await t.wallet({ credits: model.credits_per_request });
        await t.behave(model, "silent");
        const held = wallet.api.say({ model: model.id, stream }).start();
        await t.clock.settle();
        for (const wait of [0, 20_000]) {
          if (wait > 0) await t.clock.advance(wait);
          const second = wallet.api.say({ model: model.id, stream: !stream }).start();
          await t.clock.settle();
          await t.clock.advanceUntil(() => second.settled, { within: 5_000 });
          t.check("4.1/36", second.settled && second.status === 402, {
            title: `units locked for a ${stream ? "stream" : "completion"} in flight pay for another request`,
            expected: "402 for the second request",
            seen: second.settled ? `${second.status}` : `taken on ${model.tier}`,
            exchanges: t.exchanges.slice(-1),
          });
          if (!second.settled) second.abort();
        }
        held.abort();
        await t.behave(model, "normal");
      }
    }
  },
});

/** A top-up adds units, and does nothing to what is locked: the balance in flight moves by what was bought, and the lock pays for nothing else. */
const lockedStill = defineCase({
  id: "4.1/locked-after-topup",
  title: "what is locked for a job in flight stays locked when units are bought",
  requirements: ["2.1/9", "4.1/36"],
  needs: ["wallets", "behaviours", "clock"],
  async run(t) {
    const model = t.models().at(-1) ?? t.model();
    const price = model.credits_per_request;
    const wallet = await t.wallet({ credits: price });
    await t.behave(model, "silent");
    const held = [await begin(t, { model: model.id }, wallet.api)];
    const before = await wallet.balance();
    await wallet.topUp(100);
    const after = await wallet.balance();
    t.check("2.1/9", after - before === 100, {
      title: "a top-up while a job is in flight moves the balance by other than its units",
      expected: `${before} + 100 units`,
      seen: after,
      exchanges: t.exchanges.slice(-2),
    });
    for (let left = 100; left >= price; left -= price) held.push(await begin(t, { model: model.id }, wallet.api));
    const more = wallet.api.say({ model: model.id }).start();
    await t.clock.advanceUntil(() => more.settled, { within: 5_000 });
    t.check("4.1/36", more.settled && more.status === 402, {
      title: "units locked for a job in flight pay for another after a top-up",
      expected: `402: of ${price + 100} units ${held.length * price} are locked`,
      seen: more.settled ? `${more.status}` : "taken",
      exchanges: t.exchanges.slice(-1),
    });
    for (const pending of [more, ...held.map((each) => each.pending)]) if (!pending.settled) pending.abort();
  },
});

/** A lock, a settlement or a refund that writes back what it once read would undo what happened meanwhile. */
const meanwhile = defineCase({
  id: "4.1/topup-in-flight",
  title: "units bought while a job is in flight are there afterwards, whether it settles, fails or times out",
  requirements: ["4.1/38", "1/9", "4.1/39"],
  needs: ["wallets", "behaviours", "credits", "patience"],
  async run(t) {
    const model = t.model();
    for (const behaviour of ["normal", "failing", "silent"] as const) {
      const before = await quietBalance(t);
      await t.behave(model, behaviour, 400);
      const { pending, jobId } = await begin(t, { max_tokens: 900, stream: behaviour === "normal" });
      // The purchase is later than the lock, by any clock.
      await t.clock.advance(1_100);
      await t.home.topUp(150);
      await pending.finish();
      await t.behave(model, "normal");
      const job = await reached(t, jobId, ["settled", "failed", "refunded"]);
      const charge = statusOf(job) === "settled" ? chargeOf(job) : 0;
      const after = await quietBalance(t);
      const row = ({ normal: "4.1/38", failing: "1/9", silent: "4.1/39" } as const)[behaviour];
      t.check(row, after === before + 150 - charge, {
        title: `units bought while a job is in flight are lost, or doubled, when it is ${statusOf(job)}`,
        expected: `${before} + 150 - ${charge} units`,
        seen: after,
        exchanges: [job, ...t.exchanges.slice(-1)],
      });
    }
  },
});

/** Jobs with estimates of different sizes, in flight together: each gives back its own difference. */
const overlapping = defineCase({
  id: "4.1/overlapping",
  title: "jobs that overlap are each charged their own price, and give back their own difference",
  requirements: ["4.1/38", "4.1/45"],
  needs: ["wallets", "behaviours", "credits"],
  async run(t) {
    const models = modelsToTry(t);
    const before = await quietBalance(t);
    for (const model of models) await t.behave(model, "normal", 40);
    const asked = models.flatMap((model, index): Readonly<Record<string, unknown>>[] => [
      { model: model.id, max_tokens: 600 + 900 * index },
      { model: model.id, max_tokens: 60, stream: true },
    ]);
    const begun = await beginAll(t, asked);
    await Promise.all(begun.map(({ pending }) => pending.finish()));
    let sum = 0;
    for (const { jobId } of begun) sum += chargeOf(await settledJob(t, jobId));
    const after = await quietBalance(t);
    const shown = { expected: `${sum} units for ${begun.length} jobs`, seen: `${before - after} units` };
    t.check("4.1/38", before - after === sum, {
      title: "overlapping jobs take other units than they were charged",
      ...shown,
    });
    t.check("4.1/45", before - after === sum, { title: "overlapping jobs lose their differences", ...shown });
  },
});

/** One job fails beside one that succeeds: each has its own end. */
const mixedEnds = defineCase({
  id: "4.1/mixed-ends",
  title: "a job that fails beside one that settles gives back its own units, and no others",
  requirements: ["1/9", "4.1/38"],
  needs: ["wallets", "behaviours", "credits"],
  async run(t) {
    const [good, bad] = modelsToTry(t);
    if (good === undefined || bad === undefined) return t.leaveOut("needs two listed models");
    for (const first of [good, bad]) await race(t, { good, bad, first, wallet: t.home });
  },
});

async function race(
  t: CaseContext,
  options: {
    readonly good: ListedModel;
    readonly bad: ListedModel;
    readonly first: ListedModel;
    readonly wallet: Wallet;
  },
): Promise<void> {
  const { good, bad, first } = options;
  const before = await quietBalance(t);
  await t.behave(bad, "failing");
  const order = first === good ? [good, bad] : [bad, good];
  const answers = await Promise.all(order.map((model) => t.api.say({ model: model.id, max_tokens: 700 })));
  await t.behave(bad, "normal");
  const [done] = answers.filter((answer) => answer.status === 200);
  const id = done?.headers.get(`x-${t.brand}-job-id`);
  if (done === undefined || id === null || id === undefined)
    return t.giveUp("the good one of two jobs was not completed");
  const charge = chargeOf(await settledJob(t, id));
  const after = await quietBalance(t);
  for (const row of ["1/9", "4.1/38"] as const) {
    t.check(row, before - after === charge, {
      title: "a failed job beside a settled one leaves a wrong balance",
      expected: `${charge} units taken`,
      seen: `${before - after} units taken`,
      exchanges: answers,
    });
  }
}

export const togetherCases = [spentOnce, locked, lockedStill, meanwhile, overlapping, mixedEnds];
