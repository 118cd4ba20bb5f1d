/**
 * A rolling hash over events: two lanes of 32 bits, each MurmurHash3's with constants of its own. It names a run; it keeps no secrets.
 *
 * The lanes wait for each other only in the digest, which makes hashing cheap enough never to be turned off.
 */
import { invariant } from "../core/index.ts";

export class RollingHash {
  #x = 0x243f6a88;
  #y = 0x05a308d3;

  /** Folds in the first `count` numbers, which are safe integers. Order matters. */
  fold(numbers: Float64Array, count: number): void {
    let x = this.#x;
    let y = this.#y;
    for (let i = 0; i < count; i++) {
      const value = numbers[i]!;
      const low = value | 0;
      x = foldX(x, low);
      y = foldY(y, low);
      if (low === value) continue;
      // What does not fit 32 bits takes a second word.
      invariant(Number.isSafeInteger(value), "an event carries safe integers only");
      const high = Math.floor(value / 4_294_967_296) ^ 0x5bd1e995;
      x = foldX(x, high);
      y = foldY(y, high);
    }
    this.#x = x;
    this.#y = y;
  }

  /** The state as 16 hexadecimal digits; folding may go on. */
  digest(): string {
    const x = finish(this.#x ^ rotate(this.#y, 16));
    const y = finish(this.#y ^ x);
    return hex(x) + hex(y);
  }
}

function foldX(x: number, word: number): number {
  const stirred = x ^ Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotate(stirred, 13), 5) + 0xe6546b64) | 0;
}

function foldY(y: number, word: number): number {
  const stirred = y ^ Math.imul(rotate(Math.imul(word, 0x38b34ae5), 16), 0xa1e38b93);
  return (Math.imul(rotate(stirred, 17), 5) + 0x0bcaa747) | 0;
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** MurmurHash3's finaliser: each bit of the input moves every bit of the output. */
function finish(word: number): number {
  let mixed = word ^ (word >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
