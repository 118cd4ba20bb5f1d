/** Workers in turn: from the last one chosen on, the next that is free. The policy unless another is named. */
import type { Candidate, RoutingPolicy } from "./policy.ts";

export class RoundRobin implements RoutingPolicy {
  /** Workers with a free slot, one bit each. */
  #bits = new Int32Array(4);
  #free = 0;
  #cursor = 0;

  add({ id }: Candidate): void {
    const word = id >>> 5;
    if (word >= this.#bits.length) {
      const grown = new Int32Array(Math.max(word + 1, this.#bits.length * 2));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[word] = this.#bits[word]! | (1 << (id & 31));
    this.#free++;
  }

  remove({ id }: Candidate): void {
    this.#bits[id >>> 5] = this.#bits[id >>> 5]! & ~(1 << (id & 31));
    this.#free--;
  }

  choose(): number {
    if (this.#free === 0) return -1;
    const bits = this.#bits;
    let word = this.#cursor >>> 5;
    let rest = bits[word]! & (-1 << (this.#cursor & 31));
    while (rest === 0) {
      word = word + 1 === bits.length ? 0 : word + 1;
      rest = bits[word]!;
    }
    const worker = word * 32 + 31 - Math.clz32(rest & -rest);
    this.#cursor = (worker + 1) % (bits.length * 32);
    return worker;
  }
}
