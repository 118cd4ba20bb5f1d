/** Faults of workers, sessions and batches: what each does to jobs, to the microsecond where it can be told. */
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "../core/index.ts";
import { type RunResult, runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { kinds, MemoryRecorder, type TraceEvent } from "../trace/index.ts";
import { FAULT } from "../trace/kinds.ts";

type Event = TraceEvent<typeof kinds.definitions>;

interface Ran {
  readonly result: RunResult;
  readonly events: readonly Event[];
}

async function run(workers: string, more = "", rate = 0.5): Promise<Ran> {
  const text = `
duration: 4h
models: [{ id: a, tier: lite }]
chain: { block_time: 1s }
workers:
${workers}
clients:
  - { name: all, units: 1000000, output_tokens: 101, arrivals: { process: poisson, rate: ${rate} } }
${more}
`;
  const recorder = new MemoryRecorder(kinds);
  const result = await runWorld({ ...buildScenario(parseScenario(text, "faults.yaml")), recorder });
  expect(result.violations).toEqual([]);
  return { result, events: [...recorder] };
}

const STEADY = "kind: native, first_token: 1s, prompt_token_time: 0, token_time: 40ms";
const SERVICE = 5 * SECOND;

/** Microseconds at the worker, by the worker's number, of each job that was finished; with the time at which it was taken. */
function stays(events: readonly Event[]): { worker: number; taken: number; stay: number }[] {
  const taken = new Map<number, number>();
  const found: { worker: number; taken: number; stay: number }[] = [];
  for (const event of events) {
    if (event.kind === "job.processing") taken.set(event.job, event.time);
    if (event.kind !== "job.lastToken") continue;
    const since = taken.get(event.job)!;
    found.push({ worker: event.worker, taken: since, stay: event.time - since });
  }
  return found;
}

const WINDOW = { from: 10 * MINUTE, to: 30 * MINUTE };
const inside = (time: number): boolean => time > WINDOW.from && time < WINDOW.to;

describe("faults of workers", () => {
  it("crash: running jobs fail at once, nobody takes any until the end, and units come back", async () => {
    const { events, result } = await run(
      `  - { name: bad, count: 3, slots: 2, ${STEADY} }\n  - { name: good, count: 3, slots: 4, ${STEADY} }`,
      "faults:\n  - { fault: crash, workers: bad, at: 10min, for: 20min }",
    );
    const failed = events.filter((event) => event.kind === "job.failed");
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ time }) => time))).toEqual(new Set([WINDOW.from]));
    const taken = events.filter((event) => event.kind === "job.processing" && inside(event.time));
    expect(taken.length).toBeGreaterThan(300);
    expect(taken.every((event) => event.kind === "job.processing" && event.worker >= 3)).toBe(true);
    expect(stays(events).some(({ worker, taken: at }) => worker < 3 && at > WINDOW.to)).toBe(true);
    expect(result.figures.jobs.failed).toBe(failed.length);
    const told = events.flatMap((event) =>
      event.kind === "fault.began" || event.kind === "fault.ended" ? [[event.kind, event.time, event.fault]] : [],
    );
    expect(told).toEqual([
      ["fault.began", WINDOW.from, FAULT.crashedWorkers],
      ["fault.ended", WINDOW.to, FAULT.crashedWorkers],
    ]);
  });

  it("crashes that overlap, or fall on one that waits for its stake: it is away until the last has ended and its stake is sealed", async () => {
    const { events } = await run(
      `  - { kind: browser, count: 5 }\n  - { name: late, kind: native, count: 1, session: { joins: 660100ms } }`,
      `faults:
  - { fault: crash, workers: late, at: 660200ms, for: 300ms }
  - { fault: crash, workers: late, at: 660600ms, for: 10s }
  - { fault: crash, workers: late, at: 700s, for: 100s }
  - { fault: crash, workers: late, at: 750s, for: 100s }`,
    );
    const told = events.flatMap((event) =>
      (event.kind === "worker.down" || event.kind === "worker.up" || event.kind === "stake.deposited") &&
      event.worker === 5
        ? [[event.kind, event.time / SECOND]]
        : [],
    );
    expect(told).toEqual([
      ["worker.down", 660.1],
      ["stake.deposited", 661],
      ["worker.up", 670.6],
      ["worker.down", 700],
      ["worker.up", 850],
    ]);
  });

  it("crash of everybody: requests are refused, and those who wait are refunded", async () => {
    const { result } = await run(
      `  - { count: 3, slots: 2, ${STEADY} }`,
      "faults:\n  - { fault: crash, at: 10min, for: 20min }",
    );
    expect(result.figures.requests.noWorkers).toBeGreaterThan(400);
  });

  it("a clock that is ahead: its workers drop what they would have ended in time, by as much sooner as it is ahead", async () => {
    const { events, result } = await run(
      `  - { kind: native, count: 40, slots: 1, first_token: 1s, prompt_token_time: 0, service: 100s, clock: { drift_ppm: 50000, jumps: [{ at: 2h, ahead: 45s }] } }`,
      "network: { gateway_clock: { jumps: [{ at: 3h, ahead: 45s }] } }",
      0.1,
    );
    const created: number[] = [];
    const ages: Record<"failed" | "refunded", [from: number, age: number][]> = { failed: [], refunded: [] };
    for (const event of events) {
      if (event.kind === "job.created") created[event.job] = event.time;
      if (event.kind !== "job.failed" && event.kind !== "job.refunded") continue;
      const from = created[event.job]!;
      ages[event.kind === "job.failed" ? "failed" : "refunded"].push([from, event.time - from]);
    }
    // It gains 3 s a minute, so it is 102 s ahead when the run is 34 minutes old: nobody has the 101 s any more that a job takes.
    for (const [from, age] of ages.failed) {
      const set = from + age >= 2 * HOUR ? 45 * SECOND : 0;
      const told = from >= 3 * HOUR ? 45 * SECOND : 0;
      const left = (from + 120 * SECOND + told - set) / 1.05 - from;
      // Who is handed a job too late to begin drops it on the spot, up to a block after its creation.
      if (left > 2 * SECOND) expect(Math.abs(age - left)).toBeLessThan(2);
      else expect(age).toBeLessThanOrEqual(2 * SECOND);
    }
    expect(ages.failed.length).toBeGreaterThan(1_000);
    expect(result.figures.jobs.settled).toBeGreaterThan(20);
  });

  it("stall: work goes on where it stood, to the microsecond; what is taken meanwhile begins at the end", async () => {
    const { events } = await run(
      `  - { count: 8, slots: 2, ${STEADY} }`,
      "faults:\n  - { fault: stall, at: 10min, for: 30s }",
    );
    const end = WINDOW.from + 30 * SECOND;
    const [before, during, after] = [0, 0, 0];
    const seen = [before, during, after];
    for (const { taken, stay } of stays(events)) {
      if (taken <= WINDOW.from && taken + SERVICE > WINDOW.from) {
        expect(stay).toBe(SERVICE + 30 * SECOND);
        seen[0]!++;
      } else if (taken > WINDOW.from && taken < end) {
        expect(taken + stay).toBe(end + SERVICE);
        seen[1]!++;
      } else {
        expect(stay).toBe(SERVICE);
        seen[2]!++;
      }
    }
    expect(Math.min(...seen)).toBeGreaterThan(0);
  });

  it("slow: what is taken meanwhile takes as many times as long, on the share of workers that it strikes", async () => {
    const { events } = await run(
      `  - { count: 40, slots: 4, ${STEADY} }`,
      "faults:\n  - { fault: slow, share: 0.5, factor: 3, at: 10min, for: 20min }",
    );
    const all = stays(events);
    const slow = new Set(all.filter(({ stay }) => stay > SERVICE).map(({ worker }) => worker));
    expect(slow.size).toBeGreaterThan(10);
    expect(slow.size).toBeLessThan(30);
    for (const { worker, taken, stay } of all) {
      // Who takes a job just before and makes the first token after the beginning is slow for the rest of it.
      if (taken > WINDOW.from && taken < WINDOW.to - SECOND * 3)
        expect(stay).toBe(slow.has(worker) ? 3 * SERVICE : SERVICE);
    }
  });

  it("drop: a share of the running jobs fails in mid-stream, every time that it comes", async () => {
    const { events, result } = await run(
      `  - { count: 20, slots: 8, ${STEADY} }`,
      "faults:\n  - { fault: drop, share: 0.25, at: 5min, every: 1min }",
      4,
    );
    const begun = events.filter((event) => event.kind === "fault.began").length;
    expect(begun).toBe(4 * 60 - 4);
    // At 4 jobs a second of 5 s each, 20 run at a time.
    const expected = begun * 20 * 0.25;
    expect(Math.abs(result.figures.jobs.failed - expected)).toBeLessThan(3.5 * Math.sqrt(expected));
  });

  it("are over before the calm, or refused", async () => {
    const late = "calm_at: 25min\nfaults:\n  - { fault: crash, at: 10min, for: 20min }";
    await expect(run(`  - { count: 1, ${STEADY} }`, late)).rejects.toThrow(
      /does not end before the calm[\s\S]*faults\[0\]/,
    );
    await expect(run(`  - { count: 1, ${STEADY} }`, "faults:\n  - { fault: stall, at: 1min }")).rejects.toThrow(
      /lasts no time/,
    );
    const unknown = "faults:\n  - { fault: crash, workers: nobody, at: 1min, for: 1s }";
    await expect(run(`  - { name: some, count: 1, ${STEADY} }`, unknown)).rejects.toThrow(/expected +one of some/);
  });
});

