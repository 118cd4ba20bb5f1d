import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stream } from "../core/index.ts";
import { fractionalDesign, fullDesign, latinHypercube } from "./design.ts";
import { pathSteps, put, spread, valuesOf } from "./factors.ts";
import { parseStudy, rank } from "./index.ts";

describe("designs", () => {
  it("full: every combination once, the last factor fastest", () => {
    expect(fullDesign([2, 3])).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
      [1, 0],
      [1, 1],
      [1, 2],
    ]);
  });

  it("fractional: the half 2^(4-1) is balanced, and no two main effects are mixed up", () => {
    const points = fractionalDesign(["a", "b", "c", "d"], ["d = a*b*c"], "x").map((point) =>
      point.map((level) => level * 2 - 1),
    );
    expect(points).toHaveLength(8);
    for (const first of [0, 1, 2, 3]) {
      expect(points.reduce((sum, point) => sum + point[first]!, 0)).toBe(0);
      for (let second = 0; second < first; second++) {
        expect(points.reduce((sum, point) => sum + point[first]! * point[second]!, 0)).toBe(0);
      }
    }
    for (const point of points) expect(point[3]).toBe(point[0]! * point[1]! * point[2]!);
  });

  it.each(["d = a*z", "a = a*b", "d == a", "d"])("fractional: %s is refused", (generator) => {
    expect(() => fractionalDesign(["a", "b", "c", "d"], [generator], "x")).toThrow("A generator cannot be used.");
  });

  it("Latin hypercube: each part of each factor's way holds one point, whatever the seed", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 2, max: 40 }), (seed, points) => {
        const design = latinHypercube(["a", "b", "c"], points, seed);
        for (const at of [0, 1, 2]) {
          const parts = design.map((point) => Math.floor(point[at]! * points)).toSorted((a, b) => a - b);
          expect(parts).toEqual(Array.from({ length: points }, (_, index) => index));
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("factors", () => {
  it("ranges: by step, by count, by equal ratios", () => {
    expect(valuesOf({ from: 0.1, to: 0.5, step: 0.1 }, "x")).toEqual([0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(valuesOf({ from: 0, to: 1, count: 5 }, "x")).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(valuesOf({ from: 1, to: 100, count: 3, scale: "log" }, "x")).toEqual([1, 10, 100]);
    expect(() => valuesOf({ from: 1, to: 2 }, "x")).toThrow("A range has no steps.");
    expect(spread(2, 4, 0.5, "linear")).toBe(3);
  });

  it("go to their place, one or all of a list, and make what lacks on the way", () => {
    const scenario = { workers: [{ slots: 1 }, { slots: 1 }] };
    put(scenario, pathSteps("workers[*].slots", "x"), 4, "x");
    put(scenario, pathSteps("arbiter.slash", "x"), 100, "x");
    put(scenario, pathSteps("workers[1].stake", "x"), 7, "x");
    expect(scenario).toEqual({ workers: [{ slots: 4 }, { slots: 4, stake: 7 }], arbiter: { slash: 100 } });
    expect(() => put(scenario, pathSteps("workers[2].slots", "x"), 1, "x")).toThrow("no such place in a list");
    expect(() => pathSteps("workers[", "x")).toThrow("This is no place in a scenario.");
  });
});

const STUDY = `scenario:
  duration: 1min
  workers: [{ kind: browser, count: 1 }]
  clients: [{ name: a, arrivals: { process: poisson, rate: 1 } }]
factors:
  - { name: load, path: "clients[0].arrivals.rate", values: [1, 2] }
`;

describe("a study's file", () => {
  it("names its points by scenario, whatever the scenario's own name and seed", () => {
    const first = parseStudy(STUDY, "a.yaml");
    const second = parseStudy(STUDY.replace("duration", "name: x\n  seed: 9\n  duration"), "b.yaml");
    expect(second.points.map(({ hash }) => hash)).toEqual(first.points.map(({ hash }) => hash));
    expect(new Set(first.points.map(({ hash }) => hash)).size).toBe(2);
    expect(parseStudy(`${STUDY}replications: 3\n`, "a.yaml").hash).toBe(first.hash);
    expect(parseStudy(`${STUDY}seed: 3\n`, "a.yaml").hash).not.toBe(first.hash);
  });

  const refusal = (text: string): string => {
    try {
      parseStudy(text, "study.yaml");
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };

  it("is refused with the place, what stands there and what may", () => {
    expect(refusal(STUDY.replace("factors", "factor"))).toMatchInlineSnapshot(`
      "The study has a field that is not known.
        where     study.yaml:5:1, factor
        seen      factor
        expected  one of name, scenario, seed, replications, common_random_numbers, warm_up, confidence, design, points, generators, factors, metrics, compare
        try       did you mean "factors"?"
    `);
    expect(refusal(`${STUDY}metrics: [sojourn.p96]\n`).split("expected")[0]).toMatchInlineSnapshot(`
      "There is no such metric.
        where     study.yaml:7:11, metrics[0]
        seen      sojourn.p96
        "
    `);
    expect(refusal(STUDY.replace("values: [1, 2]", "values: [1, -2]"))).toMatchInlineSnapshot(`
      "A point of the study is no world that can be run. The scenario has a value that is out of range.
        where     study.yaml, point 1: load = -2; clients[0].arrivals.rate
        seen      -2
        expected  > 0. poisson, daily: requests a second, on the mean of a day."
    `);
    expect(refusal(STUDY.replace("clients[0].arr", "clients[3].arr"))).toMatchInlineSnapshot(`
      "The scenario has no such place in a list.
        where     study.yaml:6:25, factors[0].path
        seen      3
        expected  0 to 0, or *"
    `);
    expect(refusal(`${STUDY}design: fractional\n`.replace("[1, 2]", "[1, 2, 3]"))).toMatchInlineSnapshot(`
      "A fractional design has two values of each factor.
        where     study.yaml:6:5, factors[0]
        seen      3
        expected  2 values"
    `);
  });
});

describe("ranking", () => {
  const noise = [3, -1, 4, -1, 5, -9, 2, 6, -5, 3];
  /** What all have in common, and a little of their own. */
  const alternative = (name: string, shift: number, own: number) => {
    const dice = stream(1, name, "ranking");
    return { name, values: noise.map((value) => 100 + 10 * value + shift + own * dice.normal()) };
  };

  it("tells apart what differs, and says what is not distinguishable, though all intervals overlap", () => {
    const all = [alternative("slow", 5, 0.5), alternative("fast", 0, 0.5), alternative("alike", 0.1, 0.5)];
    const ranked = rank(all, "lower", 0.95);
    expect(ranked[2]).toMatchObject({ name: "slow", like: [] });
    expect(ranked[0]!.like).toHaveLength(1);
    expect(ranked[2]!.interval.mean - ranked[2]!.interval.halfWidth).toBeLessThan(ranked[0]!.interval.mean);
    expect(rank([alternative("low", 0, 0), alternative("high", 5, 0)], "higher", 0.95)[0]!.name).toBe("high");
  });
});
