/** Section 4.4: `GET /v1/account`, and the balance as the sum of what happened to it. */
import fc from "fast-check";
import { at } from "../exchange/exchange.ts";
import { defineCase, type Wallet } from "./case.ts";
import { settledJob } from "./support/jobs.ts";
import { quietBalance } from "./support/money.ts";
import { answered, isErrorObject, refusedAsInvalid, told } from "./support/refusals.ts";

/** Returns the balance of the wallet that the key belongs to. */
const read = defineCase({
  id: "4.4/read",
  title: "the account is read, and with a query that it does not know, or that is refused",
  requirements: ["4.4/1"],
  async run(t) {
    for (const path of ["/v1/account", "/v1/account?wallet=0x0000000000000000000000000000000000000000"]) {
      const exchange = answered(t, await t.api.raw({ method: "GET", path }));
      // A parameter that is none may be ignored or refused, as a field may.
      if (path.includes("?") && refusedAsInvalid(exchange) && isErrorObject(exchange)) continue;
      t.check("4.4/1", exchange.status === 200, { expected: "200 with an account object", seen: told(exchange) });
    }
  },
});

/** Each key is tied to one wallet: two keys of two wallets see two accounts, also when they ask at the same time. */
const own = defineCase({
  id: "4.4/own",
  title: "two keys see each its own wallet and balance, one after the other, at once, and after one has spent",
  requirements: ["4.4/2"],
  needs: ["second-wallet"],
  async run(t) {
    const other = await t.otherWallet({ credits: 4_321 });
    const apis = [t.home.api, other.api, t.home.api, other.api];
    const first = await Promise.all(apis.map(async (api) => await api.account()));
    for (const exchange of first) t.accepted(exchange, "reading one's own account");
    const [mine, theirs, mineAgain, theirsAgain] = first.map((exchange) => at(exchange.json, "wallet"));
    t.check("4.4/2", mine !== theirs && mine === mineAgain && theirs === theirsAgain, {
      title: "a key sees another wallet than its own",
      expected: "two wallets, each the same each time",
      seen: [mine, theirs, mineAgain, theirsAgain],
      exchanges: first,
    });
    for (const [wallet, seen] of [[t.home, mine] as const, [other, theirs] as const]) {
      if (wallet.address === null) continue;
      t.check("4.4/2", String(seen).toLowerCase() === wallet.address.toLowerCase(), {
        title: "a key sees another wallet than the one it was made for",
        expected: wallet.address,
        seen,
        exchanges: first,
      });
    }
    if (!other.fresh) return;
    const before = await quietBalance(t, other);
    t.check("4.4/2", before === 4_321, { expected: "4321", seen: before });
    await t.complete();
    await quietBalance(t);
    const after = await other.balance();
    t.check("4.4/2", after === before, {
      title: "one wallet's request moves another wallet's balance",
      expected: String(before),
      seen: after,
    });
  },
});

/** What a wallet may go through that moves its balance. */
type Move =
  | { readonly kind: "chat"; readonly model: number; readonly stream: boolean; readonly tokens: number }
  | { readonly kind: "together"; readonly count: number }
  | { readonly kind: "refused" }
  | { readonly kind: "top-up"; readonly units: number };

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("chat" as const),
      model: fc.nat(15),
      stream: fc.boolean(),
      tokens: fc.constantFrom(1, 16, 200, 600, 1_600),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("together" as const), count: fc.integer({ min: 2, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("refused" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("top-up" as const), units: fc.integer({ min: 100, max: 400 }) }),
  },
);

/** Enough for estimates as long as a context window, for whoever locks such. */
const START = 20_000;

/** Units move by charges, refunds and top-ups, and by nothing else. */
const sum = defineCase({
  id: "4.4/sum",
  title: "whatever a wallet goes through, its balance is what was bought less what its jobs were charged",
  requirements: ["4.4/3"],
  needs: ["wallets", "behaviours"],
  async run(t) {
    await t.property({
      arbitrary: fc.array(move, { minLength: 1, maxLength: 6 }),
      runs: Math.max(3, Math.ceil(t.runs / 4)),
      async run(moves) {
        const wallet = await t.wallet({ credits: START });
        let bought = START;
        const jobs: string[] = [];
        for (const each of moves) {
          if (each.kind === "top-up") bought += each.units;
          jobs.push(...(await make(each, wallet)));
        }
        const balance = await quietBalance(t, wallet);
        let charged = 0;
        for (const id of jobs) charged += Number(at((await settledJob(t, id, wallet.api)).json, "credits_charged"));
        t.check("4.4/3", balance === bought - charged, {
          title: "the balance is not what was bought less what was charged",
          expected: `${bought} bought - ${charged} charged = ${bought - charged}`,
          seen: balance,
        });
      },
    });

    /** Makes the move; resolves to the jobs that came of it. */
    async function make(each: Move, wallet: Wallet): Promise<readonly string[]> {
      const models = t.models();
      switch (each.kind) {
        case "chat": {
          const model = models[each.model % models.length] ?? t.model();
          await t.behave(model, "normal", each.tokens);
          const done = await t.complete({ model: model.id, stream: each.stream, max_tokens: undefined }, wallet.api);
          return [done.jobId];
        }
        case "together": {
          const done = await Promise.all(Array.from({ length: each.count }, () => t.complete({}, wallet.api)));
          return done.map(({ jobId }) => jobId);
        }
        case "refused":
          await wallet.api.say({ temperature: 3 });
          return [];
        case "top-up":
          await wallet.topUp(each.units);
          return [];
      }
    }
  },
});

export const section44 = [read, own, sum];
