import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dial } from "./dial.ts";

const dialOf = (times: readonly number[], to: number): Dial => new Dial(0, to, times, times.length);

describe("the dial of the replay", () => {
  it("is the plain share of the time where something happens all along", () => {
    const dial = dialOf(
      Array.from({ length: 100 }, (_, index) => index * 10),
      1_000,
    );
    expect(dial.gaps).toEqual([]);
    expect([0, 250, 1_000].map((time) => dial.placeOf(time))).toEqual([0, 0.25, 1]);
  });

  it("cuts the day until the verdicts short", () => {
    const minutes = Array.from({ length: 1_800 }, (_, second) => second);
    const dial = dialOf([...minutes, 88_200, 88_201], 88_201);
    expect(dial.gaps).toEqual([{ from: 1_799, to: 88_200 }]);
    expect(dial.placeOf(1_799)).toBeGreaterThan(0.95);
    expect(dial.placeOf(900)).toBeCloseTo(dial.placeOf(1_800) / 2, 1);
    expect(dial.past(40_000)).toBe(88_200);
    expect(dial.past(900)).toBe(900);
  });

  it("goes from time to place and back, and never turns", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (drawn, a, b) => {
          const dial = dialOf(
            drawn.toSorted((x, y) => x - y),
            1_000_000,
          );
          const [first, second] = [Math.min(a, b), Math.max(a, b)];
          expect(dial.placeOf(first)).toBeLessThanOrEqual(dial.placeOf(second));
          expect(dial.timeOf(dial.placeOf(a))).toBeCloseTo(a, 3);
          expect([dial.placeOf(0), dial.placeOf(1_000_000)]).toEqual([0, 1]);
        },
      ),
    );
  });
});
