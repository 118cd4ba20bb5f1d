import { describe, expect, it } from "vitest";
import type { ConformError } from "../errors.ts";
import { baselineOf, holdAgainst, parseBaseline } from "./baseline.ts";
import { compareReports } from "./compare.ts";
import { clean, finding, reportWith } from "./report.fixture.ts";

const empty = { format: "assay-baseline/1", known: [] } as const;

describe("a baseline", () => {
  it("knows what it was made of: the run then passes", () => {
    const report = reportWith();
    const held = holdAgainst(report, baselineOf(report));
    expect(held).toMatchObject({ fresh: [], known: [finding], stale: [], exitCode: 0 });
  });

  it("fails for a finding that it does not know", () => {
    expect(holdAgainst(reportWith(), empty)).toMatchObject({ fresh: [finding], exitCode: 1 });
    const other = parseBaseline(
      '{"format":"assay-baseline/1","known":[{"requirement":"4.7/11","fingerprint":"ffffffff"}]}',
      "b.json",
    );
    expect(holdAgainst(reportWith(), other)).toMatchObject({ fresh: [finding], stale: other.known, exitCode: 1 });
  });

  it("fails for an entry that no longer fails, and only says so where nothing was decided", () => {
    const stale = { ...empty, known: [{ requirement: "4.7/11" }] } as const;
    expect(holdAgainst(clean, stale)).toMatchObject({ stale: stale.known, exitCode: 1 });
    const undecided = { ...empty, known: [{ requirement: "4.7/12" }] } as const;
    expect(holdAgainst(clean, undecided)).toMatchObject({ stale: [], undecided: undecided.known, exitCode: 0 });
  });

  it("never hides a fault of the harness, and leaves flaky findings out", () => {
    const faulty = reportWith({ exitCode: 3 });
    expect(holdAgainst(faulty, baselineOf(faulty)).exitCode).toBe(3);
    expect(baselineOf(reportWith({ findings: [{ ...finding, flaky: true }] })).known).toEqual([]);
  });

  it("says what is wrong with a file", () => {
    const facts = (text: string): unknown => {
      try {
        parseBaseline(text, "known.json");
      } catch (error) {
        return (error as ConformError).facts;
      }
      return undefined;
    };
    expect(facts("{")).toMatchObject({ where: "known.json", expected: "a JSON document" });
    expect(facts("{}")).toMatchObject({ where: "known.json /format" });
    expect(facts('{"format":"assay-baseline/1","known":[{"requirement":"4.7/999"}]}')).toMatchObject({
      where: "known.json /known/0/requirement",
      seen: "4.7/999",
    });
  });
});

describe("compareReports", () => {
  it("tells what became worse and what was mended", () => {
    const worse = compareReports([clean, reportWith()], ["a", "b"]);
    expect(worse.regressions.map((row) => row.id)).toEqual(["4.7/11"]);
    expect(worse.repairs).toEqual([]);
    expect(compareReports([reportWith(), clean], ["a", "b"]).repairs.map((row) => row.id)).toEqual(["4.7/11"]);
  });

  it("lists where several differ", () => {
    const three = compareReports([clean, reportWith(), clean], ["a", "b", "c"]);
    expect(three.differing.map((row) => [row.id, ...row.statuses])).toEqual([["4.7/11", "passed", "failed", "passed"]]);
    expect(three.regressions).toEqual([]);
  });
});
