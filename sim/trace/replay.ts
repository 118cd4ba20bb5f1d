/**
 * Runs recorded events past folds again, as if the run that made them were running: checkers and metrics work on a file as they do live.
 */
import type { Definitions, Kinds, TraceEvent } from "./define.ts";
import { type Fold, Trace, type TraceOptions } from "./trace.ts";

/** @returns the trace that the events make; its hash is that of the recorded run */
export function replay<D extends Definitions>(
  kinds: Kinds<D>,
  events: Iterable<TraceEvent<D>>,
  folds: readonly Fold<D>[] = [],
  options: TraceOptions = {},
): Trace<D> {
  const clock = { now: 0 };
  const trace = new Trace(kinds, clock, options);
  for (const fold of folds) trace.subscribe(fold);
  for (const event of events) {
    const kind: number = kinds.id[event.kind];
    clock.now = event.time;
    trace.emit(kind, ...kinds.fields[kind]!.map((field) => (event as unknown as Record<string, number>)[field]!));
  }
  return trace;
}
