import { describe, expect, it } from "vitest";
import { consoleBlocks, matches } from "./console-blocks.ts";

const page = [
  "text",
  "```console",
  "$ assay --help \\",
  "  | head -2",
  "usage",
  "",
  "$ true",
  "```",
  "```sh",
  "rm -rf",
  "```",
].join("\n");

describe("consoleBlocks", () => {
  it("reads commands with their output and leaves other blocks alone", () => {
    expect(consoleBlocks(page)).toEqual([
      {
        line: 2,
        steps: [
          { command: "assay --help \\\n  | head -2", output: ["usage"] },
          { command: "true", output: [] },
        ],
      },
    ]);
  });

  it("takes a here-document as part of its command", () => {
    const block = ["```console", "$ cat > a <<'END'", "$ not a command", "END", "out", "```"].join("\n");
    expect(consoleBlocks(block)[0]?.steps).toEqual([
      { command: "cat > a <<'END'\n$ not a command\nEND", output: ["out"] },
    ]);
  });

  it("refuses a block that begins with output", () => {
    expect(() => consoleBlocks("```console\nout\n```")).toThrow("line 1");
  });
});

describe("matches", () => {
  it("takes equal text, lines left out and figures left open", () => {
    expect(matches(["a", "...", "d"], "a\nb\nc\nd\n")).toBe(true);
    expect(matches(["took … ms"], "took 12.3 ms\n")).toBe(true);
    expect(matches([], "")).toBe(true);
  });

  it("rejects another text, a missing line and one too many", () => {
    expect(matches(["a"], "b\n")).toBe(false);
    expect(matches(["a", "b"], "a\n")).toBe(false);
    expect(matches(["a"], "a\nb\n")).toBe(false);
    expect(matches(["1.5"], "125\n")).toBe(false);
  });
});
