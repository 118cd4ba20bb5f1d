/**
 * A client that withdraws during a lock: it takes its units home from the escrow in the same block as its request, hoping to be served for nothing.
 *
 * Economics. Withdrawals go to the escrow past the gateway, so the books still show the units when the request comes. But a job is routed only once
 * its lock is sealed: with the withdrawal first the lock is reverted, the job fails, and no worker has begun; with the lock first the withdrawal
 * is reverted. Either way it gains 0. The network pays for a reverted transaction; a chain whose blocks order transactions otherwise changes
 * nothing, since one of the two always fails.
 */
import { type ChainPort, TX } from "../../ledger/index.ts";

/** Sends the withdrawal of everything that the wallet has. */
export function snatch(chain: ChainPort, wallet: number, units: number): void {
  if (units > 0) chain.submit(TX.withdraw, wallet, 0, units, 0);
}
