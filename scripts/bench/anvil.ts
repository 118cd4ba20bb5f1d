/**
 * The settlement chain on Anvil: how soon it is up, and how many jobs a second it carries. A job is three transactions: lock, proof, settlement.
 *
 * Most of the work is another process's, so these are seconds of the clock, the best of a few rounds: a machine that is busy with other things
 * shows less.
 */
import { pathToFileURL } from "node:url";
import { AnvilChain } from "../../sim/ledger/anvil/index.ts";
import { Block, type Chain, MemoryChain, TX, type TxKind } from "../../sim/ledger/index.ts";
import { LockstepChain } from "../../sim/ledger/lockstep/index.ts";
import { honestRules } from "../../sim/rules.ts";

export interface ChainRow {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "jobs/s";
}

const ROUNDS = 3;
const JOBS = 4_000;
const PER_BLOCK = [10, 100, 1_000];
const EPOCH = 1_780_000_000;

export async function measureAnvil(): Promise<ChainRow[]> {
  const rows: ChainRow[] = [
    { name: "from nothing to contracts on Anvil", value: await best(startUp, Math.min), unit: "ms" },
  ];
  for (const perBlock of PER_BLOCK) {
    const value = await best(() => throughput(perBlock, (contracts) => contracts), Math.max);
    rows.push({ name: `through Anvil, ${perBlock} jobs to a block`, value, unit: "jobs/s" });
  }
  const value = await best(() => throughput(100, inStep), Math.max);
  rows.push({ name: "in lockstep with the memory chain, 100 jobs to a block", value, unit: "jobs/s" });
  return rows;
}

function inStep(contracts: AnvilChain): Chain {
  return new LockstepChain(new MemoryChain(honestRules), contracts);
}

async function best(measure: () => Promise<number>, better: (a: number, b: number) => number): Promise<number> {
  let found = await measure();
  for (let round = 1; round < ROUNDS; round++) found = better(found, await measure());
  return found;
}

async function startUp(): Promise<number> {
  const before = performance.now();
  const chain = await AnvilChain.open({ seed: "bench", epoch: EPOCH });
  const taken = performance.now() - before;
  await chain.close();
  return taken;
}

/** Jobs a second, in blocks of so many jobs from their lock to their settlement. */
async function throughput(perBlock: number, behind: (contracts: AnvilChain) => Chain): Promise<number> {
  const contracts = await AnvilChain.open({ seed: "bench", epoch: EPOCH });
  const chain = behind(contracts);
  let tx = 0;
  let blocks = 0;
  const seal = async (transactions: readonly (readonly [TxKind, number, number, number, number])[]): Promise<void> => {
    const block = new Block();
    block.number = ++blocks;
    block.time = blocks * 2_000_000;
    for (const columns of transactions) {
      block.add(++tx, ...columns);
      chain.send?.(tx, ...columns, block.time);
    }
    await chain.seal(block);
    if (block.outcome.some((outcome) => outcome !== 0)) throw new Error("a transaction was refused");
  };
  try {
    await seal([
      [TX.stake, 0, 0, 0, 0],
      [TX.buy, 0, 0, JOBS * 10, 0],
    ]);
    const before = performance.now();
    for (let first = 0; first < JOBS; first += perBlock) {
      const jobs = Array.from({ length: perBlock }, (_, i) => first + i);
      await seal([
        ...jobs.map((job) => [TX.lock, job, 0, 10, job] as const),
        ...jobs.map((job) => [TX.proof, job, 0, 0, 1] as const),
        ...jobs.map((job) => [TX.settle, job, 0, 8, 2] as const),
      ]);
    }
    return JOBS / ((performance.now() - before) / 1_000);
  } finally {
    await contracts.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  for (const { name, value, unit } of await measureAnvil()) {
    console.log(`  ${name.padEnd(60)}${Math.round(value).toLocaleString("en").padStart(8)} ${unit}`);
  }
}
