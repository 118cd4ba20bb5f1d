/**
 * The economics of fraud against what theory says of it: caught with 1 - (1 - q)^n over n jobs, deterred when q * slash > (1 - q) * gain. All figures
 * are those of the trace.
 */
import { describe, expect, it } from "vitest";
import type { Figures } from "../../sim/metrics/index.ts";
import { runWorld } from "../../sim/run.ts";
import { buildScenario, parseScenario } from "../../sim/scenario/index.ts";
import { kinds, MemoryRecorder } from "../../sim/trace/index.ts";
import { interval, REPLICATIONS } from "./interval.ts";

/** A world of one model whose workers all cheat; a charge is 8 units, of which a native worker gets 6.80. */
const world = (workers: string, verification: string, requests: number, more = "") => `
models: [{ id: a, tier: standard }]
chain: { block_time: 0 }
arbiter: { slash: 10 }
token_price: 200
verification: { delay: 1s, ${verification} }
workers:
  - { kind: native, service: 1s, first_token: 0, prompt_token_time: 0, ${workers} }
clients:
  - { name: all, wallets: 10, units: 10000000, requests: ${requests}, output_tokens: 100, arrivals: { process: poisson, rate: 20 } }
${more}
`;

const options = (text: string, seed: number) => buildScenario(parseScenario(text, "fraud.yaml"), { seed });

async function replicate(text: string): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (let seed = 1; seed <= REPLICATIONS; seed++) {
    const { figures: each, violations } = await runWorld(options(text, seed));
    expect(violations).toEqual([]);
    figures.push(each);
  }
  return figures;
}

describe("caught over n jobs", () => {
  it.each([
    { rate: 0.05, miss: 0, n: 10 },
    { rate: 0.2, miss: 0.5, n: 20 },
  ])("audit rate $rate, false negatives $miss: 1 - (1 - q)^$n of the workers", async ({ rate, miss, n }) => {
    const workers = 400;
    const q = rate * (1 - miss);
    // In turn, a worker gets n jobs after n times as many requests as there are workers; those who left leave more to the others.
    const text = world(
      `count: ${workers}, slots: 8, stake: 1000, cheats: { how: junk }`,
      `audit_rate: ${rate}, false_negative: ${miss}`,
      workers * (n + 3),
    );
    const recorder = new MemoryRecorder(kinds);
    await runWorld({ ...options(text, 7), recorder });
    const done = new Map<number, number>();
    const caught = new Set<number>();
    for (const event of recorder) {
      if (event.kind !== "job.settling" && event.kind !== "audit.done") continue;
      const jobs = done.get(event.worker) ?? 0;
      if (event.kind === "job.settling") done.set(event.worker, jobs + 1);
      // Audits take a second and a worker's jobs come in turn about twenty apart, so the count is that of the audited job.
      else if (event.rejected === 1 && jobs <= n) caught.add(event.worker);
    }
    const counted = [...done].filter(([worker, jobs]) => jobs >= n || caught.has(worker)).length;
    expect(counted).toBe(workers);
    const truth = 1 - (1 - q) ** n;
    const halfWidth = 3.29 * Math.sqrt((truth * (1 - truth)) / workers);
    expect(Math.abs(caught.size / workers - truth), `${caught.size / workers} against ${truth}`).toBeLessThan(
      halfWidth,
    );
  });
});

