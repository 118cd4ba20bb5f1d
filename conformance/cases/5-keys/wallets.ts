/** Section 5: a key draws on its own wallet, and on nothing else. */
import { at, type Exchange, errorCode, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type Wallet } from "../case.ts";
import { balanceOf, chargeOf, settledJob } from "../support/jobs.ts";
import { quietBalance } from "../support/money.ts";

/** What one wallet spends, another keeps; also when both spend at once. */
const own = defineCase({
  id: "5/own-wallet",
  title: "a key spends from its own wallet and from no other, one after another and at once",
  requirements: ["4.4/2", "5/5"],
  needs: ["wallets"],
  async run(t) {
    const wallets = [t.home, await t.wallet({ credits: 700 }), await t.wallet({ credits: 0 })] as const;
    const [, second, poor] = wallets;
    const balances = async (): Promise<number[]> => await Promise.all(wallets.map((wallet) => wallet.balance()));
    const before = await balances();
    t.check("4.4/2", before[1] === 700 && before[2] === 0, { expected: "700 and 0", seen: before });
    const addresses = await Promise.all(wallets.map(async (wallet) => at((await wallet.api.account()).json, "wallet")));
    t.check("4.4/2", new Set(addresses).size === 3, { expected: "three wallets", seen: addresses });

    const one = await t.complete({}, second.api);
    const paid = chargeOf(await settledJob(t, one.jobId, second.api));
    const after = await balances();
    const expected = [before[0], 700 - paid, 0];
    t.check("5/5", after.join() === expected.join(), { expected: expected.join(), seen: after });

    const refused = await poor.api.say();
    t.check("5/5", refused.status === 402, { expected: "402: nothing in this wallet", seen: refused.text });
    const both = await Promise.all([
      t.complete({ stream: true }),
      t.complete({}, second.api),
      t.complete({}, second.api),
    ]);
    const charges = await Promise.all(
      both.map(async ({ jobId }, index) => chargeOf(await settledJob(t, jobId, index === 0 ? t.api : second.api))),
    );
    const sums = [(before[0] ?? 0) - (charges[0] ?? 0), 700 - paid - (charges[1] ?? 0) - (charges[2] ?? 0), 0];
    const ends = await balances();
    t.check("5/5", ends.join() === sums.join(), { expected: sums.join(), seen: ends });
    await second.topUp(100);
    const topped = await balances();
    t.check("4.4/2", topped[0] === ends[0] && topped[2] === 0, {
      title: "A top-up went to another wallet.",
      expected: ends.join(),
      seen: topped,
    });
  },
});

/** With two given keys and nothing else: each sees its own wallet, and a request of one leaves the other's balance. */
const given = defineCase({
  id: "5/two-keys",
  title: "two keys see two wallets, and what one spends the other keeps",
  requirements: ["4.4/2", "5/5"],
  needs: ["credits", "second-wallet"],
  cost: (prices) => prices.flat,
  async run(t) {
    const other = await t.otherWallet();
    const [mine, theirs] = [await t.api.account(), await other.api.account()];
    const differ = at(mine.json, "wallet") !== at(theirs.json, "wallet");
    t.check("4.4/2", differ, { expected: "two wallets", seen: at(mine.json, "wallet"), exchanges: [mine, theirs] });
    const before = await other.balance();
    await settledJob(t, (await t.complete()).jobId);
    const after = await other.balance();
    t.check("5/5", after === before, { expected: String(before), seen: after });
  },
});

