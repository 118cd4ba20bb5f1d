import { describe, expect, it } from "vitest";
import { stream } from "../core/index.ts";
import { crossing, deterringLoss, expectedProfit, search } from "./index.ts";

const OPTIONS = {
  from: 0,
  to: 10,
  target: 20,
  confidence: 0.95,
  tolerance: 0.01,
  floor: 4,
  ceiling: 64,
  integer: false,
};

/** 2 x^2 and a noise that a replication has everywhere, with a little of its own at each place: 20 at x = sqrt(10). */
const noisy = (seed: number, noise: number) => {
  const dice = stream(seed, "test", "search");
  const common = Array.from({ length: OPTIONS.ceiling }, () => dice.normal());
  return async (at: number, replications: number) =>
    common.slice(0, replications).map((shared) => 2 * at * at + noise * shared + 0.3 * noise * dice.normal());
};
const TRUTH = Math.sqrt(10);

describe("stochastic bisection", () => {
  it("holds the truth at least as often as it says, of 100 searches", async () => {
    let held = 0;
    for (let seed = 0; seed < 100; seed++) {
      const found = (await search(OPTIONS, noisy(seed, 3)))!;
      if (found.low <= TRUTH && TRUTH <= found.high) held++;
      expect(found.high - found.low).toBeLessThan(1.5);
      expect(found.estimate).toBeGreaterThanOrEqual(found.low);
      expect(found.estimate).toBeLessThanOrEqual(found.high);
    }
    expect(held).toBeGreaterThanOrEqual(93);
  });

  it("closes in to the tolerance where there is no noise, upwards and downwards", async () => {
    const up = (await search(OPTIONS, noisy(1, 0)))!;
    expect(up.rises).toBe(true);
    expect(up.high - up.low).toBeLessThanOrEqual(0.1);
    expect(Math.abs(up.estimate - TRUTH)).toBeLessThan(0.1);
    const down = (await search({ ...OPTIONS, target: -20 }, async (at, n) =>
      (await noisy(1, 0)(at, n)).map((y) => -y),
    ))!;
    expect(down).toMatchObject({ rises: false, low: up.low, high: up.high });
  });

  it("looks only at whole numbers where it is told so", async () => {
    const found = (await search({ ...OPTIONS, integer: true }, noisy(1, 0)))!;
    expect([found.low, found.high]).toEqual([3, 4]);
    expect(found.looks.every(({ at }) => Number.isInteger(at))).toBe(true);
  });

  it("says that nothing crosses, or that it cannot tell", async () => {
    await expect(search({ ...OPTIONS, target: 1_000 }, noisy(1, 1))).rejects.toThrow(
      /does not cross[\s\S]*at 10, below 1000/,
    );
    await expect(search({ ...OPTIONS, target: 0 }, noisy(1, 1))).rejects.toThrow("not distinguishable from 0");
  });
});

describe("deterrence", () => {
  it("the deterring loss is where the expected profit is nothing", () => {
    for (const q of [0.01, 0.2, 0.5, 1]) expect(expectedProfit(q, 6.8, deterringLoss(q, 6.8))).toBeCloseTo(0, 10);
    expect(deterringLoss(0.1, 6.8)).toBeCloseTo(61.2, 10);
  });

  it("a crossing is found with its interval, which holds the truth as often as it says", () => {
    const at = [0, 5, 20, 60];
    let held = 0;
    for (let study = 0; study < 150; study++) {
      const dice = stream(study, "test", "crossing");
      const slopes = Array.from({ length: 20 }, () => 1 + 0.3 * dice.normal());
      // Each replication is 12 - slope * x: on average 0 at 12.
      const series = at.map((x) => slopes.map((slope) => 12 - slope * x));
      const found = crossing(at, series, 0.95)!;
      if (found.low <= 12 && 12 <= found.high) held++;
    }
    expect(held).toBeGreaterThanOrEqual(136);
    expect(held).toBeLessThanOrEqual(149);
    expect(
      crossing(
        [0, 1],
        [
          [3, 4],
          [2, 3],
        ],
        0.95,
      ),
    ).toBeUndefined();
  });
});
