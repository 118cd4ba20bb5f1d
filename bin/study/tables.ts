/**
 * The tables of a study, as CSV and as Parquet: one row a replication with its whole context, one row a point and metric with its interval, a data
 * dictionary with units, and a manifest with the hash of each file. No wall clock and no name of a machine is in them: a study has one set of bytes.
 */
import { createHash } from "node:crypto";
import { parquetWriteBuffer } from "hyparquet-writer";
import { canonicalJson } from "../../sim/core/index.ts";
import { byPoint, metricsIn, type Outcome, type Study, summarise } from "../../sim/study/index.ts";
import type { Identity } from "./store.ts";

type Cell = string | number | boolean | null;

export interface Column {
  readonly name: string;
  readonly type: "STRING" | "DOUBLE" | "INT32" | "BOOLEAN";
  /** `s`, `units`, `1` for shares and counts; empty for names. */
  readonly unit: string;
  readonly what: string;
  readonly data: readonly Cell[];
}

/** Names and bytes of all files of a study that is complete. */
export function tablesOf(
  study: Study,
  identity: Identity,
  outcomes: Iterable<Outcome>,
): ReadonlyMap<string, string | Uint8Array> {
  const all = [...outcomes];
  const results = resultColumns(study, all);
  const points = pointColumns(study, all);
  const files = new Map<string, string | Uint8Array>([
    ["results.csv", csv(results)],
    ["results.parquet", parquet(results, identity)],
    ["points.csv", csv(points)],
    ["points.parquet", parquet(points, identity)],
    ["dictionary.csv", csv(dictionary({ results, points }))],
  ]);
  files.set("manifest.json", manifest(study, identity, results, files));
  return files;
}

function resultColumns(study: Study, outcomes: readonly Outcome[]): readonly Column[] {
  const rows = byPoint(study, outcomes).flat();
  const column = (
    name: string,
    type: Column["type"],
    unit: string,
    what: string,
    of: (row: Outcome) => Cell,
  ): Column => ({
    name,
    type,
    unit,
    what,
    data: rows.map(of),
  });
  return [
    column("study", "STRING", "", "Name of the study", () => study.name),
    column("study_hash", "STRING", "", "Names all that the rows depend on", () => study.hash),
    column("version", "STRING", "", "Version of assay", (row) => row.engine.version),
    column(
      "engine",
      "STRING",
      "",
      "Trace hash of a world of reference in that version",
      (row) => row.engine.fingerprint,
    ),
    column(
      "scenario_hash",
      "STRING",
      "",
      "Of the point's scenario, SHA-256, first 16 digits",
      (row) => row.scenarioHash,
    ),
    column("point", "INT32", "", "Number of the point, from 0", (row) => row.point),
    column("replication", "INT32", "", "Number of the replication, from 0", (row) => row.replication),
    column("seed", "STRING", "", "Names the random streams of the run", (row) => row.seeds[0]!),
    ...study.factors.map((factor) =>
      factorColumn(
        factor.name,
        factor.unit ?? "",
        rows.map((row) => row.factors[factor.name]),
      ),
    ),
    column("warm_up_jobs", "INT32", "jobs", "Jobs left out at the start", (row) => row.warmUp.jobs),
    column("jobs", "INT32", "jobs", "Jobs of the run, the warm-up included", (row) => row.run!.jobs),
    column(
      "trace_hash",
      "STRING",
      "",
      "Names the run: the rolling hash of all its events",
      (row) => row.run!.traceHash,
    ),
    column(
      "violations",
      "INT32",
      "1",
      "Broken invariants; anything but 0 is a fault of the simulator",
      (row) => row.run!.violations,
    ),
    ...metricsIn(rows.map((row) => row.run!.values)).map((metric) =>
      column(
        columnOf(metric.name),
        "DOUBLE",
        metric.unit,
        `${metric.what}; ${SCOPE[metric.scope]}`,
        (row) => row.run!.values[metric.name] ?? null,
      ),
    ),
  ];
}

const SCOPE = { jobs: "of the jobs after the warm-up", run: "of the whole run" } as const;

/** Numbers stay numbers where all are; everything else is text. */
function factorColumn(name: string, unit: string, values: readonly unknown[]): Column {
  const what = "Factor: differs from point to point";
  if (values.every((value) => typeof value === "number"))
    return { name, type: "DOUBLE", unit, what, data: values as number[] };
  if (values.every((value) => typeof value === "boolean"))
    return { name, type: "BOOLEAN", unit, what, data: values as boolean[] };
  const data = values.map((value) => (typeof value === "string" ? value : canonicalJson(value ?? null)));
  return { name, type: "STRING", unit, what, data };
}

/** `firstToken.p95` is `first_token_p95`, `party.junk ring.total` is `party_junk_ring_total`. */
function columnOf(metric: string): string {
  return metric
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll(".", "_")
    .toLowerCase();
}

