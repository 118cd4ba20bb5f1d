/**
 * Transactions of the settlement chain, as numbers: a kind and four columns, whose meaning the kind gives.
 *
 * | kind | subject | party | amount | extra |
 * |---|---|---|---|---|
 * | buy | wallet | | units | |
 * | lock | job | wallet | units | the job's number in the run |
 * | proof | job | worker | | 1: hash of what was delivered, 0: another |
 * | settle | job | worker | units charged | units returned |
 * | refund, giveBack | job | | units returned | |
 * | dispute | job | | | |
 * | verdict | job | worker | units to the client | 1: fraudulent |
 * | slash | worker | job | tokens | |
 * | stake, unstake | worker | 1: native | tokens | |
 * | withdraw | wallet | | units | |
 *
 * A job's subject is its place in the world's table, which may be given again; its number never is, and the chain knows a lock by it.
 * `refund` is what a time-out sends, `giveBack` what a failure sends; to the escrow they are the same.
 */
export const TX = {
  buy: 0,
  lock: 1,
  proof: 2,
  settle: 3,
  refund: 4,
  giveBack: 5,
  dispute: 6,
  verdict: 7,
  slash: 8,
  stake: 9,
  unstake: 10,
  withdraw: 11,
} as const;

export type TxKind = (typeof TX)[keyof typeof TX];

/** Why a transaction was reverted; `ok` is 0. */
export const REVERT = {
  ok: 0,
  insufficient: 1,
  belowMinimum: 2,
  lockExists: 3,
  lockNotHeld: 4,
  notProven: 5,
  exceedsLock: 6,
  unknownParty: 7,
  alreadyDisputed: 8,
  notUnderArbitration: 9,
  alreadyProven: 10,
  underDispute: 11,
  nothingToSlash: 12,
  kindIsFixed: 13,
  /** Only the contracts see these: the gateway has let through what it should have refused. */
  windowExpired: 14,
  hashesEqual: 15,
  /** Ran out of gas. */
  outOfGas: 16,
  /** A contract failed for a reason that no rule gives: a defect of the contract. */
  unexplained: 17,
} as const;

export type Outcome = (typeof REVERT)[keyof typeof REVERT];

/** A block's transactions, column by column, and what became of each. Blocks are used again: keep nothing of one. */
export class Block {
  /** Counts sealed blocks from 1. */
  number = 0;
  /** Virtual time of sealing. */
  time = 0;
  count = 0;
  /** Whether it may be undone later: a chain keeps what that takes. */
  revocable = false;
  /** Numbers of the transactions, in order of sending. */
  readonly tx: number[] = [];
  readonly kind: TxKind[] = [];
  readonly subject: number[] = [];
  readonly party: number[] = [];
  readonly amount: number[] = [];
  readonly extra: number[] = [];
  /** Filled by the chain: one of `REVERT`. */
  readonly outcome: Outcome[] = [];
  /** Filled by the chain for `settle`, else 0: hundredths of a unit to the worker and to the treasury. */
  readonly paid: number[] = [];
  readonly fee: number[] = [];

  add(tx: number, kind: TxKind, subject: number, party: number, amount: number, extra: number): void {
    const at = this.count++;
    this.tx[at] = tx;
    this.kind[at] = kind;
    this.subject[at] = subject;
    this.party[at] = party;
    this.amount[at] = amount;
    this.extra[at] = extra;
    this.outcome[at] = REVERT.ok;
    this.paid[at] = 0;
    this.fee[at] = 0;
  }

  /** The same transactions and what became of them, to keep. */
  copy(): Block {
    const copy = new Block();
    copy.number = this.number;
    copy.time = this.time;
    copy.addAll(this);
    return copy;
  }

  /** Puts its transactions in the order of what `place` says of each. */
  sort(place: (tx: number) => number): void {
    const all = this.copy();
    const order = all.tx.map((_, at) => at).sort((one, other) => place(all.tx[one]!) - place(all.tx[other]!));
    this.clear();
    for (const at of order) {
      const { tx, kind, subject, party, amount, extra } = all;
      this.add(tx[at]!, kind[at]!, subject[at]!, party[at]!, amount[at]!, extra[at]!);
    }
  }

  /** Adds another block's transactions behind its own, with what became of them. */
  addAll(other: Block): void {
    for (let i = 0; i < other.count; i++) {
      const { tx, kind, subject, party, amount, extra } = other;
      this.add(tx[i]!, kind[i]!, subject[i]!, party[i]!, amount[i]!, extra[i]!);
      this.outcome[this.count - 1] = other.outcome[i]!;
      this.paid[this.count - 1] = other.paid[i]!;
      this.fee[this.count - 1] = other.fee[i]!;
    }
  }

  clear(): void {
    this.count = 0;
  }
}
