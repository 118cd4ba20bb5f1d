/**
 * A run over time: a fold that counts events and measures levels in buckets of equal width. Memory is bounded: when the buckets are used up,
 * each two become one and the width doubles, so a run of any length ends with between half and all of them. Everything is an integer.
 */
import type { Fold, WorldKinds } from "../trace/index.ts";
import { Histogram } from "./histogram.ts";

/** What is counted, by the moment at which it happened. `paid...`, `fees` are hundredths of a unit, `slashed` tokens. */
const COUNTED = [
  "arrived",
  "refused",
  "settled",
  "failed",
  "refunded",
  "disputed",
  "fraudulent",
  "honest",
  "slashed",
  "paidNative",
  "paidBrowser",
  "fees",
  "finished",
  "sojourn",
  "faults",
] as const;

/** What is a level: its integral over the bucket, in microseconds times the level. */
const LEVELS = ["waiting", "inFlight", "busyNative", "busyBrowser", "slotsNative", "slotsBrowser"] as const;

/** What is the largest of its bucket. */
const LARGEST = ["mostWaiting", "longestSojourn"] as const;

export type Counted = (typeof COUNTED)[number];
export type Level = (typeof LEVELS)[number];
export type Largest = (typeof LARGEST)[number];

/** Where the units that were locked for jobs went, hundredths of a unit. */
export interface MoneyFlow {
  readonly locked: number;
  readonly toNative: number;
  readonly toBrowser: number;
  readonly toTreasury: number;
  /** The part of a lock that the job did not cost. */
  readonly difference: number;
  readonly refundedAtTimeout: number;
  readonly returnedOnFailure: number;
  /** Still in escrow at the end. */
  readonly held: number;
  /** Paid by the treasury to clients after verdicts. */
  readonly compensation: number;
}

/** A time distribution: values in microseconds, each with how many there were; within 0.1 %. */
export interface Distribution {
  readonly count: number;
  readonly max: number;
  /** Upper edges, ascending, with their counts. */
  readonly bins: readonly (readonly [last: number, count: number])[];
  /** The quantiles of `QUANTILES`, in thousandths, in that order. */
  readonly quantiles: readonly number[];
}

export const QUANTILES = [10, 50, 100, 250, 500, 750, 900, 950, 990, 999, 1_000] as const;

export interface Series {
  /** Microseconds a bucket, and microseconds at the end of the run. */
  readonly width: number;
  readonly end: number;
  /** By name, one number a bucket. */
  readonly counts: Readonly<Record<Counted, readonly number[]>>;
  readonly integrals: Readonly<Record<Level, readonly number[]>>;
  readonly largest: Readonly<Record<Largest, readonly number[]>>;
  readonly times: { readonly wait: Distribution; readonly firstToken: Distribution; readonly sojourn: Distribution };
  readonly money: MoneyFlow;
}

const FIRST_WIDTH = 1_000_000;

/** Numbers by name in one array each, as long as there are buckets. */
type Columns<Name extends string> = Record<Name, Float64Array>;

const columnsOf = <Name extends string>(names: readonly Name[], buckets: number): Columns<Name> =>
  Object.fromEntries(names.map((name) => [name, new Float64Array(buckets)])) as Columns<Name>;

