/**
 * The kinds of events of the service's world.
 *
 * Jobs, wallets, workers, models, webhooks and deliveries are the world's small integers. A job's number is its place in the table of jobs and is
 * given again once nothing speaks of the job any more; `number` counts all jobs of a run. Amounts are units; `paid` and `fee` are hundredths of a
 * unit; stakes are whole tokens. A `tx` is a transaction in order of sending, 0 where there is none. Truth values are 0 and 1.
 *
 * What a party decides and what the chain then makes of it are two events: `job.refunded` is the gateway's word at 120 s, `job.returned` the
 * sealed transaction that moves the units.
 */
import { defineKinds } from "./define.ts";

export const kinds = defineKinds({
  /** The first event; `fingerprint` is drawn from the seed, so runs of two seeds differ even where nothing else is random. */
  "run.started": ["fingerprint"],

  /** `tier` is the place in the contract's list (8). */
  "model.listed": ["model", "tier"],

  "wallet.opened": ["wallet", "population"],
  "units.bought": ["wallet", "units", "tx"],
  "units.redeemed": ["wallet", "units", "tx"],
  "credit.low": ["wallet", "remaining", "threshold"],
  /** `reason` is one of `REFUSED`; `required` is 0 unless units were lacking. */
  "request.refused": ["wallet", "model", "reason", "required"],

  /** The request has arrived and its lock is sent. */
  "job.created": ["job", "number", "wallet", "model", "promptTokens", "units", "tx"],
  /** The lock is in a sealed block; a worker is sought. */
  "job.locked": ["job", "wallet", "units", "tx"],
  "job.processing": ["job", "worker"],
  "job.firstToken": ["job", "worker"],
  "job.lastToken": ["job", "worker", "outputTokens"],
  /** The proof is in a sealed block; `honest` tells whether it is the hash of what was delivered. */
  "job.settling": ["job", "worker", "honest", "tx"],
  /** The settlement is in a sealed block. */
  "job.paid": ["job", "wallet", "worker", "charged", "returned", "paid", "fee", "tx"],
  /** The settlement is confirmed. */
  "job.settled": ["job"],
  /** `worker` is -1 where none had the job; `reason` is one of `FAILED`. */
  "job.failed": ["job", "worker", "reason", "units", "tx"],
  "job.refunded": ["job", "worker", "units", "tx"],
  /** The lock was given back in a sealed block. */
  "job.returned": ["job", "wallet", "units", "tx"],
  /** A worker made its last token after the job had ended; it is not paid. */
  "job.late": ["job", "worker"],

  "job.disputed": ["job", "worker", "tx"],
  "dispute.recorded": ["job", "tx"],
  "dispute.decided": ["job", "worker", "fraudulent", "units", "tx"],

  "worker.registered": ["worker", "native", "slots"],
  "worker.left": ["worker"],
  "stake.deposited": ["worker", "amount", "tx"],
  "stake.withdrawn": ["worker", "amount", "tx"],
  "stake.slashed": ["worker", "amount", "job", "tx"],

  "block.sealed": ["block", "transactions"],
  /** `transaction` is one of the ledger's `TX`, `reason` one of its `REVERT`. */
  "tx.reverted": ["tx", "transaction", "subject", "reason"],

  "webhook.created": ["webhook", "wallet"],
  "webhook.deleted": ["webhook"],
  "webhook.failed": ["webhook", "delivery"],
  /** `event` is the place of its name in the contract's list (6.1). */
  "delivery.created": ["delivery", "webhook", "event", "subject"],
  "delivery.attempted": ["delivery", "attempt"],
  "delivery.succeeded": ["delivery", "attempt"],
  "delivery.failed": ["delivery", "attempt"],
  /** No attempt follows unless somebody replays it; `delivered` tells how it ended. */
  "delivery.ended": ["delivery", "delivered"],
  /** One further attempt is made by hand. */
  "delivery.replayed": ["delivery"],

  /** At the end of a run: the chain's own totals, units and tokens. */
  "books.closed": ["bought", "available", "locked", "settled", "redeemed"],
  "stakes.closed": ["staked", "active", "slashed", "unstaked"],

  "fault.began": ["fault", "subject"],
  "fault.ended": ["fault", "subject"],

  /** Follows `worker.registered`, once for each model. */
  "worker.hosts": ["worker", "model"],
  /** The worker has let the job go; its slot can be given to another. */
  "slot.freed": ["worker", "job"],
  /** From now on nobody misbehaves: every request is to be served to its end. */
  "calm.began": [],

  /** Follows `worker.registered` where a scenario names its classes of workers: the place of the class in the scenario. */
  "worker.classed": ["worker", "class"],
  /** What only the simulator knows: the worker cheats on this job; `how` is the number of its conduct. */
  "job.cheated": ["job", "worker", "how"],
  /** What work costs the worker, hundredths of a unit; `job` is -1 where it was for no job. */
  "worker.spent": ["worker", "job", "amount"],
  /** What looking at an answer costs the client, hundredths of a unit. */
  "client.spent": ["wallet", "job", "amount"],
  /** The verifier has run a job again; `rejected` tells whether it refuses the proof, `cost` is in hundredths of a unit. */
  "audit.done": ["job", "worker", "rejected", "cost"],
  /** The worker is not reachable and takes no job, and is again. */
  "worker.down": ["worker"],
  "worker.up": ["worker"],
  /** A request is sent again; `attempt` counts from 1. */
  "request.retried": ["wallet", "attempt"],
  /** The network has brought a request twice. */
  "request.duplicated": ["wallet"],
  /** The gateway's clock is not true: it misjudges the time-out and the dispute window by at most so many microseconds. */
  "clock.skewed": ["timeout", "window"],
  /** The client has hung up; the job goes on. */
  "client.gaveUp": ["wallet", "job"],

  /** `tx` stands in the place of `lost`, which no block is going to hold; `transaction` is one of the ledger's `TX`. */
  "tx.resent": ["tx", "lost", "transaction", "subject"],
  /** A reorganisation has undone the block; its transactions follow, the last first. */
  "block.undone": ["block", "transactions"],
  "tx.undone": ["tx", "transaction", "subject"],
  /** All of a reorganisation is told: the chain stands at that height. */
  "chain.reorganised": ["height", "blocks"],
  /** A transaction that was undone is in a sealed block once more, with the outcome that it had. */
  "tx.resealed": ["tx", "transaction", "subject"],
  /** The job was told as settled, and its settlement has been undone; then it is settled again. */
  "job.unsettled": ["job", "tx"],
  "job.resettled": ["job"],
});

/** Numbers of the kinds, for `trace.emit(KIND["job.locked"], ...)`. */
export const KIND = kinds.id;

export type WorldKinds = (typeof kinds)["definitions"];

/** Why a request was refused. */
export const REFUSED = { insufficientCredits: 1, noWorkers: 2 } as const;

/** Why a job failed. */
export const FAILED = { workerDropped: 1, lockReverted: 2, proofRejected: 3 } as const;

/** Troubles of the chain; `subject` is the fault's place in the scenario's list. */
export const FAULT = {
  slowBlocks: 1,
  stalledChain: 2,
  droppedTransactions: 3,
  replacedTransactions: 4,
  revertedTransactions: 5,
  reorganisation: 6,
  rpcErrors: 7,
  rpcHangs: 8,
  crashedWorkers: 20,
  stalledWorkers: 21,
  slowWorkers: 22,
  droppedJobs: 23,
  partition: 30,
  clog: 31,
} as const;
