/** What an honest variant is. */
import type { Override } from "../facade/index.ts";

/** A service that keeps the contract and chose otherwise where the contract is open. */
export interface Variant {
  /** Small letters and dashes; what `--variant` takes. */
  readonly id: string;
  /** One sentence: what it chose. */
  readonly title: string;
  readonly override: Override;
}
