import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { Judges } from "../checkers/index.ts";
import { MILLISECOND, MINUTE, SECOND } from "../core/index.ts";
import { type ChainMode, type ChainSettings, type OpenChain, openChain } from "../ledger/index.ts";
import { busyDay } from "../ledger/lockstep/busy-day.ts";
import { honestRules, type Rules } from "../rules.ts";
import { runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { kinds, MemoryRecorder } from "../trace/index.ts";
import { FAILED } from "../trace/kinds.ts";
import type { World } from "../world.ts";
import { type ChainFault, ChainFaults } from "./chain.ts";

/** A day of trouble that meets each kind of it. The chain's own block time is 250 ms. */
const TROUBLE: readonly ChainFault[] = [
  { kind: "dropped", from: 0, to: 6 * SECOND, chance: 300_000 },
  { kind: "replaced", from: 2 * SECOND, to: 10 * SECOND, chance: 300_000 },
  { kind: "reverted", from: 3 * SECOND, to: 30 * SECOND, chance: 300_000 },
  { kind: "rpc", how: "errors", from: 5_300_000, to: 7_100_000 },
  { kind: "reorganised", at: 8_300_000, depth: 12 },
  { kind: "slow", from: 11 * SECOND, to: 20 * SECOND, blockTime: 1_500_000 },
  { kind: "stalled", from: 13 * SECOND, to: 16 * SECOND },
  { kind: "reorganised", at: 16_600_000, depth: 16 },
  { kind: "rpc", how: "hangs", from: 20 * SECOND, to: 24 * SECOND },
  { kind: "reorganised", at: 2 * MINUTE + SECOND, depth: 8 },
];

describe("a troubled chain", () => {
  let chain: OpenChain | undefined;
  afterEach(async () => {
    await chain?.close();
    chain = undefined;
  });

  async function day(
    mode: ChainMode,
    faults: readonly ChainFault[],
    rules: Rules = honestRules,
    settings?: ChainSettings,
  ) {
    const plan = { faults, resendAfter: 5 * SECOND };
    const recorder = new MemoryRecorder(kinds);
    const judges = new Judges();
    chain = await openChain(mode, { seed: "trouble", rules });
    const { behind } = chain;
    const world: World = await busyDay({
      seed: "trouble",
      behind,
      rules,
      recorder,
      rounds: 6,
      chainFaults: plan,
      chain: settings,
      folds: judges.folds,
    });
    judges.finish(world.kernel.now);
    await chain.finish();
    await chain.close();
    chain = undefined;
    const count = (kind: string): number => [...recorder].filter((event) => event.kind === kind).length;
    return { world, judges, count, hash: world.trace.hash(), events: [...recorder] };
  }

  it("does the same to both chains, holds every invariant, and loses no unit", async () => {
    const memory = await day("memory", TROUBLE);
    expect(memory.judges.violations).toEqual([]);
    for (const kind of ["tx.resent", "block.undone", "tx.undone", "tx.resealed", "job.unsettled", "job.resettled"]) {
      expect(memory.count(kind), kind).toBeGreaterThan(0);
    }
    expect(memory.count("fault.began")).toBe(TROUBLE.length);
    expect(memory.count("fault.ended")).toBe(TROUBLE.length);
    const both = await day("lockstep", TROUBLE);
    expect(both.hash).toBe(memory.hash);
    expect(both.world.behind.totals()).toEqual(memory.world.behind.totals());
  });

  it("keeps units of a refused proof in escrow until the dispute is recorded, however often its transaction runs out of gas", async () => {
    const text = `
models: [{ id: a, tier: lite }]
verification: { audit_rate: 1, delay: 3s, expel: false }
workers: [{ kind: native, count: 4, stake: 100000, first_token: 1s, cheats: { how: junk } }]
clients: [{ name: all, units: 1000, requests: 40, output_tokens: 10, arrivals: { process: deterministic, every: 2s } }]
chain: { faults: [{ fault: reverted, at: 1s, for: 5min, share: 0.6 }] }
`;
    const recorder = new MemoryRecorder(kinds);
    const { violations, figures } = await runWorld({
      ...buildScenario(parseScenario(text, "refused.yaml")),
      recorder,
    });
    expect(violations).toEqual([]);
    // Proofs come first, and with them the disputes: some are sealed at once, others after many attempts, and each before its units go back.
    const recorded = new Set<number>();
    let failed = 0;
    for (const event of recorder) {
      if (event.kind === "job.created") recorded.delete(event.job);
      if (event.kind === "dispute.recorded") recorded.add(event.job);
      if (event.kind !== "job.failed" || event.reason !== FAILED.proofRejected) continue;
      failed++;
      expect(recorded.has(event.job)).toBe(true);
    }
    expect(failed).toBeGreaterThan(10);
    expect(figures.stake.slashed).toBe(failed * 100);
  });

  it("leaves a service that does not follow it convicted", async () => {
    const { judges } = await day("memory", TROUBLE, { ...honestRules, followsChain: false });
    expect(new Set(judges.violations.map(({ checker }) => checker))).toEqual(new Set(["settled-follows-chain"]));
    expect(judges.violations[0]!.what).toMatch(/^job \d+: still told as settled, after its settlement was undone$/);
  });

  it("undoes nothing that has as many confirmations as the reorganisation is deep", async () => {
    const deep = [4_400_000, 6_900_000, 9_400_000].map((at): ChainFault => ({ kind: "reorganised", at, depth: 8 }));
    const unsettled = async (confirmations: number) =>
      (await day("memory", deep, honestRules, { blockTime: 250 * MILLISECOND, confirmations })).count("job.unsettled");
    expect(await unsettled(6)).toBeGreaterThan(0);
    expect(await unsettled(8)).toBe(0);
  });

  it("agrees with itself in both chains whatever the troubles are, and in whatever order", async () => {
    const span = fc
      .tuple(fc.integer({ min: 0, max: 14_000_000 }), fc.integer({ min: 1, max: 6_000_000 }))
      .map(([from, length]) => ({ from, to: from + length }));
    const fault: fc.Arbitrary<ChainFault> = fc.oneof(
      fc
        .record({ kind: fc.constantFrom("dropped", "replaced", "reverted"), chance: fc.constantFrom(100_000, 600_000) })
        .chain((how) => span.map((when) => ({ ...how, ...when }) as ChainFault)),
      span.map((when) => ({ kind: "stalled" as const, ...when })),
      span.map((when) => ({ kind: "slow" as const, blockTime: 1_250_000, ...when })),
      fc
        .tuple(fc.constantFrom("errors" as const, "hangs" as const), span)
        .map(([how, when]) => ({ kind: "rpc" as const, how, ...when })),
      fc.record({
        kind: fc.constant("reorganised" as const),
        at: fc.integer({ min: 300_000, max: 20_000_000 }),
        depth: fc.integer({ min: 1, max: 30 }),
      }),
    );
    const plans = fc.array(fault, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plans, async (faults) => {
        const { judges, world } = await day("memory", faults);
        expect(judges.violations).toEqual([]);
        const { available, locked, bought, settled, redeemed } = world.behind.totals()!;
        expect(locked).toBe(0);
        expect(available + settled + redeemed).toBe(bought);
      }),
      { numRuns: 30, seed: 9 },
    );
    await fc.assert(
      fc.asyncProperty(plans, async (faults) => {
        expect((await day("lockstep", faults)).hash).toBe((await day("memory", faults)).hash);
      }),
      { numRuns: 3, seed: 10 },
    );
  }, 60_000);
});

