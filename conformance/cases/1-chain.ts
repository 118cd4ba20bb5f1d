/** Sections 1 and 2.3 against the settlement chain: where the API and the chain disagree, the chain is right. */
import { at } from "../exchange/exchange.ts";
import type { Chain, Receipt } from "../target/chain.ts";
import { type CaseContext, defineCase } from "./case.ts";
import { settledJob } from "./support/jobs.ts";
import { modelsToTry } from "./support/money.ts";

/** Milliseconds that a transaction may take into a sealed block once the API has told of it. */
const SEALED_WITHIN = 30_000;

/** The receipt of a transaction that the API has told of; null when it never comes into a block. */
async function receiptOf(t: CaseContext, chain: Chain, hash: string): Promise<Receipt | null> {
  let receipt: Receipt | null = null;
  await t.clock.advanceUntil(
    async () => {
      receipt = await chain.receipt(hash);
      return receipt !== null;
    },
    { within: SEALED_WITHIN, step: 1_000 },
  );
  return receipt;
}

/** The lock and the settlement of a job are transactions that succeeded, through the escrow, in a possible order, in the named block. */
const transactions = defineCase({
  id: "1/chain",
  title: "in every tier the transactions that a settled job names are on the chain, as it tells them",
  requirements: ["1/4", "2.3/24"],
  needs: ["credits", "chain"],
  cost: (prices) => prices.flat,
  async run(t) {
    const { chain } = t;
    if (chain === null) return t.leaveOut("needs the settlement chain (--rpc)");
    for (const { id } of modelsToTry(t)) {
      const { jobId } = await t.complete({ model: id });
      const job = await settledJob(t, jobId);
      const field = (name: string): unknown => at(job.json, "on_chain", name);
      const lock = await receiptOf(t, chain, String(field("escrow_tx")));
      const settlement = await receiptOf(t, chain, String(field("settlement_tx")));
      const escrow = String(field("escrow_address")).toLowerCase();
      const told = { expected: "a transaction that succeeded", exchanges: job };
      for (const [name, receipt] of [["escrow lock", lock] as const, ["settlement", settlement] as const]) {
        t.check("1/4", receipt?.succeeded === true, {
          ...told,
          title: `the ${name} is not on the chain`,
          seen: receipt,
        });
        if (receipt === null) continue;
        t.check("1/4", receipt.touched.includes(escrow), {
          title: `the ${name} did not go through the escrow contract`,
          expected: escrow,
          seen: receipt.touched,
          exchanges: job,
        });
      }
      if (lock === null || settlement === null) continue;
      t.check("1/4", lock.block <= settlement.block, {
        title: "a job is settled on the chain before its units are locked",
        expected: `block ${lock.block} or later`,
        seen: settlement.block,
        exchanges: job,
      });
      t.check("2.3/24", field("block_number") === settlement.block, {
        expected: String(settlement.block),
        seen: field("block_number"),
        exchanges: job,
      });
    }
  },
});

export const section1Chain = [transactions];
