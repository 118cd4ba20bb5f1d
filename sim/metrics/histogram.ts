/**
 * A histogram of integers >= 0 in bounded memory, after HdrHistogram: exact below 2,048, above that with 1,024 equal steps between powers of
 * two, so a quantile is off by less than 0.1 %. Counts and quantiles are integers and the same on every machine.
 */
import { invariant } from "../core/index.ts";

const EXACT_BITS = 11;
const EXACT = 2 ** EXACT_BITS;
const STEPS = EXACT / 2;
const TWO_31 = 2_147_483_648;

export class Histogram {
  count = 0;
  sum = 0;
  /** -1 while empty. */
  max = -1;
  #counts = new Float64Array(EXACT * 8);

  add(value: number): void {
    const index = indexOf(value);
    if (index >= this.#counts.length) this.#grow(index);
    this.#counts[index] = this.#counts[index]! + 1;
    this.count++;
    this.sum += value;
    if (value > this.max) this.max = value;
  }

  /** NaN while empty. */
  get mean(): number {
    return this.sum / this.count;
  }

  /**
   * The smallest value that at least `numerator / denominator` of all values do not exceed, rounded up to the edge of its step; -1 while empty.
   */
  quantile(numerator: number, denominator: number): number {
    invariant(numerator >= 0 && numerator <= denominator, "a quantile lies between 0 and 1");
    if (this.count === 0) return -1;
    let rank = Math.max(1, Math.ceil((this.count * numerator) / denominator));
    for (let index = 0; index < this.#counts.length; index++) {
      rank -= this.#counts[index]!;
      if (rank <= 0) return Math.min(this.max, lastOf(index));
    }
    return this.max;
  }

  /** The steps that hold something, ascending: the largest value of each, and how many it holds. */
  *[Symbol.iterator](): Generator<readonly [last: number, count: number]> {
    for (let index = 0; index < this.#counts.length; index++) {
      const count = this.#counts[index]!;
      if (count > 0) yield [Math.min(this.max, lastOf(index)), count];
    }
  }

  #grow(index: number): void {
    const grown = new Float64Array(Math.max(index + 1, this.#counts.length + STEPS * 4));
    grown.set(this.#counts);
    this.#counts = grown;
  }
}

function indexOf(value: number): number {
  if (value < TWO_31) {
    const shift = Math.max(0, 32 - Math.clz32(value) - EXACT_BITS);
    return shift * STEPS + (value >> shift);
  }
  const high = Math.floor(value / TWO_31);
  const bits = 32 - Math.clz32(high);
  const shift = 31 + bits - EXACT_BITS;
  return shift * STEPS + Math.floor(value / 2 ** shift);
}

/** The largest value of a step. */
function lastOf(index: number): number {
  if (index < EXACT) return index;
  const shift = Math.floor(index / STEPS) - 1;
  return (index - shift * STEPS + 1) * 2 ** shift - 1;
}
