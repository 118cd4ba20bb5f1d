/** Traces to look into: recorded ones (NDJSON), or those of scenarios, which are run again. */
import { closeSync, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { AssayError } from "../sim/core/index.ts";
import { checkWhole, type Repeatable, type WorldEvent } from "../sim/inspect/index.ts";
import { type PlantedDefect, withDefect } from "../sim/planted/index.ts";
import { buildScenario, loadScenario } from "../sim/scenario/index.ts";
import { kinds, MemoryRecorder, readNdjson, replay, type Trace, type WorldKinds } from "../sim/trace/index.ts";
import { createWorld } from "../sim/world.ts";
import { takesTrace } from "./wanted-trace.ts";

export interface TraceSourceOptions {
  /** For scenarios: goes before the scenario's own. */
  readonly seed?: string | undefined;
  /** For scenarios: CSV file of recorded arrivals. */
  readonly trace?: string | undefined;
  readonly defect?: PlantedDefect | undefined;
}

export interface TraceSource extends Repeatable {
  readonly file: string;
  readonly recorded: boolean;
  run(...recorder: Parameters<Repeatable["run"]>): Promise<Trace<WorldKinds>>;
}

/** @throws AssayError where the file cannot be read, or is neither scenario nor trace */
export function traceSource(file: string, options: TraceSourceOptions = {}): TraceSource {
  return /^\.ya?ml$/i.test(extname(file)) ? fromScenario(file, options) : fromRecord(file, options);
}

/**
 * All events, to be gone through as often as one likes, and the run's name.
 *
 * @throws AssayError where a record is not that of a whole run
 */
export async function eventsOf(source: TraceSource): Promise<{
  readonly events: Iterable<WorldEvent>;
  readonly count: number;
  readonly hash: string;
}> {
  const recorder = new MemoryRecorder(kinds);
  const trace = await source.run(recorder);
  if (source.recorded) placed(source.file, () => checkWhole(recorder));
  return { events: recorder, count: trace.events, hash: trace.hash() };
}

function fromScenario(file: string, { seed, trace, defect }: TraceSourceOptions): TraceSource {
  const options = withDefect(buildScenario(takesTrace(loadScenario(file), trace), { seed, trace }), defect);
  return {
    file,
    recorded: false,
    run: async (recorder) => {
      const world = createWorld({ ...options, recorder });
      world.start();
      await world.run();
      world.finish();
      return world.trace;
    },
  };
}

function fromRecord(file: string, { seed, trace, defect }: TraceSourceOptions): TraceSource {
  const given = Object.entries({ seed, trace, defect: defect?.id }).find(([, value]) => value !== undefined);
  if (given !== undefined) {
    throw new AssayError({
      what: `A recorded trace is what it is: --${given[0]} changes nothing about it.`,
      where: file,
      seen: given[1],
      hint: "give the scenario instead, and it is run again",
    });
  }
  // Opened once now, so that a file that is not there is said at once.
  lines(file).next();
  return {
    file,
    recorded: true,
    run: async (recorder) =>
      placed(file, () => replay(kinds, readNdjson(kinds, lines(file)), [], recorder === undefined ? {} : { recorder })),
  };
}

/** Says the file, too, where something is wrong in it. */
function placed<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    throw new AssayError({
      ...error,
      where: error.where === undefined ? file : `${file}, ${error.where}`,
      cause: error,
    });
  }
}

const CHUNK = 1 << 20;

/** The file's lines, without reading it as a whole. */
function* lines(file: string): Generator<string> {
  const descriptor = open(file);
  const buffer = Buffer.alloc(CHUNK);
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer)) {
      const parts = (rest + decoder.decode(buffer.subarray(0, read), { stream: true })).split("\n");
      rest = parts.pop()!;
      yield* parts;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(descriptor);
  }
}

function open(file: string): number {
  try {
    return openSync(file, "r");
  } catch (cause) {
    throw new AssayError({
      what: "There is nothing to look into.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a scenario (.yaml), or a trace that assay run --record has written",
      cause,
    });
  }
}
