/** Sections 3.3 and 5: keys, their states, and what they may do. */
import { inactiveCases } from "./inactive.ts";
import { missingCases } from "./missing.ts";
import { walletCases } from "./wallets.ts";

export const section5 = [...missingCases, ...inactiveCases, ...walletCases];
