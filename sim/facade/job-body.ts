/** A job as the API shows it (section 2.3). */
import { type Inside, iso, usdg, view } from "./inside.ts";
import type { JobRecord } from "./jobs.ts";

export function jobBody(inside: Inside, record: JobRecord): Readonly<Record<string, unknown>> {
  const { network, shape, door } = inside;
  const job = view(inside, record);
  const model = network.models[job.model]!;
  const unknown = shape.unknownFieldsOfJob === "null" ? null : undefined;
  const settled = job.settlementTx !== 0 && network.chain.blockOf(job.settlementTx) > 0;
  const unpaid = job.status === "failed" || job.status === "refunded";
  const charge = settled
    ? job.charged
    : unpaid
      ? { zero: 0, null: unknown, locked: job.locked }[shape.chargeOfUnpaidJob]
      : unknown;
  const completedAt = settled && shape.completedAt === "last_token" ? job.lastTokenAt : job.completedAt;
  const locked = job.lockTx !== 0 && (settled || shape.lockShownEarly);
  return {
    id: record.id,
    object: "job",
    status: job.status,
    model: model.id,
    tier: model.tier,
    credits_charged: charge,
    usdg_value: typeof charge === "number" ? usdg(charge) : unknown,
    worker_address: job.worker >= 0 ? network.workerAddress(job.worker) : unknown,
    created_at: iso(inside, job.createdAt),
    completed_at: completedAt >= 0 ? iso(inside, completedAt) : unknown,
    on_chain: locked
      ? {
          escrow_tx: network.chain.hash(job.lockTx),
          settlement_tx: settled ? network.chain.hash(job.settlementTx) : unknown,
          escrow_address: network.chain.escrowAddress,
          block_number: settled ? network.chain.blockOf(job.settlementTx) : unknown,
          proof_hash: job.proofTx !== 0 ? door.postedHash(inside, record) : unknown,
        }
      : unknown,
    usage:
      job.lastTokenAt >= 0
        ? {
            prompt_tokens: job.promptTokens,
            completion_tokens: job.outputTokens,
            total_tokens: job.promptTokens + job.outputTokens,
          }
        : unknown,
  };
}
