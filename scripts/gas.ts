/**
 * Writes docs/gas.md: what each operation costs on the chain, measured on a busy day. `npm run gas`, or with `--check` compares what is there.
 *
 * The day's seed, the compiler and the hard fork are fixed, so every machine measures the same.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SECOND } from "../sim/core/index.ts";
import { AnvilChain } from "../sim/ledger/anvil/index.ts";
import { REVERT, TX, type TxKind } from "../sim/ledger/index.ts";
import { busyDay } from "../sim/ledger/lockstep/busy-day.ts";

const FILE = new URL("../docs/gas.md", import.meta.url);
const EPOCH = 1_780_000_000;

/** What the table says of each kind, in the order of a job's life. */
const OPERATIONS: readonly (readonly [TxKind, call: string, what: string])[] = [
  [TX.buy, "Escrow.buy", "Units bought with coins"],
  [TX.lock, "Escrow.lock", "A job's estimate locked"],
  [TX.proof, "Escrow.prove", "The proof of a job recorded"],
  [TX.settle, "Escrow.settle", "A job settled: worker and treasury paid, the difference given back"],
  [TX.refund, "Escrow.refund", "A job refunded at 120 s"],
  [TX.giveBack, "Escrow.refund", "A failed job's units given back"],
  [TX.withdraw, "Escrow.withdraw", "Unspent units redeemed as coins"],
  [TX.dispute, "Disputes.open", "A dispute opened"],
  [TX.verdict, "Disputes.decide", "A verdict given"],
  [TX.slash, "Disputes.slash", "Stake slashed for a fraudulent proof"],
  [TX.stake, "WorkerRegistry.stake", "A worker registered, its stake deposited"],
  [TX.unstake, "WorkerRegistry.unstake", "Stake taken back"],
];

/** Gas of every transaction of the day that went through, by kind. */
async function measure(): Promise<ReadonlyMap<TxKind, readonly number[]>> {
  const contracts = await AnvilChain.open({ seed: "gas", epoch: EPOCH });
  try {
    const world = await busyDay({ seed: "gas", behind: contracts, rounds: 6 });
    const register = world.register!;
    // On that day nobody leaves.
    world.chain.submit(TX.unstake, 0, 1, 1_000, 0);
    await world.runUntil(world.kernel.now + 10 * SECOND);
    const found = new Map<TxKind, number[]>();
    for (let tx = 1; register.transaction(tx) !== undefined; tx++) {
      if (register.outcome(tx) !== REVERT.ok) continue;
      const { kind } = register.transaction(tx)!;
      const { gasUsed } = await contracts.read<{ gasUsed: string }>("eth_getTransactionReceipt", contracts.hash(tx));
      found.set(kind, [...(found.get(kind) ?? []), Number(gasUsed)]);
    }
    return found;
  } finally {
    await contracts.close();
  }
}

/** The page as it is to be. */
export async function gasPage(): Promise<string> {
  const measured = await measure();
  const rows = OPERATIONS.map(([kind, call, what]) => {
    const gas = (measured.get(kind) ?? []).toSorted((a, b) => a - b);
    if (gas.length === 0) throw new Error(`nothing of kind ${kind} happened on the day`);
    const cells = [gas[0]!, gas[gas.length >> 1]!, gas.at(-1)!].map((value) => value.toLocaleString("en").padStart(8));
    return `| ${what} | \`${call}\` | ${cells.join(" | ")} | ${gas.length} |`;
  });
  return `# Gas

What each operation of the settlement chain costs, in units of gas, measured on Anvil over a busy day of the simulator: the contracts of
\`sim/ledger/contracts\`, compiled with the optimiser at 10,000 runs. Made by \`npm run gas\`.

| Operation | Call | least | median | most | times |
|---|---|---:|---:|---:|---:|
${rows.join("\n")}

The first transaction that touches an account's balance pays for a new storage slot (20,000 gas); later ones change it (2,900). A settled job is
three transactions: lock, proof, settlement.
`;
}

/** Whether the page is what the contracts cost. */
export async function gasIsFresh(): Promise<boolean> {
  return readFileSync(FILE, "utf8") === (await gasPage());
}

async function main(check: boolean): Promise<void> {
  if (!check) {
    mkdirSync(new URL(".", FILE), { recursive: true });
    writeFileSync(FILE, await gasPage());
  } else if (!(await gasIsFresh())) {
    process.stderr.write(`${fileURLToPath(FILE)} is not what the contracts cost\n  try  npm run gas\n`);
    process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.includes("--check"));
