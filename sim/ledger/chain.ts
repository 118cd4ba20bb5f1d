/**
 * What stands behind the chain port: something that seals blocks. The memory chain is the default; a real chain answers with a promise.
 */
import { type EscrowRules, Ledger, type Totals } from "./ledger.ts";
import { type Block, REVERT } from "./transaction.ts";

export interface Chain {
  /**
   * Executes the block's transactions in order and fills in `outcome`, `paid` and `fee` of each. The kernel goes on when the block is sealed:
   * at once, or when the promise resolves.
   */
  seal(block: Block): Promise<void> | undefined;
  /** What it has in its books now, as far as it is known. */
  totals(): Totals | undefined;
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
