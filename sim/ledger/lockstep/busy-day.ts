/**
 * A small world in which everything happens that moves money: settlements with a difference, refunds, failures, disputes with and without fraud,
 * slashes, purchases and redemptions. For tests and the gas table.
 */
import { MILLISECOND, SECOND } from "../../core/index.ts";
import { defaultWorld } from "../../default-world.ts";
import type { ChainFaultPlan } from "../../faults/chain.ts";
import type { Rules } from "../../rules.ts";
import type { Fold, Recorder, WorldKinds } from "../../trace/index.ts";
import { createWorld, type World } from "../../world.ts";
import type { Chain } from "../chain.ts";
import type { ChainSettings } from "../port.ts";
import { TX } from "../transaction.ts";

export interface BusyDay {
  readonly seed: string;
  readonly behind?: Chain | undefined;
  readonly rules?: Rules | undefined;
  readonly recorder?: Recorder | undefined;
  /** What goes wrong with the chain. */
  readonly chainFaults?: ChainFaultPlan | undefined;
  readonly chain?: ChainSettings | undefined;
  /** Sees the events from the first on. */
  readonly folds?: readonly Fold<WorldKinds>[] | undefined;
  /** Rounds of eight jobs, one for each model. */
  readonly rounds?: number | undefined;
}

const BEHAVIOURS = ["normal", "normal", "dishonest", "failing", "silent"] as const;

/** Runs the day to its end: arbitration included, so some 24 hours of virtual time. */
export async function busyDay({
  seed,
  behind,
  rules,
  recorder,
  chainFaults,
  chain: settings,
  folds = [],
  rounds = 5,
}: BusyDay): Promise<World> {
  const world = createWorld({
    ...defaultWorld(seed),
    behind,
    rules,
    recorder,
    chainFaults,
    ...(settings && { chain: settings }),
  });
  for (const fold of folds) world.trace.subscribe(fold);
  const { gateway, chain, kernel } = world;
  world.start();
  // A real chain takes its time over the first block.
  await world.runUntil(0);
  const wallets = [4_000, 1_500, 90, 700].map((units) => gateway.openWallet(units));
  for (let round = 0; round < rounds; round++) {
    for (const [model] of world.options.models.entries()) {
      world.router.setBehaviour(model, BEHAVIOURS[(round + model) % BEHAVIOURS.length]!);
      // A bound far above what is made: the estimate is locked, and the difference comes back.
      const bound = model % 2 === 0 ? 4_000 : -1;
      const wallet = wallets[(round + model) % wallets.length]!;
      const job = gateway.submit(wallet, model, 100, 300 + 200 * round, bound);
      if (job >= 0 && round % 2 === 0) kernel.after(12 * SECOND, dispute(world), job);
    }
    const redeeming = wallets[round % wallets.length]!;
    const spare = gateway.books.available(redeeming);
    chain.submit(TX.withdraw, redeeming, 0, Math.ceil((spare + 1) / 2), 0);
    // The same units a second time, in the same block, and more than there are.
    chain.submit(TX.withdraw, redeeming, 0, spare + 1, 0);
    gateway.topUp(wallets[(round + 1) % wallets.length]!, 100 + round);
    await world.runUntil(kernel.now + 700 * MILLISECOND);
  }
  await world.run();
  world.finish();
  return world;
}

/** A handler that disputes a job, where it may be disputed. */
function dispute(world: World): number {
  return world.kernel.handler((job) => void world.gateway.dispute(world.jobs.at(job), true));
}
