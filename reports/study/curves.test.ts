import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossingsOf, curvesOf } from "./curves.ts";
import { studyHtml } from "./page.ts";
import { RATES, SLASHES, studyOf } from "./study.fixture.ts";

describe("curves of a study", () => {
  it("go along the factor with most values, one for each value of the other, whatever the order of points", () => {
    const { study, summaries } = studyOf((rate, slash) => rate * slash);
    const curves = curvesOf(study, summaries.toReversed(), "party.junk.perCheat");
    expect([curves?.along, curves?.by, curves?.byUnit, curves?.log]).toEqual(["rate", "slash", "tokens", true]);
    expect(curves?.curves.map(({ at }) => at).sort()).toEqual([...SLASHES].sort());
    expect(curves?.curves[0]?.points.map(({ x }) => x)).toEqual(RATES);
  });

  it("cross zero where a straight line does, between bounds that hold it and grow with the interval", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 0.45, noNaN: true }),
        fc.double({ min: 0.001, max: 0.1, noNaN: true }),
        (root, reach) => {
          const bounds = [reach, reach * 2].map((halfWidth) => {
            const { study, summaries } = studyOf((rate) => root - rate, halfWidth);
            const curves = curvesOf(study, summaries, "party.junk.perCheat");
            const crossings = crossingsOf({ ...curves!, log: false });
            expect(crossings).toHaveLength(SLASHES.length);
            const [first] = crossings;
            expect(first?.at).toBeCloseTo(root, 9);
            expect(first!.low).toBeLessThanOrEqual(first!.at);
            expect(first!.high).toBeGreaterThanOrEqual(first!.at);
            return first!.high - first!.low;
          });
          expect(bounds[1]).toBeGreaterThanOrEqual(bounds[0]! - 1e-12);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("have no break-even where the sign never changes, or changes more than once", () => {
    for (const metric of [() => 1, (rate: number) => Math.sin(rate * 40)]) {
      const { study, summaries } = studyOf(metric);
      expect(crossingsOf(curvesOf(study, summaries, "party.junk.perCheat")!)).toEqual([]);
    }
  });

  it("are not drawn of factors that are names", () => {
    const { study, summaries } = studyOf(() => 1);
    const named = summaries.map((each) => ({
      ...each,
      point: { ...each.point, factors: { rate: `policy ${each.point.index}`, slash: "x" } },
    }));
    expect(curvesOf(study, named, "party.junk.perCheat")).toBeUndefined();
  });
});

describe("the page of a study", () => {
  it("has every point's figure, the break-even by the closed form, and escapes names", async () => {
    const { study, summaries } = studyOf((rate, slash) => (1 - rate) * 6.8 - rate * slash);
    const html = await studyHtml({ study, points: summaries, replay: "assay sweep x.yaml" });
    expect(html).toContain("Break-even of party.junk.perCheat");
    expect(html.match(/<th scope="row">/g)?.length).toBeGreaterThan(summaries.length);
    expect(html).not.toContain("<i>fraud");
    // A slash of 100 tokens: 6.8 / 106.8 = 0.0637, met by a line between 0.05 and 0.1.
    const cells = /<th scope="row">100<\/th><td class="number">([\d.]+)</.exec(html);
    expect(Number(cells?.[1])).toBeCloseTo(0.0637, 2);
  });
});
