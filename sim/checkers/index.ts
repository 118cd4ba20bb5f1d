/** The invariants of the world, one a file; `checkers` is the list of all. */
import { balancesNotNegative } from "./balances-not-negative.ts";
import { chargeByPrice } from "./charge-by-price.ts";
import type { Checker, MakeChecker, Violation } from "./checker.ts";
import { deliverySchedule } from "./delivery-schedule.ts";
import { disputeWindow } from "./dispute-window.ts";
import { everyJobFinal } from "./every-job-final.ts";
import { firstComeFirstServed } from "./first-come-first-served.ts";
import { littlesLaw } from "./littles-law.ts";
import { locksEndOnce } from "./locks-end-once.ts";
import { lowCreditTold } from "./low-credit-told.ts";
import { movesInOrder } from "./moves-in-order.ts";
import { nobodyStarves } from "./nobody-starves.ts";
import { ownWallet } from "./own-wallet.ts";
import { paidAfterProof } from "./paid-after-proof.ts";
import { purchaseMinimum } from "./purchase-minimum.ts";
import { refundOnTime } from "./refund-on-time.ts";
import { servedInCalm } from "./served-in-calm.ts";
import { settledFollowsChain } from "./settled-follows-chain.ts";
import { slashedForFraud } from "./slashed-for-fraud.ts";
import { slotsRespected } from "./slots-respected.ts";
import { stakeConserved } from "./stake-conserved.ts";
import { stakedToServe } from "./staked-to-serve.ts";
import { transactionsAnswered } from "./transactions-answered.ts";
import { unitsConserved } from "./units-conserved.ts";
import { unitsSuffice } from "./units-suffice.ts";
import { workerShare } from "./worker-share.ts";

export type { Checker, MakeChecker, Report, Violation } from "./checker.ts";

/** By the names of their files. */
export const checkers: Readonly<Record<string, MakeChecker>> = {
  "balances-not-negative": balancesNotNegative,
  "charge-by-price": chargeByPrice,
  "delivery-schedule": deliverySchedule,
  "dispute-window": disputeWindow,
  "every-job-final": everyJobFinal,
  "first-come-first-served": firstComeFirstServed,
  "littles-law": littlesLaw,
  "locks-end-once": locksEndOnce,
  "low-credit-told": lowCreditTold,
  "moves-in-order": movesInOrder,
  "nobody-starves": nobodyStarves,
  "own-wallet": ownWallet,
  "paid-after-proof": paidAfterProof,
  "purchase-minimum": purchaseMinimum,
  "refund-on-time": refundOnTime,
  "served-in-calm": servedInCalm,
  "settled-follows-chain": settledFollowsChain,
  "slashed-for-fraud": slashedForFraud,
  "slots-respected": slotsRespected,
  "stake-conserved": stakeConserved,
  "staked-to-serve": stakedToServe,
  "transactions-answered": transactionsAnswered,
  "units-conserved": unitsConserved,
  "units-suffice": unitsSuffice,
  "worker-share": workerShare,
};

/** Violations kept in full; further ones are only counted. */
const KEPT = 20;

/** All checkers together, over one trace. */
export class Judges {
  /** The first ones found, in order. */
  readonly violations: Violation[] = [];
  /** How many there were. */
  count = 0;
  readonly folds: readonly Checker[];

  constructor(makers: Readonly<Record<string, MakeChecker>> = checkers) {
    this.folds = Object.entries(makers).map(([checker, make]) =>
      make((time, what) => {
        if (this.count++ < KEPT) this.violations.push({ checker, time, what });
      }),
    );
  }

  /** Nothing is due any more. */
  finish(time: number): void {
    for (const fold of this.folds) fold.finish?.(time);
  }
}
