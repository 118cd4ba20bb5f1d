import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { compile, ownSources } from "../../../scripts/contracts.ts";
import { honestRules, type Rules } from "../../rules.ts";
import { AnvilChain, type Compiled, type ContractName } from "../anvil/index.ts";
import { MemoryChain } from "../chain.ts";
import { Block, TX } from "../transaction.ts";
import { busyDay } from "./busy-day.ts";
import { LockstepDifference } from "./difference.ts";
import { LockstepChain } from "./lockstep.ts";

const EPOCH = 1_780_000_000;

/** Defects of the escrow contract: a line, and what stands there instead. */
const MUTANTS = {
  wrongSplit: ["NATIVE_SHARE = 85", "NATIVE_SHARE = 86"],
  lostDifference: ["_release(job.wallet, locked, locked - charge);", "_release(job.wallet, locked, 0);"],
  refundAfterSettlement: [
    "if (job.state != State.Locked && job.state != State.Proven) revert",
    "if (job.state == State.None) revert",
  ],
  leak: ["coin.safeTransfer(treasury, value - paid);", "coin.safeTransfer(worker, value - paid);"],
} as const;

type Mutant = keyof typeof MUTANTS;
type Instead = Partial<Record<ContractName, Compiled>>;

/** Compiles them all at once: the compiler takes its time. */
function compileMutants(): Readonly<Record<Mutant, Instead>> {
  const folder = "sim/ledger/contracts";
  const honest = ownSources().get(`${folder}/Escrow.sol`)!;
  const sources = Object.entries(MUTANTS).map(([name, [from, to]]) => {
    expect(honest).toContain(from);
    return [`${folder}/${name}/Escrow.sol`, honest.replace(from, to).replaceAll('"./', '"../')] as const;
  });
  return Object.fromEntries(
    compile(new Map(sources), false).map(({ sourceName, abi, bytecode }) => [
      sourceName.split("/").at(-2)!,
      { Escrow: { abi, bytecode } as Compiled },
    ]),
  ) as Record<Mutant, Instead>;
}

describe("lockstep", () => {
  const open: AnvilChain[] = [];
  afterEach(async () => {
    for (const chain of open.splice(0)) await chain.close();
  });

  async function step(rules: Rules, instead?: Instead): Promise<LockstepChain> {
    const contracts = await AnvilChain.open({ seed: "lockstep", epoch: EPOCH, instead });
    open.push(contracts);
    return new LockstepChain(new MemoryChain(rules), contracts, "assay run scenarios/busy.yaml --chain lockstep");
  }

  /** The difference that a busy day runs into. */
  async function difference(rules: Rules, instead?: Instead) {
    const behind = await step(rules, instead);
    const error = await busyDay({ seed: "lockstep", behind, rules }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LockstepDifference);
    return error as LockstepDifference;
  }

  it("finds nothing on an honest day, and both chains' runs have one hash", async () => {
    const memory = await busyDay({ seed: "lockstep" });
    const { trace, behind } = await busyDay({ seed: "lockstep", behind: await step(honestRules) });
    expect(trace.hash()).toBe(memory.trace.hash());
    expect(behind.totals()).toEqual(memory.behind.totals());
    const totals = behind.totals()!;
    // The day is worth comparing: something of everything happened.
    for (const place of ["settled", "redeemed", "paid", "treasury", "slashed"] as const) {
      expect(totals[place], place).toBeGreaterThan(0);
    }
    expect((behind as LockstepChain).contracts.totals()).toEqual(totals);
  });

  describe("catches a bug planted in the memory chain", () => {
    it("a wrong split", async () => {
      const { message } = await difference({ ...honestRules, workerShare: () => 80 });
      expect(message).toMatch(/settle job \d+, worker \d+/);
      expect(message).toMatch(/memory chain ok, paid \d+, fee \d+, contracts ok, paid \d+, fee \d+/);
    });

    it("a lost difference", async () => {
      const { message } = await difference({ ...honestRules, difference: () => 0 });
      expect(message).toMatch(/units (locked|available): memory chain \d+, contracts \d+/);
    });

    it("a refund after settlement", async () => {
      const rules = { ...honestRules, endStopsTimer: false, refundsAtDeadline: () => true, mayReturn: () => true };
      const { message } = await difference(rules);
      expect(message).toMatch(/memory chain ok, contracts lockNotHeld/);
    });
  });

  describe("catches a bug planted in the contracts", () => {
    let mutants: Readonly<Record<Mutant, Instead>>;
    beforeAll(() => {
      mutants = compileMutants();
    });

    it("a wrong split", async () => {
      const { message } = await difference(honestRules, mutants.wrongSplit);
      expect(message).toMatch(/memory chain ok, paid \d+, fee \d+, contracts ok, paid \d+, fee \d+/);
    });

    it("a lost difference", async () => {
      const { differences } = await difference(honestRules, mutants.lostDifference);
      expect(differences.map(({ what }) => what)).toContainEqual(expect.stringMatching(/units available/));
    });

    it("a refund after settlement", async () => {
      const rules = { ...honestRules, endStopsTimer: false, refundsAtDeadline: () => true };
      const { message } = await difference(rules, mutants.refundAfterSettlement);
      // Where the wallet has nothing else locked, the arithmetic of the contract gives way.
      expect(message).toMatch(/memory chain lockNotHeld, contracts (ok|Panic\(17\))/);
    });

    it("money that leaves with nobody's receipt", async () => {
      const { differences } = await difference(honestRules, mutants.leak);
      expect(differences.map(({ what }) => what)).toContain("coins of the treasury");
    });
  });

  it("says in which block, what was in it, and how to see it again", async () => {
    const chain = await step({ ...honestRules, minimumPurchase: 200 });
    const block = new Block();
    block.number = 1;
    block.time = 2_000_000;
    block.add(1, TX.buy, 0, 0, 500, 0);
    block.add(2, TX.buy, 1, 0, 150, 0);
    for (let i = 0; i < 2; i++) chain.send(i + 1, TX.buy, i, 0, block.amount[i]!, 0, 0);
    const error = await chain.seal(block).catch((caught: LockstepDifference) => caught);
    expect((error as LockstepDifference).exitCode).toBe(1);
    expect((error as LockstepDifference).message).toMatchInlineSnapshot(`
      "The memory chain and the contracts part in block 1.
        where     block 1, sealed at 2000000 µs, 2 transactions
                    1 buy wallet 0, 500 units
                      0x6f419ddb4d1203679482d1140bd2ba1df9319b4eb0df629124add54a722470df
                  > 2 buy wallet 1, 150 units
                      0x049e345f114e87f4ce8f33a877ea7875b0b8d77e5bc8ddae624f0315ff679019
        seen      transaction 2: memory chain belowMinimum, contracts ok
        expected  the same from both
        try       to see it again: assay run scenarios/busy.yaml --chain lockstep"
    `);
  });
});
