/** Users in closed loops, patience and retries, against closed forms and against the contract's words (7.3). */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MILLISECOND, SECOND } from "../core/index.ts";
import { type RunResult, runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent } from "../trace/index.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-clients-"));
afterAll(() => rmSync(scratch, { recursive: true }));

interface Ran {
  readonly result: RunResult;
  readonly events: readonly TraceEvent<typeof kinds.definitions>[];
}

async function run(workers: string, clients: string, seed = 1): Promise<Ran> {
  const text = `
duration: 10h
models: [{ id: a, tier: lite }]
chain: { block_time: 0 }
workers:
  - { kind: browser, prompt_token_time: 0, ${workers.includes("first_token") ? "" : "first_token: 0, "}${workers} }
clients:
  - { name: users, units: 1000000, ${clients} }
`;
  const recorder = new MemoryRecorder(kinds);
  const loaded = parseScenario(text, join(scratch, "clients.yaml"));
  const result = await runWorld({ ...buildScenario(loaded, { seed }), recorder });
  expect(result.violations).toEqual([]);
  return { result, events: [...recorder] };
}

describe("a closed loop", () => {
  it("has the throughput of the machine-repair model: 12 users who think 20 s, 3 servers of 6 s", async () => {
    const [users, think, servers, service] = [12, 20, 3, 6];
    // Birth and death: (users - n) / think up, min(n, servers) / service down.
    const weights = [1];
    for (let n = 1; n <= users; n++) {
      weights.push((weights[n - 1]! * ((users - n + 1) / think)) / (Math.min(n, servers) / service));
    }
    const sum = weights.reduce((total, weight) => total + weight, 0);
    const busy = weights.reduce((total, weight, n) => total + (weight / sum) * Math.min(n, servers), 0);
    const hours = 4;
    const rates: number[] = [];
    for (let seed = 1; seed <= 10; seed++) {
      const { result } = await run(
        `count: ${servers}, service: exponential(mean=${service}s)`,
        `wallets: ${users}, until: ${hours}h, arrivals: { process: closed, think: exponential(mean=${think}s) }`,
        seed,
      );
      rates.push(result.figures.jobs.created / (hours * 3_600));
    }
    const mean = rates.reduce((total, rate) => total + rate, 0) / rates.length;
    const deviation = Math.sqrt(rates.reduce((total, rate) => total + (rate - mean) ** 2, 0) / (rates.length - 1));
    // Student's t for 99.9 %, 9 degrees of freedom.
    const halfWidth = (4.781 * deviation) / Math.sqrt(rates.length);
    const truth = busy / service;
    expect(halfWidth / truth).toBeLessThan(0.05);
    expect(Math.abs(mean - truth), `${mean} against ${truth}`).toBeLessThanOrEqual(halfWidth);
  });

  it("never has two requests of one user under way, and ends with the scenario or with its requests", async () => {
    const { events, result } = await run(
      "count: 2, service: 5s, failing: 0.2",
      "wallets: 6, requests: 200, arrivals: { process: closed, think: 1s }",
    );
    const under = new Map<number, number>();
    for (const event of events) {
      if (event.kind === "job.created") {
        expect([...under.values()]).not.toContain(event.wallet);
        under.set(event.job, event.wallet);
      }
      if (event.kind === "job.lastToken" || event.kind === "job.failed") under.delete(event.job);
    }
    expect(result.figures.requests.arrived).toBe(200);
  });
});

describe("patience", () => {
  it("is lost as often as an exponential wait is shorter than the time to the first token, or to the last without streaming", async () => {
    for (const [streaming, time] of [
      [1, 4],
      [0, 10],
    ] as const) {
      const { result } = await run(
        "count: 500, first_token: 4s, service: 10s",
        `requests: 5000, arrivals: { process: poisson, rate: 5 }, streaming: ${streaming}, patience: exponential(mean=8s)`,
      );
      const { requests, jobs } = result.figures;
      const truth = 1 - Math.exp(-time / 8);
      expect(Math.abs(requests.gaveUp / 5_000 - truth)).toBeLessThan(3.3 * Math.sqrt((truth * (1 - truth)) / 5_000));
      // Nobody can take a job back: all are made and charged.
      expect(jobs.settled).toBe(5_000);
    }
  });

  it("of the careless makes more of the same load", async () => {
    const clients = "requests: 300, arrivals: { process: poisson, rate: 1 }, patience: 3s";
    const { figures } = (
      await run("count: 100, first_token: 4s, service: 5s", `${clients}, retries: { as: careless, limit: 2 }`)
    ).result;
    expect(figures.requests).toMatchObject({ arrived: 900, retried: 600, gaveUp: 900 });
    const contract = (await run("count: 100, first_token: 4s, service: 5s", `${clients}, retries: { as: contract }`))
      .result;
    expect(contract.figures.requests).toMatchObject({ arrived: 300, retried: 0, gaveUp: 300 });
  });
});

