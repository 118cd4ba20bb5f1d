/**
 * The recorded events of a run, as the page plays them: columns of numbers, and a table of jobs made of them. Any moment can be shown without
 * going through the events before it. Used by the page's script: no module of Node, and nothing of a document.
 */
import { ByteReader } from "./codec.ts";

/** What the page carries. Times are microseconds since the start of the run. */
export interface MotionData {
  /** Kinds by number, each with the names of its fields. */
  readonly kinds: readonly (readonly [name: string, fields: readonly string[]])[];
  readonly events: number;
  readonly from: number;
  readonly to: number;
  /** Why it is not the whole run; null when it is. */
  readonly cut: string | null;
  readonly names: {
    readonly models: readonly string[];
    readonly populations: readonly string[];
    readonly classes: readonly string[];
    /** By number of the fault. */
    readonly faults: Readonly<Record<string, string>>;
  };
  /** Base64 of the events, deflated. */
  readonly bytes: string;
}

export const ENDED = { none: 0, settled: 1, failed: 2, refunded: 3 } as const;

/** Moments of jobs by their place in the tape; Infinity for what did not happen. */
export interface JobTable {
  readonly count: number;
  readonly number: Float64Array;
  readonly wallet: Int32Array;
  readonly model: Int32Array;
  /** -1 until a worker has it. */
  readonly worker: Int32Array;
  readonly created: Float64Array;
  readonly locked: Float64Array;
  readonly taken: Float64Array;
  readonly firstToken: Float64Array;
  readonly lastToken: Float64Array;
  readonly settling: Float64Array;
  readonly ended: Float64Array;
  /** One of `ENDED`. */
  readonly how: Uint8Array;
  readonly disputed: Float64Array;
}

export interface WorkerTable {
  readonly count: number;
  readonly native: Uint8Array;
  readonly slots: Int32Array;
  readonly joined: Float64Array;
  readonly left: Float64Array;
  readonly slashed: Float64Array;
}

export class Tape {
  readonly data: MotionData;
  readonly kind: Uint8Array;
  readonly time: Float64Array;
  /** Where the fields of an event begin in `values`. */
  readonly at: Uint32Array;
  readonly values: Float64Array;
  /** Place in the table of jobs, -1 for an event of no job. */
  readonly jobOf: Int32Array;
  readonly jobs: JobTable;
  readonly workers: WorkerTable;
  /** By wallet: its population. */
  readonly populationOf: Int32Array;
  readonly blocks: Float64Array;
  /** Transactions of each block. */
  readonly blockSizes: Float64Array;
  /** When workers were not reachable. */
  readonly downs: readonly { readonly worker: number; readonly from: number; readonly to: number }[];
  readonly faults: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  readonly #kindNumbers: ReadonlyMap<string, number>;

  constructor(data: MotionData, bytes: Uint8Array) {
    this.data = data;
    this.#kindNumbers = new Map(data.kinds.map(([name], number) => [name, number]));
    const count = data.events;
    this.kind = new Uint8Array(count);
    this.time = new Float64Array(count);
    this.at = new Uint32Array(count + 1);
    const reader = new ByteReader(bytes);
    let values = new Float64Array(count * 4 + 8);
    let used = 0;
    let time = 0;
    for (let i = 0; i < count; i++) {
      const kind = reader.byte();
      time += reader.natural();
      this.kind[i] = kind;
      this.time[i] = time;
      this.at[i] = used;
      const fields = data.kinds[kind]?.[1].length ?? 0;
      if (used + fields > values.length) {
        const grown = new Float64Array(values.length * 2);
        grown.set(values);
        values = grown;
      }
      for (let f = 0; f < fields; f++) values[used++] = reader.integer();
    }
    this.at[count] = used;
    this.values = values.subarray(0, used);
    this.jobOf = new Int32Array(count).fill(-1);
    const tables = buildTables(this);
    this.jobs = tables.jobs;
    this.workers = tables.workers;
    this.populationOf = tables.populationOf;
    this.blocks = tables.blocks;
    this.blockSizes = tables.blockSizes;
    this.faults = tables.faults;
    this.downs = tables.downs;
  }

  get count(): number {
    return this.kind.length;
  }

  /** Number of a kind; -1 when the trace knows none of that name. */
  kindNumber(name: string): number {
    return this.#kindNumbers.get(name) ?? -1;
  }

  kindName(event: number): string {
    return this.data.kinds[this.kind[event] as number]?.[0] ?? "";
  }

  fieldsOf(event: number): readonly string[] {
    return this.data.kinds[this.kind[event] as number]?.[1] ?? [];
  }

  /** A field by name; undefined when events of its kind have none of that name. */
  field(event: number, name: string): number | undefined {
    const index = this.fieldsOf(event).indexOf(name);
    return index < 0 ? undefined : this.values[(this.at[event] as number) + index];
  }

  /** Number of the first event later than a moment. */
  after(moment: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.time[middle] as number) <= moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** An event in words: its kind, and what its numbers are of. */
  text(event: number): string {
    const parts = this.fieldsOf(event).map((name) => this.#told(event, name));
    return parts.filter((part) => part !== "").join(" · ");
  }

  #told(event: number, name: string): string {
    const value = this.field(event, name) ?? 0;
    const { models, populations, classes, faults } = this.data.names;
    if (name === "job") {
      const job = this.jobOf[event] as number;
      return job < 0 ? (value < 0 ? "" : `job in place ${value}`) : `job ${this.jobs.number[job]}`;
    }
    if (name === "number" || (name === "tx" && value === 0) || (name === "worker" && value < 0)) return "";
    if (name === "model") return models[value] ?? `model ${value}`;
    if (name === "population") return populations[value] ?? `population ${value}`;
    if (name === "class") return classes[value] ?? `class ${value}`;
    if (name === "fault") return faults[value] ?? `fault ${value}`;
    return `${name} ${value.toLocaleString("en")}`;
  }
}

