/**
 * Profit and loss of every party, from the trace alone.
 *
 * Money is whole hundredths of a unit, stake whole tokens; nothing is rounded. What one party pays another gets, so over all parties
 *
 *     sum of net = -(sum of what work, checks, audits and gas have cost outside of the network)
 *
 * A client's charge is a cost to it and revenue to worker and treasury. Units that come back (refunds, differences) are no revenue: they were never
 * spent; `refunds` tells how much was held from the client for nothing.
 */
import { invariant } from "../core/index.ts";
import type { Fold, WorldKinds } from "../trace/index.ts";

export type Role = "worker" | "client" | "treasury";

/** One class of workers, one population of clients, or the treasury. */
export interface PartyFigures {
  readonly role: Role;
  readonly name: string;
  /** Whose it is; parties of one operator win and lose together. Empty where the scenario names none. */
  readonly operator: string;
  /** Workers that ever joined, or wallets. */
  readonly members: number;
  /** Jobs that it was paid for, or that it paid for. */
  readonly jobs: number;
  /** Hundredths of a unit. Workers: their share of charges. Clients: compensation. Treasury: its share of charges. */
  readonly revenue: number;
  /** Hundredths of a unit. Workers: work and identities. Clients: charges and checks. Treasury: audits, compensation. Each: its gas. */
  readonly costs: number;
  /** Tokens: lost by workers, taken in by the treasury. */
  readonly slashed: number;
  /** Hundredths of a unit that clients got back because their jobs failed or timed out. */
  readonly refunds: number;
  /** Revenue less costs, hundredths of a unit. */
  readonly net: number;
  /** Tokens won or lost. */
  readonly netTokens: number;
  /** `net` and `netTokens` together at the scenario's price of a token, hundredths of a unit. */
  readonly total: number;
}

/** Cheats on jobs: how many there were and what became of them. */
export interface CheatFigures {
  /** Jobs on which a worker cheated, by the number of the conduct; 0 for false proofs of workers that are `dishonest` now and then. */
  readonly committed: Readonly<Record<number, number>>;
  /** Paid all the same. */
  readonly paid: number;
  /** Refused by an audit, and found fraudulent by a verdict on a client's dispute. */
  readonly refused: number;
  readonly convicted: number;
  /** Honest jobs that an audit refused or a verdict called fraudulent. */
  readonly wronged: number;
  readonly audits: number;
}

/** Who pays for the gas of an operation: whoever sends it. The treasury stands for gateway, arbiter and shop. */
const PAYERS = {
  buy: "treasury",
  lock: "treasury",
  proof: "treasury",
  settle: "treasury",
  refund: "treasury",
  giveBack: "treasury",
  dispute: "treasury",
  verdict: "treasury",
  slash: "treasury",
  stake: "worker",
  unstake: "worker",
  withdraw: "client",
} as const;

export type Operation = keyof typeof PAYERS;

/** What a transaction costs its sender, whether it goes through or is reverted. */
export interface GasCosts {
  /** Hundredths of a unit. */
  readonly of: Readonly<Record<Operation, number>>;
  /** By the number that the trace has for it. */
  readonly byNumber: readonly Operation[];
}

/** What the trace does not tell: names and prices. */
export interface PartyNames {
  /** By class of workers, in the scenario's order. */
  readonly workers: readonly { readonly name: string; readonly operator?: string | undefined }[];
  /** By population. */
  readonly clients: readonly { readonly name: string; readonly operator?: string | undefined }[];
  /** Hundredths of a unit that a token is worth; 0 unless told. */
  readonly tokenPrice?: number | undefined;
  /** Gas costs nothing unless told. */
  readonly gas?: GasCosts | undefined;
}

class Account {
  readonly role: Role;
  readonly name: string;
  readonly operator: string;
  members = 0;
  jobs = 0;
  revenue = 0;
  costs = 0;
  slashed = 0;
  refunds = 0;

  constructor(role: Role, name: string, operator = "") {
    this.role = role;
    this.name = name;
    this.operator = operator;
  }

  figures(tokenPrice: number): PartyFigures {
    const { role, name, operator, members, jobs, revenue, costs, slashed, refunds } = this;
    const net = revenue - costs;
    const netTokens = slashed === 0 ? 0 : role === "treasury" ? slashed : -slashed;
    const total = net + netTokens * tokenPrice;
    return { role, name, operator, members, jobs, revenue, costs, slashed, refunds, net, netTokens, total };
  }
}

const MONEY_PER_UNIT = 100;

/** What became of a job on which somebody may have cheated. */
interface Fate {
  how: number;
  audited: boolean;
}

