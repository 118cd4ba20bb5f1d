/**
 * The port between the world (numbers under a virtual clock) and whoever stands outside of it: the HTTP door, the server, tests.
 *
 * Everything is an integer: times in microseconds since the start of the run, units as the contract's credits. Jobs, wallets, workers and
 * models are small integers that the world hands out; ids, texts and hashes are made by the door.
 */

/** Section 3.1. `settled` and `disputed` jobs were completed; `failed` and `refunded` ones gave their units back. */
export type JobStatus = "pending" | "processing" | "settling" | "settled" | "failed" | "refunded" | "disputed";

/** A transaction of the settlement chain, numbered in the order of sending; its hash is `chain.hash(tx)`. 0 means none. */
export type Tx = number;

/** What the world tells of a job. A live view: read what you need at once, keep nothing of it. */
export interface JobView {
  readonly job: number;
  readonly status: JobStatus;
  readonly wallet: number;
  readonly model: number;
  /** -1 until a worker has taken the job. */
  readonly worker: number;
  readonly promptTokens: number;
  /** Tokens that the worker generates (0 until it is known); final once `lastTokenAt` is set. */
  readonly outputTokens: number;
  readonly locked: number;
  /** Units charged; 0 until settlement is sent. */
  readonly charged: number;
  /** Units given back: the difference, or all of them on failure and time-out. */
  readonly returned: number;
  readonly createdAt: number;
  /** -1 where it has not happened. */
  readonly startedAt: number;
  readonly firstTokenAt: number;
  readonly lastTokenAt: number;
  /** When the worker is going to make its last token if nothing stops it; known from the first token on, -1 before. */
  readonly lastTokenDueAt: number;
  /** When the job became final: settled, failed or refunded; -1 before. */
  readonly completedAt: number;
  readonly lockTx: Tx;
  readonly proofTx: Tx;
  readonly settlementTx: Tx;
  readonly refundTx: Tx;
  readonly disputeTx: Tx;
  /** Whether the hash that the worker posted is the hash of what it delivered. */
  readonly honestProof: boolean;
}

/** Called by the world, at the virtual time at which it happens. Each is optional. */
export interface JobListener {
  locked?(job: JobView): void;
  processing?(job: JobView): void;
  firstToken?(job: JobView): void;
  /** The worker has made its last token; the proof goes on-chain now. */
  lastToken?(job: JobView): void;
  settled?(job: JobView): void;
  failed?(job: JobView): void;
  refunded?(job: JobView): void;
}

/** One request, as the gateway sees it after the door has checked its form. */
export interface Submission {
  readonly wallet: number;
  readonly model: number;
  readonly promptTokens: number;
  /** Output tokens that the worker is going to make: already cut by `max_tokens` and by stop sequences. */
  readonly outputTokens: number;
  /** What the estimate is made for: `max_tokens` where the client gave one, else -1. */
  readonly maxTokens: number;
}

export type SubmitResult =
  | { readonly ok: true; readonly job: number }
  | {
      readonly ok: false;
      readonly error: "insufficient_credits";
      readonly remaining: number;
      readonly required: number;
    }
  | { readonly ok: false; readonly error: "no_workers_available"; readonly retryAfterSeconds: number };

export type DisputeResult =
  | { readonly ok: true; readonly opened: boolean; readonly tx: Tx }
  | { readonly ok: false; readonly error: "window_expired" | "not_completed" | "already_disputed" };

export type Behaviour = "normal" | "silent" | "failing" | "dishonest" | "absent";

export interface ModelInfo {
  readonly id: string;
  readonly tier: "lite" | "standard" | "pro" | "max";
  readonly parameters: string;
  readonly contextWindow: number;
  readonly createdAt: number;
}

/** What happened that subscribers may hear of (section 6.1); `subject` is a job, wallet or worker by the event's name. */
export type ServiceEvent =
  | { readonly event: `job.${string}`; readonly wallet: number; readonly job: number }
  | {
      readonly event: "credit.low" | "credit.topup";
      readonly wallet: number;
      readonly units: number;
      readonly remaining: number;
    }
  | { readonly event: "worker.registered"; readonly worker: number }
  | {
      readonly event: "worker.slashed";
      readonly worker: number;
      readonly job: number;
      readonly amount: number;
      readonly tx: Tx;
      readonly reason: string;
    };

/** The running world as the HTTP door uses it. */
export interface Network {
  /** Virtual time, microseconds since the start of the run. */
  readonly now: number;
  readonly models: readonly ModelInfo[];
  activeWorkers(model: number): number;
  /** Median of recent times to first token, microseconds; a configured figure before the first job. */
  medianFirstToken(model: number): number;
  setBehaviour(model: number, behaviour: Behaviour): void;
  behaviour(model: number): Behaviour;

  openWallet(units: number): number;
  /** Buys units through a chain transaction; resolves within the call for the account's books (section 1). */
  topUp(wallet: number, units: number): void;
  /** Units that can be spent: bought, less locked, settled and redeemed. */
  available(wallet: number): number;
  /** Virtual time of the last top-up, -1 if there was none. */
  lastTopUpAt(wallet: number): number;
  walletAddress(wallet: number): string;

  submit(request: Submission, listener: JobListener): SubmitResult;
  job(job: number): JobView | undefined;
  dispute(job: number, hashesDiffer: boolean): DisputeResult;
  /** Ends arbitration (section 3.1); false where the job is not under arbitration. */
  verdict(job: number, verdict: "fraudulent" | "honest"): boolean;

  registerWorker(kind: "native" | "browser", models: readonly number[]): number;
  workerAddress(worker: number): string;

  chain: ChainView;
  /** Every subscriber sees every event, in order of time; there is one for the webhook sender of the door. */
  onEvent(listener: (event: ServiceEvent) => void): void;

  /** A timer of the door on the world's clock: stream chunks, delivery retries. Returns a handle for `cancel`. */
  after(microseconds: number, run: () => void): number;
  cancel(timer: number): void;
  /** Runs everything due up to and including `time`, then stands there; at a block that a real chain seals it stops, and does nothing while it waits. */
  runUntil(time: number): void;
  /** While a real chain seals a block: settled when it has, and the world can go on. Rejected when the chain has failed. */
  readonly waiting: Promise<void> | undefined;
  /** Time of the next thing due, Infinity when nothing is. */
  nextDue(): number;
}

/** The chain as a verifier sees it. */
export interface ChainView {
  readonly escrowAddress: string;
  /** 0x and 64 hex digits. */
  hash(tx: Tx): string;
  /** 0 until the transaction is in a sealed block. */
  blockOf(tx: Tx): number;
}
