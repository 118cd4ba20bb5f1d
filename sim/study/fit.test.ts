import { describe, expect, it } from "vitest";
import { stream } from "../core/index.ts";
import { bootstrapP, calibrate, distanceOf, type Family, fitAll, fitFamily } from "./index.ts";

const dice = stream(1, "test", "fit");
const sample = (count: number, draw: () => number): Float64Array => Float64Array.from({ length: count }, draw);

describe("fits find what was drawn, and tell it from the other families", () => {
  it.each<[Family, () => number, Record<string, number>]>([
    ["exponential", () => 3 * dice.standardExponential(), { mean: 3 }],
    ["gamma", () => dice.gamma(2.5, 4), { shape: 2.5, scale: 4 }],
    ["gamma", () => dice.gamma(0.4, 10), { shape: 0.4, scale: 10 }],
    ["weibull", () => dice.weibull(0.7, 5), { shape: 0.7, scale: 5 }],
    ["weibull", () => dice.weibull(3, 500), { shape: 3, scale: 500 }],
    ["lognormal", () => dice.lognormal(5, 0.8), { median: Math.exp(5), sigma: 0.8 }],
  ])("%s", (family, draw, truth) => {
    const values = sample(5_000, draw);
    const [best] = fitAll(values);
    if (family !== "exponential") expect(best!.family).toBe(family);
    const found = fitFamily(values, family);
    for (const [name, value] of Object.entries(truth)) expect(found.parameters[name]! / value).toBeCloseTo(1, 0.9);
    for (const [name, value] of Object.entries(truth))
      expect(Math.abs(found.parameters[name]! / value - 1)).toBeLessThan(0.08);
    // 1.36 / sqrt(n) is the 95 % point where no parameter is estimated; with estimated ones the distance is smaller.
    expect(found.distance).toBeLessThan(1.36 / Math.sqrt(5_000));
    for (const share of [0.05, 0.5, 0.95]) expect(found.below(found.quantile(share))).toBeCloseTo(share, 6);
  });
});

describe("goodness of fit", () => {
  it("the distance of a small sample, by hand: 1, 2, 2, 4 against x / 5", () => {
    expect(distanceOf(Float64Array.of(1, 2, 2, 4), (x) => x / 5)).toBeCloseTo(0.35, 12);
  });

  it("the bootstrap doubts a family that is wrong, and not the right one", () => {
    const values = sample(400, () => dice.weibull(2, 5));
    expect(bootstrapP(fitFamily(values, "exponential"), 400, dice, 49)).toBe(0.02);
    expect(bootstrapP(fitFamily(values, "weibull"), 400, dice, 49)).toBeGreaterThan(0.05);
  });
});

describe("calibration", () => {
  it("takes the family where it is near, and the recorded quantiles where none is", () => {
    let time = 0;
    const rows = 3_000;
    const trace = {
      file: "made",
      time: Array.from({ length: rows }, () => (time += Math.round(dice.gamma(0.5, 400_000)))),
      // Two kinds of prompts: no family here has two humps.
      promptTokens: Array.from({ length: rows }, () =>
        dice.chance(1, 2) ? 20 + dice.below(10) : 4_000 + dice.below(100),
      ),
      outputTokens: Array.from({ length: rows }, () => Math.max(1, Math.round(dice.lognormal(5, 0.6)))),
    };
    const { parts, rate, variation, correlation, dispersion } = calibrate(trace, 3);
    expect(rate).toBeGreaterThan(4.5);
    expect(rate).toBeLessThan(5.5);
    expect(Math.abs(variation - Math.SQRT2)).toBeLessThan(0.15);
    expect(Math.abs(correlation)).toBeLessThan(0.06);
    expect(dispersion).toBeGreaterThan(0.5);
    expect(parts[0]!.spec).toMatch(/^gamma\(shape=0\.[45]\d*, scale=\d{6}us\)$/);
    expect(parts[1]!.spec).toMatchObject({ kind: "empirical" });
    expect(parts[2]!.spec).toMatch(/^lognormal\(median=1[345]\d, sigma=0\.[56]\d*\)$/);
  });
});
