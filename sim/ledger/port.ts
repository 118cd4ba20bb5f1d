/**
 * The chain port: transactions go in, sealed blocks come out.
 *
 * A transaction waits until the next block boundary; boundaries are multiples of the block time, and a block is sealed only when something waits.
 * Block time 0 seals in the moment of sending. What was sent while a block is read goes into the next one.
 */
import type { Kernel } from "../kernel/index.ts";
import type { Chain } from "./chain.ts";
import type { ChainRegister } from "./register.ts";
import { Block, type TxKind } from "./transaction.ts";

export interface ChainSettings {
  /** Microseconds between block boundaries. */
  readonly blockTime: number;
  /** Further block times that pass before a settlement counts as final. */
  readonly confirmations: number;
}

export class ChainPort {
  /** While a real chain seals: settled when it has, and the block has been read. The kernel stands still; see `World.run`. */
  waiting: Promise<void> | undefined;
  /** Number of the newest sealed block. */
  height = 0;
  readonly #kernel: Kernel;
  readonly #chain: Chain;
  readonly #blockTime: number;
  readonly #onBlock: (block: Block) => void;
  readonly #register: ChainRegister | undefined;
  readonly #seal: number;
  #mempool = new Block();
  #sealing = new Block();
  #sent = 0;
  /** The timer of the next boundary, 0 while nothing waits. */
  #due = 0;

  /**
   * @param onBlock reads a sealed block: hands each receipt to whoever sent the transaction
   * @param register keeps the public record, where somebody may ask for it
   */
  constructor(
    kernel: Kernel,
    chain: Chain,
    blockTime: number,
    onBlock: (block: Block) => void,
    register?: ChainRegister | undefined,
  ) {
    this.#kernel = kernel;
    this.#chain = chain;
    this.#blockTime = blockTime;
    this.#onBlock = onBlock;
    this.#register = register;
    this.#seal = kernel.handler(() => this.seal());
  }

  /** Sends a transaction; its columns are explained at `TX`. Returns its number, counted from 1. */
  submit(kind: TxKind, subject: number, party: number, amount: number, extra: number): number {
    const tx = ++this.#sent;
    this.#mempool.add(tx, kind, subject, party, amount, extra);
    this.#chain.send?.(tx, kind, subject, party, amount, extra, this.#kernel.now);
    this.#register?.sent({ tx, kind, subject, party, amount, extra, sentAt: this.#kernel.now });
    if (this.#due === 0) this.#due = this.#kernel.at(this.#boundary(), this.#seal);
    return tx;
  }

  /** Seals what waits now, ahead of the boundary: for the first block of a run. */
  seal(): void {
    const block = this.#mempool;
    this.#kernel.cancel(this.#due);
    this.#due = 0;
    if (block.count === 0) return;
    this.#mempool = this.#sealing;
    this.#sealing = block;
    block.number = ++this.height;
    block.time = this.#kernel.now;
    const sealed = this.#chain.seal(block);
    if (sealed === undefined) {
      this.#read(block);
      return;
    }
    this.waiting = sealed.then(() => {
      this.waiting = undefined;
      this.#read(block);
    });
    // Whoever waits hears of a failure; nobody has to.
    this.waiting.catch(() => {});
    this.#kernel.stop();
  }

  #read(block: Block): void {
    this.#register?.sealed(block);
    this.#onBlock(block);
    block.clear();
  }

  #boundary(): number {
    const { now } = this.#kernel;
    return this.#blockTime === 0 ? now : (Math.floor(now / this.#blockTime) + 1) * this.#blockTime;
  }
}
