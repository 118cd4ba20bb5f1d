/** The books of a whole run: what only all exchanges together can show. */
import type { Exchange } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";
import { auditBlocks } from "./blocks.ts";
import { auditPrices } from "./prices.ts";
import { auditSettlements } from "./settlements.ts";

/** Audits a run when its last case has ended. */
export function audit(log: readonly Exchange[], brand: string): readonly Evidence[] {
  return [...auditPrices(log, brand), ...auditSettlements(log, brand), ...auditBlocks(log, brand)];
}
