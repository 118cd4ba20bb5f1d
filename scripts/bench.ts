/**
 * `npm run bench`: the kernel beside a plain C++ loop, SimPy and SimGrid on one model; the whole network; what single operations cost; the chain on
 * Anvil; the judge; a study on one worker thread and on two. Names of sections measure only those; `-- --write` keeps the tables in docs/bench.md,
 * `-- --long` plays ten million jobs, too.
 *
 * Needs nothing but Node. The C++ loop needs g++, SimGrid g++ and its headers (Debian: libsimgrid-dev), SimPy python3 with the package simpy (Debian:
 * python3-simpy); a peer that is missing is named and left out.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureAnvil } from "./bench/anvil.ts";
import { measureJudge } from "./bench/judge.ts";
import { withTable } from "./bench/page.ts";
import { measureParts } from "./bench/parts.ts";
import { type Contestant, compete, works } from "./bench/run.ts";
import { measureSweep, sweepTable } from "./bench/sweep.ts";
import { consoleTable, type Table, whole } from "./bench/table.ts";

const SERVERS = 100;
const LOAD = 95;
const CUSTOMERS = 3_000_000;
const ROUNDS = 5;
const CLOSED_FORM = 0.1012913708;
const PAGE = new URL("../docs/bench.md", import.meta.url);
const TRACE = fileURLToPath(new URL("../../shared/traces/AzureLLMInferenceTrace_conv.csv", import.meta.url));

const here = fileURLToPath(new URL("bench/", import.meta.url));

/** In the order of the page. */
const SECTIONS: Readonly<Record<string, (long: boolean) => Promise<Table>>> = {
  kernel: compare,
  network,
  parts,
  anvil,
  judge,
  sweep: async () => sweepTable(await measureSweep([1, 2])),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: "boolean", default: false }, long: { type: "boolean", default: false } },
});
const unknown = positionals.find((name) => !(name in SECTIONS));
if (unknown !== undefined) {
  process.stderr.write(`There is no section ${unknown}: ${Object.keys(SECTIONS).join(", ")}\n`);
  process.exit(2);
}
for (const [name, measure] of Object.entries(SECTIONS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const table = await measure(values.long);
  console.log(`${consoleTable(table)}\n`);
  if (values.write) writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8"), name, table, machine()));
}

function machine(): string {
  const model = (cpus()[0]?.model ?? "an unknown processor").replace(/\s+/g, " ").trim();
  return `${availableParallelism()} processors (${model}), Node ${process.versions.node}, ${process.platform}`;
}

async function compare(): Promise<Table> {
  const built = mkdtempSync(join(tmpdir(), "assay-bench-"));
  try {
    const assay: Contestant = {
      name: "assay",
      command: process.execPath,
      args: ["--import", "tsx", join(here, "mmc.ts")],
      customers: CUSTOMERS,
    };
    const peers = { "the C++ loop": compiledLoop(built), SimGrid: simgridModel(built), SimPy: simpyModel() };
    const missing = Object.entries(peers).filter(([, peer]) => peer === undefined);
    const present = Object.values(peers).filter((peer) => peer !== undefined);
    const outcomes = compete([assay, ...present], ROUNDS, SERVERS, LOAD);
    const own = outcomes[0]!.customersPerSecond;
    return {
      title: `M/M/${SERVERS} at load ${LOAD}, seconds of processor time, the best of ${ROUNDS} rounds in turn`,
      head: ["", "customers/s", "assay is", `mean wait (${CLOSED_FORM.toFixed(4)})`],
      rows: outcomes.map(({ name, customersPerSecond, wait }) => {
        const ratio = own / customersPerSecond;
        return [name, whole(customersPerSecond), `${ratio.toFixed(ratio < 10 ? 2 : 0)} x`, wait.toFixed(4)];
      }),
      note: missing.length === 0 ? undefined : `Not installed here: ${missing.map(([name]) => name).join(", ")}.`,
    };
  } finally {
    rmSync(built, { recursive: true });
  }
}

async function network(long: boolean): Promise<Table> {
  const sizes = long ? [1_000_000, 10_000_000] : [1_000_000];
  const told = [
    ...sizes.map((jobs) => ({ name: `${whole(jobs)} jobs`, args: [String(jobs)] })),
    ...(existsSync(TRACE) ? [{ name: "an hour of recorded arrivals", args: ["trace", TRACE] }] : []),
  ];
  return {
    title: "The whole network with every checker on, seconds of processor time",
    head: ["", "jobs/s", "seconds", "most memory"],
    rows: told.map(({ name, args }) => {
      const line = execFileSync(process.execPath, ["--import", "tsx", join(here, "network.ts"), ...args], {
        encoding: "utf8",
      });
      const [jobs, seconds, megabytes] = line.split(" ").map(Number);
      return [name, whole(jobs! / seconds!), seconds!.toFixed(2), `${megabytes} MB`];
    }),
  };
}

async function parts(): Promise<Table> {
  return {
    title: "Single operations, processor time",
    head: ["", "nanoseconds"],
    rows: measureParts().map(({ name, nanoseconds }) => [name, nanoseconds.toFixed(1)]),
  };
}

async function anvil(): Promise<Table> {
  return {
    title: "The chain on Anvil, a job being three transactions, seconds of the clock, the best of three rounds",
    head: ["", "measured"],
    rows: (await measureAnvil()).map(({ name, value, unit }) => [name, `${whole(value)} ${unit}`]),
  };
}

async function judge(): Promise<Table> {
  return {
    title: "The judge on the honest service",
    head: ["", "measured"],
    rows: (await measureJudge()).map(({ name, value }) => [name, value]),
  };
}

function compiledLoop(folder: string): Contestant | undefined {
  if (!works("g++", "--version")) return undefined;
  const program = join(folder, "mmc");
  execFileSync("g++", ["-O3", "-o", program, join(here, "mmc.cpp")]);
  return { name: "C++ priority_queue, -O3", command: program, args: [], customers: CUSTOMERS };
}

function simgridModel(folder: string): Contestant | undefined {
  const program = join(folder, "simgrid");
  if (!works("g++", "-O3", "-o", program, join(here, "simgrid.cpp"), "-lsimgrid")) return undefined;
  return { name: "SimGrid, actors", command: program, args: [], customers: CUSTOMERS / 30 };
}

function simpyModel(): Contestant | undefined {
  const python = ["python3", "/usr/bin/python3"].find((command) =>
    ["import simpy", "import SimPy"].some((line) => works(command, "-c", line)),
  );
  if (python === undefined) return undefined;
  return { name: "SimPy", command: python, args: [join(here, "mmc.py")], customers: CUSTOMERS / 30 };
}
