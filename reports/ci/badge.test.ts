import { describe, expect, it } from "vitest";
import { reportWith } from "../../conformance/baseline/report.fixture.ts";
import { badgeJson, badgeMessage, badgeSvg } from "./badge.ts";

const report = reportWith();

describe("a badge", () => {
  it("says the verdict, and over how much", () => {
    const { counts, requirements } = report;
    const tried = counts.passed + counts.failed + counts.flaky + counts.observed;
    expect(badgeMessage(report)).toBe(`not conformant, ${tried} of ${requirements.length} tried`);
  });

  it("is what shields.io reads, in the colour of the verdict", () => {
    expect(JSON.parse(badgeJson(report))).toEqual({
      schemaVersion: 1,
      label: "assay",
      message: badgeMessage(report),
      color: "red",
    });
    expect(JSON.parse(badgeJson(reportWith({ verdict: "conformant" }))).color).toBe("brightgreen");
    expect(JSON.parse(badgeJson(reportWith({ verdict: "inconclusive" }))).color).toBe("lightgrey");
  });

  it("is one picture that loads nothing, and can be read aloud", () => {
    const svg = badgeSvg(report);
    expect(svg).toMatch(/^<svg [^>]*role="img" aria-label="assay: not conformant, /);
    expect(svg.replace("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:|url\((?!#)|<script|<image/);
    expect(badgeSvg(reportWith({ verdict: "conformant" }))).not.toContain("#b3261e");
  });
});
