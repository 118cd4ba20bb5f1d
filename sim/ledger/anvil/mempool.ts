/**
 * Transactions that are written and not yet sealed: each with its nonce, its place in the order, and the hash that follows from both.
 */
import { type Address, concat, type Hex, keccak256, serializeTransaction } from "viem";
import { quantity } from "./calldata.ts";
import type { Draft } from "./deployment.ts";
import type { Call } from "./rpc.ts";

export interface Written extends Draft {
  readonly nonce: number;
  readonly gas: number;
  readonly gasPrice: number;
  /** The price that gives it its place in the order of writing. */
  readonly place: number;
}

/** More than any of our calls takes; below the floor of a starved one nothing runs at all. */
const GAS = 500_000;
const GAS_TO_DEPLOY = 8_000_000;
/**
 * A node orders a block by fees, the highest first, and the calls of one batch reach it in any order. So each transaction pays one wei of gas less
 * than the one written before it: the block's order is the order of writing.
 */
const FIRST_PRICE = 2 ** 42;

/** Enough to begin, not enough for anything that a contract of ours does. */
const STARVED_GAS = 32_000;

/** With too little gas; or at half the fee, which a node lets another one take the place of. */
export function foredoomed(written: Written, fate: "starved" | "replaced"): Written {
  return fate === "starved"
    ? { ...written, gas: STARVED_GAS }
    : { ...written, gasPrice: Math.floor(written.gasPrice / 2) };
}

export class Mempool {
  readonly #chainId: number;
  readonly #nonces: Map<Address, number>;
  #written = 0;

  /** @param used transactions that a sender has on the chain already */
  constructor(chainId: number, used: ReadonlyMap<Address, number> = new Map()) {
    this.#chainId = chainId;
    this.#nonces = new Map(used);
  }

  /** Takes the sender's next nonce and the next place in the order. */
  write(draft: Draft): Written {
    const nonce = this.#nonces.get(draft.from) ?? 0;
    this.#nonces.set(draft.from, nonce + 1);
    const gas = draft.to === undefined ? GAS_TO_DEPLOY : GAS;
    const gasPrice = FIRST_PRICE - this.#written++;
    return { ...draft, nonce, gas, gasPrice, place: gasPrice };
  }

  /** The same once more, in the same place of all orders, at the fee that was meant for it; told apart by its gas. */
  rewrite(written: Written): Written {
    return { ...written, gas: written.gas + 1, gasPrice: written.place };
  }

  /**
   * The hash by which the chain is going to know the transaction: Anvil's for a sender without a key, that is with an empty signature and the
   * sender's address behind it.
   */
  hash(written: Written): Hex {
    const { from, to, data, nonce, gas, gasPrice } = written;
    const chainId = this.#chainId;
    const envelope = serializeTransaction(
      { type: "legacy", chainId, nonce, gas: BigInt(gas), gasPrice: BigInt(gasPrice), to: to ?? null, data },
      // EIP-155: the chain's id is in v.
      { r: "0x0", s: "0x0", v: BigInt(chainId * 2 + 35) },
    );
    return keccak256(concat([envelope, from]));
  }

  /** The call that sends it. */
  call(written: Written): Call {
    const { from, to, data, nonce, gas, gasPrice } = written;
    const request = { from, data, nonce: quantity(nonce), gas: quantity(gas), gasPrice: quantity(gasPrice) };
    return ["eth_sendTransaction", to === undefined ? request : { ...request, to }];
  }
}
