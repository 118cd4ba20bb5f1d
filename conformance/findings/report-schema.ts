/**
 * The JSON Schema (2020-12) of a report, for whoever reads reports with tools of their own. What it demands is what `report.ts` declares: a field
 * that is not here is not in a report, and a field that may be missing is not required.
 */

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const count: Schema = { type: "integer", minimum: 0 };
const flag: Schema = { type: "boolean" };
const textOrNull: Schema = { type: ["string", "null"] };
const list = (items: Schema): Schema => ({ type: "array", items });
const texts = list(text);
const oneOf = (...values: readonly (string | number)[]): Schema => ({ enum: values });
const part = (name: string): Schema => ({ $ref: `#/$defs/${name}` });

/** An object with exactly these fields; those of `optional` may be missing. */
function object(required: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const kind = oneOf("stated", "inferred", "open");
const requirement: Schema = { type: "string", pattern: "^\\d+(\\.\\d+)?/\\d+$", description: "section/number: 4.7/2" };

const moment = object(
  {
    lane: oneOf("http", "chain", "webhook"),
    at: { type: "number", description: "milliseconds since the story's first moment, on the service's clock" },
    what: text,
    outcome: text,
    number: { type: "integer" },
    shown: flag,
  },
  { until: { type: "number" } },
);

const finding = object(
  {
    fingerprint: {
      type: "string",
      pattern: "^[0-9a-f]{8}$",
      description: "of requirement and title, in every run the same",
    },
    requirement,
    text,
    kind,
    severity: oneOf("high", "medium", "low"),
    title: text,
    expected: text,
    seen: text,
    cases: texts,
    by: { type: "string", description: "case, or the monitor or audit that judged" },
    count: { type: "integer", minimum: 1 },
    flaky: flag,
    transcript: list(object({ number: { type: "integer" }, curl: text, answer: text })),
    timeline: list(part("moment")),
    replay: { type: "string", description: "the command that shows it again" },
  },
  { from: text, attempts: texts },
);

const counts = object({
  passed: count,
  failed: count,
  flaky: count,
  observed: count,
  inconclusive: count,
  notExercised: count,
});

const row = object({
  id: requirement,
  section: text,
  kind,
  text,
  status: oneOf("failed", "flaky", "inconclusive", "passed", "observed", "not-exercised"),
  reasons: texts,
  passes: count,
  failures: count,
  choices: texts,
});

const tried = object(
  {
    id: text,
    title: text,
    outcome: oneOf("passed", "failed", "flaky", "inconclusive", "not-exercised", "fault"),
    attempts: count,
    exchanges: count,
  },
  { reason: text },
);

export const reportSchema: Schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Report of assay conform",
  ...object({
    format: { const: "assay-report/1" },
    target: object({
      baseUrl: text,
      brand: text,
      clock: text,
      capabilities: texts,
      keys: count,
      receiver: text,
      chain: flag,
    }),
    run: object({
      seed: count,
      runs: count,
      only: texts,
      exchanges: count,
      credits: object({ spent: { type: "number" }, most: count }),
      cutOff: textOrNull,
    }),
    verdict: oneOf("conformant", "not conformant", "inconclusive"),
    exitCode: oneOf(0, 1, 3),
    because: texts,
    counts: part("counts"),
    sections: list(object({ section: text, counts: part("counts") })),
    findings: list(part("finding")),
    observations: list(
      object({
        requirement,
        text,
        choices: list(object({ choice: text, count: { type: "integer", minimum: 1 } })),
        contradicted: flag,
      }),
    ),
    requirements: list(part("row")),
    cases: list(part("case")),
    faults: list(object({ case: textOrNull, message: text })),
  }),
  $defs: { moment, finding, counts, row, case: tried },
};
