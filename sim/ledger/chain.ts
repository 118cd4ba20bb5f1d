/**
 * What stands behind the chain port: something that seals blocks. The memory chain is the default; a real chain answers with a promise.
 */
import { invariant } from "../core/index.ts";
import { type EscrowRules, Ledger, type Totals } from "./ledger.ts";
import { type Block, REVERT, type TxKind } from "./transaction.ts";

export interface Chain {
  /**
   * Executes the block's transactions in order and fills in `outcome`, `paid` and `fee` of each. The kernel goes on when the block is sealed:
   * at once, or when the promise resolves.
   */
  seal(block: Block): Promise<void> | undefined;
  /** What it has in its books now, as far as it is known. */
  totals(): Totals | undefined;
  /**
   * Told of each transaction when it is sent, before its block: a real chain fixes its hash then. Columns as in `TX`; `sentAt` is virtual time.
   */
  send?(tx: number, kind: TxKind, subject: number, party: number, amount: number, extra: number, sentAt: number): void;
  /**
   * What is in store for a transaction just sent. One that is `starved` has too little gas: its block holds it as reverted, whatever it would have
   * done. One to be `replaced` offers a fee that is too low.
   */
  foredoom?(tx: number, fate: "starved" | "replaced"): void;
  /**
   * `tx` is sent instead of `lost`, which never comes into a block: the node has dropped it, or it stands in the same place with a higher fee.
   * Same columns, same sender, same place in the sender's order.
   */
  replace?(tx: number, lost: number, how: "dropped" | "replaced"): void;
  /** Undoes the newest blocks, which are all `revocable`; their transactions are sent and are going to be sealed again, in the same order. */
  reorganise?(blocks: number): Promise<void> | undefined;
  /** Names that the chain gives to what is on it, where it has its own. */
  readonly names?: ChainNames | undefined;
}

/** How a chain names transactions and blocks. */
export interface ChainNames {
  readonly escrowAddress: string;
  /** Of a transaction that was sent: 0x and 64 hex digits. */
  hash(tx: number): string;
  /** The chain's own number of the world's nth block: others may come before it. */
  blockNumber(block: number): number;
  /** Of a sealed block of the world: 0x and 64 hex digits. */
  blockHash(block: number): string;
}

export class MemoryChain implements Chain {
  #ledger: Ledger;
  readonly #starved = new Set<number>();
  /** Where the newest blocks are revocable: the books before the oldest of them, and those blocks. */
  #before: Ledger | undefined;
  readonly #recent: Block[] = [];

  constructor(rules: EscrowRules) {
    this.#ledger = new Ledger(rules);
  }

  /** The books after the newest block. Undoing blocks makes new ones: keep nothing of these. */
  get ledger(): Ledger {
    return this.#ledger;
  }

  totals(): Totals {
    return this.#ledger.totals;
  }

  foredoom(tx: number, fate: "starved" | "replaced"): void {
    if (fate === "starved") this.#starved.add(tx);
  }

  seal(block: Block): undefined {
    if (block.revocable) {
      this.#before ??= this.#ledger.copy();
      this.#recent.push(block.copy());
    } else {
      this.#before = undefined;
      this.#recent.length = 0;
    }
    this.#execute(this.#ledger, block);
  }

  reorganise(blocks: number): undefined {
    invariant(this.#before !== undefined && blocks <= this.#recent.length, "only revocable blocks are undone");
    this.#recent.splice(this.#recent.length - blocks);
    this.#ledger = this.#before.copy();
    for (const block of this.#recent) this.#execute(this.#ledger, block);
  }

  #execute(ledger: Ledger, block: Block): void {
    const { tx, kind, subject, party, amount, extra, outcome, paid, fee } = block;
    const anyStarved = this.#starved.size > 0;
    for (let i = 0; i < block.count; i++) {
      if (anyStarved && this.#starved.has(tx[i]!)) {
        outcome[i] = REVERT.outOfGas;
        continue;
      }
      ledger.lastPaid = 0;
      ledger.lastFee = 0;
      outcome[i] = ledger.apply(kind[i]!, subject[i]!, party[i]!, amount[i]!, extra[i]!);
      if (outcome[i] !== REVERT.ok) continue;
      paid[i] = ledger.lastPaid;
      fee[i] = ledger.lastFee;
    }
  }
}
