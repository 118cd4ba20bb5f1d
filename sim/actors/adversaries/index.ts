/** Adversaries: what they do and what they stand to gain. */
import { cheaperModel } from "./cheaper-model.ts";
import type { MakeConduct } from "./conduct.ts";
import { falseHash } from "./false-hash.ts";
import { junk } from "./junk.ts";
import { withholding } from "./withholding.ts";

export { colluder } from "./colluders.ts";
export type { Conduct, ConductChanges, MakeConduct } from "./conduct.ts";
export { type Accusing, accuses } from "./disputer.ts";
export { race } from "./racer.ts";
export type { Rejoining } from "./sybil.ts";
export { snatch } from "./withdrawer.ts";

/** How workers cheat, by the names that scenarios use. */
export const conducts = {
  junk,
  "cheaper-model": cheaperModel,
  "false-hash": falseHash,
  withhold: withholding,
} as const satisfies Readonly<Record<string, MakeConduct>>;
