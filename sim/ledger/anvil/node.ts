/**
 * The node behind an Anvil chain: one that we start, or one that runs already and that we ask to behave.
 */
import { ChainError } from "./error.ts";
import { type AnvilProcess, startAnvil } from "./process.ts";
import { type Call, Rpc } from "./rpc.ts";

export interface NodeSettings {
  /** Unix seconds of the start of the run. */
  readonly epoch: number;
  readonly rpc?: string | undefined;
  readonly timeout?: number | undefined;
  /** As for `AnvilSettings`. */
  readonly history?: number | undefined;
  readonly keep?: number | undefined;
}

export interface Node {
  readonly rpc: Rpc;
  readonly chainId: number;
  /** Unix seconds that the run's time counts from: what was asked for, or later where the node's last block is. */
  readonly epoch: number;
  /** Of Anvil, where we started it. */
  readonly pid: number | undefined;
  /** How many transactions the account has on the chain: none, where nobody was there before us. */
  used(account: string): Promise<number>;
  close(): Promise<void>;
}

/** Room for the largest block that anybody will seal. */
const BLOCK_GAS_LIMIT = "0xffffffffffffff";

/** @throws ChainError where no Anvil comes up, or at the address there is none */
export async function openNode(settings: NodeSettings): Promise<Node> {
  return settings.rpc === undefined ? await startNode(settings) : await attach(settings.rpc, settings);
}

async function startNode({ epoch, timeout, history, keep }: NodeSettings): Promise<Node> {
  const anvil: AnvilProcess = await startAnvil({ epoch, history, keep });
  const rpc = new Rpc(anvil.url, { timeout, ending: () => anvil.ending() });
  try {
    const [chainId] = await rpc.batch<string>([["eth_chainId"], ["anvil_setLoggingEnabled", false]]);
    return { rpc, chainId: Number(chainId), epoch, pid: anvil.pid, used: async () => 0, close: () => anvil.stop() };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** Takes mining, time and keys into our hands, and gives mining back at the end. */
async function attach(url: string, { epoch, timeout }: NodeSettings): Promise<Node> {
  const rpc = new Rpc(url, { timeout });
  const version = await rpc.call("web3_clientVersion");
  if (typeof version !== "string" || !/anvil/i.test(version)) {
    throw new ChainError({
      what: "The node is no Anvil.",
      where: url,
      seen: version,
      expected: "anvil",
      hint: "the chain runs on virtual time: only a development node lets us set it",
    });
  }
  const [chainId, automine, latest] = (await rpc.batch([
    ["eth_chainId"],
    ["anvil_getAutomine"],
    ["eth_getBlockByNumber", "latest", false],
  ])) as [string, boolean, { readonly timestamp: string }];
  const manners: Call[] = [
    ["evm_setAutomine", false],
    ["evm_setIntervalMining", 0],
    ["anvil_autoImpersonateAccount", true],
    ["evm_setBlockGasLimit", BLOCK_GAS_LIMIT],
    ["anvil_setNextBlockBaseFeePerGas", "0x0"],
    ["anvil_dropAllTransactions"],
  ];
  for (const call of manners) await rpc.call(...call);
  return {
    rpc,
    chainId: Number(chainId),
    epoch: Math.max(epoch, Number(latest.timestamp)),
    pid: undefined,
    used: async (account) => Number(await rpc.call<string>("eth_getTransactionCount", account, "latest")),
    close: async () => {
      // A node that is gone needs no manners, and why it is gone has been told to whoever called it in the run.
      await rpc.call("evm_setAutomine", automine).catch(() => {});
    },
  };
}
