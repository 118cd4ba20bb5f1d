/** Section 2.1: the account. The monitor `account` judges every account that a run reads; these cases make it worth reading. */
import { at, type Exchange } from "../exchange/exchange.ts";
import { type CaseContext, defineCase, type Wallet } from "./case.ts";
import { quietBalance } from "./support/money.ts";

/** Milliseconds within which a top-up must be seen, and by which times may differ that are read off two clocks. */
const SEEN_WITHIN = 30_000;
const A_FEW_SECONDS = 5_000;
/** By which two clocks may differ of which nobody sets one. */
const APART = 90_000;

const timeOf = (account: Exchange): number => Date.parse(String(at(account.json, "last_topup_at")));

async function account(t: CaseContext, wallet: Wallet): Promise<Exchange> {
  const exchange = await wallet.api.account();
  t.accepted(exchange, "reading one's own account");
  return exchange;
}

/** `wallet`, `credits_remaining`, `usdg_value`: read before and after units are spent, by one key and at the same time. */
const fields = defineCase({
  id: "2.1/fields",
  title: "the account has its fields, before and after a request, and however often it is asked at once",
  requirements: ["2.1/1", "2.1/8"],
  needs: ["key"],
  async run(t) {
    const first = await account(t, t.home);
    if (t.has("credits")) await t.complete();
    const rest = await Promise.all([t.api.account(), t.api.account(), t.api.account()]);
    const all = [first, ...rest];
    const whole = all.every((each) => typeof at(each.json, "wallet") === "string");
    t.check("2.1/1", whole && all.every((each) => Number.isInteger(at(each.json, "credits_remaining"))), {
      expected: "an address and a whole number of units in each answer",
      seen: all.map((each) => each.json),
      exchanges: all,
    });
    const wallets = new Set(all.map((each) => at(each.json, "wallet")));
    t.check("2.1/8", wallets.size === 1, { expected: "one wallet", seen: [...wallets], exchanges: all });
  },
});

/** `last_topup_at` of a wallet that was never topped up: not shown. */
const never = defineCase({
  id: "2.1/never-topped-up",
  title: "what `last_topup_at` is before the first top-up",
  requirements: ["2.1/4"],
  needs: ["wallets"],
  async run(t) {
    const wallet = await t.wallet({ credits: 0 });
    const exchange = await account(t, wallet);
    const value = at(exchange.json, "last_topup_at");
    if (value === undefined) t.observe("2.1/4", "absent", { exchanges: exchange });
    else if (value === null) t.observe("2.1/4", "null", { exchanges: exchange });
    else {
      t.check("2.1/4", Number.isFinite(timeOf(exchange)), { expected: "absent, null, or a timestamp", seen: value });
      t.observe("2.1/4", "timestamp", { exchanges: exchange });
    }
  },
});

/** A top-up adds units to the balance, and `last_topup_at` tells when. The least purchase is 100 units. */
const topUps = defineCase({
  id: "2.1/top-ups",
  title: "each top-up, the least one too, moves the balance by its units and `last_topup_at` to its time",
  requirements: ["2.1/9", "2.1/3"],
  needs: ["wallets"],
  async run(t) {
    const wallet = await t.wallet({ credits: 7 });
    const off = t.clock.kind === "none" ? APART : A_FEW_SECONDS;
    for (const units of [100, 101, 12_345]) {
      const before = await wallet.balance();
      await pass(t, 60_000);
      const from = t.clock.now();
      await wallet.topUp(units);
      const seen = async (): Promise<boolean> => (await wallet.balance()) !== before;
      await t.clock.advanceUntil(seen, { within: SEEN_WITHIN });
      const to = t.clock.now();
      const after = await account(t, wallet);
      const balance = at(after.json, "credits_remaining");
      t.check("2.1/9", balance === before + units, {
        title: "a top-up moves the balance by other units than its own",
        expected: `${before} + ${units}`,
        seen: balance,
        exchanges: after,
      });
      const when = timeOf(after);
      t.check("2.1/3", Number.isFinite(when), { expected: "a timestamp", seen: at(after.json, "last_topup_at") });
      t.check("2.1/9", when >= from - off && when <= to + off, {
        title: "`last_topup_at` is not the time of the last top-up",
        expected: `between ${new Date(from).toISOString()} and ${new Date(to).toISOString()}`,
        seen: at(after.json, "last_topup_at"),
        exchanges: after,
      });
    }
  },
});

/** Units that were bought are spent like any others, and what is spent does not move `last_topup_at`. */
const spending = defineCase({
  id: "2.1/spent-after-top-up",
  title: "a wallet that was empty keeps its address and pays out of its top-up, and paying moves no `last_topup_at`",
  requirements: ["2.1/8", "2.1/9", "4.4/3"],
  needs: ["wallets"],
  async run(t) {
    const model = t.model();
    const wallet = await t.wallet({ credits: 0 });
    const empty = await account(t, wallet);
    await wallet.topUp(100);
    await t.clock.advanceUntil(async () => (await wallet.balance()) >= 100, { within: SEEN_WITHIN });
    const full = await account(t, wallet);
    t.check("2.1/8", at(full.json, "wallet") === at(empty.json, "wallet"), {
      title: "a wallet's address is another after its first top-up",
      expected: at(empty.json, "wallet") as string,
      seen: at(full.json, "wallet"),
      exchanges: [empty, full],
    });
    const bought = at(full.json, "last_topup_at");
    await pass(t, 60_000);
    await t.complete({ model: model.id }, wallet.api);
    const left = await quietBalance(t, wallet);
    t.check("4.4/3", left === 100 - model.credits_per_request, {
      title: "after a top-up the balance is not what was bought less what was charged",
      expected: `${100 - model.credits_per_request}`,
      seen: left,
    });
    const after = await account(t, wallet);
    t.check("2.1/9", at(after.json, "last_topup_at") === bought, {
      title: "`last_topup_at` moves without a top-up",
      expected: String(bought),
      seen: at(after.json, "last_topup_at"),
    });
  },
});

/** Lets a minute pass where that costs nothing, so that times can be told apart. */
async function pass(t: CaseContext, milliseconds: number): Promise<void> {
  if (t.clock.movable) await t.clock.advance(milliseconds);
}

export const section21 = [fields, never, topUps, spending];