/** Headers, parameters and fields that name another wallet are not looked at: whose request it is, the key alone says. */
const named = defineCase({
  id: "5/named-wallet",
  title: "naming another wallet in a header, the query or the body leads to no other wallet",
  requirements: ["4.4/2", "4.6/3", "5/5"],
  needs: ["credits", "second-wallet"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const other = await t.otherWallet();
    const [mine, theirs] = [await t.api.account(), await other.api.account()];
    const address = String(at(theirs.json, "wallet"));
    const job = await t.complete({}, other.api);
    const names = ["wallet", "wallet_address", "account", "user", "owner", "key", "api_key", "address"];
    const query = names
      .map((name) => `${name}=${encodeURIComponent(name.includes("key") ? other.key : address)}`)
      .join("&");
    const headers = {
      "x-wallet": address,
      "x-user-id": address,
      "x-api-key": other.key,
      [`x-${t.brand}-wallet`]: address,
      "x-forwarded-user": address,
      "x-original-authorization": `Bearer ${other.key}`,
    };
    for (const request of [
      { path: `/v1/account?${query}`, headers: {} },
      { path: "/v1/account", headers },
    ]) {
      const answer = await t.api.raw({ method: "GET", ...request });
      const same = !succeeded(answer) || at(answer.json, "wallet") === at(mine.json, "wallet");
      t.check("4.4/2", same, { expected: "the key's own wallet", seen: answer.text });
    }
    for (const request of [
      { path: `/v1/jobs?limit=100&${query}`, headers: {} },
      { path: "/v1/jobs?limit=100", headers },
    ]) {
      const answer = await t.api.raw({ method: "GET", ...request });
      t.check("4.6/3", !answer.text.includes(job.jobId), { expected: "no job of the other wallet", seen: answer.text });
    }
    if (!other.fresh) return t.notExercised("5/5", "the other wallet may be in use");
    const before = await quietBalance(t, other);
    const chat = await t.api.say({ wallet: address, user: address, api_key: other.key }, { headers });
    if (succeeded(chat)) await settledJob(t, String(chat.headers.get(`x-${t.brand}-job-id`)));
    const after = await other.balance();
    t.check("5/5", after === before, { expected: String(before), seen: after, exchanges: chat });
  },
});

/** The refusal of a wallet that has too little: 402 with the price and the balance, in either form. */
function judgePoor(t: CaseContext, answer: Exchange, price: number, balance: number): boolean {
  const ok = answer.status === 402 && errorCode(answer) === "insufficient_credits";
  const told = { seen: `${answer.status} ${answer.text}`, exchanges: answer };
  if (!t.check("5/12", ok, { ...told, expected: `402 insufficient_credits: ${balance} of ${price}` })) return false;
  return t.check("8/7", ok, { ...told, expected: "402 one unit below the price" });
}

/** "A request whose tier costs more than the balance fails with 402": one unit below, and not at the price itself. For every model and form. */
const edge = defineCase({
  id: "5/price-and-balance",
  title: "a balance of exactly the price pays, one unit less is refused with 402, for every model, plain and streamed",
  requirements: ["5/12", "8/7"],
  needs: ["wallets"],
  async run(t) {
    for (const model of t.models()) {
      const price = model.credits_per_request;
      for (const stream of [false, true]) {
        const [enough, short] = [await t.wallet({ credits: price }), await t.wallet({ credits: price - 1 })];
        const paid = await enough.api.say({ model: model.id, stream });
        const told = {
          expected: `200: ${price} pays for ${price}`,
          seen: `${paid.status} ${paid.text}`,
          exchanges: paid,
        };
        if (!t.check("8/7", succeeded(paid), told)) return;
        const refused = await short.api.say({ model: model.id, stream });
        if (!judgePoor(t, refused, price, price - 1)) return;
        if ((await short.balance()) !== price - 1)
          t.fail("8/7", {
            title: "A 402 moved the balance.",
            expected: String(price - 1),
            seen: await short.balance(),
          });
        const spent = await balanceOf(t, enough, 0);
        t.check("8/7", spent === 0, { expected: "0 units left", seen: spent });
        const again = await enough.api.say({ model: model.id, stream: !stream });
        if (!judgePoor(t, again, price, 0)) return;
      }
    }
  },
});

/** The same after units were bought: a top-up that reaches the price makes the difference, and one that was spent does not. */
const topUp = defineCase({
  id: "5/top-up-and-price",
  title: "a wallet that was refused is answered after a top-up, until the units are spent again",
  requirements: ["5/12", "8/7"],
  needs: ["wallets"],
  async run(t) {
    const model = t.models().at(-1) ?? t.model();
    const price = model.credits_per_request;
    const wallet = await t.wallet({ credits: price - 1 });
    if (!judgePoor(t, await wallet.api.say({ model: model.id }), price, price - 1)) return;
    await wallet.topUp(100);
    let left = price + 99;
    while (left >= price) {
      const paid = await wallet.api.say({ model: model.id, stream: left % 2 === 0 });
      if (!t.check("8/7", succeeded(paid), { expected: `200: ${left} pays for ${price}`, seen: paid.text })) return;
      left = await quiet(t, wallet, left - price);
      if (left < 0) t.giveUp("the balance cannot be told");
    }
    judgePoor(t, await wallet.api.say({ model: model.id }), price, left);
  },
});

async function quiet(t: CaseContext, wallet: Wallet, expected: number): Promise<number> {
  return await balanceOf(t, wallet, expected, 120_000);
}

export const walletCases = [own, given, named, edge, topUp];
