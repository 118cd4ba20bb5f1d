/** Everything of one alien service, put together. */
import { type Chain, makeChain } from "./chain.ts";
import type { AlienModel, Choices } from "./choices.ts";
import type { FlawId } from "./flaws.ts";
import { type Hooks, makeHooks } from "./hooks.ts";
import type { Asked } from "./http.ts";
import { type Jobs, makeJobs } from "./jobs.ts";
import { type Money, makeMoney } from "./money.ts";
import type { Job, ModelState, Serving, Wallet } from "./state.ts";
import { digest } from "./text.ts";
import { makeTime, type Time } from "./time.ts";

export interface World {
  readonly choices: Choices;
  readonly time: Time;
  readonly chain: Chain;
  readonly money: Money;
  readonly hooks: Hooks;
  readonly jobs: Jobs;
  readonly wallets: ReadonlyMap<string, Wallet>;
  readonly models: ReadonlyMap<string, ModelState>;
  readonly workers: Serving[];
  readonly bornAt: number;
  flawed(id: FlawId): boolean;
  makeWallet(credits: number, key?: string): Wallet;
  topUp(wallet: Wallet, credits: number): void;
  addWorker(kind: string, models: readonly string[]): string;
  stamp(at: number): string;
  receipts(asked: Asked, more?: Readonly<Record<string, string | null>>): Record<string, string | undefined>;
}

const DAY = 86_400_000;

export function makeWorld(choices: Choices, flaws: ReadonlySet<FlawId>): World {
  const flawed = (id: FlawId): boolean => flaws.has(id);
  const time = makeTime(choices.clock);
  const chain = makeChain(time, choices);
  const money = makeMoney(choices, flawed, time.now);
  const hooks = makeHooks({ choices, time, flawed });
  const wallets = new Map<string, Wallet>();
  const models = new Map<string, ModelState>(
    choices.models.map((model: AlienModel) => [
      model.id,
      { model, behaviour: "normal", tokens: null, backAt: -Infinity },
    ]),
  );
  const workers: Serving[] = choices.models.flatMap((model) =>
    [1, 2].map((number) => ({
      address: chain.address(`worker ${number} of ${model.id}`),
      kind: "native",
      models: [model.id],
    })),
  );

  /** The balance has changed: has it fallen below the threshold? */
  const changed = (wallet: Wallet, job?: Job): void => {
    wallet.untold = 0;
    if (flawed("low-not-by-streams") && job?.stream === true) return;
    const balance = money.shown(wallet);
    const below = flawed("low-at-threshold") ? balance <= choices.threshold : balance < choices.threshold;
    const crossed = below && (!wallet.low || choices.lowEach) && !(flawed("low-once-ever") && wallet.everLow);
    wallet.low = below;
    if (!crossed) return;
    wallet.everLow = true;
    const told = flawed("low-at-threshold") ? Math.min(balance, choices.threshold - 1) : balance;
    const value = flawed("low-value-units") ? told : told / 100;
    const data = { credits_remaining: told, usdg_value: value, threshold: choices.threshold };
    hooks.emit("credit.low", wallet, data);
  };

  const jobs = makeJobs({
    ...{ choices, time, chain, money, models, workers, flawed, changed },
    emit: (event, wallet, data, job) => hooks.emit(event, wallet, data, job),
    slashed: (address) => {
      if (!choices.slashedLeaves) return;
      const at = workers.findIndex((each) => each.address === address);
      if (at >= 0) workers.splice(at, 1);
    },
  });

  const world: World = {
    ...{ choices, time, chain, money, hooks, jobs, wallets, models, workers, flawed, bornAt: time.now() },
    makeWallet(credits, given) {
      const number = wallets.size + 1;
      const letters = digest(`key ${number}`).slice(0, 32);
      const key =
        given ?? `svc_live_${[...letters].map((each, index) => (index % 2 ? each.toUpperCase() : each)).join("")}`;
      const wallet: Wallet = {
        ...{
          address: chain.address(`wallet ${number}`),
          key,
          createdAt: time.now(),
          state: "active",
          stateAt: 0,
          wasRevoked: false,
          wasSuspended: false,
          untold: 0,
          held: { units: 0, until: 0 },
          timeouts: 0,
          completions: 0,
        },
        ...{
          credits,
          locked: 0,
          toppedUpAt: null,
          topUps: 0,
          low: credits < choices.threshold,
          everLow: false,
          jobs: [],
        },
      };
      wallets.set(key, wallet);
      return wallet;
    },
    topUp(wallet, credits) {
      if (flawed("topup-frees-locks")) wallet.locked = 0;
      wallet.credits += credits;
      wallet.topUps += 1;
      if (flawed("receipt-forgets-topup")) wallet.untold = credits;
      for (const job of flawed("topup-ends-dispute") ? wallet.jobs : []) {
        if (job.status === "disputed" && job.settledAt !== null) job.status = "settled";
      }
      if (!(flawed("topup-time-old") && wallet.topUps > 1)) wallet.toppedUpAt = time.now();
      if (money.shown(wallet) >= choices.threshold) wallet.low = false;
      hooks.emit("credit.topup", wallet, { credits_added: credits, credits_remaining: money.shown(wallet) });
    },
    addWorker(kind, served) {
      const address = chain.address(`${kind} worker ${workers.length}`);
      workers.push({ address, kind, models: served });
      hooks.emit("worker.registered", null, { worker_address: address, kind });
      return address;
    },
    stamp(at) {
      const iso = new Date(at).toISOString();
      if (choices.time === "seconds") return `${iso.slice(0, 19)}Z`;
      if (choices.time === "microseconds") return `${iso.slice(0, 23)}000Z`;
      return choices.time === "offset" ? `${iso.slice(0, 23)}+00:00` : iso;
    },
    receipts(asked, more = {}) {
      if (asked.wallet === null) return {};
      const name = (what: string): string => `x-${choices.brand}-${what}`;
      const told = Object.entries(more).map(([what, value]) => [name(what), value ?? undefined] as const);
      const balance = [name("credits-remaining"), String(money.told(asked.wallet) - asked.wallet.untold)] as const;
      return Object.fromEntries(told.length > 0 || choices.receiptsAlways ? [...told, balance] : []);
    },
  };
  if (flawed("units-fade")) fade();
  return world;

  function fade(): void {
    for (const wallet of wallets.values()) wallet.credits = Math.max(0, wallet.credits - 1);
    time.after(DAY, fade);
  }
}
