/**
 * Sections 1, 4.1 and 8 under concurrency: "the only hard limit is the unit balance". Whatever comes at once, what came back must be what some
 * order of the requests would have brought, and the balance the sum of it.
 */
import { explain, type Operation } from "../../model/linear.ts";
import { defineCase, type ListedModel } from "../case.ts";
import { balanceOf, chargeOf, reached, SETTLES_WITHIN, statusOf } from "../support/jobs.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { told } from "../support/refusals.ts";
import { paidOrShort, type Racer, race, racersOn, spending } from "./race.ts";

const FORMS = ["plain", "streamed", "mixed"] as const;
const RACERS = 4;

/** One price short: of n requests at once n - 1 are paid for, in every tier and form. */
const lastUnits = defineCase({
  id: "concurrency/last-units",
  title: "of n requests at once on units for n - 1, all but one are answered, in every tier and form",
  requirements: ["4.1/48", "4.4/3", "2.1/7"],
  async run(t) {
    for (const [index, model] of modelsToTry(t).entries()) {
      for (const form of index === 0 ? FORMS : (["mixed"] as const)) {
        const units = (RACERS - 1) * model.credits_per_request;
        const racers = racersOn(model, RACERS, form);
        const wallet = await t.wallet({ credits: units });
        const answers = await race(t, wallet, racers);
        paidOrShort(t, answers);
        const order = explain(
          units,
          answers.map((answer, place) => spending(answer, racers[place] as Racer, String(place + 1))),
          String,
        );
        t.check("4.1/48", order !== null, {
          title: "no order of requests at once explains which were paid for",
          expected: `${RACERS - 1} of ${RACERS} answered on ${model.tier}, ${form}: there are ${units} units`,
          seen: answers.map(told),
          exchanges: answers,
        });
        const after = await quietBalance(t, wallet);
        const paid = answers.filter((answer) => answer.status === 200).length;
        const left = units - paid * model.credits_per_request;
        t.check(after < 0 ? "2.1/7" : "4.4/3", after === left, {
          title: "after requests at once the balance is not what they left",
          expected: `${left} units, after ${paid} were answered on ${model.tier}`,
          seen: after,
          exchanges: [...answers, ...t.exchanges.slice(-1)],
        });
        t.check("2.1/7", after >= 0, { expected: "0 or more", seen: after });
      }
    }
  },
});

/** Dear and cheap ones at once: what is left over by a refusal of the dear one pays for cheap ones. */
const manyPrices = defineCase({
  id: "concurrency/many-prices",
  title: "requests of different prices at once are paid for in some order, and no unit is lost or spent twice",
  requirements: ["4.1/48", "4.4/3"],
  async run(t) {
    const models = modelsToTry(t);
    const dearest = models.at(-1);
    const cheapest = models[0];
    if (dearest === undefined || cheapest === undefined || dearest === cheapest)
      return t.leaveOut("needs models of two prices");
    for (const spare of [0, cheapest.credits_per_request, dearest.credits_per_request - 1]) {
      const units = dearest.credits_per_request + spare;
      const racers = [dearest, cheapest, dearest, cheapest, cheapest].map((model: ListedModel, index) => ({
        model,
        stream: index % 2 === 1,
      }));
      const wallet = await t.wallet({ credits: units });
      const answers = await race(t, wallet, racers);
      paidOrShort(t, answers);
      const operations = answers.map((answer, index) => spending(answer, racers[index] as Racer, String(index + 1)));
      t.check("4.1/48", explain(units, operations, String) !== null, {
        title: "no order of requests of different prices explains which were paid for",
        expected: `what some order of them gives with ${units} units`,
        seen: answers.map((answer, index) => `${racers[index]?.model.tier}: ${told(answer)}`),
        exchanges: answers,
      });
      const spent = answers.reduce(
        (sum, answer, index) => sum + (answer.status === 200 ? (racers[index]?.model.credits_per_request ?? 0) : 0),
        0,
      );
      const after = await quietBalance(t, wallet);
      t.check("4.4/3", after === units - spent, {
        title: "after requests of different prices at once the balance is not what they left",
        expected: `${units - spent} units`,
        seen: after,
        exchanges: [...answers, ...t.exchanges.slice(-1)],
      });
    }
  },
});

