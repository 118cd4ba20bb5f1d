/** Free workers by a key, the smallest on top; keys are integers that may change. Ties go to whoever was chosen longest ago. */
import type { Candidate } from "./policy.ts";

const ABSENT = -1;

export class WorkerHeap {
  readonly #ids: number[] = [];
  /** By worker. */
  readonly #place: number[] = [];
  readonly #key: number[] = [];
  readonly #chosenAt: number[] = [];
  #choices = 0;

  /** The worker with the smallest key, -1 when there is none. */
  top(): number {
    const id = this.#ids[0] ?? -1;
    if (id >= 0) {
      this.#chosenAt[id] = ++this.#choices;
      this.#sink(0);
    }
    return id;
  }

  add({ id }: Candidate, key: number): void {
    this.#key[id] = key;
    this.#chosenAt[id] ??= 0;
    this.#place[id] = this.#ids.push(id) - 1;
    this.#rise(this.#place[id]!);
  }

  remove({ id }: Candidate): void {
    const place = this.#place[id]!;
    const last = this.#ids.pop()!;
    this.#place[id] = ABSENT;
    if (last === id) return;
    this.#put(last, place);
    this.#rise(place);
    this.#sink(this.#place[last]!);
  }

  /** Nothing happens where the worker is not in the heap. */
  change({ id }: Candidate, key: number): void {
    const place = this.#place[id] ?? ABSENT;
    if (place === ABSENT || this.#key[id] === key) return;
    this.#key[id] = key;
    this.#rise(place);
    this.#sink(this.#place[id]!);
  }

  #before(a: number, b: number): boolean {
    const difference = this.#key[a]! - this.#key[b]! || this.#chosenAt[a]! - this.#chosenAt[b]! || a - b;
    return difference < 0;
  }

  #rise(from: number): void {
    const id = this.#ids[from]!;
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = this.#ids[parent]!;
      if (!this.#before(id, above)) break;
      this.#put(above, place);
      place = parent;
    }
    this.#put(id, place);
  }

  #sink(from: number): void {
    const id = this.#ids[from]!;
    const size = this.#ids.length;
    let place = from;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#before(this.#ids[child + 1]!, this.#ids[child]!)) child++;
      const below = this.#ids[child]!;
      if (!this.#before(below, id)) break;
      this.#put(below, place);
      place = child;
    }
    this.#put(id, place);
  }

  #put(id: number, place: number): void {
    this.#ids[place] = id;
    this.#place[id] = place;
  }
}
