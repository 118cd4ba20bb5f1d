/** Any free worker, each equally likely. */
import type { Stream } from "../../core/index.ts";
import { FreeList } from "./free-list.ts";
import type { Candidate, RoutingPolicy } from "./policy.ts";

export class Random implements RoutingPolicy {
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
    return size === 0 ? -1 : this.#free.at(this.#dice.below(size)).id;
  }
}
