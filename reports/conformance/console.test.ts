import { describe, expect, it } from "vitest";
import type { Report } from "../../conformance/index.ts";
import { palette } from "../palette.ts";
import { renderReport } from "./console.ts";
import { reportJson } from "./json.ts";

const counts = { passed: 1, failed: 1, flaky: 0, observed: 1, inconclusive: 1, notExercised: 2 };
const row = { kind: "stated" as const, passes: 0, failures: 0, choices: [] };
const report: Report = {
  format: "assay-report/1",
  target: {
    baseUrl: "http://x.test",
    brand: "service",
    clock: "none",
    capabilities: [],
    keys: 1,
    receiver: "over HTTPS",
    chain: false,
  },
  run: { seed: 1, runs: 25, only: [], exchanges: 12, credits: { spent: 6, most: 400 }, cutOff: null },
  verdict: "not conformant",
  exitCode: 1,
  because: ["1 finding"],
  counts,
  sections: [{ section: "4.7", counts }],
  findings: [
    {
      fingerprint: "0123abcd",
      requirement: "4.7/11",
      text: "A dispute later than 60 seconds is refused with 422.",
      kind: "inferred",
      from: "4.7: every later call fails",
      severity: "medium",
      title: "a late dispute is heard",
      expected: "422",
      seen: "200\nwith a dispute",
      cases: ["4.7/late"],
      by: "case",
      count: 2,
      flaky: false,
      timeline: [],
      transcript: [{ number: 3, curl: "curl -i 'http://x.test/v1/jobs/job_1/dispute'", answer: "HTTP 200\n\n{}" }],
      replay: "assay conform http://x.test --only 4.7/late --seed 1",
    },
  ],
  observations: [
    {
      requirement: "4.6/18",
      text: "In which order jobs are listed.",
      choices: [{ choice: "newest-before", count: 3 }],
      contradicted: false,
    },
  ],
  requirements: [
    { ...row, id: "4.7/3", section: "4.7", text: "", status: "inconclusive", reasons: ["4.7/open: cut off"] },
    { ...row, id: "4.7/4", section: "4.7", text: "", status: "not-exercised", reasons: ["needs a clock (--control)"] },
    { ...row, id: "4.7/5", section: "4.7", text: "", status: "not-exercised", reasons: ["needs a clock (--control)"] },
  ],
  cases: [],
  faults: [{ case: "4.7/x", message: "TypeError: oops" }],
};

describe("the report for a person", () => {
  it("tells everything, in words", () => {
    expect(renderReport(report, { colours: palette(false) })).toMatchInlineSnapshot(`
      " section                   passed   failed   observed   inconclusive   not exercised
       4.7       Dispute a job        1        1          1              1               2
                 all                  1        1          1              1               2

      Findings (1)

      1. failed 4.7/11 a late dispute is heard
         demanded  A dispute later than 60 seconds is refused with 422.
         follows   from 4.7: every later call fails
         expected  422
         seen      200
                   with a dispute
         times     2

         $ curl -i 'http://x.test/v1/jobs/job_1/dispute'
           HTTP 200

           {}

         replay    assay conform http://x.test --only 4.7/late --seed 1

      Open points: what the target chose
        4.6/18  In which order jobs are listed.
                newest-before (3 times)

      Inconclusive
        4.7/open: cut off
          4.7/3

      Not exercised, and how to
        needs a clock (--control)
          4.7/4 4.7/5

      Faults of the judge itself (they say nothing of the target)
        4.7/x: TypeError: oops

      1 passed, 1 failed, 1 observed, 1 inconclusive, 2 not exercised (12 exchanges, 6 of 400 units spent)
      not conformant: 1 finding
      "
    `);
  });

  it("is short when it is asked to be", () => {
    const text = renderReport(report, { colours: palette(false), details: false });
    expect(text).not.toContain("Open points");
    expect(text).not.toContain("Not exercised");
  });

  it("has no colours where none are wanted, and some where they are", () => {
    const esc = String.fromCharCode(27);
    expect(renderReport(report, { colours: palette(false) })).not.toContain(esc);
    expect(renderReport(report, { colours: palette(true) })).toContain(esc);
  });
});

describe("the report as JSON", () => {
  it("is the report", () => {
    expect(JSON.parse(reportJson(report))).toEqual(report);
  });
});