describe("what a fraud earns", () => {
  // A slash of 10 tokens at 200 hundredths each is worth 2,000; a job cheated on gains its pay of 680.
  const slash = 10 * 200;
  const gain = 680;
  const even = gain / (gain + slash);

  it.each([
    { rate: 0.1, deterred: false },
    { rate: 0.2, deterred: false },
    { rate: 0.3, deterred: true },
    { rate: 0.6, deterred: true },
  ])("audit rate $rate: (1 - q) * gain - q * slash a job, deterred: $deterred", async ({ rate, deterred }) => {
    expect(rate > even).toBe(deterred);
    expect(rate * slash > (1 - rate) * gain).toBe(deterred);
    const jobs = 1_000;
    const figures = await replicate(
      world("count: 10, slots: 8, stake: 1000000, cheats: { how: junk }", `audit_rate: ${rate}, expel: false`, jobs),
    );
    const { mean, halfWidth } = interval(
      figures.map(({ parties }) => parties.find(({ role }) => role === "worker")!.total / jobs),
      99.9,
    );
    const truth = (1 - rate) * gain - rate * slash;
    expect(halfWidth).toBeLessThan(60);
    expect(Math.abs(mean - truth), `${mean} ± ${halfWidth} against ${truth}`).toBeLessThanOrEqual(halfWidth);
    expect(mean + halfWidth < 0 || mean - halfWidth > 0, "the interval leaves no doubt about the sign").toBe(true);
    expect(mean < 0).toBe(deterred);
  });

  it("against honest work, cheating pays while q * (slash + pay) < the cost saved", async () => {
    const text = (rate: number): string =>
      world(
        "name: fraud, count: 10, slots: 8, stake: 1000000, cost: { per_job: 300 }, cheats: { how: junk }",
        `audit_rate: ${rate}, expel: false`,
        3_000,
      ).replace(
        "clients:",
        "  - { name: honest, kind: native, count: 10, slots: 8, service: 1s, first_token: 0, cost: { per_job: 300 } }\nclients:",
      );
    const advantage = async (rate: number): Promise<{ mean: number; halfWidth: number }> => {
      const figures = await replicate(text(rate));
      return interval(
        figures.map(({ parties, cheats }) => {
          const of = (name: string) => parties.find((party) => party.name === name)!;
          const cheated = Object.values(cheats.committed).reduce((sum, count) => sum + count, 0);
          return of("fraud").total / cheated - of("honest").total / of("honest").jobs;
        }),
        99.9,
      );
    };
    // The saving of 300 is worth a risk of up to 300 / 2,680 = 11.2 %.
    for (const rate of [0.05, 0.2]) {
      const { mean, halfWidth } = await advantage(rate);
      expect(Math.abs(mean - (300 - rate * (slash + 680)))).toBeLessThanOrEqual(halfWidth);
      expect(mean - halfWidth > 0).toBe(rate < 300 / 2_680);
      expect(mean + halfWidth < 0).toBe(rate > 300 / 2_680);
    }
  });

  it("a sybil identity lives for 1/q jobs and is paid for all but the last", async () => {
    const rate = 0.1;
    const text = world(
      "name: wave, count: 20, slots: 8, cheats: { how: junk }, rejoins: { after: 1s, cost: 1500 }",
      `audit_rate: ${rate}`,
      4_000,
    )
      .replace("kind: native", "kind: browser")
      // So quick that hardly any identity has a second job under way when it is found out.
      .replace("service: 1s", "service: 10ms")
      .replace("delay: 1s", "delay: 10ms");
    const figures = await replicate(text);
    const wave = figures.map(({ parties }) => parties.find(({ name }) => name === "wave")!);
    const perIdentity = interval(
      wave.map(({ jobs, members }) => jobs / (members - 20)),
      99.9,
    );
    expect(Math.abs(perIdentity.mean - (1 / rate - 1))).toBeLessThanOrEqual(perIdentity.halfWidth);
    expect(perIdentity.halfWidth).toBeLessThan(1);
    // Nothing can be slashed: all that being found out costs are the faces.
    expect(wave.every(({ slashed, costs, members }) => slashed === 0 && costs === (members - 20) * 1_500)).toBe(true);
  });
});

it("errs as it is told: honest jobs refused as often as the false-positive rate says", async () => {
  const figures = await replicate(
    world("count: 10, slots: 8, stake: 1000000", "audit_rate: 0.5, false_positive: 0.1, expel: false", 1_000),
  );
  const { mean, halfWidth } = interval(
    figures.map(({ cheats }) => cheats.wronged / cheats.audits),
    99.9,
  );
  expect(Math.abs(mean - 0.1)).toBeLessThanOrEqual(halfWidth);
  expect(halfWidth).toBeLessThan(0.02);
});
