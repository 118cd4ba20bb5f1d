/**
 * A worker that returns junk: text made of nothing, at once, with a hash that fits it.
 *
 * Economics. It saves all of the cost and is paid like anybody, so a job brings `pay` instead of `pay - cost`. Comparing hashes finds nothing; only
 * an audit, or an arbiter who runs the job again, does. With payment held until the audit, a job brings (1 - q) * pay - q * slash * price. Whoever
 * would otherwise stay away is deterred when q * slash * price > (1 - q) * pay; whoever would otherwise work honestly already when
 * q * (slash * price + pay) > cost. Being fast it also wins more jobs wherever the router prefers those who are free or fast.
 */
import type { MakeConduct } from "./conduct.ts";

export const junk: MakeConduct = (changes) => ({
  name: "junk",
  how: 1,
  withholds: false,
  hashFits: true,
  pace: 100,
  effort: 0,
  resemblance: 0,
  ...changes,
});
