import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { type CaseContext, defineCase, type PropertyOptions } from "../cases/case.ts";
import type { LocalServer } from "../exchange/local-server.fixture.ts";
import type { TargetOptions } from "../target/options.ts";
import { honest, judgeWith, optionsFor, standIn } from "./stand-in.fixture.ts";

let server: LocalServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A run of one case with one property. */
async function tried<Value>(
  property: (t: CaseContext) => PropertyOptions<Value>,
  changes: Partial<TargetOptions> = {},
) {
  server = await standIn(honest());
  const definition = defineCase({
    id: "9/property",
    title: "a property",
    requirements: ["9/1"],
    needs: ["key"],
    run: (t) => t.property(property(t)),
  });
  return await judgeWith([definition], optionsFor(server.url, changes));
}

/** Fails for everything above 17, and asks the service once a run. */
const below18 =
  (seen: number[] = []) =>
  (t: CaseContext): PropertyOptions<number> => ({
    arbitrary: fc.integer({ min: 0, max: 1_000 }),
    async run(value) {
      seen.push(value);
      await t.api.account();
      t.check("9/1", value < 18, { title: "too large", expected: "less than 18", seen: value });
    },
  });

describe("a property", () => {
  it("that fails is told by its shortest counterexample, with the path that replays it", async () => {
    const report = await tried(below18());
    const [finding] = report.findings;
    expect(finding).toMatchObject({ requirement: "9/1", title: "too large", seen: "18\nfor 18", flaky: false });
    expect(finding?.transcript).toHaveLength(1);
    const path = /--path (\S+)$/.exec(finding?.replay ?? "")?.[1];
    expect(path).toMatch(/^1:\d+(:\d+)*$/);
    await server?.close();

    const seen: number[] = [];
    const again = await tried(below18(seen), { path });
    expect(seen[0]).toBe(18);
    expect(again.findings[0]).toMatchObject({ seen: "18\nfor 18" });
  });

  it("that holds is evidence, and runs as often as it is told", async () => {
    const seen: number[] = [];
    const report = await tried<number>(
      (t) => ({
        arbitrary: fc.nat(),
        async run(value) {
          seen.push(value);
          t.pass("9/1");
        },
      }),
      { runs: 7 },
    );
    expect(seen).toHaveLength(7);
    expect(report.requirements.find((row) => row.id === "9/1")).toMatchObject({ status: "passed", passes: 7 });
  });

  it("stops where the budget does", async () => {
    const seen: number[] = [];
    const report = await tried<number>(
      (t) => ({
        arbitrary: fc.nat(),
        cost: () => 3,
        async run(value) {
          seen.push(value);
          await t.api.account();
        },
      }),
      { maxCredits: 2 },
    );
    expect(seen).toEqual([]);
    expect(report.requirements.find((row) => row.id === "9/1")).toMatchObject({
      status: "not-exercised",
      reasons: ["9/property: the budget is spent (--max-credits)"],
    });
  });

  it("whose run throws is a fault of the judge, and is not shrunk", async () => {
    let runs = 0;
    const report = await tried(() => ({
      arbitrary: fc.integer({ min: 100, max: 1_000 }),
      async run() {
        runs += 1;
        throw new TypeError("oops");
      },
    }));
    expect(runs).toBe(1);
    expect(report.faults[0]?.message).toContain("oops");
    expect(report.findings).toEqual([]);
  });

  it("draws the same whichever other cases run", async () => {
    const one: number[] = [];
    const two: number[] = [];
    await tried(below18(one), { runs: 3 });
    await server?.close();
    await tried(below18(two), { runs: 3 });
    expect(one).toEqual(two);
  });
});
