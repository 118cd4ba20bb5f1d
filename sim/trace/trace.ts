/**
 * The trace: the truth about a run, as a sequence of events that are numbers.
 *
 * Each event is folded into the rolling hash at once and shown to the folds that asked for its kind. Keeping events is optional; hashing them
 * is not.
 */
import { invariant } from "../core/index.ts";
import { type Definitions, type FieldValues, type KindId, type Kinds, MAX_FIELDS, type Notes } from "./define.ts";
import { RollingHash } from "./hash.ts";

/** A consumer of events: a function for each kind that it wants to see. Functions are called without `this`. */
export interface Fold<D extends Definitions> {
  readonly on: { readonly [K in keyof D]?: (this: void, time: number, ...fields: FieldValues<D[K]>) => void };
}

/** Keeps or writes events; it sees every one. */
export interface Recorder {
  /**
   * @param event kind, time, then the fields by position; what follows the kind's last field means nothing. The array is used again for the
   *   next event: copy what is to be kept.
   */
  record(event: Float64Array, notes: Notes | undefined): void;
}

/** The hash after so many events. */
export interface Checkpoint {
  readonly events: number;
  readonly hash: string;
}

export interface TraceOptions {
  readonly recorder?: Recorder;
  /** A checkpoint is kept every 2^n events; 12 unless told. */
  readonly checkpointBits?: number;
}

type Listener = (
  time: number,
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
) => void;

export class Trace<D extends Definitions> {
  readonly kinds: Kinds<D>;
  readonly #clock: { readonly now: number };
  readonly #hash = new RollingHash();
  /** Kind, time and fields of the event that is being emitted. */
  readonly #event = new Float64Array(2 + MAX_FIELDS);
  /** By kind: how many numbers of `#event` it takes. */
  readonly #lengths: Uint8Array;
  readonly #listeners: Listener[][];
  readonly #recorder: Recorder | undefined;
  readonly #checkpoints: Checkpoint[] = [];
  readonly #checkpointMask: number;
  #events = 0;
  #notes: Record<string, string> | undefined;

  /** @param clock gives the time of the events: the kernel */
  constructor(kinds: Kinds<D>, clock: { readonly now: number }, options: TraceOptions = {}) {
    this.kinds = kinds;
    this.#clock = clock;
    this.#lengths = Uint8Array.from(kinds.fields, (fields) => 2 + fields.length);
    this.#listeners = kinds.names.map(() => []);
    this.#recorder = options.recorder;
    this.#checkpointMask = 2 ** (options.checkpointBits ?? 12) - 1;
  }

  /** Events so far. */
  get events(): number {
    return this.#events;
  }

  /** Name of the run so far: 16 hexadecimal digits over kinds, times and numbers of all events, in order. */
  hash(): string {
    return this.#hash.digest();
  }

  get checkpoints(): readonly Checkpoint[] {
    return this.#checkpoints;
  }

  /** Shows the fold every event from now on whose kind it names. Folds see an event in the order in which they subscribed. */
  subscribe(fold: Fold<D>): void {
    for (const name of Object.keys(fold.on)) {
      const kind = this.kinds.names.indexOf(name);
      invariant(kind >= 0, `a fold names known kinds only (${name})`);
      const listener = fold.on[name];
      if (listener !== undefined) this.#listeners[kind]!.push(listener as unknown as Listener);
    }
  }

  /** Adds a text to the next event: it is recorded with the event and is not part of the hash. */
  annotate(name: string, text: string): void {
    if (this.#recorder === undefined) return;
    this.#notes ??= {};
    this.#notes[name] = text;
  }

  /** An event of this kind happens now. Fields are safe integers, negative ones too, in the order of the kind's definition. */
  emit<F extends readonly string[]>(kind: KindId<F>, ...fields: FieldValues<F>): void;
  emit(kind: number, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0): void {
    const time = this.#clock.now;
    const event = this.#event;
    event[0] = kind;
    event[1] = time;
    event[2] = a;
    event[3] = b;
    event[4] = c;
    event[5] = d;
    event[6] = e;
    event[7] = f;
    event[8] = g;
    event[9] = h;
    this.#hash.fold(event, this.#lengths[kind]!);
    this.#events++;
    if ((this.#events & this.#checkpointMask) === 0) this.#keepCheckpoint();
    // Recorded before anyone reacts: a fold that emits in turn comes later in the record, too.
    if (this.#recorder !== undefined) this.#record(this.#recorder);
    const listeners = this.#listeners[kind]!;
    for (let i = 0; i < listeners.length; i++) listeners[i]!(time, a, b, c, d, e, f, g, h);
  }

  #record(recorder: Recorder): void {
    const notes = this.#notes;
    this.#notes = undefined;
    recorder.record(this.#event, notes);
  }

  #keepCheckpoint(): void {
    this.#checkpoints.push({ events: this.#events, hash: this.hash() });
  }
}

/**
 * Where two runs part, given the checkpoints of both: they agree on the first `from` events, and differ within the events `from` to `to`
 * (Infinity if every checkpoint that both have agrees).
 */
export function divergence(left: readonly Checkpoint[], right: readonly Checkpoint[]): { from: number; to: number } {
  const shared = Math.min(left.length, right.length);
  // Once different, a rolling hash stays different: search for the first by halves.
  let agree = 0;
  let differ = shared;
  while (agree < differ) {
    const middle = (agree + differ) >>> 1;
    if (left[middle]!.hash === right[middle]!.hash) agree = middle + 1;
    else differ = middle;
  }
  return { from: left[agree - 1]?.events ?? 0, to: agree < shared ? left[agree]!.events : Infinity };
}
