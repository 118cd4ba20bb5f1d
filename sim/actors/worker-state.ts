/** One worker: what it is, what it draws from, and how it stands. */
import { type Stream, stream } from "../core/index.ts";
import type { WorkerKind } from "../rules.ts";
import type { Candidate } from "./routing/index.ts";
import type { WorkerClass } from "./worker-class.ts";

export class Worker implements Candidate {
  readonly id: number;
  readonly kind: WorkerKind;
  class: WorkerClass;
  readonly models: readonly number[];
  readonly slots: number;
  readonly firstToken: number;
  readonly tokenTime: number;
  readonly speed: Stream;
  readonly honesty: Stream;
  readonly reliability: Stream;
  /** Of those that cheat only. */
  readonly temptation: Stream | undefined;
  busy = 0;
  /** It takes jobs: it is there, its stake is sealed, and no fault keeps it away. */
  active = false;
  /** Its stake is not sealed yet, and it waits for that. */
  waits = false;
  /** Faults that keep it away now. */
  outages = 0;
  /** It has left for good. */
  gone = false;
  /** Until then its work stands still. */
  stalledUntil = 0;
  /** Time that its work takes, in thousandths of the usual. */
  slowness = 1_000;
  /** Whether the router lists it as free. */
  listed = false;
  stake = 0;

  constructor(id: number, workerClass: WorkerClass, seed: string | number) {
    this.id = id;
    this.class = workerClass;
    this.kind = workerClass.kind;
    this.models = workerClass.models;
    this.slots = workerClass.slots;
    this.firstToken = workerClass.firstToken.mean;
    this.tokenTime = workerClass.tokenTime.mean;
    this.speed = stream(seed, `worker ${id}`, "speed");
    this.honesty = stream(seed, `worker ${id}`, "honesty");
    this.reliability = stream(seed, `worker ${id}`, "reliability");
    this.temptation = workerClass.cheats && stream(seed, `worker ${id}`, "temptation");
  }
}
