/**
 * Traces as text: one event a line, `{"time":5,"kind":"job.locked","job":1,...}`, with notes at the end where there are any.
 */
import { AssayError } from "../core/index.ts";
import type { Definitions, Kinds, Notes, TraceEvent } from "./define.ts";
import type { Recorder } from "./trace.ts";

/** Where text goes: `process.stdout`, a file stream, or any object that takes text. */
export interface TextSink {
  write(text: string): unknown;
}

const FLUSH_AT = 65_536;

/** Writes events to a sink, in pieces of about 64 KiB. */
export class NdjsonRecorder<D extends Definitions> implements Recorder {
  readonly #sink: TextSink;
  readonly #names: readonly string[];
  readonly #fields: readonly (readonly string[])[];
  #pending = "";

  constructor(kinds: Kinds<D>, sink: TextSink) {
    this.#sink = sink;
    this.#names = kinds.names.map((name) => JSON.stringify(name));
    this.#fields = kinds.fields.map((fields) => fields.map((field) => `,${JSON.stringify(field)}:`));
  }

  record(event: Float64Array, notes: Notes | undefined): void {
    const kind = event[0]!;
    const fields = this.#fields[kind]!;
    let line = `{"time":${event[1]},"kind":${this.#names[kind]}`;
    for (let i = 0; i < fields.length; i++) line += fields[i]! + event[2 + i]!;
    if (notes !== undefined) line += `,"notes":${JSON.stringify(notes)}`;
    this.#pending += `${line}}\n`;
    if (this.#pending.length >= FLUSH_AT) this.flush();
  }

  /** Writes what is still held back. Call it at the end of the run. */
  flush(): void {
    if (this.#pending !== "") this.#sink.write(this.#pending);
    this.#pending = "";
  }
}

/**
 * Reads lines of a trace. Empty lines are passed over.
 *
 * @throws AssayError with the line's number where a line is no event of these kinds, as one of another version is
 */
export function* readNdjson<D extends Definitions>(kinds: Kinds<D>, lines: Iterable<string>): Generator<TraceEvent<D>> {
  let number = 0;
  for (const line of lines) {
    number++;
    if (line.trim() !== "") yield parse(kinds, line, number);
  }
}

function parse<D extends Definitions>(kinds: Kinds<D>, line: string, number: number): TraceEvent<D> {
  const bad = (expected: string, cause?: unknown): AssayError =>
    new AssayError({
      what: "A line of the trace cannot be read.",
      where: `line ${number}`,
      seen: line.slice(0, 200),
      expected,
      hint: "a trace is read by the version of assay that has recorded it; a file that broke off is recorded again",
      cause,
    });
  let event: Record<string, unknown>;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw bad("one JSON object", cause);
  }
  const kind = kinds.names.indexOf(event?.kind as string);
  if (kind < 0) throw bad("an event of a known kind");
  for (const field of ["time", ...kinds.fields[kind]!]) {
    if (!Number.isSafeInteger(event[field])) throw bad(`an integer "${field}"`);
  }
  const known = ["time", "kind", "notes", ...kinds.fields[kind]!];
  const unknown = Object.keys(event).find((field) => !known.includes(field));
  if (unknown !== undefined) throw bad(`no field "${unknown}" of ${event.kind}`);
  return event as TraceEvent<D>;
}