function buildTables(
  tape: Tape,
): Pick<Tape, "jobs" | "workers" | "populationOf" | "blocks" | "blockSizes" | "faults" | "downs"> {
  const created = tape.kindNumber("job.created");
  let count = 0;
  let [workerCount, walletCount, blockCount] = [0, 0, 0];
  const [registered, opened, sealed] = ["worker.registered", "wallet.opened", "block.sealed"].map((name) =>
    tape.kindNumber(name),
  );
  for (let i = 0; i < tape.count; i++) {
    const kind = tape.kind[i];
    const first = tape.values[tape.at[i] as number] as number;
    if (kind === created) count++;
    else if (kind === registered) workerCount = Math.max(workerCount, first + 1);
    else if (kind === opened) walletCount = Math.max(walletCount, first + 1);
    else if (kind === sealed) blockCount++;
  }
  const moments = (): Float64Array => new Float64Array(count).fill(Infinity);
  const jobs: JobTable = {
    count,
    number: new Float64Array(count),
    wallet: new Int32Array(count),
    model: new Int32Array(count),
    worker: new Int32Array(count).fill(-1),
    created: moments(),
    locked: moments(),
    taken: moments(),
    firstToken: moments(),
    lastToken: moments(),
    settling: moments(),
    ended: moments(),
    how: new Uint8Array(count),
    disputed: moments(),
  };
  const workers: WorkerTable = {
    count: workerCount,
    native: new Uint8Array(workerCount),
    slots: new Int32Array(workerCount),
    joined: new Float64Array(workerCount).fill(Infinity),
    left: new Float64Array(workerCount).fill(Infinity),
    slashed: new Float64Array(workerCount).fill(Infinity),
  };
  const populationOf = new Int32Array(walletCount);
  const blocks = new Float64Array(blockCount);
  const blockSizes = new Float64Array(blockCount);
  const faults: { name: string; from: number; to: number }[] = [];
  const downs: { worker: number; from: number; to: number }[] = [];
  const running = new Map<string, number>();
  /** By place: the job that has it. */
  const current: number[] = [];
  let [job, block] = [0, 0];
  const stage: Readonly<Record<string, Float64Array>> = {
    "job.locked": jobs.locked,
    "job.processing": jobs.taken,
    "job.firstToken": jobs.firstToken,
    "job.lastToken": jobs.lastToken,
    "job.settling": jobs.settling,
    "job.disputed": jobs.disputed,
  };
  const ends: Readonly<Record<string, number>> = {
    "job.settled": ENDED.settled,
    "job.failed": ENDED.failed,
    "job.refunded": ENDED.refunded,
  };
  const jobField = tape.data.kinds.map(([, fields]) => fields.indexOf("job"));
  for (let i = 0; i < tape.count; i++) {
    const name = tape.kindName(i);
    const time = tape.time[i] as number;
    const value = (index: number): number => tape.values[(tape.at[i] as number) + index] as number;
    if (name === "job.created") {
      current[value(0)] = job;
      jobs.number[job] = value(1);
      jobs.wallet[job] = value(2);
      jobs.model[job] = value(3);
      jobs.created[job] = time;
      tape.jobOf[i] = job++;
      continue;
    }
    const place = jobField[tape.kind[i] as number] ?? -1;
    const mine = place < 0 ? -1 : (current[value(place)] ?? -1);
    if (mine >= 0) {
      tape.jobOf[i] = mine;
      const column = stage[name];
      if (column !== undefined) column[mine] = time;
      if (name === "job.processing") jobs.worker[mine] = value(1);
      const how = ends[name];
      if (how !== undefined) {
        jobs.ended[mine] = time;
        jobs.how[mine] = how;
      }
    }
    if (name === "worker.registered") {
      const worker = value(0);
      workers.native[worker] = value(1);
      workers.slots[worker] = value(2);
      workers.joined[worker] = time;
      workers.left[worker] = Infinity;
    } else if (name === "worker.left") workers.left[value(0)] = time;
    else if (name === "worker.down") downs.push({ worker: value(0), from: time, to: Infinity });
    else if (name === "worker.up") {
      const down = downs.findLast(({ worker }) => worker === value(0));
      if (down !== undefined) down.to = time;
    } else if (name === "stake.slashed") workers.slashed[value(0)] = time;
    else if (name === "wallet.opened") populationOf[value(0)] = value(1);
    else if (name === "block.sealed") {
      blocks[block] = time;
      blockSizes[block++] = value(1);
    } else if (name === "fault.began") {
      running.set(`${value(0)} ${value(1)}`, faults.length);
      faults.push({ name: tape.data.names.faults[value(0)] ?? `fault ${value(0)}`, from: time, to: Infinity });
    } else if (name === "fault.ended") {
      const begun = faults[running.get(`${value(0)} ${value(1)}`) ?? -1];
      if (begun !== undefined) begun.to = time;
    }
  }
  return { jobs, workers, populationOf, blocks, blockSizes, faults, downs };
}
