import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clean, finding, reportWith } from "../conformance/baseline/report.fixture.ts";
import { openGate } from "./gate.ts";

let folder = "";
const file = (name: string): string => join(folder, name);
const read = (name: string): string => readFileSync(file(name), "utf8");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-gate-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a gate", () => {
  it("writes each file that was asked for, whole", async () => {
    const gate = openGate({
      json: file("r.json"),
      junit: file("r.xml"),
      markdown: file("r.md"),
      html: file("r.html"),
      annotations: true,
    });
    const { annotations, exitCode } = await gate.close(reportWith());
    expect(exitCode).toBe(1);
    expect(JSON.parse(read("r.json"))).toMatchObject({ format: "assay-report/1" });
    expect(read("r.xml")).toContain("<failure");
    expect(read("r.md")).toContain("## Findings");
    expect(read("r.html")).toContain("<h1>Not conformant</h1>");
    expect(annotations).toMatch(/^::error title=assay 4.7\/11::/);
    expect(readdirSync(folder).sort()).toEqual(["r.html", "r.json", "r.md", "r.xml"]);
  });

  it("passes a run whose failures its own baseline knows, and fails when one is mended", async () => {
    await openGate({ writeBaseline: file("known.json") }).close(reportWith());
    const gate = openGate({ baseline: file("known.json"), junit: file("r.xml") });
    expect(await gate.close(reportWith())).toMatchObject({
      exitCode: 0,
      told: expect.stringContaining("1 known, 0 new, 0 stale"),
    });
    expect(read("r.xml")).not.toContain("<failure");
    expect(await gate.close(clean)).toMatchObject({ exitCode: 1, told: expect.stringContaining("stale  4.7/11") });
    const other = { ...finding, fingerprint: "ffffffff", requirement: "4.7/10" } as const;
    expect(await gate.close(reportWith({ findings: [finding, other] }))).toMatchObject({
      exitCode: 1,
      told: expect.stringContaining("new    4.7/10"),
    });
  });

  it("says before the run what cannot be read or written", () => {
    expect(() => openGate({ baseline: file("none.json") })).toThrow("The baseline cannot be read.");
    expect(() => openGate({ junit: file("no/such/folder.xml") })).toThrow("--junit");
    writeFileSync(file("bad.json"), "{");
    expect(() => openGate({ baseline: file("bad.json") })).toThrow("a JSON document");
  });
});
