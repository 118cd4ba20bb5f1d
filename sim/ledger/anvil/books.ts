/**
 * Balances of many accounts in one call, through the lens contract.
 */
import { type Address, type Hex, toFunctionSelector } from "viem";
import { invariant } from "../../core/index.ts";
import { word, wordAt } from "./calldata.ts";
import type { Rpc } from "./rpc.ts";

/** Sums over everybody: units, base units of the coin (10^-6), base units of the governance token (10^-18). */
export interface ChainTotals {
  /** Units of all wallets, available and locked. */
  readonly outstanding: bigint;
  readonly escrowCoins: bigint;
  readonly treasuryCoins: bigint;
  /** As the registry records it, and as it holds it. */
  readonly totalStaked: bigint;
  readonly registryTokens: bigint;
  readonly treasuryTokens: bigint;
}

export interface WalletBooks {
  /** Units. */
  readonly available: bigint;
  readonly locked: bigint;
  /** Base units of the coin. */
  readonly coins: bigint;
}

export interface WorkerBooks {
  /** 0 never registered, 1 browser, 2 native. */
  readonly kind: number;
  /** Base units of the governance token: at stake, and in hand. */
  readonly stake: bigint;
  readonly tokens: bigint;
  /** Base units of the coin. */
  readonly coins: bigint;
}

/** After the newest block; accounts in the order asked for. */
export interface ChainBooks {
  readonly totals: ChainTotals;
  readonly wallets: readonly WalletBooks[];
  readonly workers: readonly WorkerBooks[];
}

/** (Encoded and decoded by hand: viem's general way takes milliseconds for hundreds of accounts, after every block in lockstep.) */
export async function readBooks(
  rpc: Rpc,
  lens: Address,
  wallets: readonly Address[],
  workers: readonly Address[],
): Promise<ChainBooks> {
  const data: Hex = `${selector()}${word(64)}${word(96 + 32 * wallets.length)}${list(wallets)}${list(workers)}`;
  const answer = await rpc.call<Hex>("eth_call", { to: lens, data }, "latest");
  const words = 8 + 1 + 3 * wallets.length + 1 + 4 * workers.length;
  invariant(answer.length === 2 + 64 * words, "the lens answers with a record for each account");
  const at = (place: number): bigint => wordAt(answer, place);
  // Six sums; where the two lists begin, in bytes; each list its length, and its records.
  const walletsAt = Number(at(6)) / 32 + 1;
  const workersAt = Number(at(7)) / 32 + 1;
  return {
    totals: {
      outstanding: at(0),
      escrowCoins: at(1),
      treasuryCoins: at(2),
      totalStaked: at(3),
      registryTokens: at(4),
      treasuryTokens: at(5),
    },
    wallets: wallets.map((_, i) => {
      const from = walletsAt + 3 * i;
      return { available: at(from), locked: at(from + 1), coins: at(from + 2) };
    }),
    workers: workers.map((_, i) => {
      const from = workersAt + 4 * i;
      return { kind: Number(at(from)), stake: at(from + 1), coins: at(from + 2), tokens: at(from + 3) };
    }),
  };
}

let found: Hex | undefined;

function selector(): Hex {
  found ??= toFunctionSelector("books(address[],address[])");
  return found;
}

function list(accounts: readonly Address[]): string {
  return word(accounts.length) + accounts.map(word).join("");
}
