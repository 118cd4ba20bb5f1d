/** What the parts of a scenario's builder share. */
import { AssayError, type Duration } from "../core/index.ts";
import type { ModelInfo } from "../port.ts";
import type { ArrivalTrace } from "./arrival-trace.ts";
import type { Reader } from "./reader.ts";
import type { Scenario } from "./scenario.ts";
import type { Path } from "./source.ts";
import { suggest } from "./suggest.ts";

export interface Context {
  readonly scenario: Scenario;
  readonly reader: Reader;
  readonly seed: string | number;
  readonly models: readonly ModelInfo[];
  /** File of recorded arrivals that goes before the scenario's own. */
  readonly trace: string | undefined;
  /** Recorded arrivals that have been read, by file. */
  readonly traces: Map<string, ArrivalTrace>;
}

/** The number of a model. `isKey`: the id stands as the name of a field. */
export function modelNamed({ models, reader }: Context, id: string, path: Path, isKey = false): number {
  const index = models.findIndex((model) => model.id === id);
  if (index >= 0) return index;
  const ids = models.map((model) => model.id);
  const near = suggest(id, ids);
  throw new AssayError({
    what: "There is no such model.",
    where: isKey ? reader.source.whereKey(path, id) : reader.source.where(path),
    seen: id,
    expected: `one of ${ids.join(", ")}`,
    hint: near === undefined ? undefined : `did you mean "${near}"?`,
  });
}

/** When the requests of a population end, if its own `until` says nothing earlier; Infinity where nothing does. */
export function lastRequest({ reader, scenario }: Context, until: Duration | undefined, path: Path): number {
  return Math.min(
    reader.time(scenario.duration, ["duration"]) ?? Infinity,
    reader.time(until, [...path, "until"]) ?? Infinity,
  );
}
