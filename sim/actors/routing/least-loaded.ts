/** The free worker with the smallest share of its slots taken. */
import { WorkerHeap } from "./heap.ts";
import type { Candidate, RoutingPolicy } from "./policy.ts";

/** A load of 1. */
const FULL = 1_000_000;

export class LeastLoaded implements RoutingPolicy {
  readonly #heap = new WorkerHeap();

  add(worker: Candidate): void {
    this.#heap.add(worker, load(worker));
  }

  remove(worker: Candidate): void {
    this.#heap.remove(worker);
  }

  changed(worker: Candidate): void {
    this.#heap.change(worker, load(worker));
  }

  choose(): number {
    return this.#heap.top();
  }
}

const load = ({ busy, slots }: Candidate): number => Math.floor((busy * FULL) / slots);
