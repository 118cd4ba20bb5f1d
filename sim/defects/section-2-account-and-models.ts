import { type Inside, unix, view } from "../facade/inside.ts";
import { account, type Body, model, network, rules, within, without } from "../facade/overrides.ts";
import { sequence, single } from "./defect.ts";

const extension = (body: Body, inside: Inside, change: (inner: Body) => Body): Body =>
  within(body, inside.brand.extension, change);

export const section2Account = [
  single(
    "wallet-unprefixed",
    "2.1/1",
    "The account's wallet lacks its 0x",
    account((body) => ({
      ...body,
      wallet: String(body.wallet).slice(2),
    })),
  ),
  single(
    "account-balance-text",
    "2.1/1",
    "The account's balance is a string",
    account((body) => ({
      ...body,
      credits_remaining: String(body.credits_remaining),
    })),
  ),
  single(
    "account-value-in-units",
    "2.1/2",
    "The account's stablecoin value is its number of units",
    account((body) => ({
      ...body,
      usdg_value: body.credits_remaining,
    })),
  ),
  single(
    "topup-time-without-zone",
    "2.1/3",
    "`last_topup_at` is no ISO 8601 UTC timestamp",
    account((body) => ({
      ...body,
      last_topup_at: body.last_topup_at === null ? null : String(body.last_topup_at).slice(0, 19).replace("T", " "),
    })),
  ),
  single(
    "key-creation-in-seconds",
    "2.1/5",
    "`api_key_created_at` is a Unix time",
    account((body, inside, key) => ({
      ...body,
      api_key_created_at: unix(inside, key.createdAt),
    })),
  ),
  sequence(
    "balance-counts-locks-twice",
    "2.1/7",
    "While a job is in flight its units are taken from the balance twice",
    {
      door: (honest) => ({
        balance: (inside, wallet) =>
          inside.jobs
            .of(wallet)
            .map((record) => view(inside, record))
            .filter((each) => each.completedAt < 0)
            .reduce((sum, each) => sum - each.locked, honest.balance(inside, wallet)),
      }),
    },
  ),
  sequence(
    "wallet-moves-after-topup",
    "2.1/8",
    "A wallet's address is another once it was topped up",
    network((honest) => ({
      walletAddress: (wallet) => {
        const address = honest.walletAddress(wallet);
        return honest.lastTopUpAt(wallet) >= 0 ? `${address.slice(0, -1)}${address.endsWith("0") ? 1 : 0}` : address;
      },
    })),
  ),
  sequence(
    "topup-adds-one-more",
    "2.1/9",
    "A top-up adds a unit more than was bought",
    rules(() => ({ topUp: (units) => units + 1 })),
  ),
  sequence("topup-time-stays", "2.1/9", "`last_topup_at` stays at the first top-up", () => {
    const first = new Map<number, number>();
    return network((honest) => ({
      lastTopUpAt(wallet) {
        const at = honest.lastTopUpAt(wallet);
        if (at >= 0 && !first.has(wallet)) first.set(wallet, at);
        return first.get(wallet) ?? at;
      },
    }));
  }),
];

export const section2Models = [
  single(
    "model-without-owner",
    "2.2/1",
    "Models have no `owned_by`",
    model((body) => without(body, "owned_by")),
  ),
  single(
    "model-tier-capital",
    "2.2/2",
    "Tiers of models begin with a capital",
    model((body, inside) =>
      extension(body, inside, (live) => ({
        ...live,
        tier: String(live.tier).replace(/^./, (first) => first.toUpperCase()),
      })),
    ),
  ),
  single(
    "model-price-text",
    "2.2/3",
    "Prices of models are strings",
    model((body, inside) =>
      extension(body, inside, (live) => ({ ...live, credits_per_request: `${live.credits_per_request} credits` })),
    ),
  ),
  single(
    "model-latency-fraction",
    "2.2/4",
    "The latency of models is in seconds, with fractions",
    model((body, inside) =>
      extension(body, inside, (live) => ({ ...live, median_latency_ms: Number(live.median_latency_ms) / 1_000 })),
    ),
  ),
  single(
    "model-workers-zero",
    "2.2/5",
    "Listed models show no active workers",
    model((body, inside) => extension(body, inside, (live) => ({ ...live, active_workers: 0 }))),
  ),
  sequence("unhosted-model-listed", "2.2/6", "A model that nobody hosts stays listed", {
    door: () => ({ listedModels: ({ network }) => [...network.models.keys()] }),
  }),
  sequence("returned-model-unlisted", "2.2/7", "A model that nobody hosted for a while is never listed again", () => {
    const gone = new Set<number>();
    return {
      network: (honest) =>
        Object.assign(Object.create(honest), {
          setBehaviour(each: number, behaviour: Parameters<typeof honest.setBehaviour>[1]) {
            if (behaviour === "absent") gone.add(each);
            honest.setBehaviour(each, behaviour);
          },
        }),
      door: (honest) => ({ listedModels: (inside) => honest.listedModels(inside).filter((each) => !gone.has(each)) }),
    };
  }),
  sequence("new-worker-uncounted", "2.2/8", "A worker that joins is not counted among the active ones", () => {
    const joined = new Map<number, number>();
    return network((honest) => ({
      registerWorker(kind, models) {
        for (const each of models) joined.set(each, (joined.get(each) ?? 0) + 1);
        return honest.registerWorker(kind, models);
      },
      activeWorkers: (each) => Math.max(0, honest.activeWorkers(each) - (joined.get(each) ?? 0)),
    }));
  }),
  single("model-listed-twice", "2.2/9", "The first model is listed twice", {
    door: (honest) => ({
      listedModels(inside) {
        const listed = honest.listedModels(inside);
        return [...listed, ...listed.slice(0, 1)];
      },
    }),
  }),
  single(
    "model-created-in-ms",
    "2.2/10",
    "`created` of models is in milliseconds",
    model((body) => ({
      ...body,
      created: Number(body.created) * 1_000,
    })),
  ),
  sequence(
    "model-created-now",
    "2.2/11",
    "`created` of models is the time of the request",
    model((body, inside) => ({
      ...body,
      created: unix(inside, inside.network.now),
    })),
  ),
];
