/**
 * The whole world against the same closed forms: clients, gateway, escrow, router, worker and timers together are a queue, and must be the queue
 * that theory knows. Blocks are sealed at once, so that waiting for one adds nothing.
 */
import { describe, expect, it } from "vitest";
import { SECOND } from "../../sim/core/index.ts";
import type { Figures } from "../../sim/metrics/index.ts";
import { honestRules, type Rules } from "../../sim/rules.ts";
import { runWorld } from "../../sim/run.ts";
import { buildScenario, parseScenario } from "../../sim/scenario/index.ts";
import { erlangC, lossByTimer, meanWait } from "./closed-forms.ts";
import { interval, REPLICATIONS } from "./interval.ts";

/** Replications of a world of one model with `slots` slots, each busy with a job for ten seconds on average. */
async function replicate(slots: number, rate: number, requests: number, rules: Partial<Rules>): Promise<Figures[]> {
  const text = `
models: [{ id: a, tier: lite }]
chain: { block_time: 0 }
workers:
  - { kind: browser, count: ${slots}, first_token: 0, prompt_token_time: 0, service: exponential(mean=10s) }
clients:
  - { name: all, units: 100000000, requests: ${requests}, arrivals: { process: poisson, rate: ${rate} } }
`;
  const loaded = parseScenario(text, "queue.yaml");
  const figures: Figures[] = [];
  for (let seed = 1; seed <= REPLICATIONS; seed++) {
    const options = buildScenario(loaded, { seed, rules: { ...honestRules, ...rules } });
    figures.push((await runWorld(options, { checkers: {} })).figures);
  }
  return figures;
}

function expectWithin(figures: readonly Figures[], value: (of: Figures) => number, truth: number, width: number): void {
  const { mean, halfWidth } = interval(figures.map(value), 99.9);
  expect(halfWidth / truth, `half-width of ${mean} ± ${halfWidth}`).toBeLessThan(width);
  expect(Math.abs(mean - truth), `${mean} ± ${halfWidth} against ${truth}`).toBeLessThanOrEqual(halfWidth);
}

describe("the world as a queue", () => {
  it.each([
    { slots: 3, load: 2, width: 0.1 },
    { slots: 10, load: 8, width: 0.16 },
  ])("M/M/$slots at load $load: mean wait and utilisation", async ({ slots, load, width }) => {
    const figures = await replicate(slots, load / 10, 15_000, { jobTimeout: 1e15 });
    expect(erlangC(slots, load)).toBeGreaterThan(0.4);
    expectWithin(figures, ({ wait }) => wait.mean / (10 * SECOND), meanWait(slots, load), width);
    expectWithin(figures, ({ workers }) => workers.browser.utilisation, load / slots, 0.03);
  });

  it.each([
    { gap: 12, width: 0.25 },
    { gap: 10.5, width: 0.14 },
  ])("one worker, jobs cut off at 120 s, an arrival every $gap s: the share refunded", async ({ gap, width }) => {
    const figures = await replicate(1, 1 / gap, 12_000, {});
    const truth = lossByTimer(10 / gap, 12);
    expectWithin(figures, ({ jobs }) => jobs.refunded / jobs.created, truth.loss, width);
    expectWithin(figures, ({ workers }) => 1 - workers.browser.utilisation, truth.idle, 0.1);
  });
});
