import { describe, expect, it } from "vitest";
import { SeriesFold } from "../../sim/metrics/series.ts";
import { BusyTime } from "./busy-time.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

describe("the busy part of a run", () => {
  it("ends with the last job, counts what all of the run counts, and keeps its fine steps", () => {
    const whole = new SeriesFold(16);
    const busy = new BusyTime(new SeriesFold(16));
    for (const { on } of [whole, busy]) {
      on["worker.registered"]?.(0, 0, 1, 2);
      on["job.created"]?.(2 * SECOND, 0, 0, 0, 10, 10, 10, 10);
      on["job.processing"]?.(3 * SECOND, 0, 0);
      on["slot.freed"]?.(7 * SECOND, 0, 0);
      on["job.settled"]?.(8 * SECOND, 0);
      on["worker.left"]?.(DAY, 0);
    }
    expect(busy.end).toBe(8 * SECOND + 1);
    const [all, part] = [whole.series(DAY), busy.series.series(busy.end)];
    expect(all.width).toBeGreaterThan(3_600 * SECOND);
    expect(part.width).toBe(SECOND);
    expect(part.counts.settled).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(part.counts.settled.reduce((a, b) => a + b)).toBe(all.counts.settled.reduce((a, b) => a + b));
    // Two slots for eight seconds, one of them at work for four.
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    expect(sum(part.integrals.slotsNative)).toBe(16 * SECOND + 2);
    expect(sum(part.integrals.busyNative)).toBe(4 * SECOND);
  });
});
