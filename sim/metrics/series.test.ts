import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIND, kinds, Trace } from "../trace/index.ts";
import { type Series, SeriesFold } from "./series.ts";

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Jobs of one worker: when each arrives, waits and is served, microseconds. */
const jobs = fc.array(
  fc.record({
    gap: fc.nat({ max: 9_000_000 }),
    wait: fc.nat({ max: 5_000_000 }),
    service: fc.integer({ min: 1, max: 9_000_000 }),
  }),
  { minLength: 1, maxLength: 60 },
);

/** Plays jobs one after another past a fold. */
function played(list: readonly { gap: number; wait: number; service: number }[], fold: SeriesFold): Series {
  const clock = { now: 0 };
  const trace = new Trace(kinds, clock);
  trace.subscribe(fold);
  trace.emit(KIND["worker.registered"], 0, 1, 1);
  list.forEach(({ gap, wait, service }, number) => {
    clock.now += gap;
    trace.emit(KIND["job.created"], 0, number, 0, 0, 10, 5, 0);
    trace.emit(KIND["job.locked"], 0, 0, 5, 0);
    clock.now += wait;
    trace.emit(KIND["job.processing"], 0, 0);
    clock.now += service;
    trace.emit(KIND["job.lastToken"], 0, 0, 3);
    trace.emit(KIND["slot.freed"], 0, 0);
    if (number % 3 === 2) {
      trace.emit(KIND["job.refunded"], 0, 0, 5, 0);
      trace.emit(KIND["job.returned"], 0, 0, 5, 0);
    } else {
      trace.emit(KIND["job.paid"], 0, 0, 0, 4, 1, 340, 60, 0);
      trace.emit(KIND["job.settled"], 0);
    }
  });
  return fold.series(clock.now);
}

describe("series", () => {
  it("counts everything once and measures levels exactly, whatever the width of its buckets", () => {
    fc.assert(
      fc.property(jobs, fc.constantFrom(4, 16, 240), (list, buckets) => {
        const { counts, integrals, width, end, money, times } = played(list, new SeriesFold(buckets));
        expect(counts.arrived.length).toBeLessThanOrEqual(buckets);
        expect(width * counts.arrived.length).toBeGreaterThanOrEqual(end);
        expect(total(counts.arrived)).toBe(list.length);
        expect(total(counts.settled) + total(counts.refunded)).toBe(list.length);
        expect(total(integrals.waiting)).toBe(total(list.map(({ wait }) => wait)));
        expect(total(integrals.busyNative)).toBe(total(list.map(({ service }) => service)));
        expect(total(integrals.slotsNative)).toBe(end);
        expect(total(counts.sojourn)).toBe(total(list.map(({ wait, service }) => wait + service)));
        expect(total(times.wait.bins.map(([, count]) => count))).toBe(list.length);
        expect(money.held).toBe(0);
        expect(money.locked).toBe(list.length * 500);
      }),
      { numRuns: 100 },
    );
  });

  it("puts an event into the bucket of its moment, and a level into every bucket that it spans", () => {
    const list = [
      { gap: 2_500_000, wait: 2_000_000, service: 500_000 },
      { gap: 0, wait: 0, service: 1_000_000 },
    ];
    const { counts, integrals, largest, width } = played(list, new SeriesFold(240));
    expect(width).toBe(1_000_000);
    expect(counts.arrived).toEqual([0, 0, 1, 0, 0, 1]);
    expect(integrals.waiting).toEqual([0, 0, 500_000, 1_000_000, 500_000, 0]);
    expect(integrals.busyNative).toEqual([0, 0, 0, 0, 500_000, 1_000_000]);
    expect(largest.mostWaiting).toEqual([0, 0, 1, 0, 0, 1]);
  });
});
