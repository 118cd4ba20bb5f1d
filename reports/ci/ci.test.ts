import { describe, expect, it } from "vitest";
import { finding, reportWith } from "../../conformance/baseline/report.fixture.ts";
import { toAnnotations, toMarkdown } from "./index.ts";
import { toJUnit } from "./junit.ts";

const report = reportWith();

describe("toJUnit", () => {
  it("has a case for each requirement: failed, skipped with its reason, passed", () => {
    expect(toJUnit(report)).toMatchSnapshot();
  });

  it("tells a known failure as skipped and a harness fault as an error", () => {
    expect(toJUnit(report, [finding])).toContain("known failure: a late dispute is heard");
    expect(toJUnit(report, [finding])).not.toContain("<failure");
    expect(toJUnit(reportWith({ faults: [{ case: "4.7/late", message: "boom" }] }))).toContain("boom");
  });
});

describe("toMarkdown", () => {
  it("is a page with the table, the findings and the open points", () => {
    const open = {
      requirement: "4.7/7",
      text: "The body",
      choices: [{ choice: "204 | none", count: 2 }],
      contradicted: false,
    } as const;
    expect(toMarkdown(reportWith({ observations: [open] }))).toMatchSnapshot();
  });

  it("lists known failures apart", () => {
    expect(toMarkdown(report, [finding])).toContain("## Known failures");
    expect(toMarkdown(report, [finding])).not.toContain("## Findings");
  });
});

describe("toAnnotations", () => {
  it("is one command a finding, with line ends and commas escaped", () => {
    expect(toAnnotations(report)).toBe(
      "::error title=assay 4.7/11::a late dispute is heard | <b>%0Aexpected: 422%0Aseen: 200, dispute_opened: true%0A" +
        "replay: assay conform https://host --only 4.7/late --seed 1\n",
    );
    expect(toAnnotations(report, [finding])).toMatch(/^::notice/);
    expect(toAnnotations(reportWith({ findings: [{ ...finding, flaky: true }] }))).toMatch(/^::warning/);
  });
});
