/**
 * Every scenario of the project, whole, in memory and then in lockstep with the contracts on Anvil: `npm run lockstep`, or with names only those.
 * All receipts and balances are compared after each block; the two runs must have one hash and the same figures.
 *
 * The suite does the same with the first minutes of each (`sim/ledger/lockstep/scenarios.test.ts`): whole, they take more than half an hour.
 */
import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { type AnvilChain, ChainError } from "../sim/ledger/anvil/index.ts";
import { openChain } from "../sim/ledger/index.ts";
import type { LockstepChain } from "../sim/ledger/lockstep/index.ts";
import { honestRules } from "../sim/rules.ts";
import { type RunResult, runWorld } from "../sim/run.ts";
import { buildScenario, loadScenario } from "../sim/scenario/index.ts";

const FOLDER = "scenarios";
/** Where the recorded arrivals of real-trace.yaml are, unless ASSAY_TRACE says otherwise; they are not part of the project. */
const TRACE = process.env.ASSAY_TRACE ?? "../shared/traces/AzureLLMInferenceTrace_conv.csv";
/** Anvil may forget older ones. */
const KEPT_BLOCKS = 256;

interface Stepped {
  readonly result: RunResult;
  readonly blocks: number;
  readonly lastBlock: string;
}

async function inLockstep(file: string): Promise<Stepped> {
  const world = buildScenario(loadScenario(file), { trace: TRACE });
  const chain = await openChain("lockstep", {
    seed: world.seed,
    rules: world.rules ?? honestRules,
    keep: KEPT_BLOCKS,
    replay: `assay run ${file} --chain lockstep`,
  });
  try {
    const result = await runWorld({ ...world, behind: chain.behind });
    await chain.finish();
    const contracts: AnvilChain = (chain.behind as LockstepChain).contracts;
    const { number, hash } = await contracts.read<{ number: string; hash: string }>(
      "eth_getBlockByNumber",
      "latest",
      false,
    );
    return { result, blocks: Number(number), lastBlock: hash };
  } finally {
    await chain.close();
  }
}

async function main(names: readonly string[]): Promise<void> {
  const files = names.length > 0 ? names : readdirSync(FOLDER).filter((file) => file.endsWith(".yaml"));
  console.log("| Scenario | jobs | blocks | hash of the run, on both | hash of the last block | seconds |");
  console.log("|---|---:|---:|---|---|---:|");
  for (const name of files) {
    const file = `${FOLDER}/${name}`;
    const memory = await runWorld(buildScenario(loadScenario(file), { trace: TRACE }));
    const began = performance.now();
    const { result, blocks, lastBlock } = await inLockstep(file);
    const seconds = (performance.now() - began) / 1_000;
    if (result.hash !== memory.hash || !isDeepStrictEqual(result.figures, memory.figures)) {
      throw new ChainError({
        what: "The run in lockstep is another.",
        where: file,
        seen: result.hash,
        expected: memory.hash,
      });
    }
    const { created } = result.figures.jobs;
    const cells = [
      created.toLocaleString("en"),
      blocks.toLocaleString("en"),
      `\`${result.hash}\``,
      `\`${lastBlock.slice(0, 18)}…\``,
    ];
    console.log(`| ${name} | ${cells.join(" | ")} | ${seconds.toFixed(0)} |`);
  }
}

await main(process.argv.slice(2));
