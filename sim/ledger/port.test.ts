import { describe, expect, it } from "vitest";
import { SECOND } from "../core/index.ts";
import { Kernel } from "../kernel/index.ts";
import { honestRules } from "../rules.ts";
import { MemoryChain } from "./chain.ts";
import { ChainPort } from "./port.ts";
import { ChainRegister } from "./register.ts";
import { type Block, TX } from "./transaction.ts";

/** A port that notes, of each block read, its number, time and transactions. */
function setUp(blockTime: number, react?: (block: Block, port: ChainPort) => void) {
  const kernel = new Kernel();
  const register = new ChainRegister(1);
  const blocks: [number, number, number[]][] = [];
  const port: ChainPort = new ChainPort(
    kernel,
    new MemoryChain(honestRules),
    {
      sealed(block) {
        blocks.push([block.number, block.time, block.tx.slice(0, block.count)]);
        react?.(block, port);
      },
      undone() {},
      final() {},
      resent() {},
    },
    { settings: { blockTime }, register },
  );
  const buyAt = (time: number): void => {
    kernel.at(
      time,
      kernel.handler(() => void port.submit(TX.buy, 0, 0, 100, 0)),
    );
  };
  return { kernel, port, register, blocks, buyAt };
}

describe("chain port", () => {
  it("seals at block boundaries, and only where something waits", () => {
    const { kernel, blocks, buyAt } = setUp(2 * SECOND);
    for (const time of [0, 1_999_999, 2_000_001, 9_000_000]) buyAt(time);
    kernel.run();
    expect(blocks).toEqual([
      [1, 2_000_000, [1, 2]],
      [2, 4_000_000, [3]],
      [3, 10_000_000, [4]],
    ]);
  });

  it("seals in the moment of sending where the block time is 0", () => {
    const { kernel, blocks, buyAt } = setUp(0);
    buyAt(5);
    kernel.run();
    expect(blocks).toEqual([[1, 5, [1]]]);
  });

  it("puts what is sent while a block is read into the next", () => {
    const { kernel, port, blocks } = setUp(SECOND, (block, chain) => {
      if (block.number === 1) chain.submit(TX.buy, 0, 0, 100, 0);
    });
    port.submit(TX.buy, 0, 0, 100, 0);
    kernel.run();
    expect(blocks).toEqual([
      [1, SECOND, [1]],
      [2, 2 * SECOND, [2]],
    ]);
  });

  it("seals ahead of the boundary when told, and leaves no timer behind", () => {
    const { kernel, port, blocks } = setUp(SECOND);
    port.submit(TX.buy, 0, 0, 100, 0);
    port.seal();
    expect(blocks).toEqual([[1, 0, [1]]]);
    expect(kernel.next()).toBe(Infinity);
  });

  it("keeps a public record: blocks, outcomes, and hashes that differ", () => {
    const { kernel, port, register } = setUp(SECOND);
    const bought = port.submit(TX.buy, 0, 0, 100, 0);
    const again = port.submit(TX.buy, 0, 0, 100, 0);
    const refused = port.submit(TX.buy, 0, 0, 99, 0);
    expect(register.blockOf(bought)).toBe(0);
    kernel.run();
    expect([bought, again, refused].map((tx) => register.blockOf(tx))).toEqual([1, 1, 1]);
    expect([bought, refused].map((tx) => register.outcome(tx))).toEqual([0, 2]);
    expect(register.hash(bought)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(register.hash(bought)).not.toBe(register.hash(again));
    expect(register.blockHash(1)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(register.blockHash(1)).not.toBe(register.blockHash(0));
  });
});
