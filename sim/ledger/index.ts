/** Money and stake: the books, the transactions that move them, and the chain that seals those. */
export { type Chain, type ChainNames, MemoryChain } from "./chain.ts";
export { GAS } from "./gas.ts";
export { type EscrowRules, Ledger, MONEY_PER_UNIT, type Totals } from "./ledger.ts";
export {
  CHAIN_EPOCH,
  CHAIN_MODES,
  type ChainMode,
  type ChainOptions,
  type OpenChain,
  openChain,
} from "./modes.ts";
export { ChainPort, type ChainSettings } from "./port.ts";
export { address, type BlockRecord, ChainRegister, type TxRecord } from "./register.ts";
export { Block, type Outcome, REVERT, TX, type TxKind } from "./transaction.ts";
export type { ChainReader, ChainTrouble, Fate } from "./trouble.ts";
