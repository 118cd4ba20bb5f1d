/**
 * Events as few bytes: the kind in one byte, then the time since the event before and the fields as variable-length integers, seven bits a byte.
 * Read by the page's script as well: no module of Node is used here.
 */

/** Adds integers to a growing array of bytes. */
export class ByteWriter {
  #bytes = new Uint8Array(65_536);
  #used = 0;

  /** An integer from 0 to 255. */
  byte(value: number): void {
    if (this.#used === this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes[this.#used++] = value;
  }

  /** A safe integer >= 0. */
  natural(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** An integer of either sign: the sign is the last bit. */
  integer(value: number): void {
    this.natural(value < 0 ? -value * 2 - 1 : value * 2);
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#used);
  }
}

/** Reads what a `ByteWriter` wrote. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  natural(): number {
    let value = 0;
    let place = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 127) * place;
      if (byte < 128) return value;
      place *= 128;
    }
  }

  integer(): number {
    const value = this.natural();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}
