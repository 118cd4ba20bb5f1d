/**
 * `eth_call` on a chain that has no contracts: the questions about balances and records that the contracts would answer.
 */
import {
  type Address,
  COINS_PER_UNIT,
  type ContractName,
  FLOAT,
  type Hex,
  readCall,
  TOKEN,
  writeAnswer,
} from "../anvil/index.ts";
import { MONEY_PER_UNIT } from "../ledger.ts";
import type { Speaker } from "./events.ts";
import type { History } from "./history.ts";

/** How many wallets and workers there are: accounts are found by address among them. */
export interface Census {
  wallets(): number;
  workers(): number;
}

/** Contracts that the memory chain speaks for. */
const SPOKEN: readonly ContractName[] = ["Stablecoin", "GovernanceToken", "WorkerRegistry", "Escrow"];

type Answer = (account: Address) => unknown;

export class Calls {
  readonly #history: History;
  readonly #speaker: Speaker;
  readonly #census: Census;
  readonly #wallets = new Map<string, number>();
  readonly #workers = new Map<string, number>();
  readonly #functions: Readonly<Partial<Record<ContractName, Readonly<Record<string, Answer>>>>>;

  constructor(history: History, speaker: Speaker, census: Census) {
    this.#history = history;
    this.#speaker = speaker;
    this.#census = census;
    this.#functions = this.#table();
  }

  /** The returned bytes; "0x" where nothing stands at the address, undefined where the contract has no such function or it is not told here. */
  call(to: Address, data: Hex): Hex | undefined {
    const { contracts } = this.#speaker;
    const contract = SPOKEN.find((name) => contracts[name] === to.toLowerCase());
    if (contract === undefined) return "0x";
    const asked = readCall(contract, data);
    const found = asked === undefined ? undefined : this.#functions[contract]?.[asked.name];
    if (asked === undefined || found === undefined) return undefined;
    this.#meet();
    const account = String(asked.args[0] ?? "").toLowerCase() as Address;
    return writeAnswer(contract, asked.name, found(account));
  }

  #table(): Readonly<Partial<Record<ContractName, Readonly<Record<string, Answer>>>>> {
    // Asked for anew by each answer: a reorganisation makes other books.
    const history = this.#history;
    const { contracts, accounts } = this.#speaker;
    const wallet = (account: Address, of: (wallet: number) => number): bigint => {
      const found = this.#wallets.get(account);
      return found === undefined ? 0n : BigInt(of(found));
    };
    const stake: Answer = (account) => {
      const found = this.#workers.get(account);
      return found === undefined ? 0n : BigInt(history.ledger.stake(found)) * TOKEN;
    };
    const treasury = (): Address => accounts.role("treasury");
    return {
      Escrow: {
        availableOf: (account) => wallet(account, (each) => history.ledger.available(each)),
        lockedOf: (account) => wallet(account, (each) => history.ledger.locked(each)),
        outstanding: () => BigInt(history.ledger.totals.available + history.ledger.totals.locked),
        coin: () => contracts.Stablecoin,
        registry: () => contracts.WorkerRegistry,
        coinsPerUnit: () => COINS_PER_UNIT,
        treasury,
      },
      WorkerRegistry: {
        stakeOf: stake,
        kindOf: (account) => {
          const native = history.ledger.isNative(this.#workers.get(account) ?? -1);
          return native === undefined ? 0 : native ? 2 : 1;
        },
        totalStaked: () => BigInt(history.ledger.totals.active) * TOKEN,
        token: () => contracts.GovernanceToken,
        treasury,
      },
      Stablecoin: { balanceOf: (account) => this.#coins(account), decimals: () => 6 },
      GovernanceToken: {
        balanceOf: (account) => {
          if (account === contracts.WorkerRegistry) return BigInt(history.ledger.totals.active) * TOKEN;
          return account === treasury() ? BigInt(history.ledger.totals.slashed) * TOKEN : 0n;
        },
        decimals: () => 18,
      },
    };
  }

  #coins(account: Address): bigint {
    const { ledger } = this.#history;
    const { contracts, accounts } = this.#speaker;
    const cents = (money: number): bigint => (BigInt(money) * COINS_PER_UNIT) / BigInt(MONEY_PER_UNIT);
    if (account === contracts.Escrow) return BigInt(ledger.totals.available + ledger.totals.locked) * COINS_PER_UNIT;
    if (account === accounts.role("treasury")) return FLOAT + cents(ledger.totals.treasury);
    const worker = this.#workers.get(account);
    if (worker !== undefined) return cents(ledger.earned(worker));
    const wallet = this.#wallets.get(account);
    return wallet === undefined ? 0n : this.#history.redeemed(wallet);
  }

  /** Learns the addresses of whoever has come since the last call. */
  #meet(): void {
    const { accounts } = this.#speaker;
    for (let i = this.#wallets.size; i < this.#census.wallets(); i++) this.#wallets.set(accounts.wallet(i), i);
    for (let i = this.#workers.size; i < this.#census.workers(); i++) this.#workers.set(accounts.worker(i), i);
  }
}
