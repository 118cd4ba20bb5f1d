/**
 * What the contracts log, and the books that follow from it: the chain's own word on how many units and tokens went where.
 */
import { type Abi, type AbiEvent, type Address, getAbiItem, type Hex, toEventSelector } from "viem";
import { invariant } from "../../core/index.ts";
import { MONEY_PER_UNIT, noTotals, type Totals } from "../ledger.ts";
import { artifact, type ContractName } from "./artifacts.ts";
import { wordAt } from "./calldata.ts";
import { type Addresses, COINS_PER_UNIT, TOKEN } from "./deployment.ts";

/** As `eth_getLogs` gives it. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hex;
}

/** Hundredths of a unit, the ledger's money: base units of the coin in one. */
const COINS_PER_CENT = COINS_PER_UNIT / BigInt(MONEY_PER_UNIT);

/** Moves the totals; `at(n)` is the nth number of an event's data. */
type Move = (totals: Totals, at: (place: number) => bigint) => void;

/** Moves what `unit` base units are one of, between places of the books: out of those with a minus, into those with a plus. */
const move =
  (unit: bigint, signs: Partial<Record<keyof Totals, 1 | -1>>): Move =>
  (totals, at) => {
    const amount = Number(at(0) / unit);
    for (const [place, sign] of Object.entries(signs)) totals[place as keyof Totals] += sign * amount;
  };

/** What each event that moves something does to the books. */
const MOVES: readonly (readonly [ContractName, event: string, Move])[] = [
  ["Escrow", "Bought", move(1n, { bought: 1, available: 1 })],
  ["Escrow", "Withdrawn", move(1n, { available: -1, redeemed: 1 })],
  ["Escrow", "Locked", move(1n, { available: -1, locked: 1 })],
  ["Escrow", "Refunded", move(1n, { locked: -1, available: 1 })],
  ["Escrow", "Settled", settled],
  ["Escrow", "Compensated", compensated],
  ["WorkerRegistry", "Staked", move(TOKEN, { staked: 1, active: 1 })],
  ["WorkerRegistry", "Unstaked", move(TOKEN, { active: -1, unstaked: 1 })],
  ["WorkerRegistry", "Slashed", move(TOKEN, { active: -1, slashed: 1 })],
];

function settled(totals: Totals, at: (place: number) => bigint): void {
  const charge = Number(at(0));
  const returned = Number(at(1));
  const { paid, fee } = split(at);
  totals.locked -= charge + returned;
  totals.available += returned;
  totals.settled += charge;
  totals.paid += paid;
  totals.treasury += fee;
}

function compensated(totals: Totals, at: (place: number) => bigint): void {
  const units = Number(at(0));
  totals.compensated += units;
  totals.settled -= units;
  totals.available += units;
  totals.treasury -= units * MONEY_PER_UNIT;
}

/** The totals of a chain, moved by its logs. */
export class Tally {
  readonly totals: Totals = noTotals();
  readonly #moves: ReadonlyMap<string, Move>;

  constructor(contracts: Addresses) {
    this.#moves = new Map(MOVES.map(([contract, name, found]) => [contracts[contract] + topic(contract, name), found]));
  }

  /** @returns what was paid, where the log is of a settlement */
  fold({ address, topics, data }: Log): Split | undefined {
    const found = this.#moves.get(address + topics[0]);
    const at = (place: number): bigint => wordAt(data, place);
    found?.(this.totals, at);
    return found === settled ? split(at) : undefined;
  }
}

/** The money that a settlement moved: hundredths of a unit to the worker and to the treasury. */
export interface Split {
  readonly paid: number;
  readonly fee: number;
}

function split(at: (place: number) => bigint): Split {
  const paid = Number(at(2) / COINS_PER_CENT);
  return { paid, fee: Number(at(0)) * MONEY_PER_UNIT - paid };
}

function topic(contract: ContractName, name: string): Hex {
  const found = getAbiItem({ abi: artifact(contract).abi as Abi, name }) as AbiEvent | undefined;
  invariant(found?.type === "event", `${contract} has an event ${name}`);
  return toEventSelector(found);
}
