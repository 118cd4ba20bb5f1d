import { describe, expect, it } from "vitest";
import { AssayError, type DistributionSpec, distribution, stream } from "./index.ts";

const N = 100_000;

function drawn(spec: DistributionSpec): { mean: number; values: number[] } {
  const dice = stream(1, "distribution", JSON.stringify(spec));
  const law = distribution(spec);
  const values = Array.from({ length: N }, () => law.draw(dice));
  return { mean: values.reduce((sum, value) => sum + value, 0) / N, values };
}

describe.each<[DistributionSpec, number]>([
  ["20ms", 20_000],
  [750, 750],
  ["uniform(min=10us, max=20us)", 15],
  ["exponential(mean=20ms)", 20_000],
  ["lognormal(median=10ms, sigma=0.5)", 10_000 * Math.exp(0.125)],
  ["lognormal(mean=10ms, cv=0.5)", 10_000],
  ["normal(mean=10ms, deviation=1ms)", 10_000],
  ["normal(mean=1ms, deviation=1ms)", 1_287.5999709391783],
  ["gamma(shape=2, scale=5ms)", 10_000],
  ["weibull(shape=0.5, scale=5ms)", 10_000],
  [{ kind: "empirical", values: ["1ms", "3ms"] }, 2_000],
  [{ kind: "empirical", values: [1, 2, 9], weights: [1, 2, 1] }, 3.5],
])("%j", (spec, mean) => {
  it("knows its mean", () => {
    expect(distribution(spec).mean).toBeCloseTo(mean, 6);
  });

  it("draws integers of that mean", () => {
    const seen = drawn(spec);
    expect(seen.values.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
    expect(Math.abs(seen.mean / mean - 1)).toBeLessThan(0.02);
  });
});

it("draws the ends of a uniform range, and values as often as their weights say", () => {
  expect(new Set(drawn({ kind: "uniform", min: 3, max: 5 }).values)).toEqual(new Set([3, 4, 5]));
  const { values } = drawn({ kind: "empirical", values: [1, 2, 3], weights: [3, 0, 1] });
  expect(values.filter((value) => value === 1).length / N).toBeCloseTo(0.75, 2);
  expect(values).not.toContain(2);
});

it("reads text and object alike", () => {
  const text = distribution("lognormal(median=20ms, sigma=0.5)");
  const object = distribution({ kind: "lognormal", median: "20ms", sigma: 0.5 });
  const draw = (law: typeof text): number[] =>
    Array.from(
      { length: 9 },
      (
        (dice) => () =>
          law.draw(dice)
      )(stream(1, "a", "b")),
    );
  expect(draw(text)).toEqual(draw(object));
});

it.each<[string, DistributionSpec]>([
  ["an unknown kind", "pareto(mean=1ms)"],
  ["a missing parameter", "lognormal(median=1ms)"],
  ["a parameter of another kind", { kind: "exponential", mean: 1, sigma: 2 } as DistributionSpec],
  ["no parameters", "exponential()"],
  ["a negative shape", "gamma(shape=-1, scale=1ms)"],
  ["a fraction of a microsecond", "0.5us"],
  ["a range upside down", "uniform(min=2ms, max=1ms)"],
  ["an empty table", { kind: "empirical", values: [] }],
  ["weights that do not fit", { kind: "empirical", values: [1, 2], weights: [1] }],
  ["weights that are all 0", { kind: "empirical", values: [1, 2], weights: [0, 0] }],
  ["nothing", null as unknown as DistributionSpec],
])("refuses %s", (_, spec) => {
  expect(() => distribution(spec, "links[0].delay")).toThrow(AssayError);
  expect(() => distribution(spec, "links[0].delay")).toThrow("links[0].delay");
});
