/** Events (section 6): who hears of one, its data, and the envelope it is sent in. */
import { API_VERSION } from "../../fixtures/protocol/events.ts";
import type { JobView, ServiceEvent } from "../port.ts";
import { type Inside, iso, usdg } from "./inside.ts";
import type { Webhook } from "./webhook-book.ts";

/** The webhooks that an event is sent to. */
export function subscribers(inside: Inside, event: ServiceEvent): readonly Webhook[] {
  const wallet = concerned(inside, event);
  return inside.webhooks
    .all()
    .filter((webhook) => webhook.events.includes(event.event))
    .filter((webhook) => wallet === undefined || webhook.wallet === wallet)
    .filter((webhook) => webhook.active || inside.shape.failedWebhookHears);
}

/** The one wallet that an event concerns; undefined where it concerns everyone. */
function concerned({ network, shape }: Inside, event: ServiceEvent): number | undefined {
  if ("wallet" in event) return event.wallet;
  if (event.event === "worker.slashed" && shape.workerEvents === "concerned") return network.job(event.job)?.wallet;
  return undefined;
}

/** The envelope of section 2.7. */
export function envelope(
  inside: Inside,
  id: string,
  event: string,
  at: number,
  data: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return { id, event, created_at: iso(inside, at), api_version: API_VERSION, data };
}

/** The data of an event (section 6.2). */
export function eventData(inside: Inside, event: ServiceEvent): Readonly<Record<string, unknown>> {
  const { network, jobs } = inside;
  if ("job" in event && "wallet" in event) return jobData(inside, event.event, network.job(event.job)!);
  switch (event.event) {
    case "credit.low":
      return {
        credits_remaining: event.remaining,
        usdg_value: usdg(event.remaining),
        threshold: inside.rules.lowCreditThreshold,
      };
    case "credit.topup":
      return { credits_added: event.units, credits_remaining: event.remaining, usdg_value: usdg(event.remaining) };
    case "worker.registered":
      return { worker_address: network.workerAddress(event.worker) };
    case "worker.slashed":
      return {
        worker_address: network.workerAddress(event.worker),
        slash_amount_thea: event.amount,
        slash_tx: network.chain.hash(event.tx),
        reason: event.reason,
        related_job_id: jobs.idOf(event.job),
      };
    default:
      return {};
  }
}

function jobData(inside: Inside, event: string, job: JobView): Readonly<Record<string, unknown>> {
  const { network, jobs, shape, door } = inside;
  const { chain } = network;
  const { id: model, tier } = network.models[job.model]!;
  const names = { job_id: jobs.idOf(job.job), model, tier };
  const worker = job.worker >= 0 ? { worker_address: network.workerAddress(job.worker) } : {};
  if (event === "job.completed") {
    return {
      ...names,
      credits_charged: job.charged,
      usdg_value: usdg(job.charged),
      ...worker,
      settlement_tx: chain.hash(job.settlementTx),
      block_number: chain.blockOf(job.settlementTx),
      prompt_tokens: job.promptTokens,
      completion_tokens: job.outputTokens,
      credits_remaining: door.balance(inside, job.wallet),
    };
  }
  if (shape.eventData === "bare") return { job_id: names.job_id };
  switch (event) {
    case "job.submitted":
      return { ...names, credits_locked: job.locked, escrow_tx: chain.hash(job.lockTx) };
    case "job.processing":
      return { ...names, ...worker };
    case "job.failed":
      return { ...names, ...worker, credits_refunded: job.returned };
    case "job.timeout":
      return { ...names, credits_refunded: job.returned, refund_tx: chain.hash(job.refundTx) };
    case "job.disputed":
      return { ...names, ...worker, dispute_tx: chain.hash(job.disputeTx) };
    default:
      return names;
  }
}