describe("sessions", () => {
  it("leave as many workers present as stay / (stay + away) says, and fail what a closed tab had begun", async () => {
    const { events, result } = await run(
      "  - { kind: browser, count: 60, session: { stays: exponential(mean=20min), away: exponential(mean=10min) } }",
      "",
      1,
    );
    let present = 0;
    let area = 0;
    let since = 0;
    for (const event of events) {
      if (event.kind !== "worker.registered" && event.kind !== "worker.left") continue;
      if (event.time > HOUR) area += present * (event.time - Math.max(since, HOUR));
      since = event.time;
      present += event.kind === "worker.registered" ? 1 : -1;
    }
    const mean = area / (since - HOUR);
    // The number present varies with p (1 - p) n, and forgets itself in 6.7 minutes: some 13 independent looks in three hours.
    expect(Math.abs(mean - 40)).toBeLessThan(3.3 * Math.sqrt((60 * (2 / 9)) / 13));
    expect(result.figures.jobs.failed).toBeGreaterThan(20);
    expect(result.figures.jobs.refunded).toBe(0);
  });

  it("drain where they are told to: nothing fails, and stakes go home when no dispute can be open any more", async () => {
    const { events, result } = await run(
      `  - { name: day, count: 4, slots: 2, ${STEADY}, session: { joins: "uniform(min=5min, max=10min)", stays: 1h, drains: true } }
  - { name: always, count: 4, slots: 2, ${STEADY} }`,
    );
    expect(result.figures.jobs.failed).toBe(0);
    expect(result.figures.stake).toMatchObject({ deposited: 8_000, withdrawn: 4_000 });
    const joined = events.filter((event) => event.kind === "worker.registered" && event.time > 0);
    expect(joined).toHaveLength(4);
    for (const event of joined) {
      if (event.kind !== "worker.registered") continue;
      const first = events.find((each) => each.kind === "job.processing" && each.worker === event.worker)!;
      const staked = events.find((each) => each.kind === "stake.deposited" && each.worker === event.worker)!;
      const left = events.find((each) => each.kind === "worker.left" && each.worker === event.worker)!;
      const home = events.find((each) => each.kind === "stake.withdrawn" && each.worker === event.worker)!;
      expect(first.time).toBeGreaterThanOrEqual(staked.time);
      expect(left.time - event.time).toBe(HOUR);
      expect(home.time - left.time).toBeGreaterThan(24 * HOUR);
    }
  });
});

