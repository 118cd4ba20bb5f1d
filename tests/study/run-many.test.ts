/** `assay run` with more than one run: figures with intervals, to a precision, in pairs, in batches; and flags that do not fit together. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type ManyFlags, runManyCommand, wantsMany } from "../../bin/study/run-flags.ts";
import { metrics } from "../../sim/study/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-many-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function scenario(name: string, slots: number): string {
  const file = join(scratch, `${name}.yaml`);
  writeFileSync(
    file,
    `name: ${name}
duration: 20min
models: [{ id: a, tier: lite }]
workers: [{ kind: browser, count: 2, slots: ${slots}, service: "exponential(mean=10s)" }]
clients: [{ name: all, units: 1000000, arrivals: { process: poisson, rate: 0.15 } }]
`,
  );
  return file;
}
const one = scenario("one slot", 1);
const two = scenario("two slots", 2);

async function run(flags: ManyFlags, json = false, file = one): Promise<{ code: number; out: string }> {
  let out = "";
  const sink = {
    write: (text: string) => {
      out += text;
    },
  };
  const options = { scenario: file, quiet: true, json, threads: 0, warmUp: "none", ...flags };
  const code = await runManyCommand(options, { out: sink, err: sink, env: {} });
  return { code, out: out.replaceAll(scratch, "") };
}

interface Told {
  readonly replications: number;
  readonly precision: { readonly reached: boolean };
  readonly figures: readonly {
    readonly name: string;
    readonly interval: { readonly mean: number; readonly halfWidth: number };
    readonly values: readonly number[];
  }[];
}

describe("assay run with many runs", () => {
  it("prints figures with intervals, and what replays the runs", async () => {
    const { code, out } = await run({ replications: 3, metric: ["sojourn.mean", "jobs.settledShare"] });
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "one slot  /one slot.yaml
      3 replications, seed 1
      warm-up     no jobs left out

                         mean ± half-width, 95 %
      sojourn.mean       20.1 ± 3.8               s
      jobs.settledShare  1 ± 0

      replay      assay run /one slot.yaml --seed 1-0 (to 1-2)
      "
    `);
  });

  it("records every metric, each run the same as alone", async () => {
    const { figures, replications }: Told = JSON.parse((await run({ replications: 2 }, true)).out);
    expect(replications).toBe(2);
    expect(figures.map(({ name }) => name)).toEqual(expect.arrayContaining(metrics.map(({ name }) => name)));
    const again: Told = JSON.parse((await run({ replications: 3, metric: ["wait.mean"] }, true)).out);
    expect(again.figures[0]!.values.slice(0, 2)).toEqual(figures.find(({ name }) => name === "wait.mean")!.values);
  });

  it("goes on until the figure is as precise as was asked, or the ceiling is reached, which it says", async () => {
    const precise: Told = JSON.parse(
      (await run({ precision: "10%", metric: ["requests.arrived"], floor: 3 }, true)).out,
    );
    const { mean, halfWidth } = precise.figures[0]!.interval;
    expect(halfWidth / mean).toBeLessThanOrEqual(0.1);
    expect(precise.precision.reached).toBe(true);
    const { out } = await run({ precision: "0.1%", metric: ["wait.mean"], floor: 2, ceiling: 4 });
    expect(out).toContain("4 replications");
    expect(out).toContain("wait.mean within 0.1 %: not reached at the ceiling");
  });

  it("tells what differs between two scenarios, pair by pair, and what does not", async () => {
    const { out } = await run({ against: two, replications: 4, metric: ["wait.mean", "requests.arrived"] });
    expect(out).toMatch(/wait\.mean .* the second is lower\n/);
    expect(out).toMatch(/requests\.arrived .* equal in every pair\n/);
  });

  it("cuts one run into batches, and says where they are too short", async () => {
    const { out } = await run({ batches: 10, metric: ["wait.mean"] });
    expect(out).toContain("one run in 10 batches of ");
    expect(out).toMatch(/wait\.mean +[\d.]+ ± [\d.]+ +s /);
    await expect(run({ batches: 1_000 })).rejects.toThrow("The run is too short for so many batches.");
    await expect(run({ batches: 5, metric: ["treasury"] })).rejects.toThrow("one of the whole run and has no batches");
  });

  it("refuses what does not fit together", async () => {
    expect(wantsMany({})).toBe(false);
    expect(wantsMany({ replications: 2 })).toBe(true);
    expect(() => wantsMany({ metric: ["wait.mean"] })).toThrow("This option is for more than a single run.");
    expect(() => wantsMany({ replications: 2, precision: "1%" })).toThrow("said twice");
    expect(() => wantsMany({ batches: 2, against: "x" })).toThrow("Batches are those of one run.");
    expect(() => wantsMany({ replications: 2, record: "x" } as ManyFlags)).toThrow("This option is for a single run.");
    await expect(run({ replications: 2, metric: ["wait.median"] })).rejects.toThrow("There is no such metric.");
    await expect(run({ precision: "often" })).rejects.toThrow("This is no precision.");
    await expect(run({ replications: 0 })).rejects.toThrow("This is no number of them.");
    await expect(run({ replications: 2, warmUp: "long" })).rejects.toThrow("This is no rule for the warm-up.");
  });
});
