/**
 * Balances of many accounts in one call, through the lens contract.
 */
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { artifact } from "./artifacts.ts";
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

export async function readBooks(
  rpc: Rpc,
  lens: Address,
  wallets: readonly Address[],
  workers: readonly Address[],
): Promise<ChainBooks> {
  const { abi } = artifact("Lens");
  const data = encodeFunctionData({ abi, functionName: "books", args: [wallets, workers] });
  const answer = await rpc.call<Hex>("eth_call", { to: lens, data }, "latest");
  const [totals, walletBooks, workerBooks] = decodeFunctionResult({
    abi,
    functionName: "books",
    data: answer,
  }) as unknown as [ChainTotals, WalletBooks[], WorkerBooks[]];
  return { totals, wallets: walletBooks, workers: workerBooks };
}
