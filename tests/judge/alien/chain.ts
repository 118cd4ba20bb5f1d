/** The alien's chain: a block every so often, and hashes for what is sent to it. */
import type { Choices } from "./choices.ts";
import { digest } from "./text.ts";
import type { Time } from "./time.ts";

export interface Chain {
  /** The hash of a transaction. */
  send(what: string): string;
  /** Runs once the next block is sealed. */
  sealed(run: () => void): void;
  block(): number;
  address(of: string): string;
}

export function makeChain(time: Time, { blockTime, hex }: Choices): Chain {
  const cased = (digits: string): string => {
    if (hex === "lower") return `0x${digits}`;
    if (hex === "upper") return `0x${digits.toUpperCase()}`;
    return `0x${[...digits].map((digit, index) => (index % 3 === 0 ? digit.toUpperCase() : digit)).join("")}`;
  };
  return {
    send: (what) => cased(digest(`transaction ${what}`)),
    sealed: (run) => {
      const now = time.now();
      time.after((Math.floor(now / blockTime) + 1) * blockTime - now, run);
    },
    block: () => 5_000_000 + Math.floor(time.now() / blockTime) - Math.floor(Date.UTC(2025, 0) / blockTime),
    address: (of) => cased(digest(`address ${of}`).slice(0, 40)),
  };
}
