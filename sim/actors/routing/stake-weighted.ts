/** A free worker drawn in proportion to its stake: who risks more gets more work. A worker without stake counts as one token. */
import type { Stream } from "../../core/index.ts";
import type { Candidate, RoutingPolicy } from "./policy.ts";
import { WeightedDraw } from "./weighted.ts";

export class StakeWeighted implements RoutingPolicy {
  readonly #dice: Stream;
  readonly #weights = new WeightedDraw();

  constructor(dice: Stream) {
    this.#dice = dice;
  }

  add(worker: Candidate): void {
    this.#weights.set(worker.id, Math.max(1, worker.stake));
  }

  remove(worker: Candidate): void {
    this.#weights.set(worker.id, 0);
  }

  changed(worker: Candidate): void {
    this.add(worker);
  }

  choose(): number {
    return this.#weights.draw(this.#dice);
  }
}
