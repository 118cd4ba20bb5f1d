/**
 * What became of each job, in order of creation: a fold over the trace. From it a warm-up can be found and left out, and one long run be cut into
 * batches. Five numbers a job are kept; the other figures of a run stay bounded, these do not.
 */
import type { Fold, WorldKinds } from "../trace/index.ts";
import { quantileOf } from "./interval.ts";

/** How a job ended. */
export const FATE = { unfinished: 0, settled: 1, failed: 2, refunded: 3 } as const;

/** The columns of times, in microseconds; -1 where the job did not come so far. */
export type Column = "wait" | "firstToken" | "sojourn" | "stay";

/** Numbers that grow as they come. */
class Numbers {
  values = new Float64Array(1_024);

  set(index: number, value: number): void {
    if (index >= this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[index] = value;
  }
}

export class JobSeries implements Fold<WorldKinds> {
  readonly on: Fold<WorldKinds>["on"];
  /** Jobs so far. */
  length = 0;
  readonly #columns: Readonly<Record<Column | "fate" | "createdAt", Numbers>> = {
    createdAt: new Numbers(),
    wait: new Numbers(),
    firstToken: new Numbers(),
    sojourn: new Numbers(),
    stay: new Numbers(),
    fate: new Numbers(),
  };

  constructor() {
    const { createdAt, wait, firstToken, sojourn, stay, fate } = this.#columns;
    /** A job's place is given again; its number is not. */
    const numberOf: number[] = [];
    const since = (column: Numbers, time: number, job: number): void => {
      const number = numberOf[job]!;
      column.set(number, time - createdAt.values[number]!);
    };
    const ends = (time: number, job: number, as: number): void => {
      since(stay, time, job);
      fate.set(numberOf[job]!, as);
    };
    this.on = {
      "job.created": (time, job, number) => {
        numberOf[job] = number;
        this.length = Math.max(this.length, number + 1);
        createdAt.set(number, time);
        for (const column of [wait, firstToken, sojourn, stay]) column.set(number, -1);
        fate.set(number, FATE.unfinished);
      },
      "job.processing": (time, job) => since(wait, time, job),
      "job.firstToken": (time, job) => since(firstToken, time, job),
      "job.lastToken": (time, job) => {
        since(sojourn, time, job);
        since(stay, time, job);
      },
      "job.settled": (_time, job) => fate.set(numberOf[job]!, FATE.settled),
      "job.failed": (time, job) => ends(time, job, FATE.failed),
      "job.refunded": (time, job) => ends(time, job, FATE.refunded),
    };
  }

  /** From creation to the end of each job, however it ended: what tells whether the world has settled. A view, not a copy. */
  stays(): Float64Array {
    return this.#columns.stay.values.subarray(0, this.length);
  }

  /** The jobs from number `from` on, up to `to`, which is not among them. */
  stretch(from: number, to: number): Stretch {
    const column = (name: Column | "fate"): Float64Array => this.#columns[name].values.subarray(from, to);
    return new Stretch(column);
  }
}

/** Figures of jobs that follow one another. Seconds and shares; `null` where no job tells. */
export class Stretch {
  readonly #column: (name: Column | "fate") => Float64Array;
  readonly #ascending = new Map<Column, Float64Array>();

  constructor(column: (name: Column | "fate") => Float64Array) {
    this.#column = column;
  }

  mean(name: Column): number | null {
    let sum = 0;
    let count = 0;
    for (const value of this.#column(name)) {
      if (value < 0) continue;
      sum += value;
      count++;
    }
    return count === 0 ? null : sum / count / 1e6;
  }

  quantile(name: Column, share: number): number | null {
    let ascending = this.#ascending.get(name);
    if (ascending === undefined) {
      ascending = this.#column(name)
        .filter((value) => value >= 0)
        .sort();
      this.#ascending.set(name, ascending);
    }
    return ascending.length === 0 ? null : quantileOf(ascending, share) / 1e6;
  }

  share(fate: (typeof FATE)[keyof typeof FATE]): number | null {
    const fates = this.#column("fate");
    if (fates.length === 0) return null;
    let count = 0;
    for (const each of fates) if (each === fate) count++;
    return count / fates.length;
  }
}
