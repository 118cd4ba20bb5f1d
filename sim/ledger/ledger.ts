/**
 * The books of the settlement chain: units in escrow, money behind them, stakes. A command changes the state or is refused as a whole.
 *
 * Double entry, all integers. Each unit bought is in exactly one of four places, and each token staked in one of three:
 *
 *     bought = available + locked + settled + redeemed          units
 *     staked = active + slashed + unstaked                      tokens
 *
 * Money stands behind the units in hundredths of a unit (1/10,000 of the stablecoin), because 85 % and 75 % of a unit are whole numbers of those:
 *
 *     100 * settled = paid to workers + treasury
 *     money held by escrow = 100 * (available + locked)
 */
import type { Rules } from "../rules.ts";
import { type Outcome, REVERT, TX, type TxKind } from "./transaction.ts";

/** The promises that the escrow keeps. */
export type EscrowRules = Pick<
  Rules,
  "minimumPurchase" | "minimumNativeStake" | "maySettle" | "mayReturn" | "workerShare" | "redeemable"
>;

/** Hundredths of a unit: the money's base unit. */
export const MONEY_PER_UNIT = 100;

/** One job's lock. `units` is what it still holds. */
interface Lock {
  /** The job's number: a lock is made once for each. */
  number: number;
  wallet: number;
  units: number;
  charged: number;
  held: boolean;
  proven: boolean;
  /** Who posted the proof. */
  worker: number;
  /** Its units were given back. */
  returned: boolean;
  disputed: boolean;
  /** What arbitration found; there is one for each job at most. */
  verdict: "none" | "honest" | "fraudulent";
  slashed: boolean;
}

/** Sums over all wallets and workers: units, hundredths of a unit for money, tokens for stakes. */
export interface Totals {
  bought: number;
  available: number;
  locked: number;
  settled: number;
  redeemed: number;
  /** Units that verdicts took back from the treasury for clients. */
  compensated: number;
  paid: number;
  treasury: number;
  staked: number;
  active: number;
  slashed: number;
  unstaked: number;
}

/** The totals of a chain on which nothing has happened yet. */
export function noTotals(): Totals {
  return {
    bought: 0,
    available: 0,
    locked: 0,
    settled: 0,
    redeemed: 0,
    compensated: 0,
    paid: 0,
    treasury: 0,
    staked: 0,
    active: 0,
    slashed: 0,
    unstaked: 0,
  };
}

export class Ledger {
  readonly totals: Totals = noTotals();
  /** What the last `settle` paid to the worker and to the treasury, hundredths of a unit. */
  lastPaid = 0;
  lastFee = 0;
  readonly #rules: EscrowRules;
  readonly #available: number[] = [];
  readonly #locked: number[] = [];
  readonly #locks: Lock[] = [];
  readonly #stake: number[] = [];
  readonly #native: boolean[] = [];
  readonly #openDisputes: number[] = [];
  readonly #earned: number[] = [];

  constructor(rules: EscrowRules) {
    this.#rules = rules;
  }

