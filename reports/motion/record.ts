/** Records what a page plays: the first events of a run, or those of a window of its time, in few bytes. */
import { deflateRawSync } from "node:zlib";
import { kinds, type Recorder } from "../../sim/trace/index.ts";
import { ByteWriter } from "./codec.ts";
import type { MotionData } from "./tape.ts";

/** What of a run is recorded. Times are microseconds. */
export interface MotionLimits {
  /** At most so many events within the window. */
  readonly events: number;
  readonly from: number;
  /** Infinity: to the end. */
  readonly to: number;
}

/** What a page needs from before its window: who and what there is. */
const STANDING = new Set<string>([
  "model.listed",
  "wallet.opened",
  "worker.registered",
  "worker.classed",
  "worker.hosts",
  "worker.left",
  "stake.slashed",
  "worker.down",
  "worker.up",
  "fault.began",
  "fault.ended",
]);

export class MotionRecorder implements Recorder {
  readonly #limits: MotionLimits;
  readonly #beyond: Recorder | undefined;
  readonly #writer = new ByteWriter();
  #written = 0;
  #within = 0;
  #last = 0;
  /** Events of the window that there was no room for, and the time of the last that there was. */
  #dropped = 0;
  #until = 0;

  /** @param beyond another recorder, which sees every event */
  constructor(limits: MotionLimits, beyond?: Recorder) {
    this.#limits = limits;
    this.#beyond = beyond;
  }

  record(event: Float64Array, notes: Parameters<Recorder["record"]>[1]): void {
    this.#beyond?.record(event, notes);
    const kind = event[0] as number;
    const time = event[1] as number;
    const { events, from, to } = this.#limits;
    if (time > to) return;
    if (time < from) {
      if (STANDING.has(kinds.names[kind] as string)) this.#write(kind, time, event);
      return;
    }
    if (this.#within >= events) {
      this.#dropped++;
      return;
    }
    this.#within++;
    this.#until = time;
    this.#write(kind, time, event);
  }

  #write(kind: number, time: number, event: Float64Array): void {
    const writer = this.#writer;
    writer.byte(kind);
    writer.natural(time - this.#last);
    this.#last = time;
    const fields = kinds.fields[kind]?.length ?? 0;
    for (let i = 0; i < fields; i++) writer.integer(event[2 + i] as number);
    this.#written++;
  }

  /** @param end the run's last moment */
  data(end: number, names: MotionData["names"]): MotionData {
    const { from, to } = this.#limits;
    const until = this.#dropped > 0 ? this.#until : Math.min(end, to);
    return {
      kinds: kinds.names.map((name, number) => [name, kinds.fields[number] ?? []] as const),
      events: this.#written,
      from,
      to: Math.max(until, from),
      cut: this.#cut(end),
      names,
      bytes: deflateRawSync(this.#writer.bytes(), { level: 9 }).toString("base64"),
    };
  }

  #cut(end: number): string | null {
    const { events, from, to } = this.#limits;
    const count = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ",");
    if (this.#dropped > 0)
      return `The first ${count(events)} events${from > 0 || to < end ? " of the window" : ""} are here; ${count(this.#dropped)} more are not (--motion takes a larger number, or a window of time).`;
    if (from > 0 || to < end)
      return "Only a window of the run is here (--motion). Jobs that began before it are not shown.";
    return null;
  }
}
