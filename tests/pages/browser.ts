/** Opens pages in headless Chromium, from files, and keeps an eye on what they do besides. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Where a Chromium may be; `CHROMIUM` names one elsewhere. */
const PLACES = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
export const executable = PLACES.find((path) => path !== undefined && path !== "" && existsSync(path));

/** Why the pages are not opened; false where they are. */
export const absent: string | false =
  executable === undefined && "no Chromium is installed (apt-get install chromium, or CHROMIUM=<path>)";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-quic",
  "--no-first-run",
  "--disable-component-update",
  "--disable-sync",
];

export interface Opened {
  readonly page: Page;
  /** Milliseconds from the start of the navigation to the end of the load event. */
  readonly loaded: number;
}

export interface PageBrowser {
  /** Opens a page; whatever it says on the console as an error, throws, or asks of the network fails `close`. */
  open(html: string, options?: BrowserContextOptions): Promise<Opened>;
  close(): Promise<void>;
}

export async function openBrowser(): Promise<PageBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: executable as string, args: FLAGS });
  const folder = mkdtempSync(join(tmpdir(), "assay-pages-"));
  const faults: string[] = [];
  let count = 0;
  return {
    async open(html, options = {}) {
      const file = join(folder, `${count++}.html`);
      writeFileSync(file, html);
      const url = pathToFileURL(file).href;
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) faults.push(`console: ${message.text()}`);
      });
      page.on("pageerror", (error) => faults.push(`thrown: ${error.message}`));
      page.on("dialog", (dialog) => {
        faults.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on("request", (request) => {
        const asked = request.url();
        if (!asked.startsWith(url) && !/^(data|blob):/.test(asked)) faults.push(`asked for ${asked}`);
      });
      await page.goto(url);
      const loaded = await page.evaluate<number>("performance.getEntriesByType('navigation')[0].loadEventEnd");
      return { page, loaded };
    },
    async close() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
      expect(faults).toEqual([]);
    },
  };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** What axe-core finds that is serious or critical, each with where. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then((result) => result.violations)",
  );
  return (violations as readonly Violation[])
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 160))
          .join(" | ")}`,
    );
}

/** How many pixels the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - innerWidth") as Promise<number>;
}
