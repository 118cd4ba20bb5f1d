/** What the reference model knows: wallets, jobs and webhooks as they must be, if the service keeps the contract. */
import type { JobStatus } from "../../fixtures/protocol/index.ts";
import type { RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { ListedModel } from "../cases/case.ts";
import type { Behaviour, KeyState } from "../target/controls.ts";

/** Something that happened to a wallet, and what a balance that is too low or too high after it breaks. */
export interface Happening {
  readonly low: RequirementId;
  readonly high: RequirementId;
  /** The units that it was about: a balance that is wrong by just these points to it. */
  readonly units: readonly number[];
}

export interface ModelJob {
  /** Null while nobody has told it. */
  id: string | null;
  readonly wallet: ModelWallet;
  readonly model: ListedModel;
  readonly stream: boolean;
  /** What its workers were told to do. */
  readonly worker: Behaviour;
  /** Whether they have been told something else while it was in flight: then it may end in any way. */
  certain: boolean;
  /** Whether it may take longer than 120 s to make. */
  readonly long: boolean;
  /** Whether its request had no `max_tokens`. */
  readonly unbounded: boolean;
  /** The most that can be locked for it, and the flat price of its model. */
  readonly lock: number;
  readonly sentAt: number;
  /** When it was first known to exist. */
  seenAt: number;
  /** Steps between which it was created. */
  readonly bornAfter: number;
  bornBefore: number;
  /** What became of the request. `none`: no job was to be made, but one may have been. */
  answer: "none" | "flying" | "completed" | "timed-out" | "failed" | "broken" | "left";
  /** As it was read last; null before. */
  status: JobStatus | null;
  /** When it was first seen to be over. */
  overAt: number | null;
  text: string | null;
  /** Bounds of the final token. */
  lastToken: { readonly from: number; readonly to: number } | null;
  /** Units charged, once it has settled. */
  charge: number | null;
  tokens: number | null;
  postedHash: string | null;
  dispute: Dispute | null;
}

export interface Dispute {
  readonly tx: unknown;
  readonly openedAt: number;
  /** Whether a verdict was given, or 24 hours have passed: what becomes of it is open then. */
  ended: boolean;
}

export interface ModelWallet {
  readonly number: number;
  key: KeyState;
  /** Units that came in: at the start, and by top-ups. */
  bought: number;
  /** In the order of sending. */
  readonly jobs: ModelJob[];
  /** Ids of jobs that are older than the sequence. */
  readonly older: ReadonlySet<string>;
  /** What happened since the balance was last seen right. */
  happened: Happening[];
  /** When that was, on the service's clock, and whether anything has been read since. */
  rightAt: number;
  read: boolean;
}

/** Whether nothing can become of a job any more but by a dispute. */
export function isOver(job: ModelJob): boolean {
  return job.status !== null && !["pending", "processing", "settling"].includes(job.status);
}