/** Purchases and charges write one balance: none undoes another. */
const purchases = defineCase({
  id: "concurrency/purchases",
  title: "several top-ups and chats at once all count, each once",
  requirements: ["2.1/9", "4.1/48", "4.4/3"],
  needs: ["wallets", "credits"],
  async run(t) {
    for (const model of modelsToTry(t)) {
      const price = model.credits_per_request;
      const wallet = await t.wallet({ credits: price });
      const racers = racersOn(model, 5, "mixed");
      const started = racers.map(({ stream }) => wallet.api.say({ model: model.id, stream, max_tokens: 4 }).start());
      const bought: Operation<number>[] = [];
      let sum = 0;
      await Promise.all(
        [100, 137, 100].map(async (units) => {
          const from = t.clock.now();
          const balance = await wallet.topUp(units);
          sum += units;
          // What the controls tell may count locked units or not; it cannot be less than what is free, nor more than was ever bought.
          const apply = (free: number): number | null => (balance >= free + units ? free + units : null);
          bought.push({ name: `buys ${units}`, from, to: t.clock.now(), apply });
        }),
      );
      const answers = await Promise.all(started.map((each) => each.finish()));
      paidOrShort(t, answers);
      const spent = answers.map((answer, index) => spending(answer, racers[index] as Racer, String(index + 1)));
      t.check("4.1/48", explain(price, [...spent, ...bought], String) !== null, {
        title: "no order of top-ups and chats at once explains which were paid for",
        expected: `what some order gives, beginning with ${price} units on ${model.tier}`,
        seen: answers.map(told),
        exchanges: answers,
      });
      const paid = answers.filter((answer) => answer.status === 200).length;
      const after = await quietBalance(t, wallet);
      const left = price + sum - paid * price;
      const exchanges = [...answers, ...t.exchanges.slice(-1)];
      const shown = { expected: `${price} + ${sum} - ${paid} x ${price} = ${left}`, seen: after, exchanges };
      t.check("2.1/9", after === left, { title: "top-ups at once, beside chats, do not all count", ...shown });
      t.check("4.4/3", after === left, { title: "top-ups and chats at once leave a wrong balance", ...shown });
    }
  },
});

/** Many time-outs, or failures, in one moment: each gives back its own lock, and all of it can be spent. */
const returns = defineCase({
  id: "concurrency/returns",
  title: "jobs that time out or fail in one moment all give back their units, which pay for requests at once",
  requirements: ["4.1/39", "1/9", "7.3/5"],
  needs: ["wallets", "behaviours", "credits", "patience"],
  async run(t) {
    const model = t.models().find((each) => each.credits_per_request > t.model().credits_per_request) ?? t.model();
    for (const behaviour of ["silent", "failing"] as const) {
      const wallet = await t.wallet({ credits: 3 * model.credits_per_request });
      await t.behave(model, behaviour);
      const answers = await race(t, wallet, racersOn(model, 3, "mixed"));
      await t.behave(model, "normal");
      if (answers.some((answer) => answer.status === 402)) t.giveUp(`a request was not paid for: ${answers.map(told)}`);
      // A failure may be told before its units are back; after a time-out they can be spent at once.
      // Where the balance counts what is locked, it does not show when they are: a minute is enough.
      if (behaviour === "failing") {
        await balanceOf(t, wallet, 3 * model.credits_per_request);
        if (t.clock.movable) await t.clock.advance(60_000);
      }
      const again = await race(t, wallet, racersOn(model, 3, "mixed"));
      const shown = { seen: again.map(told), exchanges: [...answers, ...again] };
      const row = behaviour === "silent" ? "7.3/5" : "1/9";
      const short = again.filter((answer) => answer.status === 402);
      if (short.length > 0 && behaviour === "failing" && !t.clock.movable) t.giveUp("the units may be on their way");
      t.check(row, short.length === 0, {
        ...shown,
        title: `units of several jobs that were ${behaviour === "silent" ? "refunded" : "failed"} at once cannot all be spent`,
        expected: "3 of 3 answered",
      });
      const paid = again.filter((answer) => answer.status === 200).length;
      const after = await quietBalance(t, wallet);
      t.check(behaviour === "silent" ? "4.1/39" : "1/9", after === (3 - paid) * model.credits_per_request, {
        ...shown,
        title: "jobs that ended together without a result leave a wrong balance",
        expected: `${(3 - paid) * model.credits_per_request} units`,
        seen: after,
      });
    }
  },
});

