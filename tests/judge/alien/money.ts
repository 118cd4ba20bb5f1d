/** Prices, locks and balances. Prices are those of the contract's table; how a long completion is reckoned is a choice. */
import type { AlienModel, Choices, Tier } from "./choices.ts";
import type { FlawId } from "./flaws.ts";
import type { Wallet } from "./state.ts";

export const PRICES: { readonly [T in Tier]: { readonly flat: number; readonly perThousand: number } } = {
  lite: { flat: 2, perThousand: 1 },
  standard: { flat: 8, perThousand: 4 },
  pro: { flat: 18, perThousand: 9 },
  max: { flat: 40, perThousand: 20 },
};

export interface Money {
  price(model: AlienModel, tokens: number, of?: { readonly wallet: Wallet; readonly stream: boolean }): number;
  /** What is locked for a completion of at most so many tokens. */
  estimate(model: AlienModel, most: number): number;
  /** The balance as the account shows it, and as receipts and events do. */
  shown(wallet: Wallet): number;
  told(wallet: Wallet): number;
  free(wallet: Wallet): number;
}

export function makeMoney(choices: Choices, flawed: (id: FlawId) => boolean, now: () => number): Money {
  const price: Money["price"] = (model, tokens, of) => {
    const { flat, perThousand } = PRICES[model.tier];
    const early = flawed("pro-knee-early") && model.tier === "pro";
    const later =
      (flawed("stream-edge-later") && of?.stream === true ? 20 : 0) +
      (flawed("pro-edge-later") && model.tier === "pro" ? 15 : 0);
    const edge = flawed("flat-to-600") ? 600 : early ? 430 : choices.edge + later;
    if (tokens <= edge) return flat + (flawed("second-lite-dearer") && model.id.endsWith("-long") ? 1 : 0);
    const topped = flawed("long-otherwise-after-topup") && (of?.wallet.topUps ?? 0) > 0;
    const long = topped ? perThousand * Math.ceil(tokens / 1_000) : longPrice(flat, perThousand, tokens, edge, model);
    return choices.floored ? Math.max(flat, long) : long;
  };
  const rounding = { up: Math.ceil, nearest: Math.round, down: Math.floor }[choices.rounding];
  const rounded = (units: number, tier: Tier): number =>
    flawed("standard-rounds-down") && tier === "standard" ? Math.floor(units) : rounding(units);
  const by = (how: Choices["shows"], wallet: Wallet): number =>
    how === "free" ? wallet.credits - wallet.locked : wallet.credits;
  const longPrice = (flat: number, perThousand: number, tokens: number, edge: number, model: AlienModel): number => {
    const reading =
      flawed("max-long-price") && model.tier === "max"
        ? choices.price === "started"
          ? "flat-plus-started"
          : "started"
        : choices.price;
    switch (reading) {
      case "flat-plus-started":
        return flat + perThousand * Math.ceil((tokens - edge + (flawed("thousand-too-soon") ? 1 : 0)) / 1_000);
      case "started":
        return perThousand * Math.ceil(tokens / 1_000);
      case "pro-rata":
        return rounding((perThousand * tokens) / 1_000);
      case "pro-rata-beyond":
        return flat + rounded((perThousand * (tokens - edge)) / 1_000, model.tier);
    }
  };
  return {
    price,
    estimate: (model, most) => Math.max(PRICES[model.tier].flat, price(model, most)),
    shown: (wallet) => by(choices.shows, wallet),
    told: (wallet) => by(choices.receiptShows === "same" ? choices.shows : choices.receiptShows, wallet),
    free: (wallet) => wallet.credits - wallet.locked - (now() < wallet.held.until ? wallet.held.units : 0),
  };
}