describe("workers", () => {
  it("slow down by their batch: each further job adds its share to the time of tokens", async () => {
    const { events } = await run(`  - { count: 1, slots: 8, ${STEADY}, batching: 0.25 }`, "", 0.6);
    const running = new Set<number>();
    const batch = new Map<number, number>();
    const firstAt = new Map<number, number>();
    const seen = new Set<number>();
    for (const event of events) {
      if (event.kind === "job.processing") running.add(event.job);
      if (event.kind === "job.firstToken") {
        batch.set(event.job, running.size);
        firstAt.set(event.job, event.time);
      }
      if (event.kind === "slot.freed") running.delete(event.job);
      if (event.kind !== "job.lastToken") continue;
      const size = batch.get(event.job)!;
      seen.add(size);
      expect(event.time - firstAt.get(event.job)!).toBe(4 * SECOND * (1 + 0.25 * (size - 1)));
    }
    expect(Math.max(...seen)).toBeGreaterThan(4);
  });

  it("host what fits into their memory", () => {
    const options = (workers: string) =>
      buildScenario(
        parseScenario(
          `duration: 1min
models: [{ id: a, tier: max, memory: 40 }, { id: b, tier: standard, memory: 9 }, { id: c, tier: lite, memory: 2 }]
workers: [{ kind: native, count: 1, ${workers} }]
clients: [{ name: x, arrivals: { process: poisson, rate: 1 } }]`,
          "memory.yaml",
        ),
      ).workers[0]!.class.models;
    expect(options("memory: 50, models: fitting")).toEqual([0, 1]);
    expect(options("memory: 12, models: fitting")).toEqual([1, 2]);
    expect(options("memory: 51, models: all")).toEqual([0, 1, 2]);
    expect(() => options("memory: 12, models: [a]")).toThrow(/do not fit[\s\S]*expected +40 or more/);
    expect(() => options("memory: 1, models: fitting")).toThrow(/No model fits/);
  });
});
