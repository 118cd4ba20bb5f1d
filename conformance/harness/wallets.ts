/** Wallets for cases: fresh ones where the controls make them, else those of the given keys. */
import { MINIMUM_PURCHASE } from "../../fixtures/protocol/limits.ts";
import type { Api } from "../cases/api.ts";
import type { Wallet } from "../cases/case.ts";
import { Stop } from "../errors.ts";
import { at } from "../exchange/exchange.ts";
import type { Controls } from "../target/controls.ts";
import type { Target } from "./target.ts";

export interface WalletPool {
  /** The case's own wallet. */
  home(credits: number): Promise<Wallet>;
  fresh(credits: number): Promise<Wallet>;
  /** One with units that are no case's concern, some of which were bought after it was opened. */
  used(credits: number): Promise<Wallet>;
  /** One that is not the case's own. */
  other(home: Wallet, credits: number): Promise<Wallet>;
}

/** `apiFor` makes the requests of a key. */
export function walletPool(target: Target, apiFor: (key: string) => Api): WalletPool {
  const { controls, secrets } = target;

  const fresh = async (credits: number): Promise<Wallet> => {
    const made = await controls.makeWallet(credits);
    secrets.add(made.api_key, "key of a test wallet");
    return wallet(made.api_key, made.wallet, apiFor(made.api_key), controls);
  };
  /**
   * A wallet with a past: some of its units were bought after it was opened, as those of every wallet in use, so that what a service does wrong after a
   * purchase shows in each case. Where a purchase does not count at once, cases that are not about it do without.
   */
  const used = async (credits: number): Promise<Wallet> => {
    if (credits < 10 * MINIMUM_PURCHASE) return await fresh(credits);
    const made = await fresh(credits - MINIMUM_PURCHASE);
    const balance = await made.topUp(MINIMUM_PURCHASE).catch(() => null);
    return balance === credits ? made : await fresh(credits);
  };
  const given = (index: number): Wallet => {
    const key = target.keys[index]?.key;
    if (key === undefined) throw new Stop("not-exercised", "needs a key (--key)");
    return wallet(key, null, apiFor(key), controls);
  };
  return {
    home: (credits) => (controls.has("wallets") ? used(credits) : Promise.resolve(given(0))),
    fresh,
    used,
    async other(home, credits) {
      if (controls.has("wallets")) return await used(credits);
      const mine = target.keys.find((each) => each.key === home.key)?.wallet ?? null;
      const index = target.keys.findIndex((each) => each.key !== home.key && each.wallet !== mine);
      if (index < 0) throw new Stop("not-exercised", "needs a key of another wallet (a second --key)");
      return given(index);
    },
  };
}

function wallet(key: string, address: string | null, api: Api, controls: Controls): Wallet {
  return {
    key,
    address,
    api,
    fresh: address !== null,
    async balance() {
      const exchange = await api.account();
      const units = at(exchange.json, "credits_remaining");
      if (exchange.status === 200 && typeof units === "number") return units;
      throw new Stop("inconclusive", `the balance could not be read: status ${exchange.status}`);
    },
    topUp: async (credits) => {
      if (address === null) throw new Stop("not-exercised", "a given key's wallet is not topped up by the controls");
      return await controls.topUp(address, credits);
    },
  };
}
