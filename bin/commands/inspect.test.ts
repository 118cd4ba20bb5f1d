import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChromeEvent } from "../../sim/inspect/index.ts";
import { diff } from "./diff.ts";
import { fuzz } from "./fuzz.ts";
import { replay } from "./replay.ts";
import { runCommand } from "./run.ts";
import { verify } from "./verify.ts";

const scratch = mkdtempSync(join(tmpdir(), "assay-inspect-"));
afterAll(() => rmSync(scratch, { recursive: true }));
const file = (name: string): string => join(scratch, name);

/** Time-outs, failures, frauds, disputes and webhooks that fail. */
const BUSY = `
seed: 3
duration: 20min
models: [{ id: a, tier: standard }]
workers:
  - { kind: native, count: 2, slots: 2, dishonest: 0.2, failing: 0.05, silent: 0.02, stake: 1500, works_late: true }
  - { kind: browser, count: 1, token_time: 200ms }
clients:
  - name: one
    wallets: 3
    units: 500
    arrivals: { process: poisson, rate: 0.3 }
    top_up: { below: 100, units: 200 }
    checks: { share: 0.3, after: 20s }
    webhook: { events: [job.completed, job.timeout], success: 0.2 }
`;

class Sink {
  text = "";
  write(text: string): void {
    this.text += text;
  }
}

async function said(command: (streams: { out: Sink; err: Sink; env: NodeJS.ProcessEnv }) => Promise<number>): Promise<{
  code: number;
  out: string;
}> {
  const streams = { out: new Sink(), err: new Sink(), env: {} };
  return { code: await command(streams), out: streams.out.text };
}

const scenario = file("busy.yaml");
const record = file("busy.ndjson");
const look = (run: string, options: object = {}): ReturnType<typeof said> =>
  said((streams) => replay({ run, limit: 200, json: false, ...options }, streams));
const part = (left: string, right: string, options: object = {}): ReturnType<typeof said> =>
  said((streams) => diff({ left, right, json: true, ...options }, streams));
const lines = (text: string): string[] => text.trimEnd().split("\n");
const recorded = (): Record<string, number | string>[] =>
  lines(readFileSync(record, "utf8")).map((line) => JSON.parse(line));

beforeAll(async () => {
  writeFileSync(scenario, BUSY);
  const options = { scenario, record, json: true, quiet: true, chain: "memory" } as unknown;
  await said((streams) => runCommand(options as Parameters<typeof runCommand>[0], streams));
});

