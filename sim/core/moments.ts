/**
 * Functions that the means of distributions need, from the same exact operations as the draws.
 */
import { exp, pow } from "./maths.ts";

const SQRT_TWO_PI = 2.5066282746310002;

/** Lanczos' coefficients for g = 7, n = 9. */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
] as const;

/** Euler's gamma function for x >= 1, to about 1e-13. */
export function gammaFunction(x: number): number {
  const z = x - 1;
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (z + i);
  const t = z + 7.5;
  return SQRT_TWO_PI * pow(t, z + 0.5) * exp(-t) * sum;
}

/** Mean of a normal that is cut off below zero, for mean >= 0 and deviation > 0. */
export function normalMeanAboveZero(mean: number, deviation: number): number {
  const z = mean / deviation;
  const density = exp(-0.5 * z * z) / SQRT_TWO_PI;
  return mean + (deviation * density) / normalBelow(z, density);
}

/** P(N < z) for z >= 0, by the series of Marsaglia (2004); beyond 9 deviations it is 1. */
function normalBelow(z: number, density: number): number {
  if (z > 9) return 1;
  let sum = z;
  let term = z;
  for (let n = 3; term > sum * 1e-17; n += 2) {
    term *= (z * z) / n;
    sum += term;
  }
  return 0.5 + density * sum;
}
