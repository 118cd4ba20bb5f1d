import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Histogram } from "./histogram.ts";

const times = fc.array(fc.oneof(fc.nat({ max: 5_000 }), fc.nat(), fc.maxSafeNat()), { minLength: 1, maxLength: 300 });

describe("histogram", () => {
  it("has quantiles within a thousandth of those of the sorted values, and never below", () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 0, max: 100 }), (values, percent) => {
        const histogram = new Histogram();
        for (const value of values) histogram.add(value);
        const sorted = values.toSorted((a, b) => a - b);
        const exact = sorted[Math.max(1, Math.ceil((values.length * percent) / 100)) - 1]!;
        const found = histogram.quantile(percent, 100);
        expect(found).toBeGreaterThanOrEqual(exact);
        expect(found).toBeLessThanOrEqual(exact * 1.001);
      }),
      { numRuns: 500 },
    );
  });

  it("is exact below 2,048, and knows count, mean and maximum", () => {
    const histogram = new Histogram();
    for (let value = 1; value <= 2_000; value++) histogram.add(value);
    expect([50, 95, 99, 100].map((percent) => histogram.quantile(percent, 100))).toEqual([1_000, 1_900, 1_980, 2_000]);
    expect([histogram.count, histogram.mean, histogram.max]).toEqual([2_000, 1_000.5, 2_000]);
  });

  it("says -1 while empty", () => {
    expect(new Histogram().quantile(50, 100)).toBe(-1);
  });
});
