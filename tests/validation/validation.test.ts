/**
 * The kernel, its lanes and the streams against closed forms that no one here made up. Seeds are fixed: a test either passes always or never.
 *
 * Each asks two things: that the true value lies within the interval of 99.9 % that the replications give, and that the interval is narrow enough
 * for that to mean something.
 */
import { describe, expect, it } from "vitest";
import { SECOND } from "../../sim/core/index.ts";
import { erlangB, erlangC, lossByDeadline, lossByTimer, meanWait, pollaczekKhinchine } from "./closed-forms.ts";
import { interval, replicate } from "./interval.ts";
import { type Figures, Station, type StationSpec } from "./station.ts";

const exponential = (seconds: number): string => `exponential(mean=${Math.round(seconds * SECOND)}us)`;

/** Poisson arrivals, exponential service with mean 1 s. */
const markov = (servers: number, load: number): StationSpec => ({
  servers,
  gap: exponential(1 / load),
  service: exponential(1),
});

/** @param width the largest half-width that is accepted, as a share of the true value */
function expectWithin(figures: readonly Figures[], value: (of: Figures) => number, truth: number, width: number): void {
  const { mean, halfWidth } = interval(figures.map(value), 99.9);
  expect(halfWidth / truth, `half-width of ${mean} ± ${halfWidth}`).toBeLessThan(width);
  expect(Math.abs(mean - truth), `${mean} ± ${halfWidth} against ${truth}`).toBeLessThanOrEqual(halfWidth);
}

const wait = (of: Figures): number => of.waits / of.arrived / SECOND;
const delayed = (of: Figures): number => of.delayed / of.arrived;
const lost = (of: Figures): number => of.lost / of.arrived;
const idle = (of: Figures): number => of.idle / of.duration;

describe("closed forms against the tables", () => {
  it.each([
    [3, 2, 0.2105263158, 0.4444444444, 0.4444444444],
    [5, 4, 0.199066874, 0.5541125541, 0.5541125541],
    [10, 8, 0.1216610643, 0.4091801508, 0.2045900754],
    [10, 9, 0.1679632263, 0.6687315241, 0.6687315241],
    [50, 45, 0.05410447216, 0.3638644672, 0.07277289344],
    [100, 95, 0.04880420618, 0.5064568539, 0.1012913708],
  ])("Erlang, %d servers, load %d", (c, a, b, waiting, time) => {
    expect(erlangB(c, a)).toBeCloseTo(b, 10);
    expect(erlangC(c, a)).toBeCloseTo(waiting, 10);
    expect(meanWait(c, a)).toBeCloseTo(time, 10);
  });

  it("deadlines and timers", () => {
    expect(lossByDeadline(1, 0.9, 5)).toBeCloseTo(0.1073062, 7);
    expect(lossByDeadline(5, 4.5, 1)).toBeCloseTo(0.0792219, 7);
    expect(lossByDeadline(10, 9.5, 2)).toBeCloseTo(0.0213443, 7);
    expect(lossByTimer(1 / 2, 12).loss).toBeCloseTo(0.00124091, 8);
    expect(lossByTimer(10 / 12, 12).loss).toBeCloseTo(0.0254231, 7);
    expect(lossByTimer(10 / 10.5, 12).loss).toBeCloseTo(0.0581845, 7);
  });
});

describe("M/M/c", () => {
  it.each([
    { c: 3, a: 2, customers: 50_000, width: 0.05 },
    { c: 5, a: 4, customers: 100_000, width: 0.08 },
    { c: 10, a: 8, customers: 100_000, width: 0.06 },
    { c: 10, a: 9, customers: 100_000, width: 0.08 },
    { c: 50, a: 45, customers: 250_000, width: 0.1 },
    { c: 100, a: 95, customers: 500_000, width: 0.12 },
  ])(
    "$c servers, load $a: share who wait, mean wait, its shape, and mean number present",
    ({ c, a, customers, width }) => {
      // The mark is where a fifth of those who wait are still waiting.
      const mark = Math.log(5) / (c - a);
      const spec = { ...markov(c, a), mark: Math.round(mark * SECOND) };
      const figures = replicate(spec, { customers, warmUp: 20_000 });
      expectWithin(figures, delayed, erlangC(c, a), width);
      expectWithin(figures, wait, meanWait(c, a), width);
      expectWithin(figures, (of) => of.marked / of.arrived, erlangC(c, a) * Math.exp(-(c - a) * mark), 2 * width);
      // Little's law with the time that the run took, not with that of the customers.
      expectWithin(figures, (of) => of.presence / of.duration, a * (1 + meanWait(c, a)), 0.04);
    },
  );

  it.each([
    [3, 2],
    [5, 4],
    [10, 8],
    [10, 9],
    [50, 45],
    [100, 95],
  ])("%d servers, load %d, where nobody waits: the share who find all busy is Erlang's B", (c, a) => {
    const figures = replicate({ ...markov(c, a), patience: 0 }, { customers: c < 50 ? 20_000 : 50_000, warmUp: 1_000 });
    expectWithin(figures, lost, erlangB(c, a), 0.08);
  });

  it("rejects the closed form for a service that is five per cent slower", () => {
    const figures = replicate({ ...markov(10, 8), service: exponential(1.05) }, { customers: 50_000, warmUp: 10_000 });
    const { mean, halfWidth } = interval(figures.map(wait), 99.9);
    expect(mean - meanWait(10, 8)).toBeGreaterThan(halfWidth);
  });
});

