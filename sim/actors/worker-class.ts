/** Classes of workers: workers that are alike. */
import type { Distribution } from "../core/index.ts";
import type { Clock } from "../network/index.ts";
import type { WorkerKind } from "../rules.ts";
import type { Conduct, Rejoining } from "./adversaries/index.ts";
import type { Session } from "./sessions.ts";

/** Workers that are alike. Probabilities are counted in `CHANCES`. */
export interface WorkerClass {
  readonly kind: WorkerKind;
  readonly models: readonly number[];
  /** Jobs that one worker runs at once. */
  readonly slots: number;
  /** Tokens staked on joining. */
  readonly stake: number;
  /** Microseconds to the first token, and further microseconds for each token of the prompt. */
  readonly firstToken: Distribution;
  readonly promptTokenTime: number;
  /** Microseconds between output tokens, drawn once a job. */
  readonly tokenTime: Distribution;
  /** Where given, the whole time at the worker, whatever the tokens. */
  readonly service?: Distribution | undefined;
  /** Posts a proof that is not the hash of what it delivers. */
  readonly dishonest: number;
  /** Takes a job and never finishes. */
  readonly silent: number;
  /** Takes a job and drops it. */
  readonly failing: number;
  /** Whether a worker goes on with a job that timed out; its slot stays taken until the end, and it is not paid. */
  readonly worksLate: boolean;
  /** Its place in the scenario, where the scenario names its classes. */
  readonly label?: number | undefined;
  /** What work costs it, in hundredths of a unit: for each job that it takes, and for each thousand tokens that it makes. */
  readonly cost?: { readonly perJob: number; readonly perThousandTokens: number } | undefined;
  /** How it cheats, and how often. */
  readonly cheats?: { readonly conduct: Conduct; readonly share: number } | undefined;
  /** By how much each further job that a worker runs slows its tokens down, in thousandths. */
  readonly batching?: number | undefined;
  /** When its workers come and go; there from the start to the end unless told. */
  readonly session?: Session | undefined;
  /** A clock that is not true: its workers let a job go when it says that the job's time is over. */
  readonly clock?: Clock | undefined;
  /** Where its workers stand. */
  readonly region?: string | undefined;
  /** Thrown out, it comes back under a new face. */
  readonly rejoins?: Rejoining | undefined;
}

/** A probability of 1. */
export const CHANCES = 1_000_000_000;

/** What a class is without its faults. */
export const HONEST = { dishonest: 0, silent: 0, failing: 0, cheats: undefined, clock: undefined } as const;
