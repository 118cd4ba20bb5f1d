/**
 * What stands behind the chain port: something that seals blocks. The memory chain is the default; a real chain answers with a promise.
 */
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
  readonly ledger: Ledger;

  constructor(rules: EscrowRules) {
    this.ledger = new Ledger(rules);
  }

  totals(): Totals {
    return this.ledger.totals;
  }

  seal(block: Block): undefined {
    const { ledger } = this;
    const { kind, subject, party, amount, extra, outcome, paid, fee } = block;
    for (let i = 0; i < block.count; i++) {
      ledger.lastPaid = 0;
      ledger.lastFee = 0;
      outcome[i] = ledger.apply(kind[i]!, subject[i]!, party[i]!, amount[i]!, extra[i]!);
      if (outcome[i] !== REVERT.ok) continue;
      paid[i] = ledger.lastPaid;
      fee[i] = ledger.lastFee;
    }
  }
}
