/**
 * Runs every command of the README and of `docs/` and holds the output against what the page shows. Each block is one bash session in an empty
 * folder with `assay` on the path; what a block starts in the background ends with it. `npm ci` is left out here: the gate runs it
 * before these tests, on a clean clone.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, consoleBlocks, matches } from "./console-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pagesIn = (folder: string): readonly string[] =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `${folder}/${name}`)
    : [];
/** The tutorials have a test of their own, which follows each from its first line to its last. */
const pages = ["README.md", ...pagesIn("docs"), ...pagesIn("docs/how-to")];

const MARK = "----end-of-step----";
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-docs-"));
  symlinkSync(join(root, "../shared"), join(folder, "shared"));
  const shim = join(folder, "assay");
  writeFileSync(shim, `#!/bin/sh\nexec node "${join(root, "dist/bin/assay.js")}" "$@"\n`);
  chmodSync(shim, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What one user would type, without the install that the gate has done. */
const command = (text: string): string =>
  text
    .replace(/npm ci && /g, "")
    .replace(/\bnpm start\b/g, `npm --silent --prefix "${root}" start`)
    .replace(/\bnpx assay\b/g, "assay");

function run(block: Block): string[] {
  const home = mkdtempSync(join(folder, "block-"));
  // Pages speak of files as they lie in the checkout.
  for (const name of ["scenarios", "fixtures", "docs"])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(home, name));
  const script = [
    "trap 'jobs -p | xargs -r kill 2>/dev/null; wait 2>/dev/null' EXIT",
    ...block.steps.flatMap((step) => [command(step.command), `echo; echo ${MARK}`]),
  ].join("\n");
  const result = spawnSync("bash", ["-c", script], {
    cwd: home,
    encoding: "utf8",
    timeout: 170_000,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, NO_COLOR: "1", COLUMNS: "120" },
  });
  return result.stdout.split(`\n${MARK}\n`).slice(0, block.steps.length);
}

const shown = pages
  .map((page) => ({ page, blocks: consoleBlocks(readFileSync(join(root, page), "utf8")) }))
  .filter(({ blocks }) => blocks.length > 0);

describe.each(shown)("$page", ({ blocks }) => {
  for (const block of blocks) {
    it(`line ${block.line}: ${block.steps[0]?.command}`, () => {
      const outputs = run(block);
      block.steps.forEach((step, index) => {
        if (step.output.length === 0) return;
        const seen = outputs[index] ?? "";
        expect(matches(step.output, seen), `promised:\n${step.output.join("\n")}\n\nseen:\n${seen}`).toBe(true);
      });
    }, 180_000);
  }
});

/** Relative links of a page that lead to no file. */
const dead = (page: string): readonly string[] =>
  [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map((match) => match[1] ?? "")
    .filter((link) => !/^https?:/.test(link) && !existsSync(join(root, dirname(page), link)));

it("every link of every page leads somewhere", () => {
  const all = [...pages, ...pagesIn("docs/tutorials"), "ARCHITECTURE.md", "CHANGELOG.md", "conformance/README.md"];
  expect(all.flatMap((page) => dead(page).map((link) => `${page}: ${link}`))).toEqual([]);
});
