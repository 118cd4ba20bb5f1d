import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "./commands/run.ts";

const SMALL = `
duration: 5min
workers:
  - { kind: native, count: 2, slots: 2, stake: 1000 }
clients:
  - { name: "<b>crowd</b>", wallets: 5, units: 500, arrivals: { process: poisson, rate: 0.2 } }
`;

let folder = "";
const file = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-run-page-"));
  writeFileSync(file("small.yaml"), SMALL);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(options: object): Promise<{ readonly code: number; readonly out: string }> {
  let out = "";
  const streams = { out: { write: (text: string) => (out += text) }, err: { write: () => true }, env: {} };
  const flags = { scenario: file("small.yaml"), json: false, quiet: true, ...options };
  return { code: await runCommand(flags as never, streams as never), out };
}

describe("assay run --html", () => {
  it("writes the same run that it prints, beside the record, and twice the same bytes", async () => {
    const { code, out } = await run({ html: file("a.html"), record: file("a.ndjson") });
    expect(code).toBe(0);
    const html = readFileSync(file("a.html"), "utf8");
    const hash = /hash ([0-9a-f]{16})/.exec(out)?.[1];
    expect(html).toContain(`<code>${hash}</code>`);
    const events = readFileSync(file("a.ndjson"), "utf8").trim().split("\n").length;
    expect(html).toContain(`"events":${events},`);
    expect(html).not.toContain("<b>crowd");
    await run({ html: file("b.html") });
    expect(readFileSync(file("b.html"), "utf8")).toBe(html);
    expect(existsSync(file("a.html.partial"))).toBe(false);
  });

  it("replays a window, so many events, or nothing", async () => {
    const replayed = async (motion: string): Promise<RegExpMatchArray | null> => {
      await run({ html: file("m.html"), motion });
      return readFileSync(file("m.html"), "utf8").match(/"events":(\d+),"from":(\d+),"to":(\d+)/);
    };
    expect((await replayed("50"))?.[1]).toBe("50");
    expect((await replayed("1min..2min"))?.slice(2)).toEqual(["60000000", "120000000"]);
    expect(await replayed("none")).toBeNull();
  });

  it("refuses before the run what it cannot do", async () => {
    await expect(run({ html: file("no/such.html") })).rejects.toThrow("--html");
    await expect(run({ html: file("a.html"), motion: "often" })).rejects.toThrow("--motion");
    await expect(run({ html: file("a.html"), motion: "2min..1min" })).rejects.toThrow("after its beginning");
    await expect(run({ motion: "50" })).rejects.toThrow("--html with it");
    expect(existsSync(file("a.html"))).toBe(false);
  });
});
