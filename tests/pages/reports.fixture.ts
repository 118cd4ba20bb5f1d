/** Reports for tests of pages: one as a judge writes it, one of a hostile target, one with very many findings. */
import { finding, reportWith } from "../../conformance/baseline/report.fixture.ts";
import type { Finding, Report } from "../../conformance/index.ts";
import { requirements } from "../../fixtures/protocol/requirements/index.ts";

type Row = Report["requirements"][number];

const STATUSES = [
  "passed",
  "passed",
  "passed",
  "failed",
  "observed",
  "not-exercised",
  "inconclusive",
  "flaky",
] as const;

/** Every requirement of the contract; statuses come in turn. */
export const rows: readonly Row[] = requirements.map((row, index) => {
  const status = STATUSES[index % STATUSES.length] as Row["status"];
  return {
    id: row.id,
    section: row.section,
    kind: row.kind,
    text: row.text,
    status,
    reasons:
      status === "not-exercised"
        ? [index % 16 < 8 ? "needs the settlement chain (--rpc)" : "no endpoint shows it"]
        : [],
    passes: 1,
    failures: 0,
    choices: status === "observed" ? ["404"] : [],
  };
});

const countsOf = (list: readonly Row[]) => {
  const count = (status: Row["status"]): number => list.filter((row) => row.status === status).length;
  return {
    passed: count("passed"),
    failed: count("failed"),
    flaky: count("flaky"),
    observed: count("observed"),
    inconclusive: count("inconclusive"),
    notExercised: count("not-exercised"),
  };
};

const timeline: Finding["timeline"] = [
  { lane: "http", at: 0, until: 600, what: "POST /v1/chat/completions", outcome: "200", number: 1, shown: false },
  { lane: "chain", at: 600, what: "escrow_tx", outcome: `0x${"ab".repeat(32)}`, number: 1, shown: false },
  { lane: "webhook", at: 900, what: "job.completed", outcome: "answered 500", number: 1, shown: false },
  {
    lane: "http",
    at: 61_000,
    until: 61_000,
    what: "POST /v1/jobs/job_1/dispute",
    outcome: "200",
    number: 3,
    shown: true,
  },
];

export function wholeReport(findings: readonly Finding[] = [{ ...finding, timeline }]): Report {
  const sections = [...new Set(rows.map((row) => row.section))];
  return reportWith({
    requirements: rows,
    counts: countsOf(rows),
    sections: sections.map((section) => ({ section, counts: countsOf(rows.filter((row) => row.section === section)) })),
    findings,
    observations: [
      { requirement: "4.7/7", text: "The body", choices: [{ choice: "204", count: 2 }], contradicted: true },
    ],
    cases: [
      { id: "4.7/late", title: "a late dispute", outcome: "failed", attempts: 1, exchanges: 3 },
      {
        id: "4.7/early",
        title: "an early one",
        outcome: "not-exercised",
        reason: "no clock",
        attempts: 1,
        exchanges: 0,
      },
    ],
    faults: [{ case: "4.8/x", message: "the receiver did not bind" }],
  });
}

/** As many findings, each with as long a transcript as a judge writes. */
export function manyFindings(count: number): Report {
  const answer = `HTTP 200\ncontent-type: application/json\n\n${JSON.stringify({ text: "word ".repeat(380) })}`;
  const transcript = Array.from({ length: 12 }, (_, number) => ({
    number,
    curl: `curl -i -X POST -H 'content-type: application/json' --data-binary '{"n": ${number}}' 'https://host/v1/chat/completions'`,
    answer,
  }));
  return wholeReport(
    Array.from({ length: count }, (_, index) => ({
      ...finding,
      fingerprint: index.toString(16).padStart(8, "0"),
      requirement: rows[index % rows.length]?.id ?? finding.requirement,
      title: `fault number ${index}`,
      transcript,
      timeline,
    })),
  );
}

/** What a page must show as text, and never obey. */
export const HOSTILE = [
  '<img src=x onerror="window.pwned=1">',
  "</script><script>window.pwned=2</script>",
  "\"><svg onload='window.pwned=3'>",
  "<!--<script>window.pwned=4//",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: no template of ours, but of whoever takes it for one
  "`${window.pwned=5}`\u0000\u202e\ud800 javascript:window.pwned=6",
].join(" ");

/** The same value with every text that a target can choose replaced. Ids, statuses and the like stay. */
export function hostileReport(): Report {
  const fixed = new Set([
    "id",
    "requirement",
    "section",
    "kind",
    "status",
    "verdict",
    "format",
    "severity",
    "lane",
    "outcome",
  ]);
  const poison = (value: unknown, key: string): unknown => {
    if (typeof value === "string")
      return fixed.has(key) && !(key === "outcome" && value.startsWith("0x")) ? value : HOSTILE;
    if (Array.isArray(value)) return value.map((each) => poison(each, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, poison(each, name)]));
  };
  return poison(wholeReport(), "") as Report;
}
