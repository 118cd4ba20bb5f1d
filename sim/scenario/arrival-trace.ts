/**
 * Recorded arrivals: a CSV file with the columns `TIMESTAMP`, `ContextTokens` and `GeneratedTokens` (the form of the Azure LLM inference traces).
 *
 * Timestamps are read digit by digit: seven decimals of a second become whole microseconds without passing through a float. Times count from the
 * first row.
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

const COLUMNS = ["TIMESTAMP", "ContextTokens", "GeneratedTokens"] as const;
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
      expected: `a CSV file with the columns ${COLUMNS.join(", ")}`,
      hint: "give its path with --trace",
      cause,
    });
  }
  return parseArrivalTrace(text, file);
}

/** @throws AssayError as `loadArrivalTrace` */
export function parseArrivalTrace(text: string, file: string): ArrivalTrace {
  const [header, ...rows] = records(text, file);
  const names = header?.record ?? [];
  const [timeAt, promptAt, outputAt] = COLUMNS.map((column) => {
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
    const absolute = microsecondsOf(record[timeAt] ?? "");
    if (Number.isNaN(absolute)) {
      throw broken("TIMESTAMP", record[timeAt] || "nothing", "a UTC time such as 2023-11-16 18:15:46.6805900");
    }
    if (trace.time.length === 0) first = last = absolute;
    if (absolute < last) throw broken("TIMESTAMP", record[timeAt], "a time not before that of the row above");
    last = absolute;
    trace.time.push(absolute - first);
    trace.promptTokens.push(tokens(promptAt, "ContextTokens"));
    trace.outputTokens.push(tokens(outputAt, "GeneratedTokens"));
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
