/** The free workers in a list without holes: any of them can be drawn in constant time. */
import type { Candidate } from "./policy.ts";

export class FreeList {
  readonly #workers: Candidate[] = [];
  /** By worker: its place in the list. */
  readonly #place: number[] = [];

  get size(): number {
    return this.#workers.length;
  }

  at(place: number): Candidate {
    return this.#workers[place]!;
  }

  add(worker: Candidate): void {
    this.#place[worker.id] = this.#workers.push(worker) - 1;
  }

  /** The last one takes the place of the one that goes. */
  remove(worker: Candidate): void {
    const place = this.#place[worker.id]!;
    const last = this.#workers.pop()!;
    if (last.id === worker.id) return;
    this.#workers[place] = last;
    this.#place[last.id] = place;
  }
}
