/**
 * What the service promises, as one record of constants and small pure functions.
 *
 * The world asks here whenever a promise of the contract decides what happens, and nowhere else. A planted defect is an override of one entry,
 * `{ ...honestRules, refundOnTimeout: () => 0 }`, and so is an honest variant that reads an open point another way; no other code knows of them.
 *
 * Times are microseconds, money is whole units, stakes are whole tokens. Numbers come from the contract as data (`fixtures/protocol`).
 */
import {
  DEFAULT_LOW_CREDIT_THRESHOLD,
  DELIVERY_DELAYS_MICROS,
  MINIMUM_NATIVE_STAKE,
  MINIMUM_PURCHASE,
  micros,
  seconds,
  UNITS_PER_COIN,
  WORKER_SHARE_PERCENT,
} from "../fixtures/protocol/limits.ts";
import { chargeBy, FLAT_EDGE, PRICE_SCHEMES, PRICES, type Tier } from "../fixtures/protocol/prices.ts";

export type { Tier };
export type WorkerKind = "native" | "browser";

/** How far a lock in escrow has come. */
export interface LockState {
  /** Its units are still held. */
  readonly held: boolean;
  /** The worker's proof is in a sealed block. */
  readonly proven: boolean;
}

export interface Rules {
  /** From a job's creation to its refund, if no worker has finished by then (3.1, 8). */
  readonly jobTimeout: number;
  /** From the last token to the last moment at which a dispute is heard (4.7, 8). */
  readonly disputeWindow: number;
  /** From a dispute to the arbiter's verdict (3.1, 8). */
  readonly arbitration: number;
  /** The wait before each attempt of a delivery, counted from the start of the attempt before; as many attempts as entries (6.4). */
  readonly deliveryDelays: readonly number[];
  /** After which an attempt counts as failed (6.4, 8). */
  readonly deliveryTimeout: number;
  /** Units; `credit.low` is sent when a balance falls below (6.1, 8). */
  readonly lowCreditThreshold: number;
  /** Units (1, 8). */
  readonly minimumPurchase: number;
  /** What one unit of the stablecoin buys (1). */
  readonly unitsPerCoin: number;
  /** Tokens that a native worker must have staked (1). */
  readonly minimumNativeStake: number;
  /** Seconds that a 503 tells the client to wait (7.3). */
  readonly retryAfterSeconds: number;
  /** Whether the end of a job stops its 120-second timer. */
  readonly endStopsTimer: boolean;
  /** How often the settlement of one job is sent. */
  readonly settlementsPerJob: number;
  /** Whether a job whose settlement the chain undoes leaves `settled` until it is sealed again (1: the chain is right). */
  readonly followsChain: boolean;

  /** Units of one request of the tier (8). */
  charge(tier: Tier, outputTokens: number): number;
  /**
   * Units locked up front (4.1). With `max_tokens` given, the price of that many; without, that of the forecast, which covers at least the flat
   * range. `expectedTokens` is what the worker is going to make: the world's forecast never falls short, so a charge never exceeds its lock.
   */
  estimate(tier: Tier, maxTokens: number, expectedTokens: number): number;
  /** Units that go back to the balance on settlement (4.1). */
  difference(locked: number, charged: number): number;
  refundOnTimeout(locked: number): number;
  refundOnFailure(locked: number): number;
  /** Whether a balance pays for a lock (7.2). */
  covers(balance: number, required: number): boolean;
  /** Units that a top-up adds to the balance. */
  topUp(units: number): number;
  /** Whether a balance that moved from `before` to `after` is told as low (6.1). */
  lowCredit(before: number, after: number, threshold: number): boolean;
  /** Units that `withdraw` may take (1): unspent ones only. */
  redeemable(available: number, locked: number): number;

  /** Whether reaching the deadline refunds the job (3.1). `finished`: its worker has made the last token, or it has ended. */
  refundsAtDeadline(finished: boolean): boolean;
  /** Whether work delivered for a job that has ended is paid (4.1). */
  paysLateWork(): boolean;
  /** Whether escrow pays out on this lock (4.1: after the proof). */
  maySettle(lock: LockState): boolean;
  /** Whether escrow gives this lock back. */
  mayReturn(lock: LockState): boolean;
  /** Per cent of the charge that the worker gets (1). */
  workerShare(kind: WorkerKind): number;

  mayDispute(now: number, lastTokenAt: number, window: number): boolean;
  /** Whether a dispute with that comparison is opened (4.7). */
  opensDispute(hashesDiffer: boolean): boolean;
  /** Tokens taken from a stake after a fraudulent proof; the contract shows no amount. */
  slash(stake: number): number;
  /** Units that a verdict gives to the client; the contract shows none. */
  compensation(fraudulent: boolean, charged: number): number;
  /** Status of a disputed job after the verdict; not shown by the contract. */
  statusAfterVerdict(fraudulent: boolean): "settled" | "disputed";
}

/** Flat up to 500 output tokens, beyond that a further price for each started thousand: one honest reading of three (8). */
const SCHEME = PRICE_SCHEMES[0]!;

const price = (tier: Tier, outputTokens: number): number =>
  chargeBy(SCHEME, PRICES[tier], outputTokens, FLAT_EDGE.usual);

export const honestRules: Rules = {
  jobTimeout: micros.jobTimeout,
  disputeWindow: micros.disputeWindow,
  arbitration: micros.arbitrationWindow,
  deliveryDelays: DELIVERY_DELAYS_MICROS,
  deliveryTimeout: micros.deliveryTimeout,
  lowCreditThreshold: DEFAULT_LOW_CREDIT_THRESHOLD,
  minimumPurchase: MINIMUM_PURCHASE,
  unitsPerCoin: UNITS_PER_COIN,
  minimumNativeStake: MINIMUM_NATIVE_STAKE,
  retryAfterSeconds: seconds.defaultRetryAfter,
  endStopsTimer: true,
  settlementsPerJob: 1,
  followsChain: true,

  charge: price,
  estimate: (tier, maxTokens, expectedTokens) => price(tier, maxTokens >= 0 ? maxTokens : expectedTokens),
  difference: (locked, charged) => locked - charged,
  refundOnTimeout: (locked) => locked,
  refundOnFailure: (locked) => locked,
  covers: (balance, required) => balance >= required,
  topUp: (units) => units,
  lowCredit: (before, after, threshold) => before >= threshold && after < threshold,
  redeemable: (available) => available,

  refundsAtDeadline: (finished) => !finished,
  paysLateWork: () => false,
  maySettle: (lock) => lock.held && lock.proven,
  mayReturn: (lock) => lock.held,
  workerShare: (kind) => WORKER_SHARE_PERCENT[kind],

  mayDispute: (now, lastTokenAt, window) => now - lastTokenAt <= window,
  opensDispute: (hashesDiffer) => hashesDiffer,
  slash: (stake) => Math.min(stake, 100),
  compensation: () => 0,
  statusAfterVerdict: () => "settled",
};
