/**
 * Kinds of events: a name, and names for the numbers that an event of that kind carries.
 *
 * Code names kinds by number, people by name. A table of kinds ties both together and keeps the types: the compiler knows how many numbers
 * each kind takes and what they are called.
 */
import { invariant } from "../core/index.ts";

/** Names of kinds, each with the names of its fields; at most eight. */
export type Definitions = Readonly<Record<string, readonly string[]>>;

/** The number of a kind. The type remembers what fields events of the kind have. */
export type KindId<F extends readonly string[] = readonly string[]> = number & { readonly fields?: F };

/** One number for each name of a field. */
export type FieldValues<F extends readonly string[]> = { readonly [I in keyof F]: number };

/** An event as people read it: its time in microseconds, its kind, its numbers by name, and notes that no hash covers. */
export type TraceEvent<D extends Definitions> = {
  [K in keyof D & string]: { readonly time: number; readonly kind: K; readonly notes?: Notes } & {
    readonly [F in D[K][number]]: number;
  };
}[keyof D & string];

/** Texts that belong to an event but are not part of the run's hash, such as hashes of a real chain. */
export type Notes = Readonly<Record<string, string>>;

export interface Kinds<D extends Definitions> {
  readonly definitions: D;
  /** From name to number. */
  readonly id: { readonly [K in keyof D & string]: KindId<D[K]> };
  /** From number to name. */
  readonly names: readonly (keyof D & string)[];
  /** From number to names of fields. */
  readonly fields: readonly (readonly string[])[];
}

export const MAX_FIELDS = 8;
const RESERVED = ["time", "kind", "notes"];

/** Numbers the kinds in the order in which they are written. The order is part of a run's hash: new kinds go to the end. */
export function defineKinds<const D extends Definitions>(definitions: D): Kinds<D> {
  const names = Object.keys(definitions) as (keyof D & string)[];
  for (const name of names) {
    const fields = definitions[name]!;
    invariant(fields.length <= MAX_FIELDS, `an event has at most ${MAX_FIELDS} fields (${name})`);
    invariant(
      new Set([...RESERVED, ...fields]).size === RESERVED.length + fields.length,
      `field names differ from one another (${name})`,
    );
  }
  return {
    definitions,
    id: Object.fromEntries(names.map((name, id) => [name, id])) as Kinds<D>["id"],
    names,
    fields: names.map((name) => definitions[name]!),
  };
}
