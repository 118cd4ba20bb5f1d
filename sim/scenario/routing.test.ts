import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { policies } from "../actors/index.ts";
import { type RunResult, runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "./index.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-routing-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const scenario = (routing: string): string => `
duration: 20min
models: [{ id: a, tier: lite }]
routing: ${routing}
workers:
  - { kind: native, count: 4, slots: 4, service: exponential(mean=4s), stake: 4000 }
  - { kind: browser, count: 8, service: exponential(mean=12s), failing: 0.1 }
clients:
  - { name: all, units: 100000, arrivals: { process: poisson, rate: 1.5 } }
`;

function build(routing: string) {
  return buildScenario(parseScenario(scenario(routing), join(scratch, "routing.yaml")));
}

describe("routing in a scenario", () => {
  it("changes where jobs go, and nothing of what is promised", async () => {
    const results: Record<string, RunResult> = {};
    for (const name of Object.keys(policies)) results[name] = await runWorld(build(name));
    for (const { violations, figures } of Object.values(results)) {
      expect(violations).toEqual([]);
      expect(figures.jobs.unfinished).toBe(0);
    }
    const native = (name: string): number => results[name]!.figures.workers.native.jobs;
    expect(new Set(Object.values(results).map(({ hash }) => hash)).size).toBe(Object.keys(policies).length);
    expect(native("fastest")).toBeGreaterThan(native("round-robin") * 1.5);
    expect(native("stake-weighted")).toBeGreaterThan(native("random") * 1.5);
    expect(native("reputation")).toBeGreaterThan(native("random"));
  });

  it("is a module of the user's own where a path stands", async () => {
    const text = `export default () => {
      const free = new Set();
      return { add: (w) => free.add(w.id), remove: (w) => free.delete(w.id), choose: () => Math.max(-1, ...free) };
    };`;
    writeFileSync(join(scratch, "last.mjs"), text);
    const own = await runWorld(build("./last.mjs"));
    const { browser } = (await runWorld(build("round-robin"))).figures.workers;
    expect(own.violations).toEqual([]);
    // The highest ids are those of browser workers.
    expect(own.figures.workers.browser.jobs).toBeGreaterThan(browser.jobs);
  });

  it("is refused with its place where it cannot be had", async () => {
    writeFileSync(join(scratch, "none.mjs"), "export const policy = 1;");
    writeFileSync(join(scratch, "lame.mjs"), "export default () => ({ add() {}, remove() {} });");
    writeFileSync(join(scratch, "wrong.mjs"), "export default () => ({ add() {}, remove() {}, choose: () => 3 });");
    expect(() => build("least-loded")).toThrow(/routing.yaml:4:10, routing[\s\S]*did you mean "least-loaded"/);
    expect(() => build("./missing.mjs")).toThrow(/cannot be loaded[\s\S]*routing.yaml:4:10/);
    expect(() => build("./none.mjs")).toThrow(/seen +policy/);
    await expect(runWorld(build("./lame.mjs"))).rejects.toThrow(/choose is missing/);
    const alone = build("./wrong.mjs");
    await expect(runWorld({ ...alone, workers: alone.workers.map((each) => ({ ...each, count: 1 })) })).rejects.toThrow(
      /chose a worker that is not free[\s\S]*seen +3/,
    );
  });
});
