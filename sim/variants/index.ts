/** The honest variants: services that keep the contract and differ in what it leaves open. */
import type { Variant } from "./variant.ts";

export type { Variant } from "./variant.ts";

export const variants: readonly Variant[] = [];

/** The variant of that id. */
export function findVariant(id: string): Variant | undefined {
  return variants.find((variant) => variant.id === id);
}
