import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { studyHtml } from "../../reports/study/page.ts";
import { SLASHES, studyOf } from "../../reports/study/study.fixture.ts";
import type { Ranked } from "../../sim/study/index.ts";
import { absent, openBrowser, overflow, type PageBrowser, seriousFaults } from "./browser.ts";

const interval = (mean: number) => ({ mean, halfWidth: 0.5, count: 20, confidence: 0.95 });

describe.skipIf(absent)(`the report of a study in a browser${absent ? `: ${absent}` : ""}`, () => {
  let browser: PageBrowser;
  let html = "";

  beforeAll(async () => {
    browser = await openBrowser();
    // Gains of 6.8 units beside losses of five hundred: the axis must show where the sign changes all the same.
    const { study, summaries } = studyOf((rate, slash) => (1 - rate) * 6.8 - rate * slash);
    const ranked: readonly Ranked[] = [
      { name: "10", interval: interval(4), behind: interval(0), like: ["100"] },
      { name: "100", interval: interval(4.4), behind: interval(0.4), like: ["10"] },
    ];
    const compare = { factor: "slash", metric: "party.junk.perCheat", better: "lower" } as const;
    html = await studyHtml({ study, points: summaries, compare, ranked, replay: "assay sweep fraud.yaml" });
  });
  afterAll(() => browser.close());

  it("draws a curve for each value, the break-even with its bounds, and says each chart's numbers in a table", async () => {
    const { page } = await browser.open(html);
    const charts = page.locator("figure.chart");
    expect(await charts.count()).toBe(2);
    expect(await page.locator("figure.chart details table caption").count()).toBe(2);
    expect(await charts.first().locator(".legend li").count()).toBe(SLASHES.length);
    // On both sides of zero the axis goes by powers of ten.
    const ticks = await charts.first().locator("svg text").allTextContents();
    for (const tick of ["0", "1", "−1", "−10", "−100"]) expect(ticks).toContain(tick);
    await charts.last().locator("summary").click();
    const cells = await charts.last().locator("tbody tr").nth(1).locator("th, td").allTextContents();
    const [slash, at = 0, low = 0, high = 0] = cells.map(Number);
    expect(slash).toBe(100);
    expect(at).toBeCloseTo(6.8 / 106.8, 2);
    expect(low).toBeLessThan(at);
    expect(high).toBeGreaterThan(at);
    expect(await page.textContent("#ranking tbody")).toContain("not distinguishable from 100");
  });

  it("copies the command that makes the study again", async () => {
    const { page } = await browser.open(html);
    await page.click("[aria-label='Copy the command']");
    await page.waitForSelector(".copier.done");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("assay sweep fraud.yaml");
  });

  it.each(["light", "dark"] as const)("has no serious fault of access, and fits a phone (%s)", async (colorScheme) => {
    const { page } = await browser.open(html, { colorScheme, viewport: { width: 360, height: 800 } });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await seriousFaults(page)).toEqual([]);
  });
});
