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
  price(model: AlienModel, tokens: number): number;
  /** What is locked for a completion of at most so many tokens. */
  estimate(model: AlienModel, most: number): number;
  /** The balance as answers show it. */
  shown(wallet: Wallet): number;
  free(wallet: Wallet): number;
}

export function makeMoney(choices: Choices, flawed: (id: FlawId) => boolean): Money {
  const price = (model: AlienModel, tokens: number): number => {
    const { flat, perThousand } = PRICES[model.tier];
    const early = flawed("pro-knee-early") && model.tier === "pro";
    const edge = flawed("flat-to-600") ? 600 : early ? 430 : choices.edge;
    if (tokens <= edge) return flat;
    const long = longPrice(flat, perThousand, tokens, edge, model);
    return choices.floored ? Math.max(flat, long) : long;
  };
  const rounded = (units: number, tier: Tier): number =>
    flawed("standard-rounds-down") && tier === "standard" ? Math.floor(units) : Math.ceil(units);
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
        return Math.ceil((perThousand * tokens) / 1_000);
      case "pro-rata-beyond":
        return flat + rounded((perThousand * (tokens - edge)) / 1_000, model.tier);
    }
  };
  return {
    price,
    estimate: (model, most) => Math.max(PRICES[model.tier].flat, price(model, most)),
    shown: (wallet) => (choices.shows === "free" ? wallet.credits - wallet.locked : wallet.credits),
    free: (wallet) => wallet.credits - wallet.locked,
  };
}
