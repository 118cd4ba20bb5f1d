/** The units that a run may take from the given keys' wallets. An upper bound is reserved before each paid request. */
import { Stop } from "../errors.ts";

export interface Budget {
  readonly most: number;
  /** Spent, as the balances tell, and what was reserved since they were read. */
  readonly committed: number;
  /** Whether the budget bears so many units more, and the wallet of the first key has them. */
  affords(units: number): boolean;
  /** Throws `Stop` when the bound would pass the budget, or what the key's wallet has. */
  reserve(key: string, units: number): void;
  /** Keys that have reserved since their balance was last told. */
  readonly unsettled: readonly string[];
  /** Tells a key's balance, once nothing of it is in flight: what was reserved is replaced by what was spent. */
  settle(key: string, balance: number): void;
}

interface Account {
  /** Null when it could not be read: then reservations count in full. */
  readonly initial: number | null;
  spent: number;
  reserved: number;
}

/** `balances` are those of the given keys at the start. */
export function makeBudget(most: number, balances: ReadonlyMap<string, number | null>): Budget {
  const accounts = new Map<string, Account>();
  const account = (key: string): Account => {
    const known = accounts.get(key);
    if (known !== undefined) return known;
    const fresh: Account = { initial: balances.get(key) ?? null, spent: 0, reserved: 0 };
    accounts.set(key, fresh);
    return fresh;
  };
  const committed = (): number => [...accounts.values()].reduce((sum, each) => sum + each.spent + each.reserved, 0);
  const within = (units: number): boolean => committed() + units <= most;
  /** Whether a wallet has as many units left: what it cannot pay for would be refused, and tell nothing. */
  const has = (key: string, units: number): boolean => {
    const { initial, spent, reserved } = account(key);
    return initial === null || spent + reserved + units <= initial;
  };
  const [main] = balances.keys();
  const affords = (units: number): boolean => within(units) && (main === undefined || has(main, units));
  return {
    most,
    get committed() {
      return committed();
    },
    affords,
    reserve(key, units) {
      if (units <= 0) return;
      if (!within(units)) throw new Stop("not-exercised", `the budget of ${most} units is spent (--max-credits)`);
      if (!has(key, units)) throw new Stop("not-exercised", "the wallet has too few units left");
      account(key).reserved += units;
    },
    get unsettled() {
      return [...accounts].filter(([, each]) => each.reserved > 0).map(([key]) => key);
    },
    settle(key, balance) {
      const mine = account(key);
      if (mine.initial === null) return;
      mine.spent = Math.max(mine.spent, mine.initial - balance);
      mine.reserved = 0;
    },
  };
}
