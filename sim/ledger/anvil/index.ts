/** The settlement chain as Solidity contracts on Anvil. The only door to viem in the simulator. */
export { AnvilChain, type AnvilChainSettings } from "./chain.ts";
export type { TextHashes } from "./drafts.ts";
export { ChainError, EXIT_CHAIN, RpcError } from "./error.ts";
export { type AnvilProcess, type AnvilSettings, startAnvil } from "./process.ts";
