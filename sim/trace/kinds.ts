/**
 * The kinds of events of the service's world. Times are the event's own; amounts are units, stakes base units; jobs, wallets, workers and models
 * are the world's small integers; a `tx` is a transaction in order of sending.
 */
import { defineKinds } from "./define.ts";

export const kinds = defineKinds({
  "run.started": ["seed"],
  "client.joined": ["client", "wallet"],
  "units.bought": ["wallet", "units", "tx"],
  "units.redeemed": ["wallet", "units", "tx"],
  "job.submitted": ["job", "wallet", "model", "promptTokens", "maxTokens", "units"],
  "job.locked": ["job", "wallet", "units", "tx"],
  "job.assigned": ["job", "worker"],
  "job.processing": ["job", "worker"],
  "job.firstToken": ["job", "worker"],
  "job.lastToken": ["job", "worker", "outputTokens"],
  "job.proofPosted": ["job", "worker", "tx", "honest"],
  "job.settling": ["job", "worker", "tx"],
  "job.settled": ["job", "wallet", "worker", "charged", "returned", "paid", "tx"],
  "job.failed": ["job", "wallet", "returned", "reason", "tx"],
  "job.refunded": ["job", "wallet", "returned", "tx"],
  "job.disputed": ["job", "wallet", "worker", "tx"],
  "job.verdict": ["job", "worker", "fraudulent", "tx"],
  "worker.registered": ["worker", "native"],
  "worker.staked": ["worker", "amount", "tx"],
  "worker.unstaked": ["worker", "amount", "tx"],
  "worker.slashed": ["worker", "job", "amount", "reason", "tx"],
  "worker.left": ["worker"],
  "block.sealed": ["block", "transactions"],
  "webhook.created": ["webhook", "wallet"],
  "webhook.deleted": ["webhook"],
  "webhook.failed": ["webhook", "event"],
  "delivery.attempted": ["delivery", "webhook", "event", "attempt"],
  "delivery.answered": ["delivery", "webhook", "attempt", "status"],
  "fault.began": ["fault", "subject"],
  "fault.ended": ["fault", "subject"],
});

/** Numbers of the kinds, for `trace.emit(KIND["job.locked"], ...)`. */
export const KIND = kinds.id;

export type WorldKinds = (typeof kinds)["definitions"];
