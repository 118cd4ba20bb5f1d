/**
 * Studies on a queue, with a Redis of the test's own: workers that are killed, a Redis that goes away, a worker of another version, a point that
 * fails. Whatever happens, the folder of the study has the same bytes as one that was made in this process.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { engineHere } from "../../bin/study/engine.ts";
import { connectionTo, QUEUE } from "../../bin/study/queue/connection.ts";
import { queueRunner } from "../../bin/study/queue/runner.ts";
import { queueWorker } from "../../bin/study/queue/worker.ts";
import { inline } from "../../bin/study/runner.ts";
import { sweep } from "../../bin/study/sweep.ts";
import { parseStudy, pilotTask, type Study } from "../../sim/study/index.ts";

const installed = spawnSync("redis-server", ["--version"]).status === 0;
const title = installed ? "a study on a queue" : "a study on a queue (left out: redis-server is not installed)";
const scratch = mkdtempSync(join(tmpdir(), "assay-queue-"));
const assay = fileURLToPath(new URL("../../bin/assay.ts", import.meta.url));
const children: ChildProcess[] = [];

const STUDY = `
name: queued
scenario:
  duration: 30min
  models: [{ id: a, tier: lite }]
  workers: [{ kind: browser, count: 2, service: "exponential(mean=10s)" }]
  clients: [{ name: all, units: 1000000, arrivals: { process: poisson, rate: 0.1 } }]
warm_up: none
replications: 10
factors:
  - { name: load, path: "clients[0].arrivals.rate", values: [0.05, 0.1, 0.15, 0.18] }
`;

let port = 0;
let redis: ChildProcess;

function startRedis(): ChildProcess {
  const child = spawn("redis-server", ["--port", String(port), "--save", "", "--appendonly", "yes", "--dir", scratch], {
    stdio: "ignore",
  });
  children.push(child);
  return child;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port: free } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

const url = (): string => `redis://127.0.0.1:${port}`;
const study = (): Study => parseStudy(STUDY, "queued.yaml");

function collect(): { streams: Parameters<typeof sweep>[2]; text: () => string } {
  let text = "";
  const sink = {
    write: (more: string) => {
      text += more;
    },
  };
  return { streams: { out: sink, err: sink, env: {} }, text: () => text };
}

/** Every file of a folder with its bytes. */
function bytesOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(folder.length), readFileSync(file, "latin1")]),
  );
}

const runsIn = (folder: string): number => {
  try {
    return readdirSync(join(folder, "runs")).filter((name) => name.startsWith("p")).length;
  } catch {
    return 0;
  }
};

/** A worker as a process of its own. */
function worker(): ChildProcess {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", assay, "worker", "--queue", url(), "--threads", "1", "--lease", "1s"],
    { stdio: "ignore" },
  );
  children.push(child);
  return child;
}

/** Starts the study on the queue; `said` is what it has said so far. */
function begin(folder: string, one = study()): { done: Promise<number>; said: () => string } {
  const { streams, text } = collect();
  const say = (more: string): void => void streams.err.write(more);
  const done = queueRunner(url(), say).then(async (runner) => {
    try {
      return await sweep(one, { out: folder, runner, quiet: true, json: false }, streams);
    } finally {
      await runner.close();
    }
  });
  return { done, said: text };
}

describe.runIf(installed)(title, () => {
  const local = join(scratch, "local");

  beforeAll(async () => {
    port = await freePort();
    redis = startRedis();
    expect(await sweep(study(), { out: local, runner: inline, quiet: true, json: false }, collect().streams)).toBe(0);
  });
  afterEach(() => {
    for (const child of children.splice(0)) {
      if (child === redis) children.push(child);
      else child.kill("SIGKILL");
    }
  });
  afterAll(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(scratch, { recursive: true, force: true });
  });

  it("with three workers of which two are killed midway, and Redis away in between: the same bytes", async () => {
    const folder = join(scratch, "queued");
    const { done, said } = begin(folder);
    const [first, second] = [worker(), worker(), worker()];
    await until(() => runsIn(folder) >= 5);
    first.kill("SIGKILL");
    await until(() => runsIn(folder) >= 12);
    second.kill("SIGKILL");
    redis.kill("SIGKILL");
    await until(() => said().includes("is away"));
    redis = startRedis();
    expect(await done).toBe(0);
    expect(said()).toMatch(/the queue at redis:\/\/127\.0\.0\.1:\d+ is away .*; waiting for it, nothing is lost\n/);
    expect(said()).toContain("is back\n");
    expect(bytesOf(folder)).toEqual(bytesOf(local));
  });

  it("a worker of another version takes nothing, says why and leaves the task for others", async () => {
    const { Queue } = await import("bullmq");
    const queue = new Queue(QUEUE, { connection: connectionTo(url()) });
    const engine = { version: "99.0.0", fingerprint: (await engineHere()).fingerprint };
    await queue.add("replication", { ...pilotTask(study(), 0, engine), study: "other" }, { jobId: "foreign" });
    const working = queueWorker(url(), {
      threads: 1,
      lease: 1_000,
      say: () => {},
      signal: new AbortController().signal,
    });
    await expect(working).rejects.toThrow(/A task of another version of assay is on the queue\.[\s\S]*assay 99\.0\.0/);
    expect((await queue.getJob("foreign"))?.data.study).toBe("other");
    expect(await queue.getJobCountByTypes("waiting", "delayed", "prioritized")).toBe(1);
    await queue.obliterate({ force: true });
    await queue.close();
  });

  it("a point that fails is told with what replays it; the others are done, and kept", async () => {
    const one = study();
    const [poisoned, ...rest] = one.points;
    const bad = { ...one, points: [{ ...poisoned!, scenario: { workers: [], clients: [] } }, ...rest] };
    const folder = join(scratch, "poisoned");
    const { done, said } = begin(folder, bad);
    const stop = new AbortController();
    const working = queueWorker(url(), { threads: 1, lease: 1_000, say: () => {}, signal: stop.signal });
    expect(await done).toBe(1);
    stop.abort();
    await working;
    expect(said()).toMatch(
      /Point 0 failed, replication 0: load = 0\.05\n {2}seen {6}The scenario has a value that is out of range/,
    );
    expect(said()).toMatch(/replay {4}assay run .*point-0\.yaml --seed 1-0\n/);
    expect(said()).toContain("30 of 40 replications are done and kept");
    expect(runsIn(folder)).toBe(30);
    expect(readdirSync(folder)).not.toContain("results.csv");
  });

  it("says that there is no queue where there is none", async () => {
    await expect(queueRunner("redis://127.0.0.1:1")).rejects.toThrow(
      /The queue cannot be reached\.[\s\S]*ECONNREFUSED/,
    );
    await expect(queueRunner("http://user:secret@x")).rejects.toThrow(
      /This is no address of a queue[\s\S]*http:\/\/…@x/,
    );
  });
});

it.runIf(!installed)(
  "redis-server is not installed: apt-get install redis-server lets the studies on a queue be tested",
  () => {
    expect(() => execFileSync("redis-server", ["--version"], { stdio: "ignore" })).toThrow();
  },
);
