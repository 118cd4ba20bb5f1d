/**
 * Fits distributions to what was recorded: maximum likelihood, goodness of fit by Kolmogorov and Smirnov's distance.
 *
 * Parameters are estimated from the very values that the distance is measured on, so the tables of that test do not apply: its p-value is found by
 * drawing from the fitted distribution and fitting again (parametric bootstrap).
 */
import { exp, invariant, ln, pow, type Stream, sqrt } from "../core/index.ts";
import { gammaBelow, gammaLn, gammaQuantile, normalBelow, normalQuantile } from "./distributions.ts";
import { meanOf, quantileOf } from "./interval.ts";

export type Family = "exponential" | "gamma" | "weibull" | "lognormal";

export interface Fit {
  readonly family: Family;
  /** As a scenario writes it, the numbers in the unit of the values: `gamma(shape=2, scale=3)`. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly below: (x: number) => number;
  readonly quantile: (share: number) => number;
  readonly draw: (dice: Stream) => number;
  /** Greatest difference between the recorded and the fitted share below a value. */
  readonly distance: number;
  /** Akaike's criterion: less is better. */
  readonly aic: number;
}

export const FAMILIES: readonly Family[] = ["exponential", "gamma", "weibull", "lognormal"];

type Bare = Omit<Fit, "distance" | "aic"> & { readonly logLikelihood: number };

/** @param values positive, at least two different ones */
export function fitFamily(values: Float64Array, family: Family): Fit {
  invariant(values.length >= 2 && values.every((value) => value > 0), "a fit has positive values");
  const ascending = values.toSorted();
  const logs = ascending.map(ln);
  const bare = fits[family](ascending, logs);
  const { logLikelihood, ...rest } = bare;
  const parameters = Object.keys(rest.parameters).length;
  return { ...rest, distance: distanceOf(ascending, rest.below), aic: 2 * parameters - 2 * logLikelihood };
}

/** The best of all families, by Akaike's criterion, first. */
export function fitAll(values: Float64Array): readonly Fit[] {
  return FAMILIES.map((family) => fitFamily(values, family)).toSorted((a, b) => a.aic - b.aic);
}

/** Kolmogorov and Smirnov's distance. */
export function distanceOf(ascending: Float64Array, below: (x: number) => number): number {
  const count = ascending.length;
  let greatest = 0;
  for (let i = 0; i < count; i++) {
    const expected = below(ascending[i]!);
    // Equal values make one step of the recorded shares.
    if (i + 1 === count || ascending[i + 1]! > ascending[i]!) greatest = Math.max(greatest, (i + 1) / count - expected);
    if (i === 0 || ascending[i - 1]! < ascending[i]!) greatest = Math.max(greatest, expected - i / count);
  }
  return greatest;
}

/** How often a sample of the fitted distribution, fitted again, is as far off as the recorded one: a share of `rounds` + 1. */
export function bootstrapP(of: Fit, count: number, dice: Stream, rounds: number): number {
  let farther = 1;
  for (let round = 0; round < rounds; round++) {
    const sample = Float64Array.from({ length: count }, () => Math.max(Number.MIN_VALUE, of.draw(dice)));
    if (fitFamily(sample, of.family).distance >= of.distance) farther++;
  }
  return farther / (rounds + 1);
}

/** Recorded and fitted values at shares: a quantile plot as numbers. */
export function quantilePairs(
  values: Float64Array,
  of: Fit,
  shares: readonly number[],
): readonly (readonly [number, number])[] {
  const ascending = values.toSorted();
  return shares.map((share) => [quantileOf(ascending, share), of.quantile(share)] as const);
}

