/**
 * A worker that runs a cheaper model than the one asked for, with a hash that fits what came out.
 *
 * Economics. It saves `cost * (1 - effort)` a job; the answer reads well, so clients see nothing and an audit only part of the cases: it finds
 * q' = q * (1 - resemblance). Deterred from it, against honest work, when q' * (slash * price + pay) > cost * (1 - effort). The saving is smaller
 * than with junk but so is the risk: where audits are rare and outputs are alike, this is the cheat that pays.
 */
import type { MakeConduct } from "./conduct.ts";

export const cheaperModel: MakeConduct = (changes) => ({
  name: "cheaper-model",
  how: 2,
  withholds: false,
  hashFits: true,
  pace: 400,
  effort: 250,
  // Half of the answers of a smaller model pass for those of the larger one.
  resemblance: 500_000_000,
  ...changes,
});
