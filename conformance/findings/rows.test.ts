import { describe, expect, it } from "vitest";
import type { Evidence } from "./evidence.ts";
import { compareIds, fingerprint } from "./finding.ts";
import { countsOf, observationsFrom, rowsFrom, type Weighed } from "./rows.ts";

const source = { case: "a/case", by: "case" };
const requirement = "4.7/3";
const passed: Evidence = { kind: "passed", requirement, source };
const inconclusive: Evidence = { kind: "inconclusive", requirement, source, reason: "cut off" };
const idle: Evidence = { kind: "not-exercised", requirement, source, reason: "no clock" };
const fault = { requirement, title: "t", expected: "e", seen: "s", exchanges: [] } as const;
const failed: Evidence = { kind: "failed", requirement, source, fault };
const observed = (choice: string, consistent = false): Evidence => ({
  kind: "observed",
  requirement,
  source,
  choice,
  consistent,
});

/** How the row ends with this evidence, and why. */
function ends(...evidence: readonly Weighed[]) {
  const [row] = rowsFrom(
    evidence,
    () => ["nobody tried"],
    (id) => id === requirement,
  );
  return [row?.status, ...(row?.reasons ?? [])];
}

describe("a row", () => {
  it("fails when anything failed, and is flaky when all that failed was", () => {
    expect(ends(passed, inconclusive, failed)).toEqual(["failed"]);
    expect(ends(passed, { ...failed, flaky: true })).toEqual(["flaky"]);
    expect(ends({ ...failed, flaky: true }, failed)).toEqual(["failed"]);
  });

  it("is not passed by evidence that was cut off, nor by none", () => {
    expect(ends(passed, inconclusive)).toEqual(["inconclusive", "cut off"]);
    expect(ends(idle)).toEqual(["not-exercised", "no clock"]);
    expect(ends()).toEqual(["not-exercised", "nobody tried"]);
  });

  it("is passed although another case could not try it", () => {
    expect(ends(passed, idle)).toEqual(["passed"]);
  });

  it("is observed, and fails where the choices must be one and are two", () => {
    expect(ends(passed, observed("a"), observed("b"))).toEqual(["observed"]);
    expect(ends(observed("a", true), observed("a", true), observed("b"))).toEqual(["observed"]);
    expect(ends(observed("a", true), observed("b", true))).toEqual(["failed"]);
  });

  it("is counted once", () => {
    const rows = rowsFrom([passed, failed], () => []);
    expect(countsOf(rows)).toMatchObject({ passed: 0, failed: 1 });
    expect(rows.length).toBeGreaterThan(200);
  });
});

describe("observations", () => {
  it("count the choices in the order in which they were first seen", () => {
    expect(observationsFrom([observed("b"), observed("a"), observed("b"), passed])).toMatchObject([
      {
        requirement,
        choices: [
          { choice: "b", count: 2 },
          { choice: "a", count: 1 },
        ],
        contradicted: false,
      },
    ]);
  });
});

describe("findings", () => {
  it("have one name for one fault", () => {
    expect(fingerprint(fault)).toMatch(/^[0-9a-f]{8}$/);
    expect(fingerprint(fault)).toBe(fingerprint({ requirement, title: "t" }));
    expect(fingerprint(fault)).not.toBe(fingerprint({ requirement, title: "u" }));
  });

  it("are in the contract's order, by numbers", () => {
    expect(["4.10/1", "4.2/10", "4/1", "4.2/2", "10", "9"].sort(compareIds)).toEqual([
      "4/1",
      "4.2/2",
      "4.2/10",
      "4.10/1",
      "9",
      "10",
    ]);
  });
});