describe("assay replay", () => {
  it("tells the life of each job, whole and of no other, from the record as from the scenario", async () => {
    const events = recorded();
    for (const number of [0, 7, 100]) {
      const { out } = await look(record, { job: number, json: true });
      const life = lines(out).map((line) => JSON.parse(line));
      const created = life.find(({ kind }) => kind === "job.created");
      expect(created.number).toBe(number);
      const ends = life.filter(({ kind }) => ["job.settled", "job.failed", "job.refunded"].includes(kind));
      expect(ends).toHaveLength(1);
      for (const event of life) if ("job" in event) expect(event.job).toBe(created.job);
      // What the record says of that place from its creation until it is given again is all there.
      const begin = events.findIndex(({ kind, number: nth }) => kind === "job.created" && nth === number);
      const next = events.findIndex(
        ({ kind, job }, index) => index > begin && kind === "job.created" && job === created.job,
      );
      const own = events.slice(begin, next < 0 ? undefined : next).filter(({ job }) => job === created.job);
      expect(life).toEqual(expect.arrayContaining(own));
      expect((await look(scenario, { job: number, json: true })).out).toBe(out);
    }
  });

  it("shows the world at any moment as its last word says it is", async () => {
    const events = recorded();
    const closed = events.find(({ kind }) => kind === "books.closed")!;
    const state = JSON.parse((await look(record, { at: "48h", json: true })).out);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    expect(state.jobs).toEqual([]);
    expect(sum(state.wallets.map(({ available }: { available: number }) => available))).toBe(closed.available);
    expect(sum(state.wallets.map(({ locked }: { locked: number }) => locked))).toBe(0);
    expect(state.units).toMatchObject({ settled: closed.settled, redeemed: closed.redeemed });
    expect(state.disputes).toBe(0);

    const early = JSON.parse((await look(record, { at: "90s", json: true })).out);
    const before = events.filter(({ time }) => Number(time) <= 90e6);
    const count = (kinds: readonly string[]): number =>
      before.filter(({ kind }) => kinds.includes(String(kind))).length;
    expect(early.jobs).toHaveLength(count(["job.created"]) - count(["job.settled", "job.failed", "job.refunded"]));
    expect(sum(early.workers.map(({ busy }: { busy: number }) => busy))).toBe(
      count(["job.processing"]) - count(["slot.freed"]),
    );
    expect((await look(record, { at: "90s" })).out).toMatch(/0:01:30\.000000 {2}after \d+ events[\s\S]*processing/);
  });

  it("filters by actor and by kind or group of kinds", async () => {
    const { out } = await look(record, { actor: "worker 1", kind: ["stake", "worker.left"], json: true });
    const kept = lines(out).map((line) => JSON.parse(line));
    const wanted = recorded().filter(
      ({ worker, kind }) => worker === 1 && /^stake\.|^worker\.left$/.test(String(kind)),
    );
    expect(kept).toEqual(wanted);
    expect(kept.length).toBeGreaterThan(1);
  });

  it("writes what Chrome's viewer reads: whole spans, in order of time", async () => {
    const chrome = file("chrome.json");
    expect((await look(record, { chrome })).code).toBe(0);
    const { traceEvents } = JSON.parse(readFileSync(chrome, "utf8")) as { traceEvents: ChromeEvent[] };
    const open = new Map<string, number>();
    let time = 0;
    for (const { ph, cat, id, ts } of traceEvents) {
      expect(ts).toBeGreaterThanOrEqual(time);
      time = ts;
      const key = `${cat} ${id}`;
      if (ph === "b") open.set(key, (open.get(key) ?? 0) + 1);
      if (ph === "e") {
        expect(open.get(key), key).toBeGreaterThan(0);
        open.set(key, open.get(key)! - 1);
      }
    }
    expect([...open.values()].every((spans) => spans === 0)).toBe(true);
    expect(open.size).toBeGreaterThan(300);
  });

  it.each([
    [{ job: 99_999 }, /There is no such job in the run[\s\S]*expected {2}0 to \d+/],
    [{ kind: ["jbo"] }, /There is no such kind of event[\s\S]*did you mean "job"/],
    [{ actor: "anybody" }, /There is no such actor/],
    [{ at: "soon" }, /This is not a duration[\s\S]*--at/],
    [{ seed: "2" }, /A recorded trace is what it is: --seed changes nothing/],
    [{ chrome: join(scratch, "no", "where.json") }, /The trace for Chrome cannot be written/],
  ])("refuses %j", async (options, complaint) => {
    await expect(look(record, options)).rejects.toThrow(complaint);
  });

  it("names the line of a record that is broken, and a file that is not there", async () => {
    const broken = file("broken.ndjson");
    writeFileSync(broken, `${lines(readFileSync(record, "utf8")).slice(0, 3).join("\n")}\n{"time":0,"kind"`);
    await expect(look(broken)).rejects.toThrow(/broken\.ndjson, line 4/);
    await expect(look(file("none.ndjson"))).rejects.toThrow(/There is nothing to look into/);
  });

  it.each<[what: string, change: (all: string[]) => string[], complaint: RegExp]>([
    ["empty", () => [], /The trace is empty[\s\S]*assay run --record writes them/],
    ["without its head", (all) => all.slice(20), /does not begin where its run began[\s\S]*event 1\n/],
    [
      "without its middle",
      (all) => all.toSpliced(20, all.length - 200),
      /A part of the trace is missing[\s\S]*expected .*before/,
    ],
    ["out of order", (all) => all.with(-1, all[1]!), /goes back in time/],
    [
      "of a version with another kind",
      (all) => all.with(2, all[2]!.replace('"worker.', '"helper.')),
      /line 3[\s\S]*known kind[\s\S]*version/,
    ],
    [
      "of a version with a further field",
      (all) => all.with(2, all[2]!.replace("}", ',"colour":1}')),
      /line 3[\s\S]*no field "colour"[\s\S]*version/,
    ],
    [
      "of a version with a field fewer",
      (all) => all.with(2, all[2]!.replace(',"slots":2', "")),
      /line 3[\s\S]*an integer "slots"[\s\S]*version/,
    ],
  ])("refuses a record that is %s", async (_, change, complaint) => {
    const changed = file("changed.ndjson");
    writeFileSync(changed, change(lines(readFileSync(record, "utf8"))).join("\n"));
    await expect(look(changed, { at: "10min" })).rejects.toThrow(complaint);
  });
});

