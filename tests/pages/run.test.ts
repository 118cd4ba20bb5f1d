import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MotionRecorder } from "../../reports/motion/record.ts";
import { motionSection } from "../../reports/motion/section.ts";
import { runHtml } from "../../reports/run/html/page.ts";
import { SeriesFold } from "../../sim/metrics/series.ts";
import { runWorld } from "../../sim/run.ts";
import { buildScenario, loadScenario } from "../../sim/scenario/index.ts";
import { absent, openBrowser, overflow, type PageBrowser, seriousFaults } from "./browser.ts";

const EVENTS = 100_000;

/** The page of two hours of overload: a trace of more than 100,000 events, with jobs that settle and jobs that time out. */
async function overload(name = "overload"): Promise<string> {
  const world = buildScenario(loadScenario("scenarios/overload.yaml"), {});
  const recorder = new MotionRecorder({ events: EVENTS, from: 0, to: Infinity });
  const series = new SeriesFold();
  const result = await runWorld({ ...world, recorder }, { folds: [series], checkers: {} });
  const names = { models: ["solo-8b"], populations: [name], classes: [], faults: {} };
  return runHtml({
    name,
    file: "scenarios/overload.yaml",
    result,
    series: series.series(result.time),
    replay: "assay run scenarios/overload.yaml",
    motion: motionSection(recorder.data(result.time, names)),
  });
}

describe.skipIf(absent)(`the run report in a browser${absent ? `: ${absent}` : ""}`, () => {
  let browser: PageBrowser;
  let html = "";

  const opened = async (options = {}) => {
    const { page } = await browser.open(html, options);
    await page.waitForSelector("#motion-player:not([hidden])");
    return page;
  };

  beforeAll(async () => {
    browser = await openBrowser();
    html = await overload();
  });
  afterAll(() => browser.close());

  it("scrubs to any moment: stage, counts, clock and trace agree", async () => {
    const page = await opened();
    const counts = async (): Promise<readonly number[]> => {
      const texts = await page.locator("#counts b").allTextContents();
      return texts.map((text) => Number(text.replaceAll(",", "")));
    };
    // It opens where a job has come to its worker.
    expect((await counts())[2]).toBeGreaterThan(0);
    await page.fill("#scrub", "0");
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0, 0]);
    await page.fill("#scrub", "50000");
    const middle = await counts();
    const [, queued = 0, serving, , settled = 0, refunded = 0, failed] = middle;
    expect([serving, failed]).toEqual([20, 0]);
    expect(queued).toBeGreaterThan(100);
    expect(settled).toBeGreaterThan(refunded);
    const clock = await page.textContent("#now");
    const line = await page.textContent("#trace [aria-selected=true] .time");
    // The line is the last event that is not after the moment.
    expect((line ?? "") <= (clock ?? "")).toBe(true);
    await page.fill("#scrub", "10");
    await page.fill("#scrub", "50000");
    expect(await counts()).toEqual(middle);
  });

  it("keeps few lines of the trace in the document, and draws a frame fast", async () => {
    const page = await opened();
    const drawn = await page.evaluate<number>(`{
      const scrub = document.querySelector("#scrub");
      const before = performance.now();
      for (let i = 0; i < 50; i++) {
        scrub.value = String(40_000 + i * 50);
        scrub.dispatchEvent(new Event("input"));
      }
      (performance.now() - before) / 50;
    }`);
    console.info(`a frame of ${EVENTS} events: ${drawn.toFixed(1)} ms; the page: ${(html.length / 1e6).toFixed(2)} MB`);
    expect(await page.locator("#trace .row").count()).toBeLessThan(80);
    expect(await page.textContent("#trace-count")).toBe("100,000 events");
    await page.evaluate("document.querySelector('#trace').scrollTop = 1e9");
    await page.locator("#trace [aria-posinset='100000']").waitFor();
    expect(html.length).toBeLessThan(5_000_000);
  });

  it("follows one job from its lock to its end", async () => {
    const page = await opened();
    await page.fill("#follow", "100");
    await page.press("#follow", "Enter");
    const steps = await page.locator("#life li b").allTextContents();
    expect(steps).toEqual([
      "asked for; the lock is sent",
      "lock in a sealed block",
      "taken by a worker",
      "first token",
      "last token",
      "the worker is free again",
      "proof in a sealed block",
      "settlement in a sealed block",
      "settled",
    ]);
    expect(await page.textContent("#trace-count")).toBe("9 events");
    await page.locator("#life li button").last().click();
    expect(await page.textContent("#trace [aria-selected=true] b")).toBe("job.settled");
    await page.click("#unfollow");
    expect(await page.textContent("#trace-count")).toBe("100,000 events");
    expect(await page.locator("#life").isVisible()).toBe(false);
  });

  it("is worked by keyboard: by event, to the next trouble, and plays", async () => {
    const page = await opened();
    const present = (): Promise<string | null> =>
      page.locator("#trace [aria-selected=true]").getAttribute("aria-posinset");
    await page.focus("#trace");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await present()).toBe("3");
    await page.keyboard.press("t");
    expect(await page.textContent("#trace [aria-selected=true] b")).toBe("job.refunded");
    expect(await page.textContent("#strike")).toContain("job.refunded: job");
    await page.keyboard.press("Enter");
    expect(await page.inputValue("#trace-filter")).toBe("followed");
    await page.focus("#scrub");
    const before = Number(await page.inputValue("#scrub"));
    await page.keyboard.press("ArrowRight");
    expect(Number(await page.inputValue("#scrub"))).toBe(before + 1);
    await page.keyboard.press("Space");
    await page.locator("#play[aria-pressed=true]").waitFor();
    await page.waitForFunction((from) => {
      const { document } = globalThis as unknown as { document: { querySelector(name: string): { value: string } } };
      return Number(document.querySelector("#scrub").value) > from + 20;
    }, before);
    await page.keyboard.press("Space");
    await page.locator("#play[aria-pressed=false]").waitFor();
    expect(await page.getAttribute("#stage", "aria-label")).toMatch(/^The network at 0:0\d:.*queue for a worker/);
  });

  it("has each chart's numbers as a table, and says what of the trace is not there", async () => {
    const page = await opened();
    const charts = await page.locator("figure.chart").count();
    expect(charts).toBeGreaterThan(8);
    expect(await page.locator("figure.chart details table caption").count()).toBe(charts);
    expect(await page.textContent("#motion .note")).toMatch(/^The first 100,000 events are here; [\d,]+ more are not/);
    const drawn = await page.evaluate<number>("document.querySelectorAll('figure.chart svg[aria-label]').length");
    expect(drawn).toBe(charts);
  });

  it.each(["light", "dark"] as const)("has no serious fault of access, and fits a phone (%s)", async (colorScheme) => {
    const page = await opened({ colorScheme, viewport: { width: 360, height: 800 } });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await seriousFaults(page)).toEqual([]);
  });
});
