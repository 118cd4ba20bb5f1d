/** The target of a run, connected: everything that cases are given, made once. */
import type { Need, RequirementId } from "../../fixtures/protocol/requirements/index.ts";
import type { ListedModel } from "../cases/case.ts";
import type { Http } from "../exchange/http.ts";
import type { Secrets } from "../exchange/redact.ts";
import type { Receiver } from "../receiver/receiver.ts";
import type { Chain } from "../target/chain.ts";
import type { Controls } from "../target/controls.ts";
import type { RunClock } from "../target/make-clock.ts";
import type { TargetOptions } from "../target/options.ts";

/** A key that was given, and whose wallet it draws on. */
export interface GivenKey {
  readonly key: string;
  /** `wallet` of its account; null when the account could not be read. */
  readonly wallet: string | null;
  readonly balance: number | null;
}

export interface Target {
  readonly options: TargetOptions;
  readonly http: Http;
  readonly clock: RunClock;
  readonly controls: Controls;
  readonly receiver: Receiver;
  readonly chain: Chain | null;
  /** Why deliveries cannot be judged; null when the receiver is there to be reached. */
  readonly noReceiver: string | null;
  readonly secrets: Secrets;
  readonly models: readonly ListedModel[];
  readonly keys: readonly GivenKey[];
  /** What is at hand, in the catalogue's words. */
  readonly available: ReadonlySet<Need>;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/** What the preflight itself learned about the service. */
export interface PreflightNote {
  readonly requirement: RequirementId;
  readonly reason: string;
}
