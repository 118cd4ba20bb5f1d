/**
 * What a routing policy is: it is told which workers of a model are free, and names the one that gets the next job.
 *
 * The router keeps queues, counts slots and hands jobs over; a policy only chooses. There is one for each model, with dice of its own. Calls are
 * on the path of every job: a policy answers in constant time, or in the logarithm of the number of workers.
 */
import type { Stream } from "../../core/index.ts";

/** What a policy may know of a worker. Read it when asked; it changes. */
export interface Candidate {
  readonly id: number;
  readonly kind: "native" | "browser";
  /** Jobs that it runs now, and at most. */
  readonly busy: number;
  readonly slots: number;
  /** Tokens at stake. */
  readonly stake: number;
  /** Microseconds that its class takes on average: to the first token, and for each token after it. */
  readonly firstToken: number;
  readonly tokenTime: number;
}

/** How a job ended at its worker. `cheated`: it was found out, by an audit or a verdict. */
export type JobEnd = "finished" | "dropped" | "timed-out" | "cheated";

export interface RoutingPolicy {
  /** The worker has a free slot from now on. */
  add(worker: Candidate): void;
  /** It has none any more, or has left. */
  remove(worker: Candidate): void;
  /** The id of a worker that has a free slot; -1 when none has. */
  choose(): number;
  /** A free worker's load or stake has changed. */
  changed?(worker: Candidate): void;
  /** A job has ended at this worker, free or not; `time` is how long it was there, microseconds, and `tokens` what it made. */
  ended?(worker: Candidate, end: JobEnd, time: number, tokens: number): void;
}

/** Makes the policy of one model. `dice` are its own: whatever it draws moves nobody else's. */
export type MakePolicy = (dice: Stream) => RoutingPolicy;
