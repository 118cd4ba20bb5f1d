/**
 * Where two runs part: the first event that differs.
 *
 * Both are run once for their hashes, of which checkpoints are kept; the checkpoints are searched by halves for the stretch in which the runs part;
 * then both are run again, and only that stretch is kept and compared. Memory does not grow with the length of a run.
 */
import { type Checkpoint, divergence, kinds, type Recorder, type WorldKinds } from "../trace/index.ts";
import type { WorldEvent } from "./life.ts";

/** Something that can be run again and again with the same outcome: a scenario, or a recorded trace. */
export interface Repeatable {
  /** Runs to the end, shows the recorder every event, and answers what became of it. */
  run(
    recorder?: Recorder,
  ): Promise<{ readonly events: number; readonly checkpoints: readonly Checkpoint[]; hash(): string }>;
}

export type Difference =
  | { readonly same: true; readonly events: number; readonly hash: string }
  | {
      readonly same: false;
      /** The number of the first event that differs, counted from 0; both runs have all before it. */
      readonly index: number;
      /** Undefined where that run has ended. */
      readonly left: WorldEvent | undefined;
      readonly right: WorldEvent | undefined;
      /** The last that both have. */
      readonly before: readonly WorldEvent[];
    };

/** Shared events kept before the difference. */
const CONTEXT = 5;

export async function difference(left: Repeatable, right: Repeatable): Promise<Difference> {
  const [a, b] = [await left.run(), await right.run()];
  if (a.events === b.events && a.hash() === b.hash()) return { same: true, events: a.events, hash: a.hash() };
  const { from, to } = divergence(a.checkpoints, b.checkpoints);
  const first = Math.max(0, from - CONTEXT);
  const lefts = new Stretch(first, to);
  const rights = new Stretch(first, to);
  await left.run(lefts);
  await right.run(rights);
  let at = 0;
  while (at < lefts.kept.length && same(lefts.kept[at]!, rights.kept[at])) at++;
  return {
    same: false,
    index: first + at,
    left: lefts.kept[at],
    right: rights.kept[at],
    before: lefts.kept.slice(Math.max(0, at - CONTEXT), at),
  };
}

function same(a: WorldEvent, b: WorldEvent | undefined): boolean {
  if (b === undefined || a.kind !== b.kind || a.time !== b.time) return false;
  const fields = kinds.definitions[a.kind] as readonly string[];
  const [left, right] = [a, b] as unknown as Record<string, number>[];
  return fields.every((field) => left![field] === right![field]);
}

/** Keeps the events of one stretch of a run. */
export class Stretch implements Recorder {
  readonly kept: WorldEvent[] = [];
  readonly #from: number;
  readonly #to: number;
  #seen = 0;

  /** Events `from` to `to`, counted from 0, the last one not included. */
  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  record(event: Float64Array): void {
    const index = this.#seen++;
    if (index < this.#from || index >= this.#to) return;
    const kind = kinds.names[event[0]!]!;
    const fields: readonly string[] = kinds.definitions[kind as keyof WorldKinds];
    const numbers = Object.fromEntries(fields.map((field, at) => [field, event[2 + at]!]));
    this.kept.push({ time: event[1]!, kind, ...numbers } as WorldEvent);
  }
}
