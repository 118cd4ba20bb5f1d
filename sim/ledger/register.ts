/**
 * The public record of a chain: every transaction and block, with the hashes by which verifiers name them.
 *
 * Kept only where somebody may ask (the server); hashes are made when asked for. A transaction's hash is SHA-256 over its canonical record and
 * the seed, a block's over its parent's hash and its transactions, so two runs of one seed have the same hashes and no two records share one.
 */
import { createHash } from "node:crypto";
import { canonicalJson, invariant } from "../core/index.ts";
import type { Block, Outcome, TxKind } from "./transaction.ts";

export interface TxRecord {
  readonly tx: number;
  readonly kind: TxKind;
  readonly subject: number;
  readonly party: number;
  readonly amount: number;
  readonly extra: number;
  /** Virtual time of sending. */
  readonly sentAt: number;
}

export interface BlockRecord {
  readonly number: number;
  /** Virtual time of sealing. */
  readonly time: number;
  readonly transactions: readonly number[];
}

export class ChainRegister {
  /** How often blocks were taken back. */
  reorganisations = 0;
  readonly #seed: string;
  readonly #sent: TxRecord[] = [];
  readonly #outcome: (Outcome | undefined)[] = [];
  readonly #blockOf: number[] = [];
  readonly #blocks: BlockRecord[] = [];
  readonly #txHashes: string[] = [];
  readonly #blockHashes: string[] = [];

  constructor(seed: string | number) {
    this.#seed = String(seed);
  }

  sent(record: TxRecord): void {
    this.#sent[record.tx] = record;
  }

  sealed(block: Block): void {
    const transactions = block.tx.slice(0, block.count);
    this.#blocks[block.number] = { number: block.number, time: block.time, transactions };
    for (let i = 0; i < block.count; i++) {
      this.#blockOf[block.tx[i]!] = block.number;
      this.#outcome[block.tx[i]!] = block.outcome[i]!;
    }
  }

  /** Takes the newest blocks back, down to that height: their transactions are in no block any more. */
  undo(height: number): void {
    for (const { transactions } of this.#blocks.splice(height + 1)) {
      for (const tx of transactions) {
        this.#blockOf[tx] = 0;
        this.#outcome[tx] = undefined;
      }
    }
    this.#blockHashes.splice(height + 1);
    this.reorganisations++;
  }

  /** Number of the newest sealed block, 0 before the first. */
  get height(): number {
    return Math.max(0, this.#blocks.length - 1);
  }

  transaction(tx: number): TxRecord | undefined {
    return this.#sent[tx];
  }

  block(number: number): BlockRecord | undefined {
    return this.#blocks[number];
  }

  /** 0 until the transaction is in a sealed block. */
  blockOf(tx: number): number {
    return this.#blockOf[tx] ?? 0;
  }

  /** One of `REVERT`; undefined until the transaction is in a sealed block. */
  outcome(tx: number): Outcome | undefined {
    return this.#outcome[tx];
  }

  /** 0x and 64 hex digits. */
  hash(tx: number): string {
    const record = this.#sent[tx];
    invariant(record !== undefined, `transaction ${tx} was sent`);
    this.#txHashes[tx] ??= digest({ chain: this.#seed, ...record });
    return this.#txHashes[tx];
  }

  /** 0x and 64 hex digits; block 0 is the empty one that all others follow. */
  blockHash(number: number): string {
    this.#blockHashes[0] ??= digest({ chain: this.#seed, block: 0 });
    for (let n = this.#blockHashes.length; n <= number; n++) {
      const block = this.#blocks[n];
      invariant(block !== undefined, `block ${n} was sealed`);
      const transactions = block.transactions.map((tx) => this.hash(tx));
      this.#blockHashes[n] = digest({ parent: this.#blockHashes[n - 1], number: n, time: block.time, transactions });
    }
    return this.#blockHashes[number]!;
  }
}

/** A 20-byte account address for a name: 0x and 40 hex digits. */
export function address(seed: string | number, name: string): string {
  return `0x${digest({ chain: String(seed), account: name }).slice(26)}`;
}

function digest(record: unknown): string {
  return `0x${createHash("sha256").update(canonicalJson(record)).digest("hex")}`;
}
