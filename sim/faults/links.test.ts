/** Messages that take time, get lost, double, and are held back; a gateway's clock that is not true. */
import { describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "../core/index.ts";
import { Clock } from "../network/index.ts";
import { type RunResult, runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent } from "../trace/index.ts";
import { FAULT } from "../trace/kinds.ts";

interface Ran {
  readonly result: RunResult;
  readonly events: readonly TraceEvent<typeof kinds.definitions>[];
}

const PARTS = {
  clients: "output_tokens: 101, prompt_tokens: 0, arrivals: { process: deterministic, every: 10s }",
  workers: "  - { kind: native, count: 6, slots: 8, first_token: 1s, prompt_token_time: 0, token_time: 40ms }",
};

async function run(more: string, { clients = PARTS.clients, workers = PARTS.workers } = {}): Promise<Ran> {
  const text = `
duration: 1h
models: [{ id: a, tier: lite }]
chain: { block_time: 0 }
workers:
${workers}
clients:
  - { name: all, units: 1000000, ${clients} }
${more}
`;
  const recorder = new MemoryRecorder(kinds);
  const result = await runWorld({ ...buildScenario(parseScenario(text, "network.yaml")), recorder });
  expect(result.violations).toEqual([]);
  return { result, events: [...recorder] };
}

/** By number of the job: when it came, was taken, had its tokens, and by whom. */
function jobs({ events }: Ran) {
  const found: { created: number; taken: number; first: number; last: number; worker: number; refunded: boolean }[] =
    [];
  const at = new Map<number, (typeof found)[number]>();
  for (const event of events) {
    if (event.kind === "job.created") {
      const job = { created: event.time, taken: -1, first: -1, last: -1, worker: -1, refunded: false };
      at.set(event.job, job);
      found.push(job);
    } else if (event.kind === "job.processing") {
      at.get(event.job)!.taken = event.time;
      at.get(event.job)!.worker = event.worker;
    } else if (event.kind === "job.firstToken") at.get(event.job)!.first = event.time;
    else if (event.kind === "job.lastToken") at.get(event.job)!.last = event.time;
    else if (event.kind === "job.refunded") at.get(event.job)!.refunded = true;
  }
  return found;
}

describe("links", () => {
  it("cost nothing where there are none, and change nothing but times where they are constant", async () => {
    const [plain, none] = [await run(""), await run("network: {}")];
    expect(none.result.hash).toBe(plain.result.hash);
    const timed = jobs(await run("network: { clients: { delay: 100ms }, workers: { delay: 30ms } }"));
    for (const [index, job] of jobs(plain).entries()) {
      const late = timed[index]!;
      expect(late.created - job.created).toBe(0.1 * SECOND);
      // The job goes there, its first token comes back; the last one takes no longer on its way than the first.
      expect(late.first - late.taken - (job.first - job.taken)).toBe(0.06 * SECOND);
      expect(late.last - late.first).toBe(job.last - job.first);
    }
  });

  it("are narrow: bytes leave one after the other", async () => {
    const wide = jobs(await run("network: { workers: { delay: 0 } }"));
    const narrow = jobs(await run("network: { workers: { bandwidth: 10 } }"));
    // 600 bytes for the job, 604 for the first token, 600 + 101 * 4 for the answer, at 10,000 bytes a second.
    expect(narrow[0]!.first - wide[0]!.first).toBe(0.06 * SECOND + 0.0604 * SECOND);
    expect(narrow[0]!.last - wide[0]!.last).toBe(0.06 * SECOND + (0.06 + 0.0404) * SECOND);
  });

  it("lose what is sent again: the mean is that of the geometric number of losses, doubled waits and all", async () => {
    const clients = "requests: 4000, output_tokens: 101, arrivals: { process: deterministic, every: 500ms }";
    const sent = await run("", { clients });
    const lossy = await run("network: { clients: { delay: 10ms, loss: 0.2, resend_after: 100ms } }", { clients });
    const waits = jobs(lossy)
      .map(({ created }) => created)
      .reduce((sum, time) => sum + time, 0);
    const plain = jobs(sent).reduce((sum, { created }) => sum + created, 0);
    // Sum over n of 0.2^n * 100 ms * 2^(n - 1) = 0.1 * 0.2 / (1 - 0.4) seconds.
    const truth = 0.01 + (0.1 * 0.2) / (1 - 0.4);
    const mean = (waits - plain) / 4_000 / SECOND;
    // The second moment is that of a sum of doubled waits: it is finite, and the deviation about 0.13 s.
    expect(Math.abs(mean - truth)).toBeLessThan((3.3 * 0.13) / Math.sqrt(4_000));
  });

  it("double requests: each copy is a job of its own, and is charged", async () => {
    const clients = "requests: 2000, output_tokens: 101, arrivals: { process: deterministic, every: 1s }";
    const { result, events } = await run("network: { clients: { delay: 50ms, duplication: 0.1 } }", { clients });
    const copies = events.filter(({ kind }) => kind === "request.duplicated").length;
    expect(Math.abs(copies - 200)).toBeLessThan(3.3 * Math.sqrt(2_000 * 0.09));
    expect(result.figures.jobs.settled).toBe(2_000 + copies);
    expect(result.figures.units.settled).toBe((2_000 + copies) * 2);
  });
});

describe("partitions and clogs", () => {
  const regions = `  - { kind: native, count: 3, region: east, first_token: 1s, prompt_token_time: 0, token_time: 40ms }
  - { kind: native, count: 3, region: west, first_token: 1s, prompt_token_time: 0, token_time: 40ms }`;

  it("hold back what a region has taken: it is refunded at 120 s, the others are served", async () => {
    const ran = await run("faults:\n  - { fault: partition, link: workers, region: west, at: 10min, for: 20min }", {
      workers: regions,
    });
    const cut = jobs(ran).filter(({ taken, worker }) => worker >= 3 && taken >= 10 * MINUTE && taken < 28 * MINUTE);
    expect(cut.length).toBeGreaterThan(20);
    expect(cut.every(({ refunded }) => refunded)).toBe(true);
    // Those that the region has done, and whose last token came too late or was just under way, aside.
    const others = jobs(ran).filter(({ worker }) => worker < 3);
    expect(others.every(({ refunded }) => !refunded)).toBe(true);
    const told = ran.events.flatMap((event) =>
      event.kind === "fault.began" || event.kind === "fault.ended" ? [[event.time, event.fault]] : [],
    );
    expect(told).toEqual([
      [10 * MINUTE, FAULT.partition],
      [30 * MINUTE, FAULT.partition],
    ]);
  });

  it("strike one worker, or one population, where they name it", async () => {
    const one = jobs(await run("faults:\n  - { fault: partition, link: workers, party: 2, at: 0, for: 1h }"));
    expect(one.filter(({ refunded }) => refunded).every(({ worker }) => worker === 2)).toBe(true);
    const early = one.filter(({ worker, created }) => worker === 2 && created < 57 * MINUTE);
    expect(early.length).toBeGreaterThan(20);
    expect(early.every(({ refunded }) => refunded)).toBe(true);
    const cut = jobs(await run("faults:\n  - { fault: partition, link: clients, party: all, at: 10min, for: 5min }"));
    expect(cut.filter(({ created }) => created > 10 * MINUTE && created < 15 * MINUTE)).toEqual([]);
    expect(cut.filter(({ created }) => created === 15 * MINUTE).length).toBeGreaterThan(28);
  });

  it("clog: messages take as many times as long meanwhile", async () => {
    const ran = jobs(
      await run(
        "network: { workers: { delay: 50ms } }\nfaults:\n  - { fault: clog, link: workers, factor: 20, at: 10min, for: 20min }",
      ),
    );
    for (const { taken, first } of ran) {
      if (taken < 9 * MINUTE) expect(first - taken).toBe(1.1 * SECOND);
      else if (taken > 10 * MINUTE && taken < 29 * MINUTE) expect(first - taken).toBe(3 * SECOND);
    }
  });

  it("keep a webhook from its endpoint: attempts time out, retries reach it after the end", async () => {
    const { result } = await run("faults:\n  - { fault: partition, link: webhooks, party: all, at: 10min, for: 20s }", {
      clients: `${PARTS.clients}, webhook: { events: [job.completed], latency: 50ms }`,
    });
    const { created, delivered, attempts, webhooksFailed } = result.figures.deliveries;
    expect([delivered, webhooksFailed]).toEqual([created, 0]);
    expect(attempts).toBeGreaterThan(created);
  });

  it("say what they lack", async () => {
    const faulty = (fault: string) => run(`faults:\n  - { ${fault} }`);
    await expect(faulty("fault: partition, at: 1s, for: 1s")).rejects.toThrow(
      /which links[\s\S]*clients, workers, webhooks/,
    );
    await expect(faulty("fault: clog, link: workers, at: 1s, for: 1s")).rejects.toThrow(/"factor"/);
    await expect(faulty("fault: partition, link: workers, region: north, at: 1s, for: 1s")).rejects.toThrow(
      /no workers in this/,
    );
    await expect(run("network: { clients: { loss: 0.5, delay: sometimes } }")).rejects.toThrow(/network\.clients/);
  });
});

describe("a gateway's clock", () => {
  it("shows what it gains, and what it was set by", () => {
    const clock = new Clock({ driftPpm: 100, jumps: [{ at: 50 * SECOND, by: -2 * SECOND }] });
    expect(clock.read(10 * SECOND)).toBe(10 * SECOND + 1_000);
    expect(clock.read(60 * SECOND)).toBe(58 * SECOND + 6_000);
    expect(clock.lasts(120 * SECOND)).toBe(Math.round(120e6 / 1.0001));
  });

  it.each([5_000, -5_000])("refunds by its own 120 s: %d ppm", async (ppm) => {
    const { events } = await run(`network: { gateway_clock: { drift_ppm: ${ppm} } }`, {
      workers: "  - { kind: browser, count: 200, silent: 1 }",
    });
    const created = new Map<number, number>();
    const ages = new Set<number>();
    for (const event of events) {
      if (event.kind === "job.created") created.set(event.job, event.time);
      if (event.kind === "job.refunded") ages.add(event.time - created.get(event.job)!);
    }
    expect([...ages]).toEqual([Math.round((120e6 * 1e6) / (1e6 + ppm))]);
  });

  it("set ahead by more than a minute refuses disputes that are in time, set back hears some that are not", async () => {
    const workers =
      "  - { kind: native, count: 200, slots: 8, first_token: 1s, token_time: 1ms, stake: 1000000, dishonest: 1 }";
    const disputed = async (clock: string, after: string): Promise<number> => {
      const { result } = await run(`network: { gateway_clock: { jumps: [${clock}] } }`, {
        workers,
        clients: `${PARTS.clients}, checks: { share: 1, after: ${after} }`,
      });
      return result.figures.disputes.opened;
    };
    const true50 = await disputed("", "50s");
    expect(true50).toBeGreaterThan(300);
    expect(await disputed("", "70s")).toBe(0);
    // Five answers have their last token before the jump and their dispute after it.
    expect(true50 - (await disputed("{ at: 30min, ahead: 2min }", "50s"))).toBe(5);
    expect(await disputed("{ at: 30min, back: 2min }", "70s")).toBe(7);
  });
});
