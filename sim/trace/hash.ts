/**
 * A rolling hash over integers: two lanes of 32 bits that stir each other, in the manner of MurmurHash3. It names a run; it keeps no secrets.
 */
export class RollingHash {
  #x = 0x243f6a88;
  #y = 0x5a308d31;

  /** Folds in a safe integer. Order matters. */
  fold(value: number): void {
    const low = value | 0;
    this.#word(low);
    // What does not fit 32 bits takes two words.
    if (low !== value) this.#word(Math.floor(value / 4294967296) ^ 0x5bd1e995);
  }

  /** The state as 16 hexadecimal digits; folding may go on. */
  digest(): string {
    const x = finish(this.#x ^ rotate(this.#y, 7));
    const y = finish(this.#y ^ x);
    return hex(x) + hex(y);
  }

  #word(word: number): void {
    let x = this.#x ^ Math.imul(rotate(Math.imul(word, 0x239b961b), 15), 0xab0e9789);
    let y = this.#y ^ Math.imul(rotate(Math.imul(word, 0x38b34ae5), 16), 0xa1e38b93);
    x = (Math.imul(rotate(x, 13) + y, 5) + 0x561ccd1b) | 0;
    y = (Math.imul(rotate(y, 17) + x, 5) + 0x0bcaa747) | 0;
    this.#x = x;
    this.#y = y;
  }
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
