/**
 * What each kind of transaction takes on the chain, in units of gas: the medians of docs/gas.md, which a test holds both to. A run in memory pays by
 * them, so that it costs the same on either chain.
 */
import { TX, type TxKind } from "./transaction.ts";

export const GAS: Readonly<Record<TxKind, number>> = {
  [TX.buy]: 52_782,
  [TX.lock]: 59_271,
  [TX.proof]: 82_748,
  [TX.settle]: 92_491,
  [TX.refund]: 41_565,
  [TX.giveBack]: 41_565,
  [TX.dispute]: 95_696,
  [TX.verdict]: 55_334,
  [TX.slash]: 75_636,
  [TX.stake]: 65_311,
  [TX.unstake]: 67_718,
  [TX.withdraw]: 66_598,
};
