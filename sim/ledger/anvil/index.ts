/** The settlement chain as Solidity contracts on Anvil. The only door to viem in the simulator. */
export type { Address, Hex } from "viem";
export { type ReadCall, readCall, writeAnswer, writeLog } from "./abi.ts";
export { Accounts } from "./accounts.ts";
export type { Compiled, ContractName } from "./artifacts.ts";
export type { ChainBooks, ChainTotals, WalletBooks, WorkerBooks } from "./books.ts";
export { AnvilChain, type AnvilChainSettings } from "./chain.ts";
export { type Addresses, addresses, COINS_PER_UNIT, type Draft, FLOAT, TOKEN } from "./deployment.ts";
export { Drafter, standIns, type TextHashes } from "./drafts.ts";
export { ChainError, EXIT_CHAIN, RpcError } from "./error.ts";
export { type AnvilProcess, type AnvilSettings, anvilBinary, startAnvil } from "./process.ts";
export { type Call, Rpc } from "./rpc.ts";
