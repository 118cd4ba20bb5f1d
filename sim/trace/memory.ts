/**
 * Keeps events in memory, as numbers in one growing array.
 */
import type { Definitions, Kinds, Notes, TraceEvent } from "./define.ts";
import type { Recorder } from "./trace.ts";

const FIRST_CAPACITY = 4_096;

export class MemoryRecorder<D extends Definitions> implements Recorder {
  readonly #kinds: Kinds<D>;
  readonly #notes = new Map<number, Notes>();
  /** Event after event: kind, time, fields. */
  #numbers = new Float64Array(FIRST_CAPACITY);
  #used = 0;

  constructor(kinds: Kinds<D>) {
    this.#kinds = kinds;
  }

  record(event: Float64Array, notes: Notes | undefined): void {
    const length = 2 + this.#kinds.fields[event[0]!]!.length;
    if (this.#used + length > this.#numbers.length) this.#grow();
    for (let i = 0; i < length; i++) this.#numbers[this.#used + i] = event[i]!;
    if (notes !== undefined) this.#notes.set(this.#used, notes);
    this.#used += length;
  }

  /** The events so far, decoded one by one. */
  *[Symbol.iterator](): Generator<TraceEvent<D>> {
    let at = 0;
    while (at < this.#used) {
      const kind = this.#numbers[at]!;
      const fields = this.#kinds.fields[kind]!;
      const event: Record<string, unknown> = { time: this.#numbers[at + 1]!, kind: this.#kinds.names[kind]! };
      for (let i = 0; i < fields.length; i++) event[fields[i]!] = this.#numbers[at + 2 + i]!;
      const notes = this.#notes.get(at);
      if (notes !== undefined) event.notes = notes;
      yield event as TraceEvent<D>;
      at += 2 + fields.length;
    }
  }

  #grow(): void {
    const grown = new Float64Array(this.#numbers.length * 2);
    grown.set(this.#numbers);
    this.#numbers = grown;
  }
}