export class SeriesFold implements Fold<WorldKinds> {
  readonly on: Fold<WorldKinds>["on"];
  readonly #buckets: number;
  #width = FIRST_WIDTH;
  readonly #counts: Columns<Counted>;
  readonly #integrals: Columns<Level>;
  readonly #largest: Columns<Largest>;
  readonly #level: Record<Level, number>;
  /** Until when the levels are in the buckets. */
  #accrued = 0;
  readonly #wait = new Histogram();
  readonly #first = new Histogram();
  readonly #sojourn = new Histogram();
  readonly #money = {
    locked: 0,
    toNative: 0,
    toBrowser: 0,
    toTreasury: 0,
    difference: 0,
    refunded: 0,
    failed: 0,
    back: 0,
  };

  /** @param buckets at most so many; an even number */
  constructor(buckets = 240) {
    this.#buckets = buckets;
    this.#counts = columnsOf(COUNTED, buckets);
    this.#integrals = columnsOf(LEVELS, buckets);
    this.#largest = columnsOf(LARGEST, buckets);
    this.#level = Object.fromEntries(LEVELS.map((name) => [name, 0])) as Record<Level, number>;
    this.on = this.#listeners();
  }

  /** The series up to `end`, the run's last moment. */
  series(end: number): Series {
    this.#accrue(end);
    const used = Math.min(this.#buckets, Math.max(1, Math.ceil(end / this.#width)));
    const cut = <Name extends string>(columns: Columns<Name>): Record<Name, readonly number[]> =>
      Object.fromEntries(
        Object.entries<Float64Array>(columns).map(([name, column]) => [name, [...column.subarray(0, used)]]),
      ) as unknown as Record<Name, readonly number[]>;
    const { locked, toNative, toBrowser, toTreasury, difference, refunded, failed, back } = this.#money;
    return {
      width: this.#width,
      end,
      counts: cut(this.#counts),
      integrals: cut(this.#integrals),
      largest: cut(this.#largest),
      times: {
        wait: distribution(this.#wait),
        firstToken: distribution(this.#first),
        sojourn: distribution(this.#sojourn),
      },
      money: {
        locked,
        toNative,
        toBrowser,
        toTreasury,
        difference,
        refundedAtTimeout: refunded,
        returnedOnFailure: failed,
        held: locked - toNative - toBrowser - toTreasury - difference - refunded - failed,
        compensation: back,
      },
    };
  }

  /** The bucket of a moment; makes room where there is none. */
  #at(time: number): number {
    while (time >= this.#width * this.#buckets) this.#halve();
    return Math.floor(time / this.#width);
  }

  #halve(): void {
    const half = this.#buckets / 2;
    const join = (column: Float64Array, of: (a: number, b: number) => number): void => {
      for (let i = 0; i < half; i++) column[i] = of(column[2 * i]!, column[2 * i + 1]!);
      column.fill(0, half);
    };
    const sum = (a: number, b: number): number => a + b;
    for (const column of Object.values<Float64Array>(this.#counts)) join(column, sum);
    for (const column of Object.values<Float64Array>(this.#integrals)) join(column, sum);
    for (const column of Object.values<Float64Array>(this.#largest)) join(column, Math.max);
    this.#width *= 2;
  }

  #count(time: number, name: Counted, by = 1): void {
    const at = this.#at(time);
    this.#counts[name][at] = this.#counts[name][at]! + by;
  }

  #most(time: number, name: Largest, value: number): void {
    const at = this.#at(time);
    if (value > this.#largest[name][at]!) this.#largest[name][at] = value;
  }

  /** Brings the levels into the buckets up to a moment. */
  #accrue(until: number): void {
    this.#at(Math.max(0, until - 1));
    while (this.#accrued < until) {
      const at = Math.floor(this.#accrued / this.#width);
      const next = Math.min(until, (at + 1) * this.#width);
      for (const name of LEVELS) {
        const column = this.#integrals[name];
        column[at] = column[at]! + this.#level[name] * (next - this.#accrued);
      }
      this.#accrued = next;
    }
  }

  #step(time: number, name: Level, by: number): void {
    this.#accrue(time);
    this.#level[name] += by;
  }

  #listeners(): Fold<WorldKinds>["on"] {
    /** By place of the job. */
    const createdAt: number[] = [];
    const waits: boolean[] = [];
    const failed: boolean[] = [];
    /** By worker. */
    const native: boolean[] = [];
    const slots: number[] = [];
    const money = this.#money;

    const stopsWaiting = (time: number, job: number): void => {
      if (waits[job] !== true) return;
      waits[job] = false;
      this.#step(time, "waiting", -1);
    };
    const leaves = (time: number, job: number, how: "settled" | "failed" | "refunded"): void => {
      stopsWaiting(time, job);
      this.#step(time, "inFlight", -1);
      this.#count(time, how);
    };
    return {
      "request.refused": (time) => {
        this.#count(time, "arrived");
        this.#count(time, "refused");
      },
      "job.created": (time, job) => {
        createdAt[job] = time;
        waits[job] = true;
        failed[job] = false;
        this.#count(time, "arrived");
        this.#step(time, "inFlight", 1);
        this.#step(time, "waiting", 1);
        this.#most(time, "mostWaiting", this.#level.waiting);
      },
      "job.locked": (_time, _job, _wallet, units) => {
        money.locked += units * 100;
      },
      "job.processing": (time, job, worker) => {
        stopsWaiting(time, job);
        this.#step(time, native[worker] === true ? "busyNative" : "busyBrowser", 1);
        this.#wait.add(time - createdAt[job]!);
      },
      "slot.freed": (time, worker) => this.#step(time, native[worker] === true ? "busyNative" : "busyBrowser", -1),
      "job.firstToken": (time, job) => this.#first.add(time - createdAt[job]!),
      "job.lastToken": (time, job) => {
        const sojourn = time - createdAt[job]!;
        this.#sojourn.add(sojourn);
        this.#count(time, "finished");
        this.#count(time, "sojourn", sojourn);
        this.#most(time, "longestSojourn", sojourn);
      },
      "job.paid": (time, _job, _wallet, worker, _charged, returned, paid, fee) => {
        money.difference += returned * 100;
        money.toTreasury += fee;
        if (native[worker] === true) money.toNative += paid;
        else money.toBrowser += paid;
        this.#count(time, native[worker] === true ? "paidNative" : "paidBrowser", paid);
        this.#count(time, "fees", fee);
      },
      "job.settled": (time, job) => leaves(time, job, "settled"),
      "job.failed": (time, job) => {
        failed[job] = true;
        leaves(time, job, "failed");
      },
      "job.refunded": (time, job) => leaves(time, job, "refunded"),
      "job.returned": (_time, job, _wallet, units) => {
        if (failed[job] === true) money.failed += units * 100;
        else money.refunded += units * 100;
      },
      "job.disputed": (time) => this.#count(time, "disputed"),
      "dispute.decided": (time, _job, _worker, fraudulent, units) => {
        this.#count(time, fraudulent === 1 ? "fraudulent" : "honest");
        money.back += units * 100;
      },
      "stake.slashed": (time, _worker, amount) => this.#count(time, "slashed", amount),
      "worker.registered": (time, worker, isNative, count) => {
        native[worker] = isNative === 1;
        slots[worker] = count;
        this.#step(time, isNative === 1 ? "slotsNative" : "slotsBrowser", count);
      },
      "worker.left": (time, worker) => {
        this.#step(time, native[worker] === true ? "slotsNative" : "slotsBrowser", -(slots[worker] ?? 0));
        slots[worker] = 0;
      },
      "fault.began": (time) => this.#count(time, "faults"),
    };
  }
}

function distribution(histogram: Histogram): Distribution {
  return {
    count: histogram.count,
    max: histogram.max,
    bins: [...histogram],
    quantiles: QUANTILES.map((thousandths) => histogram.quantile(thousandths, 1_000)),
  };
}
