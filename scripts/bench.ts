/**
 * `npm run bench`: the kernel on M/M/100 at load 95, beside a plain C++ loop and SimPy where they can be had; the whole
 * network, a million jobs, with `--long` ten million more; and what single operations cost.
 *
 * Needs nothing but Node. The C++ loop needs g++, SimPy needs python3 with the package simpy (Debian: python3-simpy); a peer that is missing is
 * named and left out.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureJudge } from "./bench/judge.ts";
import { measureParts } from "./bench/parts.ts";
import { type Contestant, compete, works } from "./bench/run.ts";
import { measureSweep, sweepLines } from "./bench/sweep.ts";

const SERVERS = 100;
const LOAD = 95;
const CUSTOMERS = 3_000_000;
const ROUNDS = 5;
const CLOSED_FORM = 0.1012913708;

const here = fileURLToPath(new URL("bench/", import.meta.url));
const built = mkdtempSync(join(tmpdir(), "assay-bench-"));
try {
  compare();
  tellNetwork(process.argv.includes("--long") ? [1_000_000, 10_000_000] : [1_000_000]);
  tellParts();
  await tellJudge();
  await tellSweep();
} finally {
  rmSync(built, { recursive: true });
}

function compare(): void {
  const assay: Contestant = {
    name: "assay",
    command: process.execPath,
    args: ["--import", "tsx", join(here, "mmc.ts")],
    customers: CUSTOMERS,
  };
  const cpp = compiledLoop();
  const simpy = simpyModel();
  console.log(`M/M/${SERVERS} at load ${LOAD}, processor time, the best of ${ROUNDS} rounds in turn:\n`);
  if (cpp === undefined) console.log("  left out: the C++ loop, which needs g++");
  if (simpy === undefined) console.log("  left out: SimPy, which needs python3 with simpy (Debian: python3-simpy)");
  const outcomes = compete([assay, ...[cpp, simpy].filter((peer) => peer !== undefined)], ROUNDS, SERVERS, LOAD);
  const own = outcomes[0]!.customersPerSecond;
  row("", "customers/s of CPU", "assay is", `mean wait (${CLOSED_FORM.toFixed(4)})`);
  for (const { name, customersPerSecond, wait } of outcomes) {
    const ratio = own / customersPerSecond;
    row(name, thousands(customersPerSecond), `${ratio.toFixed(ratio < 10 ? 2 : 0)} x`, wait.toFixed(4));
  }
}

function tellNetwork(sizes: readonly number[]): void {
  console.log("\nThe whole network with every checker on, processor time:\n");
  row("", "jobs/s of CPU", "most memory");
  for (const jobs of sizes) {
    const args = ["--import", "tsx", join(here, "network.ts"), String(jobs)];
    const [seconds, megabytes] = execFileSync(process.execPath, args, { encoding: "utf8" }).split(" ").map(Number);
    row(`${thousands(jobs)} jobs`, thousands(jobs / seconds!), `${megabytes} MB`);
  }
}

function tellParts(): void {
  console.log("\nNanoseconds for\n");
  for (const { name, nanoseconds } of measureParts())
    console.log(`  ${name.padEnd(60)}${nanoseconds.toFixed(1).padStart(8)}`);
}

async function tellJudge(): Promise<void> {
  console.log("\nThe judge on the honest service\n");
  for (const { name, value } of await measureJudge()) console.log(`  ${name.padEnd(60)}${value.padStart(8)}`);
}

async function tellSweep(): Promise<void> {
  console.log("\nA study of 200 points by 20 replications, on worker threads, seconds of the clock\n");
  console.log(sweepLines(await measureSweep([1, 2])).join("\n"));
}

function compiledLoop(): Contestant | undefined {
  if (!works("g++", "--version")) return undefined;
  const program = join(built, "mmc");
  execFileSync("g++", ["-O3", "-o", program, join(here, "mmc.cpp")]);
  return { name: "C++ priority_queue, -O3", command: program, args: [], customers: CUSTOMERS };
}

function simpyModel(): Contestant | undefined {
  const python = ["python3", "/usr/bin/python3"].find((command) =>
    ["import simpy", "import SimPy"].some((line) => works(command, "-c", line)),
  );
  if (python === undefined) return undefined;
  return { name: "SimPy", command: python, args: [join(here, "mmc.py")], customers: CUSTOMERS / 30 };
}

function row(name: string, ...cells: readonly string[]): void {
  console.log(`  ${name.padEnd(26)}${cells.map((cell) => cell.padStart(20)).join("")}`);
}

function thousands(rate: number): string {
  return Math.round(rate).toLocaleString("en");
}
