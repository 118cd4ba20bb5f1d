/** Processes of arrivals against their closed forms: rates, variation of gaps, and how bursty counts are. */
import { describe, expect, it } from "vitest";
import { type DistributionSpec, distribution, HOUR, MINUTE, SECOND, stream } from "../core/index.ts";
import { type ArrivalProcess, bursts, daily, renewal } from "./processes.ts";

function take(process: ArrivalProcess, count: number): number[] {
  let time = 0;
  return Array.from({ length: count }, () => {
    time = process.after(time);
    return time;
  });
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]): number => {
  const m = mean(values);
  return mean(values.map((value) => (value - m) ** 2));
};

/** Arrivals in each of so many windows. */
function counts(times: readonly number[], window: number, windows: number): number[] {
  const found = new Array<number>(windows).fill(0);
  for (const time of times) if (time < window * windows) found[Math.floor(time / window)]!++;
  return found;
}

/** Gamma's function at 1 + 1/k for shapes whose values are known. */
const WEIBULL_HALF = { mean: 2, second: 24 };

describe("renewal", () => {
  it.each<[string, DistributionSpec, number, number]>([
    ["exponential", "exponential(mean=100ms)", 0.1, 1],
    ["gamma, shape 4", "gamma(shape=4, scale=25ms)", 0.1, 0.5],
    ["gamma, shape 1/4", "gamma(shape=0.25, scale=400ms)", 0.1, 2],
    // Weibull of shape 1/2: mean 2 scale, second moment 24 scale^2.
    ["Weibull, shape 1/2", "weibull(shape=0.5, scale=50ms)", 0.05 * WEIBULL_HALF.mean, Math.sqrt(24 / 4 - 1)],
    ["lognormal, cv 1.5", "lognormal(mean=100ms, cv=1.5)", 0.1, 1.5],
    ["deterministic", "100ms", 0.1, 0],
  ])("%s: mean and coefficient of variation of the gaps", (_, gap, wanted, cv) => {
    const n = 40_000;
    const times = take(renewal(distribution(gap), stream(5, "a", "b")), n);
    const gaps = times.map((time, i) => (time - (times[i - 1] ?? 0)) / SECOND);
    expect(Math.abs(mean(gaps) / wanted - 1)).toBeLessThan((3.3 * cv) / Math.sqrt(n) + 1e-9);
    // A coefficient of variation varies by more the heavier the tail is.
    expect(Math.abs(Math.sqrt(variance(gaps)) / wanted - cv)).toBeLessThan(0.02 + cv * cv * 0.04);
  });
});

describe("bursts", () => {
  const [calm, burst] = [
    { rate: 1, stay: 100 * SECOND },
    { rate: 21, stay: 25 * SECOND },
  ];
  // The share of time in the burst is 1/5.
  const rate = 0.8 * 1 + 0.2 * 21;

  it("comes at the mean of the states' rates, weighted by their stays", () => {
    const n = 200_000;
    const times = take(bursts([calm, burst], 3, "clients x"), n);
    // About 320 cycles, each with a variance of its own: see the index of dispersion below.
    expect(Math.abs(n / (times.at(-1)! / SECOND) / rate - 1)).toBeLessThan(0.1);
  });

  it("has the index of dispersion of a two-state MMPP", () => {
    const [s1, s2] = [1 / 100, 1 / 25];
    const limit = 1 + (2 * (21 - 1) ** 2 * s1 * s2) / ((s1 + s2) ** 2 * (1 * s2 + 21 * s1));
    const window = 100;
    const truth = limit - ((limit - 1) * (1 - Math.exp(-(s1 + s2) * window))) / ((s1 + s2) * window);
    const windows = 4_000;
    const times = take(bursts([calm, burst], 4, "clients x"), Math.round(rate * window * windows * 1.02));
    const found = counts(times, window * SECOND, windows);
    const dispersion = variance(found) / mean(found);
    expect(truth).toBeGreaterThan(50);
    expect(Math.abs(dispersion / truth - 1), `${dispersion} against ${truth}`).toBeLessThan(0.1);
  });

  it("is silent in a state without requests, and visits all of three states equally often", () => {
    const states = [
      { rate: 0, stay: 10 * SECOND },
      { rate: 2, stay: 10 * SECOND },
      { rate: 4, stay: 10 * SECOND },
    ];
    const n = 60_000;
    const times = take(bursts(states, 5, "clients y"), n);
    expect(Math.abs(n / (times.at(-1)! / SECOND) / 2 - 1)).toBeLessThan(0.06);
    expect(times.some((time, i) => time - (times[i - 1] ?? 0) > 20 * SECOND)).toBe(true);
  });
});

describe("daily", () => {
  const curve = Array.from({ length: 24 }, (_, hour) => (hour >= 8 && hour < 20 ? 3 : 1));

  it("has each hour's expected number of requests, from the time of day at which it starts", () => {
    const days = 40;
    const startsAt = 6 * HOUR;
    const process = daily(0.5, curve, startsAt, 6, "clients z");
    const times: number[] = [];
    for (let time = process.after(0); time < days * 24 * HOUR; time = process.after(time)) times.push(time);
    const weights = curve.reduce((sum, weight) => sum + weight, 0) / 24;
    const byHour = new Array<number>(24).fill(0);
    for (const time of times) byHour[Math.floor(((time + startsAt) / HOUR) % 24)]!++;
    let squares = 0;
    for (const [hour, found] of byHour.entries()) {
      const expected = (days * 3_600 * 0.5 * (curve[hour]! + curve[(hour + 1) % 24]!)) / 2 / weights;
      squares += (found - expected) ** 2 / expected;
    }
    // Chi-square with 24 degrees of freedom: 51.2 at 0.1 %.
    expect(squares).toBeLessThan(51.2);
    expect(Math.abs(times.length / (days * 86_400 * 0.5) - 1)).toBeLessThan(3.3 / Math.sqrt(times.length));
  });

  it("is Poisson where the curve is flat", () => {
    const process = daily(10, new Array<number>(24).fill(7), 0, 7, "clients z");
    const found = counts(take(process, 120_000), 10 * SECOND, 1_150);
    expect(Math.abs(variance(found) / mean(found) - 1)).toBeLessThan(3.3 * Math.sqrt(2 / 1_150));
    expect(Math.abs(mean(found) / 100 - 1)).toBeLessThan(0.02);
  });
});

it("is the same whoever else draws: a process is named by its clients", () => {
  const some = (name: string): number[] =>
    take(
      bursts(
        [
          { rate: 1, stay: MINUTE },
          { rate: 9, stay: MINUTE },
        ],
        1,
        name,
      ),
      50,
    );
  expect(some("clients a")).toEqual(some("clients a"));
  expect(some("clients a")).not.toEqual(some("clients b"));
});
