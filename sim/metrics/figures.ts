/**
 * The figures of a run: a fold over its trace. Memory is bounded by the number of jobs and workers that are there at once, not by how many
 * there were.
 */
import type { Fold, WorldKinds } from "../trace/index.ts";
import { REFUSED } from "../trace/kinds.ts";
import { Histogram } from "./histogram.ts";
import { type CheatFigures, LedgerOfParties, type PartyFigures, type PartyNames } from "./ledger-of-parties.ts";

/** Times in whole microseconds; -1 where nothing was seen. Quantiles are off by less than 0.1 %. */
export interface Times {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface WorkerFigures {
  readonly workers: number;
  readonly slots: number;
  /** Jobs taken. */
  readonly jobs: number;
  /** Share of slot time spent on jobs, from the start of the run to the last time that a slot was busy; 0 to 1. */
  readonly utilisation: number;
  /** Hundredths of a unit. */
  readonly paid: number;
}

export interface Figures {
  readonly requests: {
    readonly arrived: number;
    readonly insufficientCredits: number;
    readonly noWorkers: number;
    /** Those that arrived that were sent before, and clients that hung up on a job. */
    readonly retried: number;
    readonly gaveUp: number;
  };
  readonly jobs: {
    readonly created: number;
    readonly settled: number;
    readonly failed: number;
    readonly refunded: number;
    /** Neither of the three: only in a run that was ended early. */
    readonly unfinished: number;
  };
  /** From arrival until a worker takes the job. */
  readonly wait: Times;
  readonly timeToFirstToken: Times;
  /** From arrival to the last token, of jobs that were finished. */
  readonly sojourn: Times;
  readonly workers: { readonly native: WorkerFigures; readonly browser: WorkerFigures };
  /** Where the units bought are now. */
  readonly units: {
    readonly bought: number;
    readonly available: number;
    readonly locked: number;
    readonly settled: number;
    readonly redeemed: number;
  };
  /** Hundredths of a unit: the part of what was settled that workers did not get. */
  readonly treasury: number;
  readonly disputes: { readonly opened: number; readonly fraudulent: number; readonly honest: number };
  /** Tokens. */
  readonly stake: { readonly deposited: number; readonly slashed: number; readonly withdrawn: number };
  /** Workers that left, slashed ones included. */
  readonly left: number;
  readonly deliveries: {
    readonly created: number;
    readonly attempts: number;
    readonly delivered: number;
    readonly failed: number;
    readonly webhooksFailed: number;
  };
  readonly blocks: number;
  readonly reverted: number;
  /** Profit and loss: classes of workers, populations of clients, the treasury. */
  readonly parties: readonly PartyFigures[];
  readonly cheats: CheatFigures;
}

/** The books of one kind of worker. */
class Kind {
  jobs = 0;
  paid = 0;
  /** Microseconds of slots spent on jobs. */
  busy = 0;
  readonly workers: Presence[] = [];

  figures(end: number): WorkerFigures {
    const { jobs, paid, busy, workers } = this;
    const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
    const there = workers.reduce((sum, { slots, joinedAt, leftAt }) => {
      return sum + slots * Math.max(0, Math.min(leftAt, end) - joinedAt);
    }, 0);
    return { workers: workers.length, slots, jobs, utilisation: there === 0 ? 0 : busy / there, paid };
  }
}

/** From when to when a worker was there. */
interface Presence {
  readonly slots: number;
  readonly joinedAt: number;
  leftAt: number;
}

export class FigureFold implements Fold<WorldKinds> {
  readonly on: Fold<WorldKinds>["on"];
  /** The books of the parties, a fold of its own that is subscribed beside this one. */
  readonly parties: LedgerOfParties;
  /** The figures so far. */
  readonly figures: () => Figures;

