/**
 * The test controls of a deployment (test-controls/1), as far as it has them. A call of a control that is not among the capabilities
 * ends the case as not exercised; a control that fails ends it as inconclusive. Neither is ever the service's fault.
 */

export const CAPABILITIES = ["clock", "wallets", "keys", "behaviours", "workers", "arbitration", "deliveries"] as const;

export type Capability = (typeof CAPABILITIES)[number];

export type KeyState = "active" | "revoked" | "suspended";
export type Behaviour = "normal" | "silent" | "failing" | "dishonest" | "absent";
export type Verdict = "fraudulent" | "honest";

/** A wallet as the controls made it. Units are whole credits. */
export interface MadeWallet {
  readonly wallet: string;
  readonly api_key: string;
  readonly credits_remaining: number;
}

/** What the controls know of one delivery of a webhook. */
export interface DeliveryRecord {
  readonly id: string;
  readonly event_id: string;
  readonly event: string;
  readonly attempts: number;
  readonly state: "pending" | "delivered" | "failed";
}

export interface Controls {
  /** Empty when there are no controls. */
  readonly capabilities: ReadonlySet<Capability>;
  /** Threshold of `credit.low` in units; 100, the contract's default, when there are no controls. */
  readonly lowCreditThreshold: number;
  has(capability: Capability): boolean;
  makeWallet(credits: number): Promise<MadeWallet>;
  /** Resolves to the new balance. At least 100 units. */
  topUp(wallet: string, credits: number): Promise<number>;
  setKeyState(key: string, state: KeyState): Promise<void>;
  setBehaviour(model: string, behaviour: Behaviour, outputTokens?: number): Promise<void>;
  /** Resolves to the address of the new worker. */
  addWorker(kind: "native" | "browser", models: readonly string[]): Promise<string>;
  giveVerdict(jobId: string, verdict: Verdict): Promise<void>;
  deliveries(webhookId: string): Promise<readonly DeliveryRecord[]>;
  replay(webhookId: string, deliveryId: string): Promise<void>;
}
