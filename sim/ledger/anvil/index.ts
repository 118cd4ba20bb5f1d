/** The settlement chain as Solidity contracts on Anvil. The only door to viem in the simulator. */
export type { Compiled, ContractName } from "./artifacts.ts";
export type { ChainBooks, ChainTotals, WalletBooks, WorkerBooks } from "./books.ts";
export { AnvilChain, type AnvilChainSettings } from "./chain.ts";
export { COINS_PER_UNIT, FLOAT, TOKEN } from "./deployment.ts";
export type { TextHashes } from "./drafts.ts";
export { ChainError, EXIT_CHAIN, RpcError } from "./error.ts";
export { type AnvilProcess, type AnvilSettings, startAnvil } from "./process.ts";
