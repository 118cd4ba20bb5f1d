/**
 * Draws workers in proportion to integer weights: a Fenwick tree over the ids of workers, in which setting a weight and drawing cost the
 * logarithm of how many there are.
 */
import type { Stream } from "../../core/index.ts";

export class WeightedDraw {
  /** `#sums[i]` is the sum of the weights of the last `i & -i` ids up to `i`, counted from 1. */
  #sums = new Float64Array(65);
  readonly #weight: number[] = [];
  #total = 0;

  set(id: number, weight: number): void {
    const difference = weight - (this.#weight[id] ?? 0);
    if (difference === 0) return;
    while (id + 1 >= this.#sums.length) this.#grow();
    this.#weight[id] = weight;
    this.#total += difference;
    for (let i = id + 1; i < this.#sums.length; i += i & -i) this.#sums[i] = this.#sums[i]! + difference;
  }

  /** An id, each as often as its weight says; -1 when all weights are 0. */
  draw(dice: Stream): number {
    if (this.#total === 0) return -1;
    let rest = dice.below(this.#total);
    let place = 0;
    for (let step = this.#sums.length - 1; step >= 1; step /= 2) {
      const sum = this.#sums[place + step];
      if (sum === undefined || sum > rest) continue;
      rest -= sum;
      place += step;
    }
    return place;
  }

  /** Doubles the number of ids; it stays a power of two. */
  #grow(): void {
    const size = this.#sums.length - 1;
    const grown = new Float64Array(size * 2 + 1);
    grown.set(this.#sums);
    // What stands at the new top covers all ids below it.
    grown[size * 2] = this.#total;
    this.#sums = grown;
  }
}