/** Several wallets at once: each pays for its own. */
const apart = defineCase({
  id: "concurrency/wallets",
  title: "chats of several wallets at once are each charged to their own",
  requirements: ["5/5", "4.1/48"],
  needs: ["wallets", "credits"],
  async run(t) {
    const model = t.model();
    const purses = [4, 1, 0, 2].map((requests) => requests * model.credits_per_request);
    const wallets = await Promise.all(purses.map((credits) => t.wallet({ credits })));
    const started = [0, 1, 2].flatMap((round) =>
      wallets.map((wallet, index) => ({
        wallet,
        index,
        pending: wallet.api.say({ model: model.id, stream: (round + index) % 2 === 1, max_tokens: 4 }).start(),
      })),
    );
    await t.clock.settle();
    const answers = await Promise.all(
      started.map(async ({ pending, index }) => ({ answer: await pending.finish(), index })),
    );
    paidOrShort(
      t,
      answers.map((each) => each.answer),
    );
    for (const [index, wallet] of wallets.entries()) {
      const mine = answers.filter((each) => each.index === index).map((each) => each.answer);
      const paid = mine.filter((answer) => answer.status === 200).length;
      const affordable = Math.min(3, (purses[index] ?? 0) / model.credits_per_request);
      t.check("4.1/48", paid === affordable, {
        title: "beside other wallets' requests, one's own are not paid for as the balance allows",
        expected: `${affordable} of 3 answered`,
        seen: mine.map(told),
        exchanges: mine,
      });
      const after = await quietBalance(t, wallet);
      t.check("5/5", after === (purses[index] ?? 0) - paid * model.credits_per_request, {
        title: "requests of several wallets at once are charged to the wrong one",
        expected: `${(purses[index] ?? 0) - paid * model.credits_per_request} units`,
        seen: after,
        exchanges: [...mine, ...t.exchanges.slice(-1)],
      });
    }
  },
});

/** With one key that is somebody's: three at once, each a job, and the balance lower by what the three say. */
const together = defineCase({
  id: "concurrency/together",
  title: "three chats at once cost what their three jobs say",
  requirements: ["4.4/3", "1/2"],
  alone: true,
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const before = await quietBalance(t);
    const answers = await race(t, t.home, racersOn(t.model(), 3, "mixed"));
    const ids = answers.map((answer) => answer.headers.get(`x-${t.brand}-job-id`) ?? "");
    if (answers.some((answer) => answer.status !== 200) || ids.includes("")) t.giveUp("not all chats were completed");
    t.check("1/2", new Set(ids).size === ids.length, {
      title: "chats at once share a job",
      expected: "three jobs",
      seen: ids,
      exchanges: answers,
    });
    let sum = 0;
    for (const id of ids) {
      const job = await reached(t, id, ["settled", "failed", "refunded"]);
      if (statusOf(job) === "settled") sum += chargeOf(job);
    }
    const after = await quietBalance(t);
    t.check("4.4/3", before - after === sum, {
      title: "chats at once take other units than their jobs say",
      expected: `${sum} units`,
      seen: `${before - after} units, within ${SETTLES_WITHIN / 1_000} s`,
      exchanges: [...answers, ...t.exchanges.slice(-1)],
    });
  },
});

export const balanceCases = [lastUnits, manyPrices, purchases, returns, apart, together];
