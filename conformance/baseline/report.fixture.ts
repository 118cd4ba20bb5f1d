/** A small report for tests of what reads reports. */
import type { Finding, Report, Row } from "../findings/report.ts";

const counts = { passed: 1, failed: 1, flaky: 0, observed: 0, inconclusive: 0, notExercised: 1 };

export const finding: Finding = {
  fingerprint: "0a1b2c3d",
  requirement: "4.7/11",
  text: "A dispute later than 60 seconds after the final output token is refused with 422.",
  kind: "stated",
  severity: "high",
  title: "a late dispute is heard | <b>",
  expected: "422",
  seen: "200, dispute_opened: true",
  cases: ["4.7/late"],
  by: "case",
  count: 1,
  flaky: false,
  transcript: [{ number: 3, curl: "curl -X POST https://host/v1/jobs/job_1/dispute", answer: "200\n```json\n{}" }],
  timeline: [],
  replay: "assay conform https://host --only 4.7/late --seed 1",
};

const row = (id: Row["id"], status: Row["status"], reasons: string[] = []): Row => ({
  id,
  section: "4.7",
  kind: "stated",
  text: `text of ${id}`,
  status,
  reasons,
  passes: status === "passed" ? 1 : 0,
  failures: status === "failed" ? 1 : 0,
  choices: [],
});

/** Section 4.7 with one row passed, one failed and one not exercised; `changes` replace whole fields. */
export function reportWith(changes: Partial<Report> = {}): Report {
  return {
    format: "assay-report/1",
    target: {
      baseUrl: "https://host",
      brand: "service",
      clock: "manual",
      capabilities: ["clock"],
      keys: 1,
      receiver: "none",
      chain: false,
    },
    run: { seed: 1, runs: 25, only: [], exchanges: 7, credits: { spent: 4, most: 400 }, cutOff: null },
    verdict: "not conformant",
    exitCode: 1,
    because: ["1 requirement failed"],
    counts,
    sections: [{ section: "4.7", counts }],
    findings: [finding],
    observations: [],
    requirements: [row("4.7/10", "passed"), row("4.7/11", "failed"), row("4.7/12", "not-exercised", ["no clock"])],
    cases: [],
    faults: [],
    ...changes,
  };
}

/** The same target, mended. */
export const clean: Report = reportWith({
  verdict: "conformant",
  exitCode: 0,
  because: [],
  findings: [],
  requirements: [row("4.7/10", "passed"), row("4.7/11", "passed"), row("4.7/12", "not-exercised", ["no clock"])],
});