  /** Books of its own with the same in them: what is applied to one does not show in the other. */
  copy(): Ledger {
    const copy = new Ledger(this.#rules);
    Object.assign(copy.totals, this.totals);
    for (const [mine, theirs] of [
      [this.#available, copy.#available],
      [this.#locked, copy.#locked],
      [this.#stake, copy.#stake],
      [this.#openDisputes, copy.#openDisputes],
      [this.#earned, copy.#earned],
    ] as const) {
      // Entry by entry: who never came has a hole, and there may be more accounts than a call takes arguments.
      mine.forEach((value, at) => {
        theirs[at] = value;
      });
    }
    this.#native.forEach((native, at) => {
      copy.#native[at] = native;
    });
    this.#locks.forEach((lock, at) => {
      copy.#locks[at] = { ...lock };
    });
    return copy;
  }

  /** Units of the wallet that no job holds. */
  available(wallet: number): number {
    return this.#available[wallet] ?? 0;
  }

  locked(wallet: number): number {
    return this.#locked[wallet] ?? 0;
  }

  /** Tokens at stake now. */
  stake(worker: number): number {
    return this.#stake[worker] ?? 0;
  }

  /** Undefined for whoever never staked. */
  isNative(worker: number): boolean | undefined {
    return this.#native[worker];
  }

  /** Hundredths of a unit paid so far. */
  earned(worker: number): number {
    return this.#earned[worker] ?? 0;
  }

  /** Applies one transaction; columns as in `TX`. State is unchanged unless the answer is `REVERT.ok`. */
  apply(kind: TxKind, subject: number, party: number, amount: number, extra: number): Outcome {
    switch (kind) {
      case TX.lock:
        return this.#lock(subject, party, amount, extra);
      case TX.proof:
        return this.#prove(subject, party);
      case TX.settle:
        return this.#settle(subject, party, amount, extra);
      case TX.refund:
      case TX.giveBack:
        return this.#giveBack(subject, amount);
      case TX.buy:
        return this.#buy(subject, amount);
      case TX.withdraw:
        return this.#withdraw(subject, amount);
      case TX.dispute:
        return this.#dispute(subject);
      case TX.verdict:
        return this.#decide(subject, amount, extra === 1);
      case TX.slash:
        return this.#slash(subject, party, amount);
      case TX.stake:
        return this.#deposit(subject, party === 1, amount);
      case TX.unstake:
        return this.#unstake(subject, amount);
    }
  }

  #buy(wallet: number, units: number): Outcome {
    if (units < this.#rules.minimumPurchase) return REVERT.belowMinimum;
    this.#credit(wallet, units);
    this.totals.bought += units;
    return REVERT.ok;
  }

  #lock(job: number, wallet: number, units: number, number: number): Outcome {
    const available = this.available(wallet);
    if (available < units) return REVERT.insufficient;
    const lock = this.#locks[job];
    if (lock === undefined) {
      this.#locks[job] = {
        number,
        wallet,
        units,
        charged: 0,
        held: true,
        proven: false,
        worker: -1,
        returned: false,
        disputed: false,
        verdict: "none",
        slashed: false,
      };
    } else {
      if (lock.held || lock.number === number) return REVERT.lockExists;
      lock.number = number;
      lock.wallet = wallet;
      lock.units = units;
      lock.charged = 0;
      lock.held = true;
      lock.proven = false;
      lock.worker = -1;
      lock.returned = false;
      lock.disputed = false;
      lock.verdict = "none";
      lock.slashed = false;
    }
    this.#available[wallet] = available - units;
    this.#locked[wallet] = this.locked(wallet) + units;
    this.totals.available -= units;
    this.totals.locked += units;
    return REVERT.ok;
  }

  /** Late work may be proven too; it is not paid. */
  #prove(job: number, worker: number): Outcome {
    const lock = this.#locks[job];
    if (lock === undefined) return REVERT.lockNotHeld;
    if (lock.proven) return REVERT.alreadyProven;
    if (this.#native[worker] === undefined) return REVERT.unknownParty;
    lock.proven = true;
    lock.worker = worker;
    return REVERT.ok;
  }

