/** Sections 1 and 2.3 against the settlement chain: where the API and the chain disagree, the chain is right. */
import { at, type Exchange } from "../exchange/exchange.ts";
import type { Chain, Receipt } from "../target/chain.ts";
import { type CaseContext, defineCase } from "./case.ts";
import { challenge } from "./support/disputed.ts";
import { sha256 } from "./support/hash.ts";
import { readJob, settledJob } from "./support/jobs.ts";
import { opensDisputes } from "./support/may.ts";
import { modelsToTry } from "./support/money.ts";

/** Milliseconds that a transaction may take into a sealed block once the API has told of it. */
const SEALED_WITHIN = 30_000;

/** The receipt of a transaction that the API has told of; null when it never comes into a block. */
async function receiptOf(t: CaseContext, chain: Chain, hash: unknown): Promise<Receipt | null> {
  let receipt: Receipt | null = null;
  await t.clock.advanceUntil(
    async () => {
      receipt = await chain.receipt(String(hash));
      return receipt !== null;
    },
    { within: SEALED_WITHIN, step: 1_000 },
  );
  return receipt;
}

/** A transaction that the API names: it is in a block, succeeded, and went through the escrow. Null where it is not there. */
async function judgeTransaction(
  t: CaseContext,
  chain: Chain,
  told: { readonly name: string; readonly hash: unknown; readonly escrow?: unknown; readonly by: Exchange },
): Promise<Receipt | null> {
  const { name, hash, escrow, by } = told;
  const receipt = await receiptOf(t, chain, hash);
  t.check("1/4", receipt?.succeeded === true, {
    title: `the ${name} is not on the chain`,
    expected: "a transaction that succeeded",
    seen: receipt,
    exchanges: by,
  });
  if (receipt !== null && typeof escrow === "string") {
    t.check("1/4", receipt.touched.includes(escrow.toLowerCase()), {
      title: `the ${name} did not go through the escrow contract`,
      expected: escrow,
      seen: receipt.touched,
      exchanges: by,
    });
  }
  return receipt;
}

/** Whether one transaction stands before another: in an earlier block, or earlier in the same. */
const before = (first: Receipt, second: Receipt): boolean =>
  first.block < second.block || (first.block === second.block && first.index < second.index);

/** One job that has settled: its lock, its settlement, their order, the named block, and the headers of its answer. */
async function judgeSettled(t: CaseContext, chain: Chain, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const { jobId, exchange } = await t.complete(changes);
  const job = await settledJob(t, jobId);
  const field = (name: string): unknown => at(job.json, "on_chain", name);
  const escrow = field("escrow_address");
  const lock = await judgeTransaction(t, chain, { name: "escrow lock", hash: field("escrow_tx"), escrow, by: job });
  const settlement = await judgeTransaction(t, chain, {
    name: "settlement",
    hash: field("settlement_tx"),
    escrow,
    by: job,
  });
  for (const name of ["tx-hash", "settlement-tx"]) {
    const hash = exchange.headers.get(`x-${t.brand}-${name}`);
    if (hash !== null) await judgeTransaction(t, chain, { name: `transaction of \`${name}\``, hash, by: exchange });
  }
  if (lock === null || settlement === null) return;
  t.check("1/4", before(lock, settlement), {
    title: "a job is settled on the chain before its units are locked",
    expected: `block ${lock.block}, after transaction ${lock.index}, or a later block`,
    seen: `block ${settlement.block}, transaction ${settlement.index}`,
    exchanges: job,
  });
  const [locked, settled] = [await chain.blockTime(lock.block), await chain.blockTime(settlement.block)];
  t.check("1/4", locked !== null && settled !== null && locked <= settled, {
    title: "the blocks of a job's transactions are not there, or not in order of time",
    expected: "two blocks, the lock's not later",
    seen: [locked, settled],
    exchanges: job,
  });
  t.check("2.3/24", field("block_number") === settlement.block, {
    expected: String(settlement.block),
    seen: field("block_number"),
    exchanges: job,
  });
}

/** The lock and the settlement of a job are transactions that succeeded, through the escrow, in a possible order, in the named block. */
const transactions = defineCase({
  id: "1/chain",
  title:
    "in every tier, plain and streamed, the transactions that a settled job names are on the chain, as it tells them",
  requirements: ["1/4", "2.3/24"],
  needs: ["credits", "chain"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const { chain } = t;
    if (chain === null) return t.leaveOut("needs the settlement chain (--rpc)");
    for (const { id: model } of modelsToTry(t)) {
      for (const stream of [false, true]) await judgeSettled(t, chain, { model, stream });
    }
  },
});

/** What a 504 calls its refund is one: a transaction of the escrow, after the lock. */
const refund = defineCase({
  id: "1/chain-refund",
  title: "the refund that a 504 names is on the chain, after the lock",
  requirements: ["1/4"],
  needs: ["credits", "behaviours", "patience", "chain"],
  cost: (prices) => prices.flat,
  async run(t) {
    const { chain } = t;
    if (chain === null) return t.leaveOut("needs the settlement chain (--rpc)");
    await t.behave(t.model(), "silent");
    const answer = await t.api.say();
    const detail = (name: string): unknown => at(answer.json, "error", "details", name);
    if (answer.status !== 504) return t.giveUp("a job without end was not answered with 504");
    const job = await readJob(t, String(detail("job_id")));
    const escrow = at(job.json, "on_chain", "escrow_address");
    const back = await judgeTransaction(t, chain, { name: "refund", hash: detail("refund_tx"), escrow, by: answer });
    const hash = at(job.json, "on_chain", "escrow_tx");
    if (typeof hash !== "string") return;
    const lock = await judgeTransaction(t, chain, { name: "escrow lock of a refunded job", hash, escrow, by: job });
    if (lock === null || back === null) return;
    t.check("1/4", before(lock, back), {
      title: "a job is refunded on the chain before its units are locked",
      expected: `after block ${lock.block}, transaction ${lock.index}`,
      seen: `block ${back.block}, transaction ${back.index}`,
      exchanges: [answer, job],
    });
  },
});

/** A dispute that was opened is a transaction, too. */
const dispute = defineCase({
  id: "1/chain-dispute",
  title: "the transaction that an opened dispute names is on the chain",
  requirements: ["1/4"],
  needs: ["credits", "chain"],
  cost: (prices) => prices.flat,
  async run(t) {
    const { chain } = t;
    if (chain === null) return t.leaveOut("needs the settlement chain (--rpc)");
    opensDisputes(t);
    const done = await t.complete();
    const answer = await challenge(t, done, sha256(`${done.text} (not what was said)`));
    t.accepted(answer, "a dispute within the window");
    await judgeTransaction(t, chain, { name: "dispute", hash: at(answer.json, "dispute_tx"), by: answer });
  },
});

export const section1Chain = [transactions, refund, dispute];
