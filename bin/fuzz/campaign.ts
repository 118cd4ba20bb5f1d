/** A hunt on one or more threads, within a budget. Which world is found first does not depend on which thread was faster. */
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { type Batch, type BatchResult, huntBatch, Tally } from "../../sim/fuzz/index.ts";

export interface Budget {
  /** Each Infinity where nothing bounds it. */
  readonly worlds: number;
  readonly jobs: number;
  /** Milliseconds. */
  readonly time: number;
}

export interface Campaign {
  readonly seed: string | number;
  readonly defect?: string | undefined;
  readonly budget: Budget;
  readonly threads: number;
}

export interface CampaignEars {
  progress(tally: Tally): void;
  /** Asked between batches. */
  stopped(): boolean;
}

/** Worlds that a thread tries before it says how it went. */
const BATCH = 25;

/** Hunts until something is found or the budget is spent. `tally.found` has the first world that failed, if any did. */
export async function campaign({ seed, defect, budget, threads }: Campaign, ears: CampaignEars): Promise<Tally> {
  const tally = new Tally();
  const began = performance.now();
  const { run, close } = hands(threads);
  let first = 0;
  const goesOn = (): boolean =>
    tally.found.length === 0 &&
    first < budget.worlds &&
    tally.jobs < budget.jobs &&
    performance.now() - began < budget.time &&
    !ears.stopped();
  const hand = async (): Promise<void> => {
    while (goesOn()) {
      const count = Math.min(BATCH, budget.worlds - first);
      const batch: Batch = { seed, first, count, defect };
      first += count;
      tally.add(await run(batch));
      ears.progress(tally);
    }
  };
  try {
    // Batches are begun in order and all that were begun are ended: no earlier world is left untried.
    await Promise.all(Array.from({ length: threads }, hand));
  } finally {
    await close();
  }
  tally.found.sort((a, b) => a.world - b.world);
  return tally;
}

function hands(threads: number): { run(batch: Batch): Promise<BatchResult>; close(): Promise<void> } {
  if (threads === 1) {
    return {
      run: async (batch) => {
        // A turn of the event loop, in which Ctrl-C is heard.
        await nextTurn();
        return huntBatch(batch);
      },
      close: async () => {},
    };
  }
  const pool = new Piscina<Batch, BatchResult>({ filename: workerFile(), maxThreads: threads, minThreads: threads });
  return { run: (batch) => pool.run(batch), close: () => pool.destroy() };
}

/** Threads load compiled code: beside this file when it is compiled itself, else from the last build. */
function workerFile(): string {
  const beside = fileURLToPath(new URL("./worker.js", import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL("../../dist/bin/fuzz/worker.js", import.meta.url));
}
