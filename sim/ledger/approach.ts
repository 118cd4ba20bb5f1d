/**
 * Transactions on their way to the mempool, where that takes time: the network's delay, a node that does not take them, or a first sending that
 * was lost. What the gateway sends keeps its order (nonces see to that), and so does what everybody else sends.
 */

import type { TxKind } from "./transaction.ts";
import type { Fate } from "./trouble.ts";

/** A transaction with its columns as in `TX`. */
export interface Travelling {
  readonly tx: number;
  readonly kind: TxKind;
  readonly subject: number;
  readonly party: number;
  readonly amount: number;
  readonly extra: number;
  readonly fate: Fate;
  /** When it is there. */
  readonly due: number;
}

/** One order of arrival. */
export class Queue {
  readonly #waiting: Travelling[] = [];
  #first = 0;
  /** When the newest of them is there. */
  #last = 0;

  /** @returns when it is there: at `due`, or with the one before it where that comes later */
  push(travelling: Travelling): number {
    this.#last = Math.max(this.#last, travelling.due);
    this.#waiting.push({ ...travelling, due: this.#last });
    return this.#last;
  }

  /** The next one that is there by now. */
  take(now: number): Travelling | undefined {
    const next = this.#waiting[this.#first];
    if (next === undefined || next.due > now) return undefined;
    if (++this.#first === this.#waiting.length) {
      this.#waiting.length = 0;
      this.#first = 0;
    }
    return next;
  }
}
