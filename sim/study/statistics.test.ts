import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../core/index.ts";
import {
  batchBounds,
  batchesAreTooShort,
  isPrecise,
  lagOneCorrelation,
  meanInterval,
  pairedInterval,
  quantileInterval,
  shareInterval,
  stillNeeded,
  studentQuantile,
  warmUp,
} from "./index.ts";

describe("Student's intervals", () => {
  // Two-sided 95 %, 99 % and 95 % quantiles from printed tables.
  it.each([
    [0.975, 1, 12.706],
    [0.975, 9, 2.262],
    [0.975, 19, 2.093],
    [0.995, 9, 3.25],
    [0.975, 199, 1.972],
  ])("the quantile %d of %d degrees of freedom is %d", (probability, degrees, value) => {
    expect(studentQuantile(probability, degrees)).toBeCloseTo(value, 3);
  });

  it("of a textbook sample: 1.20 1.50 1.68 1.89 0.95 1.49 1.58 1.55 0.50 1.09 gives 1.34 ± 0.24 at 90 %", () => {
    // Law and Kelton, Simulation Modeling and Analysis, example 4.26.
    const { mean, halfWidth } = meanInterval([1.2, 1.5, 1.68, 1.89, 0.95, 1.49, 1.58, 1.55, 0.5, 1.09], 0.9);
    expect(mean).toBeCloseTo(1.34, 2);
    expect(halfWidth).toBeCloseTo(0.24, 2);
  });

  it("one value has no interval", () => expect(meanInterval([3])).toMatchObject({ mean: 3, halfWidth: Infinity }));

  it("pairs cancel what both have in common", () => {
    const dice = stream(1, "test", "pairs");
    const common = Array.from({ length: 10 }, () => 100 * dice.normal());
    const { mean, halfWidth } = pairedInterval(
      common,
      common.map((value) => value + 1 + 0.01 * dice.normal()),
    );
    expect(Math.abs(mean - 1)).toBeLessThan(0.02);
    expect(halfWidth).toBeLessThan(0.02);
  });
});

describe("intervals of quantiles", () => {
  it("cover the true quantile as often as they say", () => {
    const dice = stream(1, "test", "quantiles");
    let covered = 0;
    for (let study = 0; study < 1_000; study++) {
      const values = Array.from({ length: 100 }, () => dice.float());
      const { low, high, coverage } = quantileInterval(values, 0.9);
      expect(coverage).toBeGreaterThanOrEqual(0.95);
      if (low <= 0.9 && 0.9 <= high) covered++;
    }
    expect(covered).toBeGreaterThan(936);
    expect(covered).toBeLessThan(985);
  });

  it("say so where there are too few values", () => {
    const { value, high, coverage } = quantileInterval([3, 1, 2], 0.95);
    expect([value, high]).toEqual([3, 3]);
    expect(coverage).toBeLessThan(0.2);
  });

  it("a share never seen may still be there", () => {
    const [low, high] = shareInterval(0, 100, 0.95);
    expect(low).toBe(0);
    // The rule of three, exactly: 1 - 0.025^(1/100).
    expect(high).toBeCloseTo(0.036217, 6);
  });
});

describe("MSER-5", () => {
  const noise = (count: number): number[] => {
    const dice = stream(1, "test", "noise");
    return Array.from({ length: count }, () => dice.normal());
  };

  it("leaves out a start that is far from the rest, and little more", () => {
    const series = noise(1_000).map((value, index) => (index < 200 ? value + 20 : value));
    const { leave, settled } = warmUp(series);
    expect(settled).toBe(true);
    expect(leave).toBeGreaterThanOrEqual(200);
    expect(leave).toBeLessThan(250);
  });

  it("leaves next to nothing out of a series that has no start", () => {
    expect(warmUp(noise(1_000)).leave).toBeLessThan(100);
  });

  it("finds no steady state in a series that only grows", () => {
    expect(warmUp(Array.from({ length: 1_000 }, (_, index) => index)).settled).toBe(false);
  });

  it("chooses as the definition says, computed the long way", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 20, maxLength: 120 }), (series) => {
        const batches = Array.from({ length: Math.floor(series.length / 5) }, (_, index) => {
          return series.slice(index * 5, index * 5 + 5).reduce((sum, value) => sum + value, 0) / 5;
        });
        const error = (from: number): number => {
          const rest = batches.slice(from);
          const mean = rest.reduce((sum, value) => sum + value, 0) / rest.length;
          return rest.reduce((sum, value) => sum + (value - mean) ** 2, 0) / rest.length ** 2;
        };
        const half = Math.floor(batches.length / 2);
        const least = Math.min(...Array.from({ length: half + 1 }, (_, from) => error(from)));
        expect(error(warmUp(series).leave / 5)).toBeCloseTo(least, 9);
      }),
    );
  });
});

describe("batches", () => {
  it("are equal, follow one another and end where the series ends", () => {
    const bounds = batchBounds(7, 110, 10);
    expect(bounds[0]).toEqual([10, 20]);
    expect(bounds.at(-1)).toEqual([100, 110]);
  });

  it("are told to be too short where neighbours go together", () => {
    const dice = stream(1, "test", "walk");
    const independent = Array.from({ length: 30 }, () => dice.normal());
    let at = 0;
    const walk = independent.map((step) => (at = 0.8 * at + step));
    expect(batchesAreTooShort(independent)).toBe(false);
    expect(batchesAreTooShort(walk)).toBe(true);
    expect(lagOneCorrelation([1, -1, 1, -1, 1, -1])).toBeLessThan(-0.5);
  });
});

describe("sequential stopping", () => {
  const precision = { relative: 0.05, confidence: 0.95, floor: 5, ceiling: 100 };

  it("stops when every metric is precise, never below the floor", () => {
    expect(isPrecise([[10, 10, 10, 10]], precision)).toBe(false);
    expect(isPrecise([[10, 10, 10, 10, 10]], precision)).toBe(true);
    expect(
      isPrecise(
        [
          [10, 10, 10, 10, 10],
          [1, 9, 1, 9, 1],
        ],
        precision,
      ),
    ).toBe(false);
  });

  it("asks for as many more as the spread calls for, up to the ceiling", () => {
    expect(stillNeeded([[10, 10]], precision)).toBe(3);
    expect(stillNeeded([[10, 11, 10, 11, 10]], precision)).toBeGreaterThan(1);
    expect(stillNeeded([[1, 1000, 1, 1000, 1]], precision)).toBe(95);
  });
});
