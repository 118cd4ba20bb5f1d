/**
 * The free worker with the shortest time for each token, as seen so far.
 *
 * A worker begins with what its class takes on average for an answer of `USUAL` tokens; each job that it finishes moves the figure by an eighth
 * of the difference. A job that it drops or lets time out counts as if its tokens had taken `SLOW` times as long as the figure says.
 */
import { WorkerHeap } from "./heap.ts";
import type { Candidate, JobEnd, RoutingPolicy } from "./policy.ts";

/** Output tokens of a usual answer. */
const USUAL = 200;
const SLOW = 8;

export class Fastest implements RoutingPolicy {
  readonly #heap = new WorkerHeap();
  /** By worker: microseconds for each token. */
  readonly #pace: number[] = [];

  add(worker: Candidate): void {
    this.#heap.add(worker, this.#paceOf(worker));
  }

  remove(worker: Candidate): void {
    this.#heap.remove(worker);
  }

  choose(): number {
    return this.#heap.top();
  }

  ended(worker: Candidate, end: JobEnd, time: number, tokens: number): void {
    if (end === "cheated") return;
    const pace = this.#paceOf(worker);
    const seen = end === "finished" ? Math.floor(time / Math.max(1, tokens)) : pace * SLOW;
    this.#pace[worker.id] = pace + Math.trunc((seen - pace) / 8);
    this.#heap.change(worker, this.#pace[worker.id]!);
  }

  #paceOf({ id, firstToken, tokenTime }: Candidate): number {
    this.#pace[id] ??= Math.round(firstToken / USUAL + tokenTime);
    return this.#pace[id]!;
  }
}