describe("retries as the contract tells", () => {
  it("back off after failures, doubling, at most so often", async () => {
    const { events } = await run(
      "count: 9, failing: 1, service: 1s",
      "requests: 1, arrivals: { process: deterministic, every: 1s }, retries: { as: contract, limit: 4, base: 2s }",
    );
    const created = events.filter(({ kind }) => kind === "job.created").map(({ time }) => time);
    const failed = events.filter(({ kind }) => kind === "job.failed").map(({ time }) => time);
    expect(created).toHaveLength(5);
    for (const [attempt, base] of [2, 4, 8, 16].entries()) {
      const wait = (created[attempt + 1]! - failed[attempt]!) / SECOND;
      expect(wait).toBeGreaterThanOrEqual(base);
      expect(wait).toBeLessThanOrEqual(base * 1.5);
    }
  });

  it("wait for ten seconds after a 503, and do not repeat what units are lacking for", async () => {
    const nobody = await run(
      "count: 0",
      "requests: 1, arrivals: { process: deterministic, every: 1s }, retries: { as: contract, limit: 2 }",
    );
    const refused = nobody.events.filter(({ kind }) => kind === "request.refused").map(({ time }) => time);
    expect(refused).toEqual([1, 11, 21].map((second) => second * SECOND));
    const poor = "wallets: 1, requests: 3, arrivals: { process: deterministic, every: 1min }";
    const text = (as: string): string => `${poor}, retries: { as: ${as} }`;
    const count = async (as: string): Promise<number> => {
      const { result } = await run(
        "count: 1, service: 1s",
        text(as).replace("wallets", "top_up: { below: 1, units: 100 }, wallets"),
      );
      return result.figures.requests.arrived;
    };
    expect(await count("contract")).toBe(3);
    const broke = async (as: string): Promise<Ran> => {
      const loaded = parseScenario(
        `duration: 1h
models: [{ id: a, tier: lite }]
workers: [{ kind: browser, count: 1 }]
clients: [{ name: poor, units: 1, ${text(as)} }]`,
        "poor.yaml",
      );
      const recorder = new MemoryRecorder(kinds);
      const result = await runWorld({ ...buildScenario(loaded), recorder });
      return { result, events: [...recorder] };
    };
    expect((await broke("contract")).result.figures.requests.insufficientCredits).toBe(3);
    const careless = await broke("careless");
    expect(careless.result.figures.requests.insufficientCredits).toBe(12);
    const times = careless.events.filter(({ kind }) => kind === "request.refused").map(({ time }) => time);
    expect(times[1]! - times[0]!).toBe(100 * MILLISECOND);
  });
});

describe("wallets and lengths", () => {
  it("buy no more than their budget", async () => {
    const { result } = await run(
      "count: 50, service: 1s",
      "wallets: 3, requests: 2000, arrivals: { process: poisson, rate: 10 }, top_up: { below: 1000000, units: 150, budget: 500 }",
    );
    expect(result.figures.units.bought).toBe(3 * (1_000_000 + 450));
  });

  it("take lengths from the rows of a trace, prompt and answer together", async () => {
    const rows = [
      [10, 100],
      [20, 200],
      [30, 300],
    ];
    const lines = rows.map(
      ([prompt, output]) => `{"timestamp": 0, "input_length": ${prompt}, "output_length": ${output}}`,
    );
    writeFileSync(join(scratch, "lengths.jsonl"), lines.join("\n"));
    const { events } = await run(
      "count: 50, service: 1s",
      "requests: 3000, arrivals: { process: poisson, rate: 10 }, lengths_from: lengths.jsonl",
    );
    const prompts = new Map<number, number>();
    const seen = new Map<string, number>();
    for (const event of events) {
      if (event.kind === "job.created") prompts.set(event.job, event.promptTokens);
      if (event.kind !== "job.lastToken") continue;
      const pair = `${prompts.get(event.job)} ${event.outputTokens}`;
      seen.set(pair, (seen.get(pair) ?? 0) + 1);
    }
    expect([...seen.keys()].toSorted()).toEqual(["10 100", "20 200", "30 300"]);
    for (const count of seen.values()) expect(Math.abs(count / 3_000 - 1 / 3)).toBeLessThan(0.03);
  });
});