export class LedgerOfParties implements Fold<WorldKinds> {
  readonly on: Fold<WorldKinds>["on"];
  readonly #treasury = new Account("treasury", "treasury");
  readonly #classes: Account[];
  readonly #kinds = { native: new Account("worker", "native"), browser: new Account("worker", "browser") };
  readonly #populations: Account[];
  readonly #tokenPrice: number;
  readonly #cheats = {
    committed: {} as Record<number, number>,
    paid: 0,
    refused: 0,
    convicted: 0,
    wronged: 0,
    audits: 0,
  };

  /** @param names classes and populations that it does not name are called by kind and number */
  constructor(names: PartyNames = { workers: [], clients: [] }) {
    const treasury = this.#treasury;
    const classes = names.workers.map(({ name, operator }) => new Account("worker", name, operator));
    const populations = names.clients.map(({ name, operator }) => new Account("client", name, operator));
    const kinds = this.#kinds;
    const cheats = this.#cheats;
    this.#classes = classes;
    this.#populations = populations;
    this.#tokenPrice = names.tokenPrice ?? 0;
    /** By worker, by wallet. */
    const worker: Account[] = [];
    const client: Account[] = [];
    /** By place of the job. */
    const walletOf: number[] = [];
    const fates: (Fate | undefined)[] = [];
    const { gas } = names;
    const burn = (operation: Operation, sender: number): void => {
      if (gas === undefined) return;
      const payer = PAYERS[operation];
      const account = payer === "worker" ? worker[sender] : payer === "client" ? client[sender] : treasury;
      account!.costs += gas.of[operation];
    };
    this.on = {
      "tx.reverted": (_time, _tx, transaction, subject) => {
        if (gas !== undefined) burn(gas.byNumber[transaction]!, subject);
      },
      "units.bought": (_time, wallet) => burn("buy", wallet),
      "units.redeemed": (_time, wallet) => burn("withdraw", wallet),
      "job.locked": (_time, job) => burn("lock", job),
      "dispute.recorded": (_time, job) => burn("dispute", job),
      "stake.deposited": (_time, id) => burn("stake", id),
      "stake.withdrawn": (_time, id) => burn("unstake", id),
      "wallet.opened": (_time, wallet, population) => {
        populations[population] ??= new Account("client", `clients ${population}`);
        client[wallet] = populations[population]!;
        client[wallet].members++;
      },
      "worker.registered": (_time, id, isNative) => {
        worker[id] = isNative === 1 ? kinds.native : kinds.browser;
        worker[id].members++;
      },
      "worker.classed": (_time, id, label) => {
        classes[label] ??= new Account("worker", `workers ${label}`);
        worker[id]!.members--;
        worker[id] = classes[label]!;
        worker[id].members++;
      },
      "job.created": (_time, job, _number, wallet) => {
        walletOf[job] = wallet;
        fates[job] = undefined;
      },
      "job.cheated": (_time, job, _worker, how) => {
        cheats.committed[how] = (cheats.committed[how] ?? 0) + 1;
        fates[job] = { how, audited: false };
      },
      "job.settling": (_time, job, _worker, honest) => {
        burn("proof", job);
        if (honest === 1 || fates[job] !== undefined) return;
        cheats.committed[0] = (cheats.committed[0] ?? 0) + 1;
        fates[job] = { how: 0, audited: false };
      },
      "job.paid": (_time, job, wallet, id, charged, _returned, paid, fee) => {
        worker[id]!.jobs++;
        worker[id]!.revenue += paid;
        client[wallet]!.jobs++;
        client[wallet]!.costs += charged * MONEY_PER_UNIT;
        treasury.jobs++;
        treasury.revenue += fee;
        if (fates[job] !== undefined) cheats.paid++;
        burn("settle", job);
      },
      "job.returned": (_time, job, wallet, units) => {
        burn("refund", job);
        client[wallet]!.refunds += units * MONEY_PER_UNIT;
      },
      "worker.spent": (_time, id, _job, amount) => {
        worker[id]!.costs += amount;
      },
      "client.spent": (_time, wallet, _job, amount) => {
        client[wallet]!.costs += amount;
      },
      "audit.done": (_time, job, _worker, rejected, cost) => {
        cheats.audits++;
        treasury.costs += cost;
        if (rejected === 0) return;
        const fate = fates[job];
        if (fate === undefined) fates[job] = { how: -1, audited: true };
        else fate.audited = true;
      },
      "dispute.decided": (_time, job, _worker, fraudulent, units) => {
        const compensation = units * MONEY_PER_UNIT;
        client[walletOf[job]!]!.revenue += compensation;
        treasury.costs += compensation;
        burn("verdict", job);
        if (fraudulent === 0) return;
        const fate = fates[job];
        if (fate === undefined || fate.how < 0) cheats.wronged++;
        else if (fate.audited) cheats.refused++;
        else cheats.convicted++;
      },
      "stake.slashed": (_time, id, tokens) => {
        worker[id]!.slashed += tokens;
        treasury.slashed += tokens;
        burn("slash", id);
      },
    };
  }

  /** Workers by class (or by kind where the scenario names none), clients by population, the treasury last; parties without members are left out. */
  parties(): readonly PartyFigures[] {
    const { native, browser } = this.#kinds;
    const all = [...this.#classes, native, browser, ...this.#populations].filter((account) => account.members > 0);
    const figures = [...all, this.#treasury].map((account) => account.figures(this.#tokenPrice));
    const tokens = figures.reduce((sum, { netTokens }) => sum + netTokens, 0);
    invariant(tokens === 0, "what workers lose of their stakes, the treasury takes");
    return figures;
  }

  cheats(): CheatFigures {
    return { ...this.#cheats, committed: { ...this.#cheats.committed } };
  }
}

/** Sums over the parties of each operator that has several, by name. */
export function byOperator(parties: readonly PartyFigures[]): readonly PartyFigures[] {
  const operators = [...new Set(parties.map(({ operator }) => operator))].filter((name) => name !== "");
  return operators.flatMap((operator) => {
    const own = parties.filter((party) => party.operator === operator);
    if (own.length < 2) return [];
    const sum = (
      field: "members" | "jobs" | "revenue" | "costs" | "slashed" | "refunds" | "net" | "netTokens" | "total",
    ) => own.reduce((total, party) => total + party[field], 0);
    return [
      {
        role: own[0]!.role,
        name: own.map(({ name }) => name).join(" + "),
        operator,
        members: sum("members"),
        jobs: sum("jobs"),
        revenue: sum("revenue"),
        costs: sum("costs"),
        slashed: sum("slashed"),
        refunds: sum("refunds"),
        net: sum("net"),
        netTokens: sum("netTokens"),
        total: sum("total"),
      },
    ];
  });
}