function pointColumns(study: Study, outcomes: readonly Outcome[]): readonly Column[] {
  const known = metricsIn(outcomes.flatMap(({ run }) => (run === undefined ? [] : [run.values])));
  const rows = summarise(study, outcomes).flatMap(({ point, replications, warmUp, intervals }) =>
    known.flatMap((metric) => {
      const interval = intervals[metric.name];
      return interval ? [{ point, replications, warmUp, metric, interval }] : [];
    }),
  );
  type Row = (typeof rows)[number];
  const column = (name: string, type: Column["type"], unit: string, what: string, of: (row: Row) => Cell): Column => ({
    name,
    type,
    unit,
    what,
    data: rows.map(of),
  });
  // Ten digits: what libraries of different machines may differ in lies below them.
  const round = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(10)) : null);
  const OWN = "the metric's own";
  return [
    column("study", "STRING", "", "Name of the study", () => study.name),
    column("study_hash", "STRING", "", "Names all that the rows depend on", () => study.hash),
    column("point", "INT32", "", "Number of the point, from 0", (row) => row.point.index),
    column("scenario_hash", "STRING", "", "Of the point's scenario, SHA-256, first 16 digits", (row) => row.point.hash),
    ...study.factors.map(({ name, unit }) =>
      factorColumn(
        name,
        unit ?? "",
        rows.map((row) => row.point.factors[name]),
      ),
    ),
    column("metric", "STRING", "", "Column of the metric in the results", (row) => columnOf(row.metric.name)),
    column("unit", "STRING", "", "Of mean, half_width, low and high", (row) => row.metric.unit),
    column("count", "INT32", "1", "Replications that had something to tell", (row) => row.interval.count),
    column("mean", "DOUBLE", OWN, "Mean over the replications", (row) => round(row.interval.mean)),
    column("half_width", "DOUBLE", OWN, "Of Student's interval; empty for a single run", (row) =>
      round(row.interval.halfWidth),
    ),
    column("low", "DOUBLE", OWN, "Lower end of the interval", (row) =>
      round(row.interval.mean - row.interval.halfWidth),
    ),
    column("high", "DOUBLE", OWN, "Upper end of the interval", (row) =>
      round(row.interval.mean + row.interval.halfWidth),
    ),
    column("confidence", "DOUBLE", "1", "Of the interval", (row) => row.interval.confidence),
    column("warm_up_settled", "BOOLEAN", "", "Whether the pilot saw a steady state", (row) => row.warmUp.settled),
  ];
}

function dictionary(tables: Readonly<Record<string, readonly Column[]>>): readonly Column[] {
  const rows = Object.entries(tables).flatMap(([table, columns]) => columns.map((column) => ({ table, column })));
  const text = (name: string, of: (row: (typeof rows)[number]) => string): Column => {
    return { name, type: "STRING", unit: "", what: "", data: rows.map(of) };
  };
  return [
    text("table", ({ table }) => table),
    text("column", ({ column }) => column.name),
    text("type", ({ column }) => column.type.toLowerCase()),
    text("unit", ({ column }) => column.unit),
    text("what", ({ column }) => column.what),
  ];
}

function csv(columns: readonly Column[]): string {
  const count = columns[0]?.data.length ?? 0;
  const lines = [columns.map(({ name }) => name).join(",")];
  for (let row = 0; row < count; row++) lines.push(columns.map(({ data }) => cellText(data[row] ?? null)).join(","));
  return `${lines.join("\n")}\n`;
}

/** RFC 4180; an empty cell is one without a value. */
function cellText(cell: Cell): string {
  if (cell === null) return "";
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function parquet(columns: readonly Column[], identity: Identity): Uint8Array {
  const bytes = parquetWriteBuffer({
    columnData: columns.map(({ name, type, data }) => ({ name, type, data: [...data], nullable: type === "DOUBLE" })),
    createdBy: "assay",
    kvMetadata: [
      { key: "assay.study", value: identity.study },
      { key: "assay.version", value: identity.engine.version },
    ],
  });
  return new Uint8Array(bytes);
}

function manifest(
  study: Study,
  identity: Identity,
  results: readonly Column[],
  files: ReadonlyMap<string, string | Uint8Array>,
): string {
  const about = {
    ...identity,
    seed: study.seed,
    replications: study.replications,
    commonRandomNumbers: study.commonRandomNumbers,
    warmUp: study.warmUp,
    confidence: study.confidence,
    points: study.points.map(({ index, hash, factors }) => ({ index, hash, factors })),
    traces: Object.values(study.traces),
    rows: results[0]?.data.length ?? 0,
    files: Object.fromEntries(
      [...files].map(([name, data]) => [
        name,
        { sha256: createHash("sha256").update(data).digest("hex"), bytes: Buffer.byteLength(data) },
      ]),
    ),
  };
  return `${JSON.stringify(about, null, 2)}\n`;
}