  /** @param names of classes and populations, which the trace does not tell */
  constructor(names?: PartyNames | undefined) {
    const parties = new LedgerOfParties(names);
    this.parties = parties;
    const [wait, first, sojourn] = [new Histogram(), new Histogram(), new Histogram()];
    const native = new Kind();
    const browser = new Kind();
    const requests = { arrived: 0, insufficientCredits: 0, noWorkers: 0, retried: 0, gaveUp: 0 };
    const jobs = { created: 0, settled: 0, failed: 0, refunded: 0 };
    const units = { bought: 0, available: 0, locked: 0, settled: 0, redeemed: 0 };
    const disputes = { opened: 0, fraudulent: 0, honest: 0 };
    const stake = { deposited: 0, slashed: 0, withdrawn: 0 };
    const deliveries = { created: 0, attempts: 0, delivered: 0, failed: 0, webhooksFailed: 0 };
    const totals = { treasury: 0, left: 0, blocks: 0, reverted: 0, end: 0 };
    /** By place of the job. */
    const createdAt: number[] = [];
    const takenAt: number[] = [];
    /** By worker. */
    const kindOf: Kind[] = [];
    const presence: Presence[] = [];

    const busyUntil = (time: number, job: number, worker: number): void => {
      kindOf[worker]!.busy += time - takenAt[job]!;
      totals.end = time;
    };

    this.on = {
      "request.refused": (_time, _wallet, _model, reason) => {
        requests.arrived++;
        if (reason === REFUSED.insufficientCredits) requests.insufficientCredits++;
        else requests.noWorkers++;
      },
      "request.retried": () => {
        requests.retried++;
      },
      "client.gaveUp": () => {
        requests.gaveUp++;
      },
      "job.created": (time, job) => {
        requests.arrived++;
        jobs.created++;
        createdAt[job] = time;
      },
      "job.locked": (_time, _job, _wallet, amount) => {
        units.available -= amount;
        units.locked += amount;
      },
      "job.processing": (time, job, worker) => {
        takenAt[job] = time;
        kindOf[worker]!.jobs++;
        wait.add(time - createdAt[job]!);
      },
      "job.firstToken": (time, job) => first.add(time - createdAt[job]!),
      "job.lastToken": (time, job, worker) => {
        sojourn.add(time - createdAt[job]!);
        busyUntil(time, job, worker);
      },
      "job.paid": (_time, _job, _wallet, worker, charged, returned, paid, fee) => {
        units.locked -= charged + returned;
        units.available += returned;
        units.settled += charged;
        kindOf[worker]!.paid += paid;
        totals.treasury += fee;
      },
      "job.settled": () => {
        jobs.settled++;
      },
      "job.failed": (time, job, worker) => {
        jobs.failed++;
        if (worker >= 0) busyUntil(time, job, worker);
      },
      "job.refunded": (time, job, worker) => {
        jobs.refunded++;
        if (worker >= 0) busyUntil(time, job, worker);
      },
      "job.returned": (_time, _job, _wallet, amount) => {
        units.locked -= amount;
        units.available += amount;
      },
      "job.disputed": () => {
        disputes.opened++;
      },
      "dispute.decided": (_time, _job, _worker, fraudulent, amount) => {
        if (fraudulent === 1) disputes.fraudulent++;
        else disputes.honest++;
        units.settled -= amount;
        units.available += amount;
        // Compensation is the treasury's.
        totals.treasury -= amount * 100;
      },
      "units.bought": (_time, _wallet, amount) => {
        units.bought += amount;
        units.available += amount;
      },
      "units.redeemed": (_time, _wallet, amount) => {
        units.available -= amount;
        units.redeemed += amount;
      },
      "worker.registered": (time, worker, isNative, slots) => {
        const kind = isNative === 1 ? native : browser;
        kindOf[worker] = kind;
        presence[worker] = { slots, joinedAt: time, leftAt: Infinity };
        kind.workers.push(presence[worker]);
      },
      "worker.left": (time, worker) => {
        totals.left++;
        presence[worker]!.leftAt = time;
      },
      "stake.deposited": (_time, _worker, amount) => {
        stake.deposited += amount;
      },
      "stake.slashed": (_time, _worker, amount) => {
        stake.slashed += amount;
      },
      "stake.withdrawn": (_time, _worker, amount) => {
        stake.withdrawn += amount;
      },
      "block.sealed": () => {
        totals.blocks++;
      },
      "tx.reverted": () => {
        totals.reverted++;
      },
      "delivery.created": () => {
        deliveries.created++;
      },
      "delivery.attempted": () => {
        deliveries.attempts++;
      },
      "delivery.ended": (_time, _delivery, delivered) => {
        if (delivered === 1) deliveries.delivered++;
        else deliveries.failed++;
      },
      "webhook.failed": () => {
        deliveries.webhooksFailed++;
      },
    };

    this.figures = () => ({
      requests: { ...requests },
      jobs: { ...jobs, unfinished: jobs.created - jobs.settled - jobs.failed - jobs.refunded },
      wait: times(wait),
      timeToFirstToken: times(first),
      sojourn: times(sojourn),
      workers: { native: native.figures(totals.end), browser: browser.figures(totals.end) },
      units: { ...units },
      treasury: totals.treasury,
      disputes: { ...disputes },
      stake: { ...stake },
      left: totals.left,
      deliveries: { ...deliveries },
      blocks: totals.blocks,
      reverted: totals.reverted,
      parties: parties.parties(),
      cheats: parties.cheats(),
    });
  }
}

function times(histogram: Histogram): Times {
  return {
    count: histogram.count,
    mean: histogram.count === 0 ? -1 : Math.round(histogram.mean),
    p50: histogram.quantile(50, 100),
    p95: histogram.quantile(95, 100),
    p99: histogram.quantile(99, 100),
    max: histogram.max,
  };
}
