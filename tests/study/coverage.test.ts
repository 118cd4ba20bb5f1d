/**
 * Studies of M/M/1 with known answer: of 1,000 intervals of 95 %, between 93.65 % and 96.35 % must cover it. Once on the bare kernel, and once with
 * the whole way from a series that starts empty: warm-up found by MSER-5 and left out, batches cut, intervals made. Seeds are fixed.
 */
import { describe, expect, it } from "vitest";
import { SECOND, stream } from "../../sim/core/index.ts";
import { averageOf, batchBounds, meanInterval, meanOf, PILOTS, warmUp } from "../../sim/study/index.ts";
import { meanWait } from "../validation/closed-forms.ts";
import { Station, type StationSpec } from "../validation/station.ts";

const STUDIES = 1_000;
const LOAD = 0.5;
const TRUTH = meanWait(1, LOAD);

const spec: StationSpec = { servers: 1, gap: "exponential(mean=2s)", service: "exponential(mean=1s)" };

const wait = ({ waits, arrived }: { readonly waits: number; readonly arrived: number }): number =>
  waits / arrived / SECOND;

/** How many of the studies cover the truth. */
function covered(study: (index: number) => readonly number[]): number {
  let count = 0;
  for (let index = 0; index < STUDIES; index++) {
    const { mean, halfWidth } = meanInterval(study(index));
    if (Math.abs(mean - TRUTH) <= halfWidth) count++;
  }
  return count;
}

function expectNominal(count: number): void {
  expect(count).toBeGreaterThanOrEqual(936.5);
  expect(count).toBeLessThanOrEqual(963.5);
}

/** Waits of the first customers of M/M/1 that starts empty (Lindley, 1952), in mean service times. */
function waits(dice: ReturnType<typeof stream>, customers: number): Float64Array {
  const series = new Float64Array(customers);
  for (let i = 1; i < customers; i++) {
    series[i] = Math.max(0, series[i - 1]! + dice.standardExponential() - dice.standardExponential() / LOAD);
  }
  return series;
}

describe("of 1,000 studies of M/M/1, as many intervals of 95 % cover the mean wait as they say", () => {
  it("batch means of one long run of the kernel", () => {
    const station = new Station(spec, "batch means");
    station.run(1_000);
    expectNominal(covered(() => Array.from({ length: 20 }, () => wait(station.run(400)))));
  });

  it("replications of the kernel", () => {
    // The stretches between counted ones are left out: each begins as good as independent of the one before.
    const station = new Station(spec, "replications");
    const replication = (): number => {
      station.run(100);
      return wait(station.run(400));
    };
    expectNominal(covered(() => Array.from({ length: 20 }, replication)));
  });

  it("replications that start empty, their warm-up found by MSER-5 in a pilot", () => {
    const dice = stream("coverage", "replications", "waits");
    const replication = (): Float64Array => waits(dice, 2_000);
    expectNominal(
      covered(() => {
        const { leave } = warmUp(averageOf(Array.from({ length: PILOTS }, replication)));
        return Array.from({ length: 20 }, () => meanOf(replication().subarray(leave)));
      }),
    );
  });

  it("batch means of one run that starts empty, its warm-up found by MSER-5", () => {
    const dice = stream("coverage", "batches", "waits");
    expectNominal(
      covered(() => {
        const series = waits(dice, 40_000);
        return batchBounds(warmUp(series).leave, series.length, 20).map(([from, to]) =>
          meanOf(series.subarray(from, to)),
        );
      }),
    );
  });

  it("and not where the same batches are far too short: the proof can fail", () => {
    const dice = stream("coverage", "short", "waits");
    const count = covered(() => {
      const series = waits(dice, 400);
      return batchBounds(0, series.length, 20).map(([from, to]) => meanOf(series.subarray(from, to)));
    });
    expect(count).toBeLessThan(900);
  });
});
