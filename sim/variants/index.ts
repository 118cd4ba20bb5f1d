/** The honest variants: services that keep the contract and differ in what it leaves open. */
import { additions } from "./additions.ts";
import { combined } from "./combined.ts";
import { hooks } from "./hooks.ts";
import { shapes } from "./shapes.ts";
import type { Variant } from "./variant.ts";
import { worlds } from "./worlds.ts";

export type { Variant } from "./variant.ts";

export const variants: readonly Variant[] = [...shapes, ...worlds, ...additions, ...hooks, ...combined];

/** The variant of that id. */
export function findVariant(id: string): Variant | undefined {
  return variants.find((variant) => variant.id === id);
}
