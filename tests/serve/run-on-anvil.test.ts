/** A run on Anvil that ends before its time, as a user meets it: a process of its own, a signal, what is left afterwards. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bin/assay.ts", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "assay-run-anvil-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const LONG = `
duration: 100000h
models: [{ id: a, tier: lite }]
workers: [{ kind: native, count: 20, slots: 10, stake: 1000 }]
clients: [{ name: all, wallets: 2, units: 10000, arrivals: { process: poisson, rate: 20 }, top_up: { below: 1000, units: 5000 } }]
`;

/** Every process that the given one has started, and those that these have. */
function descendants(pid: number): readonly number[] {
  const rows = execFileSync("ps", ["-Ao", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((row) => row.trim().split(/\s+/).map(Number));
  const found: number[] = [];
  for (let of: readonly number[] = [pid]; of.length > 0; ) {
    of = rows.filter(([, parent]) => of.includes(parent!)).map(([child]) => child!);
    found.push(...of);
  }
  return found;
}

function runs(pid: number): boolean {
  try {
    return !/^Z/.test(execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim());
  } catch {
    return false;
  }
}

/** Asks until the answer is yes. Between two questions the processor is left to who is waited for. */
async function until(answer: () => boolean): Promise<void> {
  const patience = AbortSignal.timeout(20_000);
  while (!answer()) {
    patience.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A run that has begun to write its trace. */
async function going(record: string): Promise<{ child: ChildProcess; printed: () => string; ended: Promise<unknown> }> {
  const file = join(scratch, "long.yaml");
  writeFileSync(file, LONG);
  const options = ["--import", "tsx", program, "run", file, "--chain", "anvil", "--record", record];
  const child = spawn(process.execPath, options, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      printed += String(chunk);
    });
  }
  const ended = once(child, "close");
  await until(() => child.exitCode !== null || (existsSync(record) && statSync(record).size > 0));
  return { child, printed: () => printed, ended };
}

/** The times of a trace's events; throws where a line is no whole event. */
const timesOf = (record: string): readonly number[] =>
  readFileSync(record, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter((line) => "time" in line)
    .map(({ time }) => time);

describe("a run on Anvil", () => {
  it("that Ctrl-C ends says how far it came, keeps its trace and leaves no process", async () => {
    const record = join(scratch, "interrupted.ndjson");
    const { child, printed, ended } = await going(record);
    const started = descendants(child.pid!);
    expect(started.length).toBeGreaterThanOrEqual(2);
    child.kill("SIGINT");
    await ended;
    expect(child.exitCode).toBe(130);
    expect(printed()).toContain("ended early, at ");
    const times = timesOf(record);
    expect(times.length).toBeGreaterThan(10);
    expect(times.toSorted((a, b) => a - b)).toEqual(times);
    await until(() => !started.some(runs));
  });

  it("whose Anvil is killed says so, keeps its trace and leaves no process", async () => {
    const record = join(scratch, "killed.ndjson");
    const { child, printed, ended } = await going(record);
    const started = descendants(child.pid!);
    // The warden is the first; Anvil is its child.
    process.kill(started.at(-1)!, "SIGKILL");
    await ended;
    expect(child.exitCode).toBe(3);
    expect(printed()).toContain("Anvil is gone in the middle of the run.");
    expect(printed()).toMatch(/^broke off at [\d:.]+ of its time; the trace up to there is kept in .*killed\.ndjson$/m);
    expect(timesOf(record).length).toBeGreaterThan(10);
    await until(() => !started.some(runs));
  });
});
