/** A sequence being played: the service on one side, the reference model on the other. */

import type { Pending } from "../../exchange/call.ts";
import type { Expected } from "../../model/answers.ts";
import type { Manners } from "../../model/command.ts";
import type { ModelJob, ModelWallet } from "../../model/state.ts";
import type { Behaviour } from "../../target/controls.ts";
import type { CaseContext, ListedModel, Subscription, Wallet } from "../case.ts";
import { hosted } from "../support/disputed.ts";
import { idsOf } from "../support/jobs.ts";
import { quietBalance } from "../support/money.ts";
import type { Order } from "../support/pages.ts";

/** A wallet of the service and what the model knows of it. */
export interface Player {
  readonly wallet: Wallet;
  readonly model: ModelWallet;
}

/** A request in flight, and how it must be answered. */
export interface Flight {
  readonly job: ModelJob;
  readonly player: Player;
  readonly pending: Pending;
  readonly expected: Expected;
}

export interface Hook {
  readonly player: Player;
  readonly subscription: Subscription;
  readonly manners: Manners;
  readonly madeAt: number;
  /** The step in which it was made. */
  readonly made: number;
  /** Top-ups of its wallet since. */
  topUps: number;
  /** When its deletion was answered; null while it is there. */
  deletedAt: number | null;
  /** Whether the balance was seen above the threshold of `credit.low`, and then below; and whether it may ever have been below. */
  above: boolean;
  crossed: boolean;
  maybeLow: boolean;
}

export interface Workers {
  readonly worker: Behaviour;
  readonly says: number | null;
  /** Whether one of them was ever disputed: who loses its stake may have to leave. */
  readonly accused: boolean;
}

export interface Play {
  readonly t: CaseContext;
  readonly players: readonly Player[];
  /** What the workers of each model were last told; in all sequences of the case. */
  readonly workers: Map<string, Workers>;
  readonly models: readonly ListedModel[];
  /** All jobs, in the order of sending. */
  readonly jobs: ModelJob[];
  readonly flights: Flight[];
  readonly hooks: Hook[];
  /** Which way lists run, once it is known. */
  order: Order | null;
  step: number;
}

/** Units that the wallets begin with: plenty, some, and hardly any. */
const PURSES = [6_000, 260, 45] as const;

export const WALLETS = PURSES.length;

/** Wallets to play with: fresh ones where they can be made, else those of the given keys. */
export async function openPlay(t: CaseContext, workers: Map<string, Workers>): Promise<Play> {
  const wallets: Wallet[] = [];
  if (t.home.fresh) for (const credits of PURSES) wallets.push(await t.wallet({ credits }));
  else {
    wallets.push(t.home);
    if (t.has("second-wallet")) wallets.push(await t.otherWallet());
  }
  const players: Player[] = [];
  for (const [number, wallet] of wallets.entries()) {
    const bought = wallet.fresh ? (PURSES[number] ?? 0) : await quietBalance(t, wallet);
    const older = wallet.fresh ? new Set<string>() : new Set(idsOf(await wallet.api.jobs({ limit: 100 })));
    const model: ModelWallet = {
      number,
      key: "active",
      bought,
      jobs: [],
      older,
      happened: [],
      rightAt: t.clock.now(),
      read: false,
    };
    players.push({ wallet, model });
  }
  const base = { t, players, workers, models: t.models(), order: null, step: 0 };
  return { ...base, jobs: [], flights: [], hooks: [] };
}

/** The one of a list that a number names; undefined where there is none. */
export function named<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)];
}

export function playerOf(play: Play, number: number): Player {
  return named(play.players, number) ?? play.t.giveUp("there is no wallet");
}

/** The model of a number. Where the wallet is somebody's it is always the cheapest. */
export function modelOf(play: Play, number: number): ListedModel {
  return named(play.models, number) ?? play.t.model();
}

/** Jobs are named from the latest backwards: most steps are about what was just done. */
export function jobOf(play: Play, number: number): ModelJob | undefined {
  return named([...play.jobs].reverse(), number);
}

/**
 * Whether a model is served as its workers were told: a worker that lost its stake may have left, and somebody else takes its place, where that can be
 * brought about.
 */
export async function isServed(play: Play, player: Player, model: ListedModel): Promise<boolean> {
  const { worker, accused } = workersOf(play, model);
  if (!accused || worker === "absent" || player.model.key !== "active") return true;
  return await hosted(play.t, [model.id], player.wallet.api);
}

/** What the workers of a model were told last. */
export function workersOf(play: Play, model: ListedModel): Workers {
  return play.workers.get(model.id) ?? { worker: "normal", says: null, accused: false };
}
