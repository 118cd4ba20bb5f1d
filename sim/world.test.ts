import { describe, expect, it } from "vitest";
import { Judges } from "./checkers/index.ts";
import { SECOND } from "./core/index.ts";
import { type Block, type Chain, MemoryChain, TX } from "./ledger/index.ts";
import { FigureFold } from "./metrics/index.ts";
import { honestRules } from "./rules.ts";
import { runWorld } from "./run.ts";
import { buildScenario, parseScenario } from "./scenario/index.ts";
import { kinds, MemoryRecorder } from "./trace/index.ts";
import { createWorld, type WorldOptions } from "./world.ts";

/** Options of a world of one model, two slots and one population. */
function small(changes: Partial<Record<"workers" | "clients" | "top", string>> = {}): WorldOptions {
  const text = `
duration: 30min
models: [{ id: a, tier: standard }]
${changes.top ?? ""}
workers:
  - { kind: native, count: 1, slots: 2, first_token: 1s, prompt_token_time: 0, token_time: 20ms${changes.workers ?? ""} }
clients:
  - name: one
    wallets: 2
    units: 5000
    arrivals: { process: poisson, rate: 0.2 }
    output_tokens: uniform(min=1, max=700)
    ${changes.clients ?? ""}
`;
  return buildScenario(parseScenario(text, "small.yaml"));
}

/** A chain that takes its time on the wall. */
class SlowChain implements Chain {
  readonly #memory = new MemoryChain(honestRules);

  async seal(block: Block): Promise<void> {
    await Promise.resolve();
    this.#memory.seal(block);
  }

  totals() {
    return this.#memory.totals();
  }
}

describe("a world", () => {
  it("is the same over a chain that answers with promises", async () => {
    const options = small({ workers: ", dishonest: 0.1, failing: 0.1", clients: "checks: { share: 0.5 }" });
    const [memory, slow] = [await runWorld(options), await runWorld({ ...options, behind: new SlowChain() })];
    expect(slow).toEqual(memory);
    expect(memory.figures.disputes.opened).toBeGreaterThan(0);
  });

  it("waits for confirmations before a job is settled", async () => {
    const recorder = new MemoryRecorder(kinds);
    await runWorld({ ...small({ top: "chain: { block_time: 2s, confirmations: 3 }" }), recorder });
    const paidAt = new Map<number, number>();
    let settled = 0;
    for (const event of recorder) {
      if (event.kind === "job.paid") paidAt.set(event.job, event.time);
      if (event.kind !== "job.settled") continue;
      settled++;
      expect(event.time - paidAt.get(event.job)!).toBe(6 * SECOND);
    }
    expect(settled).toBeGreaterThan(300);
  });

  it("gives places of finished jobs again: memory follows the jobs at once, not the jobs in all", async () => {
    const world = createWorld(small({ top: "seed: 5", clients: "requests: 300" }));
    world.start();
    await world.run();
    expect(world.jobs.opened).toBe(300);
    expect(world.jobs.size).toBeLessThan(20);
  });

  it("does not pay for work that comes after the refund", async () => {
    const options = small({ workers: ", service: 130s, works_late: true" });
    const recorder = new MemoryRecorder(kinds);
    const { figures, violations } = await runWorld({ ...options, recorder });
    expect(violations).toEqual([]);
    expect(figures.jobs.settled).toBe(0);
    expect(figures.units.settled).toBe(0);
    expect([...recorder].filter(({ kind }) => kind === "job.late").length).toBeGreaterThan(10);
  });

  it("fails a job whose units were withdrawn before its lock was sealed, and nothing is lost", async () => {
    const world = createWorld(small({ clients: "requests: 1" }));
    const judges = new Judges();
    const fold = new FigureFold();
    for (const judge of [...judges.folds, fold]) world.trace.subscribe(judge);
    world.start();
    const wallet = world.gateway.openWallet(100);
    await world.runUntil(2 * SECOND);
    world.chain.submit(TX.withdraw, wallet, 0, 95, 0);
    const job = world.gateway.submit(wallet, 0, 10, 10, -1);
    expect(job).toBeGreaterThanOrEqual(0);
    expect(world.gateway.books.available(wallet)).toBe(92);
    await world.run();
    world.finish();
    judges.finish(world.kernel.now);
    expect(judges.violations).toEqual([]);
    expect(world.gateway.books.available(wallet)).toBe(5);
    expect(fold.figures()).toMatchObject({ jobs: { failed: 1 }, reverted: 1, units: { redeemed: 95 } });
  });

  it("takes no units that a lock holds: the withdrawal that came later is reverted", async () => {
    const world = createWorld(small({ clients: "requests: 1" }));
    const fold = new FigureFold();
    world.trace.subscribe(fold);
    world.start();
    const wallet = world.gateway.openWallet(100);
    await world.runUntil(2 * SECOND);
    world.gateway.submit(wallet, 0, 10, 10, -1);
    world.chain.submit(TX.withdraw, wallet, 0, 95, 0);
    await world.run();
    expect(fold.figures()).toMatchObject({ jobs: { failed: 0 }, reverted: 1, units: { redeemed: 0 } });
    expect(world.gateway.books.available(wallet)).toBe(92);
  });
});