describe("M/G/1 at 80 % load", () => {
  it.each<[name: string, service: string, scv: number]>([
    ["deterministic", "1s", 0],
    ["Erlang-4", "gamma(shape=4, scale=250ms)", 1 / 4],
    ["Erlang-2", "gamma(shape=2, scale=500ms)", 1 / 2],
    ["exponential", exponential(1), 1],
    ["lognormal, as variable as an exponential", "lognormal(mean=1s, cv=1)", 1],
    ["gamma, four times as variable", "gamma(shape=0.25, scale=4s)", 4],
  ])("%s service", (_, service, scv) => {
    const spec: StationSpec = { servers: 1, gap: exponential(1.25), service };
    const figures = replicate(spec, { customers: 100_000, warmUp: 5_000 });
    expectWithin(figures, wait, pollaczekKhinchine(0.8, scv), 0.12);
  });
});

describe("customers who leave", () => {
  it.each([
    { a: 0.9, c: 1, tau: 5 },
    { a: 4.5, c: 5, tau: 1 },
    { a: 9.5, c: 10, tau: 2 },
  ])("a deadline on waiting: $c servers, load $a, $tau service times", ({ a, c, tau }) => {
    const figures = replicate({ ...markov(c, a), patience: tau * SECOND }, { customers: 100_000, warmUp: 5_000 });
    expectWithin(figures, lost, lossByDeadline(c, a, tau), 0.08);
  });

  it.each([
    { gap: 20, width: 0.2 },
    { gap: 12, width: 0.1 },
    { gap: 10.5, width: 0.06 },
  ])("the job timer of 120 s: service of 10 s, an arrival every $gap s", ({ gap, width }) => {
    const spec = { servers: 1, gap: exponential(gap), service: exponential(10), limit: 120 * SECOND };
    const figures = replicate(spec, { customers: 100_000, warmUp: 5_000 });
    const truth = lossByTimer(10 / gap, 12);
    expectWithin(figures, lost, truth.loss, width);
    expectWithin(figures, idle, truth.idle, 0.05);
  });

  it("Erlang-A: impatience with mean 2 s", () => {
    const figures = replicate({ ...markov(50, 48), patience: exponential(2) }, { customers: 100_000, warmUp: 5_000 });
    expectWithin(figures, lost, 0.0309122, 0.05);
    expectWithin(figures, delayed, 0.4677741, 0.05);
  });
});

describe("Little's law", () => {
  it.each<[name: string, spec: StationSpec]>([
    ["M/M/5", markov(5, 4)],
    ["Erlang-A", { ...markov(5, 5), patience: exponential(2) }],
    ["a deadline on waiting", { ...markov(1, 0.9), patience: 5 * SECOND }],
    ["a timer on the stay", { ...markov(1, 0.9), limit: 3 * SECOND }],
  ])("holds to the microsecond in %s, from the first arrival to the last departure", (_, spec) => {
    const { presence, stays, arrived } = new Station(spec, 1).runOut(100_000);
    expect(arrived).toBe(100_000);
    expect(presence).toBe(stays);
  });
});

it("covers the true value as often as an interval says: 95 % of a thousand", () => {
  let covered = 0;
  const station = new Station(markov(4, 2), "coverage");
  station.run(1_000);
  for (let n = 0; n < 1_000; n++) {
    // Stretches of one long run, far enough apart to be as good as independent.
    const figures = Array.from({ length: 20 }, () => station.run(200));
    const { mean, halfWidth } = interval(
      figures.map((of) => of.duration / of.arrived / SECOND),
      95,
    );
    if (Math.abs(mean - 1 / 2) <= halfWidth) covered++;
  }
  expect(covered).toBeGreaterThanOrEqual(936.5);
  expect(covered).toBeLessThanOrEqual(963.5);
});
