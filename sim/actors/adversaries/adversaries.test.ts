/** Each adversary does what its file says, and wins or loses what its file says. */
import { describe, expect, it } from "vitest";
import { TX } from "../../ledger/index.ts";
import { byOperator, type PartyFigures } from "../../metrics/index.ts";
import { type RunResult, runWorld } from "../../run.ts";
import { buildScenario, parseScenario } from "../../scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent } from "../../trace/index.ts";

interface Tried {
  readonly result: RunResult;
  readonly events: readonly TraceEvent<typeof kinds.definitions>[];
  party(name: string): PartyFigures;
}

/** Runs a world of honest workers and clients beside those given; every invariant must hold whatever they do. */
async function tried(parts: { workers?: string; clients?: string; top?: string; chat?: string }): Promise<Tried> {
  const text = `
seed: 3
duration: 40min
models: [{ id: a, tier: standard }]
token_price: 100
${parts.top ?? ""}
workers:
  - { name: honest, kind: native, count: 6, slots: 4, stake: 5000, cost: { per_job: 50, per_1k_tokens: 300 } }
${parts.workers ?? ""}
clients:
  - name: chat
    wallets: 20
    units: 20000
    arrivals: { process: poisson, rate: 0.5 }
    output_tokens: 200
${parts.chat ?? ""}
${parts.clients ?? ""}
`;
  const recorder = new MemoryRecorder(kinds);
  const result = await runWorld({ ...buildScenario(parseScenario(text, "adversary.yaml")), recorder });
  expect(result.violations).toEqual([]);
  const { parties } = result.figures;
  const events = [...recorder];
  // Whatever they do to each other, only what leaves the network is lost.
  const spent = events.reduce((sum, event) => {
    if (event.kind === "worker.spent" || event.kind === "client.spent") return sum + event.amount;
    return event.kind === "audit.done" ? sum + event.cost : sum;
  }, 0);
  expect(parties.reduce((sum, { net }) => sum + net, 0)).toBe(-spent);
  return { result, events, party: (name) => parties.find((party) => party.name === name)! };
}

const EVIL =
  "  - { name: evil, kind: native, count: 2, slots: 4, stake: 5000, cost: { per_job: 50, per_1k_tokens: 300 }";

describe("workers that", () => {
  it("return junk are not seen by clients that compare hashes, only by audits; it costs them nothing and takes them no time", async () => {
    const workers = `${EVIL}, cheats: { how: junk } }`;
    const checks = "    checks: { share: 1 }";
    const unseen = await tried({ workers, chat: checks });
    expect(unseen.result.figures.disputes.opened).toBe(0);
    expect(unseen.party("evil").costs).toBe(0);
    expect(unseen.party("evil").net / unseen.party("evil").jobs).toBeCloseTo(680, 5);
    expect(unseen.party("honest").net / unseen.party("honest").jobs).toBeCloseTo(680 - 50 - 60, 5);
    const stay = (evil: boolean): number => {
      const takenAt = new Map<number, number>();
      const times: number[] = [];
      for (const event of unseen.events) {
        if (event.kind === "job.processing") takenAt.set(event.job, event.time);
        if (event.kind !== "job.lastToken" || event.worker >= 6 !== evil) continue;
        times.push(event.time - takenAt.get(event.job)!);
      }
      return times.reduce((sum, time) => sum + time, 0) / times.length;
    };
    expect(stay(true) / stay(false)).toBeCloseTo(0.1, 1);
    const seen = await tried({ workers, top: "verification: { audit_rate: 1, expel: false, cost: 40 }" });
    expect(seen.result.figures.cheats).toMatchObject({ paid: 0, wronged: 0, convicted: 0 });
    expect(seen.result.figures.cheats.refused).toBeGreaterThan(70);
    expect(seen.party("evil").slashed).toBe(Math.min(10_000, seen.result.figures.cheats.refused * 100));
    expect(seen.party("treasury").costs).toBe(seen.result.figures.cheats.audits * 40);
  });

  it("run a cheaper model save a part of the cost, and pass as many audits as the models are alike", async () => {
    const { party, result } = await tried({
      workers: `${EVIL}, cheats: { how: cheaper-model, effort: 0.5, resemblance: 0.7 } }`,
      top: "verification: { audit_rate: 1, expel: false }\narbiter: { slash: 0 }",
    });
    const { paid, refused, committed } = result.figures.cheats;
    expect(committed[2]).toBe(paid + refused);
    expect(Math.abs(paid / (paid + refused) - 0.7)).toBeLessThan(3.3 * Math.sqrt(0.21 / (paid + refused)));
    expect(party("evil").costs / committed[2]!).toBeCloseTo(55, 5);
  });

  it("post a false hash are convicted by clients that check, but are paid before", async () => {
    const { party, result } = await tried({
      workers: `${EVIL}, cheats: { how: false-hash, share: 0.5 } }`,
      chat: "    checks: { share: 1, cost: 2 }",
      top: "arbiter: { slash: 10, delay: 1h }",
    });
    const { committed, paid, convicted, wronged } = result.figures.cheats;
    expect([paid, convicted, wronged]).toEqual([committed[3], committed[3], 0]);
    expect(party("evil")).toMatchObject({ slashed: convicted * 10, netTokens: -convicted * 10 });
    expect(party("evil").total).toBe(party("evil").net - convicted * 10 * 100);
    expect(party("chat").costs).toBe(party("chat").jobs * (800 + 2));
  });

  it("withhold earn nothing and cost their clients two minutes each; a router with a memory avoids them", async () => {
    const workers = `${EVIL}, cheats: { how: withhold } }`;
    const { party, result } = await tried({ workers });
    const { refunded, settled, created } = result.figures.jobs;
    expect(party("evil")).toMatchObject({ jobs: 0, revenue: 0, net: 0, slashed: 0 });
    expect(refunded).toBe(result.figures.cheats.committed[4]);
    expect(refunded + settled).toBe(created);
    expect(party("chat").refunds).toBe(refunded * 800);
    const wary = await tried({ workers, top: "routing: reputation" });
    expect(wary.result.figures.jobs.refunded).toBeLessThan(refunded / 5);
  });

  it("are thrown out come back under a new face, at its price", async () => {
    const { party, events } = await tried({
      workers: "  - { name: wave, kind: browser, count: 5, cheats: { how: junk }, rejoins: { after: 30s, cost: 700 } }",
      top: "verification: { audit_rate: 0.2 }",
    });
    const left = events.filter(({ kind }) => kind === "worker.left").length;
    expect(left).toBeGreaterThan(10);
    expect(party("wave")).toMatchObject({ members: 5 + left, costs: left * 700, slashed: 0 });
  });
});

