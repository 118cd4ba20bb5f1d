/**
 * The tutorials, followed word for word: on a copy of the files that a clone has, built as `npm ci` builds it, every console block of a page in order in one
 * session. The installed packages are linked instead of downloaded again; nothing else is taken over.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { consoleBlocks, matches } from "./console-blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tutorials = readdirSync(join(root, "docs/tutorials")).filter((name) => name.endsWith(".md"));

const MARK = "----end-of-step----";
let checkout = "";

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "assay-checkout-"));
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const path of listed.toString().split("\n").filter(Boolean)) {
    // A file that is deleted and not yet committed is still listed.
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(checkout, path)), { recursive: true });
    cpSync(join(root, path), join(checkout, path));
  }
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  execFileSync("npm", ["run", "prepare"], { cwd: checkout, stdio: "ignore" });
}, 120_000);
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

describe("the tutorials", () => {
  it("are there for the three kinds of people, and begin from nothing", () => {
    expect(tutorials.sort()).toEqual(["ci.md", "implementer.md", "researcher.md"]);
    for (const page of tutorials) {
      expect(readFileSync(join(root, "docs/tutorials", page), "utf8")).toContain(
        "git clone <this repository> assay && cd assay\nnpm ci\n",
      );
    }
  });

  it.each(tutorials)(
    "%s can be followed word for word",
    (page) => {
      const steps = consoleBlocks(readFileSync(join(root, "docs/tutorials", page), "utf8")).flatMap(
        (block) => block.steps,
      );
      expect(steps.length).toBeGreaterThan(5);
      const script = [
        "trap 'jobs -p | xargs -r kill 2>/dev/null; wait 2>/dev/null' EXIT",
        ...steps.flatMap(({ command }) => [command, `echo; echo ${MARK}`]),
      ].join("\n");
      // Into files: a server that a page leaves running must not hold a pipe, and with it this test, open.
      const files = ["out", "err"].map((name) => join(checkout, `${page}.${name}`));
      const descriptors = files.map((file) => openSync(file, "w"));
      spawnSync("bash", ["-c", script], {
        cwd: checkout,
        stdio: ["ignore", ...descriptors],
        timeout: 240_000,
        env: { ...process.env, NO_COLOR: "1", npm_config_offline: "true", npm_config_loglevel: "error" },
      });
      for (const descriptor of descriptors) closeSync(descriptor);
      const [stdout = "", stderr = ""] = files.map((file) => readFileSync(file, "utf8"));
      const outputs = stdout.split(`\n${MARK}\n`);
      steps.forEach(({ command, output }, index) => {
        if (output.length === 0) return;
        const seen = outputs[index] ?? "";
        const told = `$ ${command}\npromised:\n${output.join("\n")}\n\nseen:\n${seen}\n\n${stderr}`;
        expect(matches(output, seen), told).toBe(true);
      });
    },
    300_000,
  );
});
