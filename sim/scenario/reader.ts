/** Reads words of a scenario as times, distributions and names, and says where one is wrong. */
import { dirname, resolve } from "node:path";
import { CHANCES } from "../actors/index.ts";
import {
  AssayError,
  type Distribution,
  type DistributionSpec,
  type Duration,
  distribution,
  microseconds,
} from "../core/index.ts";
import type { Path, Source } from "./source.ts";
import { suggest } from "./suggest.ts";

export class Reader {
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  /** Undefined stays undefined. */
  draws<S extends DistributionSpec | undefined>(spec: S, path: Path): Distribution | Extract<S, undefined> {
    return spec === undefined ? (undefined as Extract<S, undefined>) : distribution(spec, this.source.where(path));
  }

  /** Microseconds. */
  time<D extends Duration | undefined>(duration: D, path: Path): number | Extract<D, undefined> {
    return duration === undefined
      ? (undefined as Extract<D, undefined>)
      : microseconds(duration, this.source.where(path));
  }

  /** The place of a name among those known. */
  named(name: string, known: readonly string[], path: Path, what: string): number {
    const index = known.indexOf(name);
    if (index >= 0) return index;
    const near = suggest(name, known);
    throw new AssayError({
      what,
      where: this.source.where(path),
      seen: name,
      expected: known.length === 0 ? "a name that the scenario has; it has none" : `one of ${known.join(", ")}`,
      hint: near === undefined ? undefined : `did you mean "${near}"?`,
    });
  }

  unique(path: Path, names: readonly (string | undefined)[], field: string): void {
    const twice = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
    if (twice >= 0)
      throw this.wrong([...path, twice, field], `This ${field} stands twice.`, names[twice], "another one");
  }

  wrong(path: Path, what: string, seen: unknown, expected: string, hint?: string): AssayError {
    return new AssayError({ what, where: this.source.where(path), seen, expected, hint });
  }

  /** A path that is relative to the scenario. */
  beside(file: string): string {
    return resolve(dirname(this.source.file), file);
  }
}

/** A probability, counted in `CHANCES`. */
export function chances(share: number): number {
  return Math.round(share * CHANCES);
}
