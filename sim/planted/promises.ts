/** Defects that are overrides of rules: a constant that is wrong, a promise that is not kept. */
import { chargeBy, FLAT_EDGE, PRICE_SCHEMES, PRICES } from "../../fixtures/protocol/prices.ts";
import { HOUR, SECOND } from "../core/index.ts";
import { honestRules } from "../rules.ts";
import type { PlantedDefect } from "./defect.ts";

const { jobTimeout, deliveryDelays, arbitration, charge } = honestRules;

export const promises: readonly PlantedDefect[] = [
  {
    id: "refund-lost",
    what: "a time-out gives nothing back",
    checker: "units-conserved",
    rules: { refundOnTimeout: () => 0 },
  },
  {
    id: "refund-short",
    what: "a time-out gives back one unit too few",
    checker: "refund-on-time",
    rules: { refundOnTimeout: (locked) => locked - 1 },
  },
  {
    id: "refund-early",
    what: "refunded one microsecond before 120 s",
    checker: "refund-on-time",
    rules: { jobTimeout: jobTimeout - 1 },
  },
  {
    id: "refund-late",
    what: "refunded one microsecond after 120 s",
    checker: "refund-on-time",
    rules: { jobTimeout: jobTimeout + 1 },
  },
  {
    id: "refund-never",
    what: "120 seconds pass and nothing happens",
    checker: "refund-on-time",
    rules: { refundsAtDeadline: () => false },
  },
  {
    id: "failure-keeps-units",
    what: "a failed job's units stay in escrow",
    checker: "units-conserved",
    rules: { refundOnFailure: () => 0 },
  },
  {
    id: "timer-survives",
    what: "the 120-second timer outlives its job and refunds it again",
    checker: "refund-on-time",
    rules: { endStopsTimer: false, refundsAtDeadline: () => true },
  },
  {
    id: "difference-kept",
    what: "what was locked beyond the charge does not come back",
    checker: "units-conserved",
    rules: { difference: () => 0 },
  },
  {
    id: "difference-short",
    what: "of the difference one unit does not come back",
    checker: "units-conserved",
    rules: { difference: (locked, charged) => Math.max(0, locked - charged - 1) },
  },
  {
    id: "settled-twice",
    what: "the settlement is sent twice, and the escrow pays twice",
    checker: "locks-end-once",
    rules: { settlementsPerJob: 2, maySettle: () => true },
  },
  {
    id: "never-settled",
    what: "no settlement is sent after the proof",
    checker: "every-job-final",
    rules: { settlementsPerJob: 0 },
  },
  {
    id: "late-work-paid",
    what: "work for a job that has timed out is proven and paid",
    checker: "moves-in-order",
    rules: { paysLateWork: () => true, maySettle: () => true },
  },
  {
    id: "one-share-for-all",
    what: "every worker gets 80 %",
    checker: "worker-share",
    rules: { workerShare: () => 80 },
  },
  {
    id: "shares-swapped",
    what: "browser workers get 85 %, native ones 75 %",
    checker: "worker-share",
    rules: { workerShare: (kind) => honestRules.workerShare(kind === "native" ? "browser" : "native") },
  },
  {
    id: "charged-one-more",
    what: "each job is charged one unit too many",
    checker: "charge-by-price",
    rules: {
      charge: (tier, tokens) => charge(tier, tokens) + 1,
      estimate: (tier, max, expected) => honestRules.estimate(tier, max, expected) + 1,
    },
  },
  {
    id: "long-answers-flat",
    what: "answers of thousands of tokens cost the flat price",
    checker: "charge-by-price",
    rules: { charge: (tier) => PRICES[tier].perRequest },
  },
  {
    id: "charged-beyond-lock",
    what: "the charge is twice the price, more than was locked",
    checker: "transactions-answered",
    rules: { charge: (tier, tokens) => charge(tier, tokens) * 2, difference: () => 0 },
  },
  {
    id: "locked-flat",
    what: "the lock ignores the length of the answer, so the difference is negative",
    checker: "own-wallet",
    rules: { estimate: (tier) => chargeBy(PRICE_SCHEMES[0]!, PRICES[tier], 1, FLAT_EDGE.usual) },
  },
  {
    id: "exact-balance-refused",
    what: "a balance that just pays for the request is refused",
    checker: "units-suffice",
    rules: { covers: (balance, required) => balance > required },
  },
  {
    id: "empty-wallet-served",
    what: "requests are taken whatever the balance",
    checker: "units-suffice",
    rules: { covers: () => true },
  },
  {
    id: "purchase-not-counted",
    what: "units bought cannot be spent",
    checker: "units-suffice",
    rules: { topUp: () => 0 },
  },
  {
    id: "small-purchase",
    what: "the escrow sells fewer than 100 units",
    checker: "purchase-minimum",
    rules: { minimumPurchase: 1 },
  },
  {
    id: "low-at-threshold",
    what: "a balance of exactly the threshold is told as low",
    checker: "low-credit-told",
    rules: { lowCredit: (before, after, threshold) => before > threshold && after <= threshold },
  },
  {
    id: "unstaked-serves",
    what: "a native worker slashed below the minimum goes on",
    checker: "staked-to-serve",
    rules: { minimumNativeStake: 1 },
  },
  {
    id: "dispute-late",
    what: "a dispute is heard up to a second after its window",
    checker: "dispute-window",
    rules: { mayDispute: (now, lastTokenAt, window) => now - lastTokenAt <= window + SECOND },
  },
  {
    id: "verdict-late",
    what: "arbitration takes 26 hours",
    checker: "dispute-window",
    rules: { arbitration: arbitration + 2 * HOUR },
  },
  {
    id: "retry-too-many",
    what: "a delivery is tried a sixth time",
    checker: "delivery-schedule",
    rules: { deliveryDelays: [...deliveryDelays, 4 * HOUR] },
  },
  {
    id: "retry-too-few",
    what: "a delivery is given up after four attempts",
    checker: "delivery-schedule",
    rules: { deliveryDelays: deliveryDelays.slice(0, -1) },
  },
  {
    id: "retry-step-wrong",
    what: "the second attempt comes after 31 seconds",
    checker: "delivery-schedule",
    rules: { deliveryDelays: deliveryDelays.with(1, 31 * SECOND) },
  },
  {
    id: "last-retry-early",
    what: "the fifth attempt comes after one hour",
    checker: "delivery-schedule",
    rules: { deliveryDelays: deliveryDelays.with(4, HOUR) },
  },
  {
    id: "first-attempt-waits",
    what: "the first attempt comes a second after the event",
    checker: "delivery-schedule",
    rules: { deliveryDelays: deliveryDelays.with(0, SECOND) },
  },
  {
    id: "slow-answer-counts",
    what: "an endpoint has twenty seconds to answer",
    checker: "delivery-schedule",
    rules: { deliveryTimeout: 20 * SECOND },
  },
];
