/**
 * The gateway's books: what each wallet can spend, at once.
 *
 * The chain says what has happened; the books say what will be true once everything that the gateway has sent is sealed. A lock counts from the
 * moment of arrival, a refund from the moment of the time-out (7.3: "can be spent at once"), a purchase from the moment of paying. Transactions
 * are sealed in the order of sending, so a later lock always finds the units that the books promised it. Only a wallet that goes to the escrow
 * past the gateway (`withdraw`) can make the books run ahead; its lock is then reverted by the chain, and the books follow.
 */
export class Books {
  readonly #spendable: number[] = [];
  readonly #lastTopUpAt: number[] = [];

  open(): number {
    this.#lastTopUpAt.push(-1);
    return this.#spendable.push(0) - 1;
  }

  get wallets(): number {
    return this.#spendable.length;
  }

  /** Units, never negative. */
  available(wallet: number): number {
    return Math.max(0, this.#spendable[wallet] ?? 0);
  }

  /** Adds units, or takes them where negative. */
  move(wallet: number, units: number): void {
    this.#spendable[wallet] = this.#spendable[wallet]! + units;
  }

  toppedUp(wallet: number, now: number): void {
    this.#lastTopUpAt[wallet] = now;
  }

  /** -1 where there was no top-up. */
  lastTopUpAt(wallet: number): number {
    return this.#lastTopUpAt[wallet] ?? -1;
  }
}