  #settle(job: number, worker: number, charged: number, returned: number): Outcome {
    const lock = this.#locks[job];
    if (lock === undefined) return REVERT.lockNotHeld;
    if (!this.#rules.maySettle(lock)) return lock.held ? REVERT.notProven : REVERT.lockNotHeld;
    if (this.#native[worker] === undefined || (lock.proven && lock.worker !== worker)) return REVERT.unknownParty;
    // A lock that is not held any more is paid from what others have locked: only broken rules let that pass.
    if (charged + returned > (lock.held ? lock.units : this.totals.locked)) return REVERT.exceedsLock;
    this.#release(lock, charged + returned);
    this.#credit(lock.wallet, returned);
    lock.charged += charged;
    const share = this.#rules.workerShare(this.#native[worker] ? "native" : "browser");
    this.lastPaid = (charged * share * MONEY_PER_UNIT) / 100;
    this.lastFee = charged * MONEY_PER_UNIT - this.lastPaid;
    this.#earned[worker] = this.earned(worker) + this.lastPaid;
    this.totals.settled += charged;
    this.totals.paid += this.lastPaid;
    this.totals.treasury += this.lastFee;
    return REVERT.ok;
  }

  #giveBack(job: number, units: number): Outcome {
    const lock = this.#locks[job];
    if (lock === undefined || !this.#rules.mayReturn(lock)) return REVERT.lockNotHeld;
    if (units > (lock.held ? lock.units : this.totals.locked)) return REVERT.exceedsLock;
    this.#release(lock, units);
    this.#credit(lock.wallet, units);
    lock.returned = true;
    return REVERT.ok;
  }

  #withdraw(wallet: number, units: number): Outcome {
    const available = this.available(wallet);
    if (units <= 0 || units > this.#rules.redeemable(available, this.locked(wallet))) return REVERT.insufficient;
    this.#available[wallet] = available - units;
    this.totals.available -= units;
    this.totals.redeemed += units;
    return REVERT.ok;
  }

  #dispute(job: number): Outcome {
    const lock = this.#locks[job];
    if (lock === undefined) return REVERT.notProven;
    if (lock.disputed || lock.verdict !== "none") return REVERT.alreadyDisputed;
    if (!lock.proven || lock.returned) return REVERT.notProven;
    lock.disputed = true;
    this.#openDisputes[lock.worker] = (this.#openDisputes[lock.worker] ?? 0) + 1;
    return REVERT.ok;
  }

  #decide(job: number, compensation: number, fraudulent: boolean): Outcome {
    const lock = this.#locks[job];
    if (lock === undefined || !lock.disputed) return REVERT.notUnderArbitration;
    if (compensation > lock.charged) return REVERT.exceedsLock;
    lock.disputed = false;
    lock.verdict = fraudulent ? "fraudulent" : "honest";
    this.#openDisputes[lock.worker]!--;
    lock.charged -= compensation;
    this.#credit(lock.wallet, compensation);
    this.totals.compensated += compensation;
    this.totals.settled -= compensation;
    this.totals.treasury -= compensation * MONEY_PER_UNIT;
    return REVERT.ok;
  }

  #deposit(worker: number, native: boolean, tokens: number): Outcome {
    const stake = this.stake(worker) + tokens;
    if (native && stake < this.#rules.minimumNativeStake) return REVERT.belowMinimum;
    if ((this.#native[worker] ?? native) !== native) return REVERT.kindIsFixed;
    this.#native[worker] = native;
    this.#stake[worker] = stake;
    this.totals.staked += tokens;
    this.totals.active += tokens;
    return REVERT.ok;
  }

  /** Stake stays while a dispute about the worker is open, lest a fraud leaves before the verdict. */
  #unstake(worker: number, tokens: number): Outcome {
    const native = this.#native[worker];
    if (native === undefined) return REVERT.unknownParty;
    if ((this.#openDisputes[worker] ?? 0) > 0) return REVERT.underDispute;
    const stake = this.stake(worker);
    if (tokens <= 0 || tokens > stake) return REVERT.insufficient;
    if (native && tokens < stake && stake - tokens < this.#rules.minimumNativeStake) return REVERT.belowMinimum;
    this.#stake[worker] = stake - tokens;
    this.totals.active -= tokens;
    this.totals.unstaked += tokens;
    return REVERT.ok;
  }

  /** Once for each job that arbitration found fraudulent. */
  #slash(worker: number, job: number, tokens: number): Outcome {
    const lock = this.#locks[job];
    if (lock?.verdict !== "fraudulent" || lock.slashed) return REVERT.nothingToSlash;
    if (lock.worker !== worker) return REVERT.unknownParty;
    const stake = this.stake(worker);
    if (tokens < 0 || tokens > stake) return REVERT.insufficient;
    lock.slashed = true;
    this.#stake[worker] = stake - tokens;
    this.totals.active -= tokens;
    this.totals.slashed += tokens;
    return REVERT.ok;
  }

  /** Takes units out of a lock and ends it. */
  #release(lock: Lock, units: number): void {
    lock.held = false;
    lock.units -= units;
    this.#locked[lock.wallet] = this.locked(lock.wallet) - units;
    this.totals.locked -= units;
  }

  #credit(wallet: number, units: number): void {
    this.#available[wallet] = this.available(wallet) + units;
    this.totals.available += units;
  }
}
