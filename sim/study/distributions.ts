/** The one door to jstat: quantiles and probabilities of the distributions that intervals rest on. */
import jstat from "jstat";
import { invariant } from "../core/index.ts";

const { studentt, normal, gamma, binomial, beta, lowRegGamma, gammaln } = jstat.jStat;

/** A study asks for few different quantiles, many times over, and each takes jstat an iteration. */
const quantiles = new Map<string, number>();

/** The value below which Student's t with so many degrees of freedom lies with this probability. */
export function studentQuantile(probability: number, degrees: number): number {
  invariant(probability > 0 && probability < 1 && degrees >= 1, "a quantile has a probability and degrees of freedom");
  const key = `${probability} ${degrees}`;
  let quantile = quantiles.get(key);
  if (quantile === undefined) {
    quantile = studentt.inv(probability, degrees);
    quantiles.set(key, quantile);
  }
  return quantile;
}

/** The value below which a standard normal lies with this probability. */
export function normalQuantile(probability: number): number {
  return normal.inv(probability, 0, 1);
}

/** P(N < x) of a standard normal. */
export function normalBelow(x: number): number {
  return normal.cdf(x, 0, 1);
}

/** P(X < x) of a gamma with scale 1. */
export function gammaBelow(shape: number, x: number): number {
  return x <= 0 ? 0 : lowRegGamma(shape, x);
}

export function gammaQuantile(probability: number, shape: number, scale: number): number {
  return gamma.inv(probability, shape, scale);
}

/** The logarithm of Euler's gamma function. */
export function gammaLn(x: number): number {
  return gammaln(x);
}

/** P(at most `successes` of `trials`). */
export function binomialAtMost(successes: number, trials: number, probability: number): number {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return binomial.cdf(successes, trials, probability);
}

/** Clopper and Pearson: the shares that are compatible with so many successes in so many trials. */
export function shareInterval(successes: number, trials: number, confidence: number): readonly [number, number] {
  const tail = (1 - confidence) / 2;
  return [
    successes === 0 ? 0 : beta.inv(tail, successes, trials - successes + 1),
    successes === trials ? 1 : beta.inv(1 - tail, successes + 1, trials - successes),
  ];
}