describe("clients that", () => {
  it("dispute everything win the charge as often as the arbiter errs, at the expense of honest workers", async () => {
    const { party, result } = await tried({
      clients: `  - name: griefer
    wallets: 5
    units: 20000
    arrivals: { process: poisson, rate: 0.2 }
    output_tokens: 200
    checks: { share: 1, accuses: true, cost: 10 }`,
      top: "arbiter: { accuracy: 0.8, slash: 1, delay: 1h, compensates: true }",
    });
    const { jobs, revenue, costs } = party("griefer");
    expect(result.figures.disputes.opened).toBe(jobs);
    const wronged = result.figures.cheats.wronged;
    expect(Math.abs(wronged / jobs - 0.2)).toBeLessThan(3.3 * Math.sqrt(0.16 / jobs));
    expect([revenue, costs]).toEqual([wronged * 800, jobs * (800 + 10)]);
    expect(party("honest").slashed).toBe(wronged);
    expect(party("treasury").costs).toBe(revenue);
  });

  it("race requests past their balance are refused what it does not cover", async () => {
    const { party, events, result } = await tried({
      clients: `  - name: racer
    wallets: 10
    units: 800
    arrivals: { process: deterministic, every: 1min }
    output_tokens: 200
    burst: 40
    top_up: { below: 100, units: 100 }`,
    });
    const refused = events.filter(({ kind }) => kind === "request.refused").length;
    expect(refused).toBeGreaterThan(100);
    expect(result.figures.reverted).toBe(0);
    expect(party("racer")).toMatchObject({ revenue: 0, costs: party("racer").jobs * 800 });
  });

  it("withdraw during a lock get no work for nothing: the lock is reverted before anybody begins", async () => {
    const { party, events, result } = await tried({
      clients: `  - name: thief
    wallets: 5
    units: 1000
    arrivals: { process: poisson, rate: 0.1 }
    output_tokens: 200
    withdraws: 1
    top_up: { below: 500, units: 1000 }`,
    });
    expect(result.figures.reverted).toBeGreaterThan(50);
    const failed = new Set<number>();
    for (const event of events) {
      if (event.kind === "job.created") failed.delete(event.job);
      if (event.kind === "job.failed") {
        expect(event.worker).toBe(-1);
        failed.add(event.job);
      }
      if (event.kind === "job.processing") expect(failed.has(event.job)).toBe(false);
    }
    // Other reversions are withdrawals of units that an earlier one in the block has taken.
    const locks = events.filter((event) => event.kind === "tx.reverted" && event.transaction === TX.lock);
    expect(result.figures.jobs.failed).toBe(locks.length);
    expect(party("thief")).toMatchObject({ revenue: 0, costs: party("thief").jobs * 800 });
  });

  it("collude with workers of theirs spare those, and lose together what the network keeps", async () => {
    const { party, events, result } = await tried({
      workers: `${EVIL}, operator: pair, cheats: { how: false-hash } }`,
      clients: `  - name: friend
    operator: pair
    wallets: 5
    units: 20000
    arrivals: { process: poisson, rate: 0.2 }
    output_tokens: 200
    checks: { share: 1, spares: evil }`,
      top: "arbiter: { accuracy: 1, delay: 1h }",
    });
    const own = new Set(
      events.flatMap((event) => (event.kind === "worker.classed" && event.class === 1 ? [event.worker] : [])),
    );
    const accused = events.flatMap((event) => (event.kind === "job.disputed" ? [event.worker] : []));
    expect(own.size).toBe(2);
    expect(accused.length).toBeGreaterThan(100);
    expect(accused.filter((worker) => own.has(worker))).toEqual([]);
    const [pair] = byOperator(result.figures.parties);
    expect(pair).toMatchObject({ operator: "pair", net: party("evil").net + party("friend").net });
    // A false accusation wins nothing from a perfect arbiter.
    expect(result.figures.disputes).toMatchObject({ fraudulent: 0, honest: accused.length });
  });
});