describe("what a plan makes of time", () => {
  const plan = (faults: readonly ChainFault[]) => new ChainFaults({ faults, resendAfter: SECOND }, 2 * SECOND, 1);

  it("moves boundaries: of slow blocks to their own multiples, of a stalled chain to its end", () => {
    const faults = plan([
      { kind: "slow", from: 10 * SECOND, to: 30 * SECOND, blockTime: 12 * SECOND },
      { kind: "stalled", from: 35 * SECOND, to: 41 * SECOND },
      { kind: "stalled", from: 41 * SECOND, to: 45 * SECOND },
    ]);
    const seconds = [0, 2, 9, 10, 13, 24, 29, 33, 34, 46].map((time) => faults.boundary(time * SECOND) / SECOND);
    expect(seconds).toEqual([2, 4, 10, 12, 24, 36 + 10, 36 + 10, 34, 46, 48]);
  });

  it("tries a node again each second, or as long as it waits for an answer", () => {
    const faults = plan([
      { kind: "rpc", how: "errors", from: 10 * SECOND, to: 12_500_000 },
      { kind: "rpc", how: "hangs", from: 40 * SECOND, to: 55 * SECOND },
    ]);
    expect([9, 10, 12, 13, 40, 54].map((time) => faults.takes(time * SECOND) / SECOND)).toEqual([
      9, 13, 13, 13, 60, 64,
    ]);
  });
});