const fits: Readonly<Record<Family, (ascending: Float64Array, logs: Float64Array) => Bare>> = {
  exponential(ascending) {
    const mean = meanOf(ascending);
    return {
      family: "exponential",
      parameters: { mean },
      below: (x) => 1 - exp(-x / mean),
      quantile: (share) => -mean * ln(1 - share),
      draw: (dice) => mean * dice.standardExponential(),
      logLikelihood: -ascending.length * (ln(mean) + 1),
    };
  },

  gamma(ascending, logs) {
    const mean = meanOf(ascending);
    const meanLog = meanOf(logs);
    const shape = gammaShape(ln(mean) - meanLog);
    const scale = mean / shape;
    const each = (shape - 1) * meanLog - shape - shape * ln(scale) - gammaLn(shape);
    return {
      family: "gamma",
      parameters: { shape, scale },
      below: (x) => gammaBelow(shape, x / scale),
      quantile: (share) => gammaQuantile(share, shape, scale),
      draw: (dice) => dice.gamma(shape, scale),
      logLikelihood: ascending.length * each,
    };
  },

  weibull(ascending, logs) {
    const shape = weibullShape(logs);
    // Divided by the greatest value first: powers of large numbers would leave the range of doubles.
    const top = logs.at(-1)!;
    const power = meanOf(logs.map((log) => exp(shape * (log - top))));
    const scale = exp(top + ln(power) / shape);
    const each = ln(shape) - shape * ln(scale) + (shape - 1) * meanOf(logs) - 1;
    return {
      family: "weibull",
      parameters: { shape, scale },
      below: (x) => 1 - exp(-pow(x / scale, shape)),
      quantile: (share) => scale * pow(-ln(1 - share), 1 / shape),
      draw: (dice) => dice.weibull(shape, scale),
      logLikelihood: ascending.length * each,
    };
  },

  lognormal(ascending, logs) {
    const mu = meanOf(logs);
    const sigma = sqrt(meanOf(logs.map((log) => (log - mu) * (log - mu))));
    return {
      family: "lognormal",
      parameters: { median: exp(mu), sigma },
      below: (x) => normalBelow((ln(x) - mu) / sigma),
      quantile: (share) => exp(mu + sigma * normalQuantile(share)),
      draw: (dice) => dice.lognormal(mu, sigma),
      logLikelihood: -ascending.length * (mu + ln(sigma) + 0.5 * ln(2 * Math.PI) + 0.5),
    };
  },
};

/** The shape whose ln(shape) - digamma(shape) is `s`: Minka's start, then Newton. */
function gammaShape(s: number): number {
  let shape = (3 - s + sqrt((s - 3) * (s - 3) + 24 * s)) / (12 * s);
  for (let round = 0; round < 20; round++) {
    const step = (ln(shape) - digamma(shape) - s) / (1 / shape - trigamma(shape));
    shape = Math.max(shape / 2, shape - step);
    if (Math.abs(step) < 1e-12 * shape) break;
  }
  return shape;
}

/** By recurrence up to 6, from there by the asymptotic series. */
function digamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 6; at++) sum -= 1 / at;
  const r = 1 / (at * at);
  return sum + ln(at) - 0.5 / at - r * (1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r / 132))));
}

function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 6; at++) sum += 1 / (at * at);
  const r = 1 / (at * at);
  return sum + 1 / at + r / 2 + (r / at) * (1 / 6 - r * (1 / 30 - r * (1 / 42 - r / 30)));
}

/** Newton on the likelihood's derivative. */
function weibullShape(logs: Float64Array): number {
  const top = logs.at(-1)!;
  const meanLog = meanOf(logs);
  const spread = sqrt(meanOf(logs.map((log) => (log - meanLog) * (log - meanLog))));
  // The logarithm of a Weibull has the deviation pi / (shape * sqrt 6).
  let shape = 1.2825498301618641 / spread;
  for (let round = 0; round < 50; round++) {
    let [s0, s1, s2] = [0, 0, 0];
    for (const log of logs) {
      const weight = exp(shape * (log - top));
      s0 += weight;
      s1 += weight * log;
      s2 += weight * log * log;
    }
    const ratio = s1 / s0;
    const value = ratio - 1 / shape - meanLog;
    const slope = s2 / s0 - ratio * ratio + 1 / (shape * shape);
    const next = Math.max(shape / 2, shape - value / slope);
    const done = Math.abs(next - shape) < 1e-12 * shape;
    shape = next;
    if (done) break;
  }
  return shape;
}
