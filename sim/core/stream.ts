/**
 * Named streams of random numbers.
 *
 * A stream is found by its name, never by its place in a program: `stream(seed, "client 7", "arrivals")` gives the same numbers whoever else
 * draws, in whatever order streams are made. seedrandom turns the name into a state of 128 bits; from there on the generator is sfc32
 * (Chris Doty-Humphrey's small fast counting generator), integer arithmetic that is the same everywhere.
 */
import seedrandom from "seedrandom";
import { invariant } from "./errors.ts";
import { exp, ln, pow, sqrt } from "./maths.ts";
import { EXPONENTIAL, NORMAL } from "./ziggurat.ts";

const TWO_32 = 4294967296;
const TWO_NEG_53 = 1 / 9007199254740992;

/** The stream of that name. A seed may be a number or text; `1` and `"1"` are one seed. */
export function stream(seed: string | number, entity: string, purpose: string): Stream {
  // JSON keeps ("a", "bc") apart from ("ab", "c").
  const state = seedrandom(JSON.stringify([String(seed), entity, purpose]), { global: false });
  return new Stream(state.int32(), state.int32(), state.int32(), state.int32());
}

/**
 * A generator and the distributions that are drawn from it. A method that says "integer" rounds; all others return doubles, equal to the
 * last bit on every machine.
 */
export class Stream {
  /** a, b, c and the counter of sfc32. */
  readonly #state: Int32Array;

  /** Four words of 32 bits, from which alone all that follows is determined. */
  constructor(a: number, b: number, c: number, counter: number) {
    this.#state = Int32Array.of(a, b, c, counter);
  }

  /** Integer in [0, 2^32). */
  uint32(): number {
    return this.#next() >>> 0;
  }

  /** Double in [0, 1): a multiple of 2^-53. */
  float(): number {
    return ((this.#next() >>> 6) * 134217728 + (this.#next() >>> 5)) * TWO_NEG_53;
  }

  /** Integer in [0, n), each equally likely; 1 <= n <= 2^53. */
  below(n: number): number {
    invariant(n >= 1 && n <= 9007199254740992 && Math.floor(n) === n, "below(n) takes an integer from 1 to 2^53");
    // Draws as many bits as n - 1 has, again until the result is below n: fewer than two draws on average.
    if (n <= TWO_32) {
      const mask = n === 1 ? 0 : -1 >>> Math.clz32(n - 1);
      let bits = (this.#next() & mask) >>> 0;
      while (bits >= n) bits = (this.#next() & mask) >>> 0;
      return bits;
    }
    const mask = -1 >>> Math.clz32(Math.floor((n - 1) / TWO_32));
    let bits = (this.#next() & mask) * TWO_32 + (this.#next() >>> 0);
    while (bits >= n) bits = (this.#next() & mask) * TWO_32 + (this.#next() >>> 0);
    return bits;
  }

  /** True `numerator` times in `denominator`, exactly. */
  chance(numerator: number, denominator: number): boolean {
    return this.below(denominator) < numerator;
  }

  /** Exponential with the given mean, rounded to an integer >= 0. */
  exponential(mean: number): number {
    return Math.floor(mean * this.standardExponential() + 0.5);
  }

  /** Exponential with mean 1 (Marsaglia and Tsang's ziggurat). */
  standardExponential(): number {
    let x = 0;
    for (;;) {
      const low = this.#next();
      const layer = low & 255;
      const u = ((this.#next() >>> 0) * 2097152 + (low >>> 11)) * TWO_NEG_53;
      if (u < EXPONENTIAL.ratio[layer]!) return x + u * EXPONENTIAL.edge[layer]!;
      // The exponential beyond its edge is the exponential again, moved by the edge.
      if (layer === 0) x += EXPONENTIAL.edge[1]!;
      else {
        const inside = u * EXPONENTIAL.edge[layer]!;
        const height = EXPONENTIAL.height[layer]!;
        if (height + this.float() * (EXPONENTIAL.height[layer + 1]! - height) < exp(-inside)) return x + inside;
      }
    }
  }

  /** Normal with mean 0 and deviation 1 (ziggurat). */
  normal(): number {
    for (;;) {
      const low = this.#next();
      const layer = low & 255;
      const sign = (low & 256) === 0 ? 1 : -1;
      const u = ((this.#next() >>> 0) * 2097152 + (low >>> 11)) * TWO_NEG_53;
      const inside = u * NORMAL.edge[layer]!;
      if (u < NORMAL.ratio[layer]!) return sign * inside;
      if (layer === 0) return sign * this.#normalTail(NORMAL.edge[1]!);
      const height = NORMAL.height[layer]!;
      if (height + this.float() * (NORMAL.height[layer + 1]! - height) < exp(-0.5 * inside * inside))
        return sign * inside;
    }
  }

  /** e to a normal with mean `mu` and deviation `sigma`. Its median is e^mu, its mean e^(mu + sigma^2 / 2). */
  lognormal(mu: number, sigma: number): number {
    return exp(mu + sigma * this.normal());
  }

  /** Gamma with mean `shape * scale` (Marsaglia and Tsang, 2000). */
  gamma(shape: number, scale: number): number {
    invariant(shape > 0 && scale >= 0, "gamma takes a positive shape and a scale that is not negative");
    if (shape < 1) return this.gamma(shape + 1, scale) * pow(1 - this.float(), 1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / sqrt(9 * d);
    for (;;) {
      const x = this.normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * root * root;
      if (ln(1 - this.float()) < 0.5 * x * x + d * (1 - v + ln(v))) return d * v * scale;
    }
  }

  /** Weibull with P(X > x) = e^-((x / scale)^shape). */
  weibull(shape: number, scale: number): number {
    invariant(shape > 0 && scale >= 0, "weibull takes a positive shape and a scale that is not negative");
    return scale * pow(this.standardExponential(), 1 / shape);
  }

  /** One of the items, each equally likely; there must be one. */
  pick<T>(items: readonly T[]): T {
    invariant(items.length > 0, "pick() is given at least one item");
    return items[this.below(items.length)]!;
  }

  /** Puts the items in random order, in place, and returns them (Fisher and Yates). */
  shuffle<T>(items: T[]): T[] {
    for (let last = items.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      const item = items[last]!;
      items[last] = items[other]!;
      items[other] = item;
    }
    return items;
  }

  /** sfc32: 32 random bits as a signed integer. */
  #next(): number {
    const state = this.#state;
    const b = state[1]!;
    const c = state[2]!;
    const counter = state[3]!;
    const sum = (((state[0]! + b) | 0) + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    state[3] = (counter + 1) | 0;
    return sum;
  }

  /** The normal beyond `edge` (Marsaglia, 1964). */
  #normalTail(edge: number): number {
    for (;;) {
      const x = this.standardExponential() / edge;
      if (2 * this.standardExponential() > x * x) return edge + x;
    }
  }
}
