/** What the alien keeps. */
import type { AlienModel } from "./choices.ts";
import type { Plan } from "./text.ts";
import type { Timer } from "./time.ts";

export type Status = "pending" | "processing" | "settling" | "settled" | "failed" | "refunded" | "disputed";
export type Behaviour = "normal" | "silent" | "failing" | "dishonest" | "absent";

export interface Wallet {
  readonly address: string;
  readonly key: string;
  readonly createdAt: number;
  state: "active" | "revoked" | "suspended";
  stateAt: number;
  wasRevoked: boolean;
  wasSuspended: boolean;
  /** Since when the last top-up has not been told. */
  untold: number;
  /** Units that may not be spent yet: until when. */
  held: { readonly units: number; readonly until: number };
  timeouts: number;
  completions: number;
  /** Bought less charged; of these `locked` are spoken for. */
  credits: number;
  locked: number;
  toppedUpAt: number | null;
  topUps: number;
  /** Whether the balance was last seen below the threshold, and whether it ever was. */
  low: boolean;
  everLow: boolean;
  readonly jobs: Job[];
}

export interface Job {
  readonly id: string;
  readonly number: number;
  readonly wallet: Wallet;
  readonly model: AlienModel;
  readonly stream: boolean;
  readonly createdAt: number;
  readonly promptTokens: number;
  /** Of the last message alone, and the tokens that the model would have said had nothing stopped it. */
  readonly lastPrompt: number;
  readonly planned: number;
  readonly plan: Plan;
  readonly lock: number;
  readonly escrowTx: string;
  status: Status;
  worker: string | null;
  lastTokenAt: number | null;
  completedAt: number | null;
  settledAt: number | null;
  settlementTx: string | null;
  refundTx: string | null;
  block: number | null;
  proof: string | null;
  charge: number | null;
  /** Tokens that have been said so far. */
  said: number;
  over: boolean;
  /** How often it was read. */
  readings: number;
  /** Asked about with an equal hash. */
  heard: boolean;
  /** The client has closed the connection. */
  left: boolean;
  deadline: Timer | null;
  dispute: { readonly tx: string; readonly at: number; verdict: "fraudulent" | "honest" | null } | null;
  readonly listeners: Set<(what: JobNews) => void>;
}

export type JobNews = "taken" | "token" | "finished" | "proved" | "settled" | "failed" | "refunded";

export interface Serving {
  readonly address: string;
  readonly kind: string;
  readonly models: readonly string[];
}

export interface ModelState {
  readonly model: AlienModel;
  behaviour: Behaviour;
  tokens: number | null;
  /** When somebody came to host it again. */
  backAt: number;
}

export function textOf(job: Job): string {
  return job.plan.pieces.join("");
}
