/** What the world was like at a moment, recomputed from the trace alone. */
import type { WorldEvent } from "./life.ts";

export interface JobState {
  /** Counts all jobs of the run. */
  readonly number: number;
  readonly wallet: number;
  readonly model: number;
  readonly createdAt: number;
  status: string;
  /** -1 while none has it. */
  worker: number;
}

export interface WorkerState {
  readonly native: boolean;
  readonly slots: number;
  busy: number;
  stake: number;
  present: boolean;
}

export interface WalletState {
  available: number;
  locked: number;
}

export interface WorldState {
  /** Microseconds; events up to and including that time have happened. */
  readonly time: number;
  readonly events: number;
  /** Those that have not ended. */
  readonly jobs: readonly JobState[];
  readonly ended: Readonly<Record<"settled" | "failed" | "refunded", number>>;
  readonly workers: readonly WorkerState[];
  readonly wallets: readonly WalletState[];
  readonly units: { readonly settled: number; readonly redeemed: number };
  /** Deliveries that are neither delivered nor given up. */
  readonly deliveries: number;
  readonly disputes: number;
  readonly blocks: number;
  /** Faults under way. */
  readonly faults: readonly { readonly fault: number; readonly subject: number }[];
}

const STATUS: Readonly<Record<string, string>> = {
  "job.locked": "pending",
  "job.processing": "processing",
  "job.firstToken": "processing",
  "job.lastToken": "processing",
  "job.settling": "settling",
  "job.paid": "settling",
};

/** @param events in the order of the run */
export function stateAt(events: Iterable<WorldEvent>, time: number): WorldState {
  const jobs = new Map<number, JobState & { units: number }>();
  const workers: WorkerState[] = [];
  const wallets: WalletState[] = [];
  const ended = { settled: 0, failed: 0, refunded: 0 };
  const units = { settled: 0, redeemed: 0 };
  const deliveries = new Set<number>();
  const disputes = new Set<number>();
  const faults: { fault: number; subject: number }[] = [];
  let blocks = 0;
  let count = 0;
  const unlock = (wallet: number, locked: number, back: number): void => {
    wallets[wallet]!.locked -= locked;
    wallets[wallet]!.available += back;
  };
  for (const event of events) {
    if (event.time > time) break;
    count++;
    const status = STATUS[event.kind];
    if (status !== undefined && "job" in event) {
      const job = jobs.get(event.job);
      if (job !== undefined) job.status = status;
    }
    switch (event.kind) {
      case "wallet.opened":
        wallets[event.wallet] = { available: 0, locked: 0 };
        break;
      case "units.bought":
        wallets[event.wallet]!.available += event.units;
        break;
      case "units.redeemed":
        wallets[event.wallet]!.available -= event.units;
        units.redeemed += event.units;
        break;
      case "job.created":
        jobs.set(event.job, {
          number: event.number,
          wallet: event.wallet,
          model: event.model,
          createdAt: event.time,
          status: "created",
          worker: -1,
          units: event.units,
        });
        break;
      case "job.locked":
        unlock(event.wallet, -event.units, -event.units);
        break;
      case "job.processing": {
        const job = jobs.get(event.job);
        if (job !== undefined) job.worker = event.worker;
        workers[event.worker]!.busy++;
        break;
      }
      case "job.paid":
        unlock(event.wallet, event.charged + event.returned, event.returned);
        units.settled += event.charged;
        break;
      case "job.returned":
        unlock(event.wallet, event.units, event.units);
        break;
      case "job.settled":
        ended.settled++;
        jobs.delete(event.job);
        break;
      case "job.failed":
        ended.failed++;
        jobs.delete(event.job);
        break;
      case "job.refunded":
        ended.refunded++;
        jobs.delete(event.job);
        break;
      case "slot.freed":
        workers[event.worker]!.busy--;
        break;
      case "worker.registered":
        workers[event.worker] = { native: event.native === 1, slots: event.slots, busy: 0, stake: 0, present: true };
        break;
      case "worker.left":
      case "worker.down":
        workers[event.worker]!.present = false;
        break;
      case "worker.up":
        workers[event.worker]!.present = true;
        break;
      case "stake.deposited":
        workers[event.worker]!.stake += event.amount;
        break;
      case "stake.withdrawn":
      case "stake.slashed":
        workers[event.worker]!.stake -= event.amount;
        break;
      case "job.disputed":
        disputes.add(event.job);
        break;
      case "dispute.decided":
        disputes.delete(event.job);
        units.settled -= event.units;
        break;
      case "delivery.created":
      case "delivery.replayed":
        deliveries.add(event.delivery);
        break;
      case "delivery.ended":
        deliveries.delete(event.delivery);
        break;
      case "block.sealed":
        blocks++;
        break;
      case "block.undone":
        blocks--;
        break;
      case "fault.began":
        faults.push({ fault: event.fault, subject: event.subject });
        break;
      case "fault.ended": {
        const at = faults.findIndex(({ fault, subject }) => fault === event.fault && subject === event.subject);
        if (at >= 0) faults.splice(at, 1);
        break;
      }
    }
  }
  return {
    time,
    events: count,
    jobs: [...jobs.values()].map(({ units: _, ...job }) => job).toSorted((a, b) => a.number - b.number),
    ended,
    workers,
    wallets,
    units,
    deliveries: deliveries.size,
    disputes: disputes.size,
    blocks,
    faults,
  };
}