describe("assay diff", () => {
  it("finds no difference between a record and its scenario run again", async () => {
    expect(await part(record, scenario)).toMatchObject({ code: 0, out: expect.stringContaining('"same": true') });
  });

  it("finds the very event that was changed, dropped or cut off, wherever it stands", async () => {
    const all = lines(readFileSync(record, "utf8"));
    const changed = file("changed.ndjson");
    for (const index of [0, 1, 4_095, 4_096, 4_097, all.length - 1]) {
      const event = JSON.parse(all[index]!);
      const altered = JSON.stringify({ ...event, time: event.time + 1 });
      for (const kept of [all.with(index, altered), all.toSpliced(index, 1), all.slice(0, index)]) {
        writeFileSync(changed, kept.join("\n"));
        const { code, out } = await part(record, changed);
        expect(code).toBe(1);
        expect(JSON.parse(out)).toMatchObject({ same: false, left: expect.anything() });
        // A dropped event that equals the next one is told as the later of the two.
        expect(JSON.parse(out).index).toBeGreaterThanOrEqual(index);
        expect(JSON.parse(out).index).toBeLessThanOrEqual(index + 1);
      }
    }
  });

  it("tells what a defect changes first", async () => {
    const { code, out } = await part(scenario, scenario, { defect: "refund-late", json: false });
    expect(code).toBe(1);
    expect(out).toMatch(/the runs part at event [\d,]+\n[\s\S]* {2}< .*timed out.*\n/);
  });
});

it("a trace of arrivals for a scenario that takes none is refused by each command", async () => {
  const trace = "arrivals.csv";
  const complaint =
    /No clients of this scenario come as a trace tells[\s\S]*busy\.yaml:.*clients[\s\S]*--trace arrivals\.csv/;
  await expect(look(scenario, { trace })).rejects.toThrow(complaint);
  await expect(part(scenario, scenario, { trace })).rejects.toThrow(complaint);
  await expect(said((streams) => verify({ scenario, threads: 0, json: true, trace }, streams))).rejects.toThrow(
    complaint,
  );
  const options = { scenario, trace, json: true, quiet: true, chain: "memory" } as unknown;
  await expect(said((streams) => runCommand(options as Parameters<typeof runCommand>[0], streams))).rejects.toThrow(
    complaint,
  );
});

describe("assay verify", () => {
  it("runs a scenario four times, twice on threads of their own, to one trace", async () => {
    const { code, out } = await said((streams) => verify({ scenario, threads: 2, json: true }, streams));
    const { same, runs } = JSON.parse(out);
    expect({ code, same }).toEqual({ code: 0, same: true });
    expect(runs).toHaveLength(4);
    expect(new Set(runs.map(({ hash }: { hash: string }) => hash)).size).toBe(1);
  });
});

describe("assay fuzz", () => {
  const hunt = (options: object): ReturnType<typeof said> =>
    said((streams) => fuzz({ seed: "1", threads: 1, list: false, json: false, quiet: true, ...options }, streams));

  it("says what it has reached, and what it never did", async () => {
    const { code, out } = await hunt({ worlds: 30 });
    expect(code).toBe(0);
    expect(out).toMatch(/hunt {2}seed 1: 30 worlds, [\d,]+ jobs in/);
    expect(out).toMatch(/all \d+ invariants held in every world/);
    expect(out).toMatch(/moves of a job +\d+ of \d+ +never: /);
  });

  it("stops at a bound of jobs", async () => {
    const { out } = await hunt({ jobs: 1, json: true });
    expect(JSON.parse(out)).toMatchObject({ worlds: 25 });
  });

  it("writes what it finds to a file that shows it again, with the story told in order", async () => {
    const found = file("found.yaml");
    const { code, out } = await hunt({ defect: "refund-late", out: found });
    expect(code).toBe(1);
    expect(out).toMatch(/refund-on-time: job \d+: refunded 120000001 us after its creation/);
    expect(out).toMatch(/shrunk in \d+ tries from \d+ jobs? to 1 job/);
    expect(out).toContain(`replay: assay run ${found} --defect refund-late`);
    expect(out).toMatch(/what led there\n[\s\S]*arrives from wallet[\s\S]*are locked[\s\S]*timed out/);
    const options = { scenario: found, json: true, quiet: true, chain: "memory" } as unknown;
    const again = (defect?: string): ReturnType<typeof said> =>
      said((streams) => runCommand({ ...(options as Parameters<typeof runCommand>[0]), defect }, streams));
    const broken = await again("refund-late");
    expect(broken.code).toBe(1);
    expect(out).toContain(`hash ${JSON.parse(broken.out).hash}`);
    expect((await again()).code).toBe(0);
  });

  it.each([
    [{ worlds: 0 }, /The hunt has no such bound[\s\S]*--worlds/],
    [{ minutes: -1 }, /--minutes/],
    [{ threads: 0 }, /No thread, no hunt/],
    [{ defect: "refund-lots" }, /did you mean "refund-lost"/],
    [
      { defect: "refund-late", out: join(scratch, "no", "where.yaml") },
      /The scenario that was found cannot be written/,
    ],
  ])("refuses %j", async (options, complaint) => {
    await expect(hunt(options)).rejects.toThrow(complaint);
  });
});
