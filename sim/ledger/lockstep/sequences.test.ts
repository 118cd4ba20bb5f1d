/**
 * The memory chain and the contracts obey one specification: whatever is sent to both, in whatever order, both answer alike and hold the same books.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { honestRules } from "../../rules.ts";
import { AnvilChain } from "../anvil/index.ts";
import { MemoryChain } from "../chain.ts";
import { Block, REVERT } from "../transaction.ts";
import { type Command, JOBS, LittleWorld, WALLETS, WORKERS } from "./commands.ts";
import { LockstepChain } from "./lockstep.ts";

/** Sequences that run side by side, and how often: 2,000 together. */
const SIDE_BY_SIDE = 250;
const ROUNDS = 8;

const wallet = fc.nat(WALLETS - 1);
const worker = fc.nat(WORKERS - 1);
const job = fc.nat(JOBS - 1);
const units = fc.constantFrom(0, 1, 2, 99, 100, 101, 300);
const percent = fc.constantFrom(0, 25, 100, 120);
const tokens = fc.constantFrom(0, 1, 999, 1_000, 1_500);

/** Weighed so that most jobs get somewhere. */
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("buy" as const), wallet, units }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("withdraw" as const), wallet, units }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("lock" as const), job, wallet }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("prove" as const), job, worker, honest: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("settle" as const), job, worker, percent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("refund" as const, "giveBack" as const), job }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("dispute" as const), job }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("verdict" as const), job, fraudulent: fc.boolean(), percent }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("slash" as const), job, worker, tokens }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("stake" as const), worker, native: fc.boolean(), tokens }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("unstake" as const), worker, tokens }) },
);

/** Where most jobs' lives begin: units, a stake, a lock. The rest is drawn. */
const opening = fc.constantFrom<readonly Command[]>(
  [],
  [
    { do: "buy", wallet: 0, units: 300 },
    { do: "stake", worker: 0, native: true, tokens: 1_000 },
    { do: "lock", job: 1, wallet: 0 },
  ],
  [
    { do: "buy", wallet: 1, units: 300 },
    { do: "stake", worker: 1, native: false, tokens: 0 },
    { do: "lock", job: 2, wallet: 1 },
    { do: "prove", job: 2, worker: 1, honest: false },
    { do: "settle", job: 2, worker: 1, percent: 25 },
    { do: "dispute", job: 2 },
  ],
);

const sequence = fc
  .tuple(opening, fc.array(command, { minLength: 6, maxLength: 12 }))
  .map(([first, rest]) => [...first, ...rest]);

describe("the memory chain and the contracts", () => {
  let contracts: AnvilChain;
  let chain: LockstepChain;
  let worlds = 0;
  let tx = 0;
  let blocks = 0;
  const outcomes = new Map<number, number>();

  beforeAll(async () => {
    contracts = await AnvilChain.open({ seed: "sequences", epoch: 1_780_000_000 });
    chain = new LockstepChain(new MemoryChain(honestRules), contracts);
  });
  afterAll(() => contracts.close());

  /** Runs sequences side by side, a step of each in one block; `steps` commands of a sequence go into one step. */
  async function run(sequences: readonly (readonly Command[])[], steps: number): Promise<void> {
    const littleWorlds = sequences.map(() => new LittleWorld(worlds++));
    const longest = Math.max(...sequences.map(({ length }) => length));
    for (let step = 0; step < longest; step += steps) {
      const block = new Block();
      block.number = ++blocks;
      block.time = blocks * 1_000_000;
      for (const [i, commands] of sequences.entries()) {
        for (const each of commands.slice(step, step + steps)) littleWorlds[i]!.add(block, ++tx, each);
      }
      for (let i = 0; i < block.count; i++) {
        const { kind, subject, party, amount, extra } = block;
        chain.send(block.tx[i]!, kind[i]!, subject[i]!, party[i]!, amount[i]!, extra[i]!, block.time);
      }
      await chain.seal(block);
      for (const outcome of block.outcome) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  }

  it(`agree on receipts and balances after each command of ${SIDE_BY_SIDE * ROUNDS} random sequences`, async () => {
    const many = fc.array(sequence, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE });
    await fc.assert(
      fc.asyncProperty(many, (sequences) => run(sequences, 1)),
      { numRuns: ROUNDS, seed: 4 },
    );
  }, 120_000);

  it("agree where several commands of a sequence race within one block", async () => {
    const many = fc.array(sequence, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE });
    await fc.assert(
      fc.asyncProperty(many, (sequences) => run(sequences, 4)),
      { numRuns: 2, seed: 5 },
    );
  }, 120_000);

  it("met every outcome that both can give", () => {
    const { windowExpired, hashesEqual, outOfGas, unexplained, ...both } = REVERT;
    for (const [name, outcome] of Object.entries(both)) expect(outcomes.get(outcome) ?? 0, name).toBeGreaterThan(10);
  });
});
