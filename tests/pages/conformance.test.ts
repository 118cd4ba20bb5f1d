import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareHtml } from "../../reports/compare/page.ts";
import { conformanceHtml } from "../../reports/conformance/html/page.ts";
import { absent, openBrowser, overflow, type PageBrowser, seriousFaults } from "./browser.ts";
import { HOSTILE, hostileReport, manyFindings, rows, wholeReport } from "./reports.fixture.ts";

const THEMES = ["light", "dark"] as const;

describe.skipIf(absent)(`the conformance report in a browser${absent ? `: ${absent}` : ""}`, () => {
  let browser: PageBrowser;
  let html = "";

  beforeAll(async () => {
    browser = await openBrowser();
    html = await conformanceHtml(wholeReport());
  });
  // Fails when any page said an error, threw, or asked the network for something.
  afterAll(() => browser.close());

  it("shows rows by status, section, kind and words, counts them, and has a way back", async () => {
    const { page } = await browser.open(html);
    const shown = (): Promise<number> => page.locator("#matrix tr.row:visible").count();
    const all = rows.length;
    const count = (fits: (row: (typeof rows)[number]) => boolean): number => rows.filter(fits).length;
    expect(await shown()).toBe(all);

    await page.click("button[data-status=failed]");
    const failed = count((row) => row.status === "failed");
    expect(await shown()).toBe(failed);
    expect(await page.textContent(".filters output")).toBe(`${failed} of ${all} shown`);
    await page.click("button[data-status=observed]");
    expect(await shown()).toBe(count((row) => row.status === "failed" || row.status === "observed"));
    await page.selectOption("[name=section]", "4.7");
    expect(await shown()).toBe(count((row) => ["failed", "observed"].includes(row.status) && row.section === "4.7"));
    expect(await page.locator("tbody[data-section='4.1']").isVisible()).toBe(false);

    await page.click("button[type=reset]");
    expect(await shown()).toBe(all);
    await page.selectOption("[name=kind]", "inferred");
    expect(await shown()).toBe(count((row) => row.kind === "inferred"));
    await page.selectOption("[name=kind]", "");
    await page.fill("[name=text]", "DISPUTE 4.7/1");
    const words = await shown();
    expect(words).toBeGreaterThan(0);
    expect(words).toBeLessThan(20);
    await page.fill("[name=text]", "no such words");
    expect(await shown()).toBe(0);
    expect(await page.locator("#requirements .empty").isVisible()).toBe(true);
  });

  it("is worked by keyboard alone", async () => {
    const { page } = await browser.open(html);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.className")).toBe("skip");
    await page.focus("button[data-status=failed]");
    await page.keyboard.press("Space");
    expect(await page.getAttribute("button[data-status=failed]", "aria-pressed")).toBe("true");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.dataset.status")).toBe("flaky");
    const finding = page.locator(".finding > details").first();
    await page.focus(".finding summary");
    await page.keyboard.press("Enter");
    expect(await finding.getAttribute("open")).toBeNull();
    await page.keyboard.press("Enter");
    expect(await finding.getAttribute("open")).toBe("");
  });

  it("copies the very replay line and curl line", async () => {
    const { page } = await browser.open(html);
    const [finding] = wholeReport().findings;
    const clipboard = (): Promise<unknown> => page.evaluate("navigator.clipboard.readText()");
    await page.click("[aria-label='Copy the replay line']");
    await page.waitForSelector(".copier.done");
    expect(await clipboard()).toBe(finding?.replay);
    expect(await page.textContent("#announce")).toBe("Copied the replay line.");
    await page.click("[aria-label='Copy the curl line of exchange 3']");
    await page.locator(".copier.done").nth(1).waitFor();
    expect(await clipboard()).toBe(finding?.transcript[0]?.curl);
  });

  it("tells the story in lanes, with the time between", async () => {
    const { page } = await browser.open(html);
    const heads = await page.locator(".timeline thead th").allTextContents();
    expect(heads).toEqual(["Time", "HTTP", "Chain", "Webhooks"]);
    expect(await page.locator(".timeline .gap").allTextContents()).toEqual(["1 min 0.1 s later"]);
    expect(await page.textContent(".timeline tr.evidence")).toContain("POST /v1/jobs/job_1/dispute 200 evidence");
  });

  it("opens what an address points at, even when a filter hides it", async () => {
    const { page } = await browser.open(html);
    await page.click("button[data-all=close]");
    await page.evaluate("location.hash = 'f-0a1b2c3d'");
    await page.waitForSelector("#f-0a1b2c3d > details[open]");
    await page.click("button[data-status=failed]");
    const passed = rows.find((row) => row.status === "passed");
    await page.evaluate(`location.hash = ${JSON.stringify(`r-${passed?.id}`)}`);
    await page.locator(`[id='r-${passed?.id}']`).waitFor({ state: "visible" });
  });

  it("keeps the theme that the reader chose", async () => {
    const { page } = await browser.open(html, { colorScheme: "light" });
    const paper = (): Promise<unknown> => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await paper();
    await page.click("#theme");
    expect(await page.getAttribute("#theme", "aria-label")).toBe("Theme: dark");
    expect(await paper()).not.toBe(light);
    await page.reload();
    expect(await paper()).not.toBe(light);
  });

  it("prints everything that is folded, and nothing to press", async () => {
    const { page } = await browser.open(html);
    await page.click("button[data-all=close]");
    await page.emulateMedia({ media: "print" });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator(".finding .copy").first().isVisible()).toBe(true);
    expect(await page.locator(".filters").isVisible()).toBe(false);
    expect(await page.locator(".copier:visible").count()).toBe(0);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    expect(await page.locator("details[open]").count()).toBe(0);
  });

  it.each(THEMES)("has no serious fault of access, and fits a phone (%s)", async (colorScheme) => {
    const { page } = await browser.open(html, { colorScheme, viewport: { width: 360, height: 800 } });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    // One section's rows are like another's: axe need not weigh the colours of all.
    await page.selectOption("[name=section]", "4.7");
    expect(await seriousFaults(page)).toEqual([]);
  });

  it("shows what a hostile target said as text, and obeys none of it", async () => {
    const { page } = await browser.open(await conformanceHtml(hostileReport()));
    await page.click("button[data-all=open]");
    expect(await page.evaluate("window.pwned")).toBeUndefined();
    expect(await page.locator("img, iframe, object, main svg, main script").count()).toBe(0);
    const start = HOSTILE.slice(0, 60);
    expect(await page.textContent(".versus .seen")).toContain(start);
    expect(await page.textContent("h1 + .target")).toContain(start);
    expect(await page.textContent(".answer")).toContain(start);
    await page.click("[aria-label='Copy the replay line']");
    await page.waitForSelector(".copier.done");
    const side = await browser.open(await compareHtml([hostileReport(), wholeReport()], [HOSTILE, "other"]));
    expect(await side.page.evaluate("window.pwned")).toBeUndefined();
    expect(await side.page.textContent(".overview tbody th")).toContain(start);
  });

  it("opens 300 findings at once, from less than 5 MB", async () => {
    const many = await conformanceHtml(manyFindings(300));
    const bytes = Buffer.byteLength(many);
    expect(bytes).toBeLessThan(5_000_000);
    const { page, loaded } = await browser.open(many);
    console.info(`300 findings: ${(bytes / 1e6).toFixed(2)} MB, opened in ${loaded.toFixed(0)} ms`);
    expect(await page.locator(".finding").count()).toBe(300);
    expect(loaded).toBeLessThan(15_000);
  });
});

describe.skipIf(absent)(`the comparison in a browser${absent ? `: ${absent}` : ""}`, () => {
  let browser: PageBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it("begins with what differs, tells regressions, and has the rest behind a button", async () => {
    const before = wholeReport();
    const broken = before.requirements.findIndex((row) => row.status === "passed");
    const after = {
      ...before,
      requirements: before.requirements.map((row, index) =>
        index === broken ? { ...row, status: "failed" as const } : row,
      ),
    };
    const { page } = await browser.open(await compareHtml([before, after], ["before", "after"]));
    const shown = page.locator("#matrix tr.row:visible");
    expect(await shown.count()).toBe(1);
    expect(await shown.locator("td .badge").allTextContents()).toEqual(["✓passed", "✕failed"]);
    expect(await page.locator("#changes .changed li").count()).toBe(1);
    expect(await seriousFaults(page)).toEqual([]);
    await page.click("button[data-differing]");
    expect(await shown.count()).toBe(rows.length);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await overflow(page)).toBe(0);
  });
});
