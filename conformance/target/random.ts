/** Named draws: one stream a (seed, name), integer arithmetic only, the same on every machine. */

export interface Random {
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number;
  /** One of the items; there must be one. */
  pick<T>(items: readonly T[]): T;
  /** `length` characters of `alphabet` (default: 0-9, a-z). */
  text(length: number, alphabet?: string): string;
}

/** Four bytes of a name: FNV-1a, then mixed so that near names give far numbers. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mix(hash);
}

function mix(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The stream of draws of that name. */
export function random(seed: number, name: string): Random {
  let state = hash32(`${seed}:${name}`);
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    return mix(state);
  };
  const integer = (below: number): number => Math.floor((next() / 0x1_0000_0000) * below);
  return {
    integer,
    pick: (items) => items[integer(items.length)] as (typeof items)[number],
    text: (length, alphabet = "0123456789abcdefghijklmnopqrstuvwxyz") =>
      Array.from({ length }, () => alphabet[integer(alphabet.length)]).join(""),
  };
}
