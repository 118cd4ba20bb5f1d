/**
 * Recorded arrivals, in either of two forms; columns are found by their names, in any order, beside others.
 *
 * | form | file | time | prompt | answer |
 * |---|---|---|---|---|
 * | Azure LLM inference traces | CSV | `TIMESTAMP`, a UTC time | `ContextTokens` | `GeneratedTokens` |
 * | Mooncake traces | one JSON object a line, or CSV | `timestamp`, milliseconds | `input_length` | `output_length` |
 *
 * Times are read digit by digit: decimals become whole microseconds without passing through a float, what lies below them is cut off. They count
 * from the first row.
 */
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { AssayError } from "../core/index.ts";
import { suggest } from "./suggest.ts";

/** Row by row. */
export interface ArrivalTrace {
  readonly file: string;
  /** Microseconds since the first row, never going back. */
  readonly time: readonly number[];
  readonly promptTokens: readonly number[];
  readonly outputTokens: readonly number[];
}

/** How a form names its columns, and how it writes times. */
interface Form {
  readonly columns: readonly [time: string, prompt: string, output: string];
  /** Microseconds; NaN where the text is no time. */
  readonly time: (text: string) => number;
  readonly expected: string;
}

const AZURE: Form = {
  columns: ["TIMESTAMP", "ContextTokens", "GeneratedTokens"],
  time: microsecondsOf,
  expected: "a UTC time such as 2023-11-16 18:15:46.6805900",
};
const MOONCAKE: Form = {
  columns: ["timestamp", "input_length", "output_length"],
  time: millisecondsOf,
  expected: "milliseconds since the start of the recording, such as 27482",
};
const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z?$/;

/** @throws AssayError with the file and the line where it is missing or a row is broken */
export function loadArrivalTrace(file: string): ArrivalTrace {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new AssayError({
      what: "The arrival trace cannot be read.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: `a CSV file with the columns ${AZURE.columns.join(", ")}, or a Mooncake trace`,
      hint: "give its path with --trace",
      cause,
    });
  }
  return parseArrivalTrace(text, file);
}

/** @throws AssayError as `loadArrivalTrace` */
export function parseArrivalTrace(text: string, file: string): ArrivalTrace {
  const lined = /^\ufeff?\s*\{/.test(text);
  const [header, ...rows] = lined ? objects(text, file) : records(text, file);
  const names = header?.record ?? [];
  const form = names.includes(MOONCAKE.columns[1]) || names.includes(MOONCAKE.columns[2]) ? MOONCAKE : AZURE;
  const [timeName, promptName, outputName] = form.columns;
  const [timeAt, promptAt, outputAt] = form.columns.map((column) => {
    const at = names.indexOf(column);
    if (at >= 0) return at;
    const near = names.map((name) => suggest(name, [column]) !== undefined && name).find(Boolean);
    throw new AssayError({
      what: "The arrival trace lacks a column.",
      where: `${file}:1`,
      seen: names.join(", ") || "an empty file",
      expected: `a column ${column}`,
      hint: near ? `is it the one called ${near}?` : undefined,
    });
  }) as [number, number, number];

  const trace = { file, time: [] as number[], promptTokens: [] as number[], outputTokens: [] as number[] };
  let first = 0;
  let last = 0;
  for (const { record, line } of rows) {
    const broken = (column: string, seen: unknown, expected: string): AssayError =>
      new AssayError({
        what: "A row of the arrival trace is broken.",
        where: `${file}:${line}, ${column}`,
        seen,
        expected,
      });
    const tokens = (at: number, column: string): number => {
      const written = record[at] ?? "";
      if (!/^\d{1,9}$/.test(written)) throw broken(column, written || "nothing", "a whole number of tokens");
      return Number(written);
    };
    const absolute = form.time(record[timeAt] ?? "");
    if (Number.isNaN(absolute)) throw broken(timeName, record[timeAt] || "nothing", form.expected);
    if (trace.time.length === 0) first = last = absolute;
    if (absolute < last) throw broken(timeName, record[timeAt], "a time not before that of the row above");
    last = absolute;
    trace.time.push(absolute - first);
    trace.promptTokens.push(tokens(promptAt, promptName));
    trace.outputTokens.push(tokens(outputAt, outputName));
  }
  if (trace.time.length === 0) {
    throw new AssayError({ what: "The arrival trace has no rows.", where: file, expected: "a row for each request" });
  }
  return trace;
}

interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

function records(text: string, file: string): readonly Row[] {
  try {
    const form = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true } as const;
    const rows = parse(text, form) as unknown as { record: string[]; info: { lines: number } }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (cause) {
    throw new AssayError({ what: "The arrival trace is not CSV.", where: file, seen: (cause as Error).message, cause });
  }
}

/** One JSON object a line; the first row holds the names of the first object. */
function objects(text: string, file: string): readonly Row[] {
  const rows: Row[] = [];
  let names: readonly string[] | undefined;
  for (const [index, content] of text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .entries()) {
    if (content.trim() === "") continue;
    const line = index + 1;
    let row: unknown;
    try {
      row = JSON.parse(content);
    } catch {
      row = undefined;
    }
    if (typeof row !== "object" || row === null || Array.isArray(row)) {
      throw new AssayError({
        what: "A row of the arrival trace is broken.",
        where: `${file}:${line}`,
        seen: content.length > 80 ? `${content.slice(0, 80)} ...` : content,
        expected: "one JSON object",
      });
    }
    const fields = row as Readonly<Record<string, unknown>>;
    if (names === undefined) {
      names = Object.keys(fields);
      rows.push({ record: names, line });
    }
    rows.push({ record: names.map((name) => written(fields[name])), line });
  }
  return rows;
}

/** Numbers as they are written without an exponent; everything else is no number and shown as it stands. */
function written(value: unknown): string {
  return value === undefined ? "" : typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** Microseconds of milliseconds with up to six decimals; NaN where the text is no such number. */
function millisecondsOf(text: string): number {
  const match = /^(\d{1,12})(?:\.(\d{1,6})\d*)?$/.exec(text);
  return match === null ? Number.NaN : Number(match[1]) * 1_000 + Number((match[2] ?? "").padEnd(3, "0").slice(0, 3));
}

/** Microseconds of the Unix era, what lies below them cut off; NaN where the text is no time. */
function microsecondsOf(text: string): number {
  const match = TIMESTAMP.exec(text);
  if (match === null) return Number.NaN;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(milliseconds);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return Number.NaN;
  return milliseconds * 1_000 + Number((match[7] ?? "").padEnd(6, "0").slice(0, 6));
}
