/**
 * Of two free workers drawn at random the one with less to do (Mitzenmacher, 2001): nearly as good as asking all of them, at the cost of two.
 * Load is the share of slots taken; the first one drawn wins a tie.
 */
import type { Stream } from "../../core/index.ts";
import { FreeList } from "./free-list.ts";
import type { Candidate, RoutingPolicy } from "./policy.ts";

export class PowerOfTwo implements RoutingPolicy {
  readonly #dice: Stream;
  readonly #free = new FreeList();

  constructor(dice: Stream) {
    this.#dice = dice;
  }

  add(worker: Candidate): void {
    this.#free.add(worker);
  }

  remove(worker: Candidate): void {
    this.#free.remove(worker);
  }

  choose(): number {
    const { size } = this.#free;
    if (size === 0) return -1;
    if (size === 1) return this.#free.at(0).id;
    const first = this.#dice.below(size);
    // Two different ones: the second is drawn from the others.
    const other = this.#dice.below(size - 1);
    const a = this.#free.at(first);
    const b = this.#free.at(other < first ? other : other + 1);
    return b.busy * a.slots < a.busy * b.slots ? b.id : a.id;
  }
}
