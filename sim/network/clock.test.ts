import fc from "fast-check";
import { expect, it } from "vitest";
import { MINUTE, SECOND } from "../core/index.ts";
import { Clock } from "./index.ts";

const drift = fc.integer({ min: -100_000, max: 100_000 });
const jump = fc.record({
  at: fc.integer({ min: 1, max: 10 * MINUTE }),
  by: fc.integer({ min: -MINUTE, max: MINUTE }),
});

it("errs over a span by no more than it says: whatever the drift, with a jump somewhere, from any moment on", () => {
  const property = fc.property(drift, jump, fc.nat(10 * MINUTE), fc.nat(3 * MINUTE), (driftPpm, at, from, span) => {
    const clock = new Clock({ driftPpm, jumps: [at] });
    const shown = clock.read(from + span) - clock.read(from);
    if (shown < 0) return;
    expect(span - shown).toBeLessThanOrEqual(clock.spanError(shown));
  });
  fc.assert(property, { seed: 1, numRuns: 2_000 });
  // The bound is reached: a slow clock, set back in the middle.
  const slow = new Clock({ driftPpm: -50_000, jumps: [{ at: 30 * SECOND, by: -SECOND }] });
  const longest = 60 * SECOND + slow.spanError(60 * SECOND);
  expect(slow.read(longest - 2) - slow.read(0)).toBeLessThanOrEqual(60 * SECOND);
  expect(slow.read(longest + 2) - slow.read(0)).toBeGreaterThan(60 * SECOND);
});

it("reaches a reading at the first moment that shows it, or later", () => {
  const jumps = fc.array(jump, { maxLength: 3 }).map((all) => all.toSorted((a, b) => a.at - b.at));
  const property = fc.property(drift, jumps, fc.nat(15 * MINUTE), fc.nat(12 * MINUTE), (driftPpm, all, shown, from) => {
    const clock = new Clock({ driftPpm, jumps: all });
    const time = clock.reaches(shown, from);
    expect(time).toBeGreaterThanOrEqual(from);
    expect(clock.read(time)).toBeGreaterThanOrEqual(shown);
    const before = [from, time - 1, ...all.flatMap(({ at }) => [at - 1, at])].filter((t) => t >= from && t < time);
    for (const each of before) expect(clock.read(each)).toBeLessThan(shown);
  });
  fc.assert(property, { seed: 3, numRuns: 2_000 });
});

it("lets a timer take as long as its own microseconds last", () => {
  fc.assert(
    fc.property(drift, fc.nat(10 * MINUTE), (driftPpm, timer) => {
      const clock = new Clock({ driftPpm, jumps: [] });
      const true_ = clock.lasts(timer);
      expect(Math.abs(true_ * (1 + driftPpm / 1_000_000) - timer)).toBeLessThanOrEqual(1);
      expect(clock.timerError(timer)).toBe(Math.abs(true_ - timer));
    }),
    { seed: 2, numRuns: 500 },
  );
});
