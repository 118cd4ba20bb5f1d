/**
 * A chain on which nobody has ever done anything, for Anvil to fork from: one empty block, and accounts that hold nothing.
 *
 * An Anvil of its own hashes all storage of all contracts anew for each block, so that blocks take longer the more jobs there were: 3 ms for each
 * thousand. One that forks from another chain cannot know all storage and leaves the state root at zero; its blocks take as long at the end of a run
 * as at its start. Block hashes still cover all transactions and, by the receipts' root, all that they did.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface BlankChain {
  /** http://127.0.0.1:port */
  readonly url: string;
  close(): void;
}

const ZERO = `0x${"00".repeat(32)}`;
/** Roots of an empty trie, and of an empty list of uncles. */
const EMPTY_ROOT = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const NO_UNCLES = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";

interface Request {
  readonly id: number;
  readonly method: string;
}

/** @param epoch Unix seconds of its one block */
export async function openBlankChain(chainId: number, epoch: number): Promise<BlankChain> {
  const answers = answersOf(chainId, epoch);
  const answer = ({ id, method }: Request) =>
    method in answers
      ? { jsonrpc: "2.0", id, result: answers[method] }
      : { jsonrpc: "2.0", id, error: { code: -32601, message: "a blank chain has no such method" } };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    request.on("end", () => {
      const asked: Request | readonly Request[] = JSON.parse(text);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answer) : answer(asked as Request)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  // Only we start the one who asks: it must not keep us from ending, and neither must a connection that stays open.
  server.unref().on("connection", (socket) => socket.unref());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answersOf(chainId: number, epoch: number): Readonly<Record<string, unknown>> {
  const block = {
    number: "0x0",
    hash: `0x${createHash("sha256").update(`blank chain ${chainId} at ${epoch}`).digest("hex")}`,
    parentHash: ZERO,
    sha3Uncles: NO_UNCLES,
    miner: `0x${"00".repeat(20)}`,
    stateRoot: ZERO,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: `0x${"00".repeat(256)}`,
    difficulty: "0x0",
    totalDifficulty: "0x0",
    size: "0x220",
    extraData: "0x",
    nonce: "0x0000000000000000",
    gasLimit: "0x1c9c380",
    gasUsed: "0x0",
    timestamp: `0x${epoch.toString(16)}`,
    mixHash: ZERO,
    baseFeePerGas: "0x0",
    uncles: [],
    transactions: [],
  };
  return {
    eth_chainId: `0x${chainId.toString(16)}`,
    net_version: String(chainId),
    eth_blockNumber: "0x0",
    eth_getBlockByNumber: block,
    eth_getBlockByHash: block,
    eth_gasPrice: "0x0",
    eth_getBalance: "0x0",
    eth_getTransactionCount: "0x0",
    eth_getCode: "0x",
    eth_getStorageAt: ZERO,
    // Anvil asks for whatever it does not know itself: a hash that somebody made up, logs from the first block on.
    eth_getLogs: [],
    eth_getTransactionByHash: null,
    eth_getTransactionReceipt: null,
    eth_getTransactionByBlockHashAndIndex: null,
    eth_getTransactionByBlockNumberAndIndex: null,
    eth_getBlockReceipts: [],
    eth_getBlockTransactionCountByHash: "0x0",
    eth_getBlockTransactionCountByNumber: "0x0",
    trace_block: [],
  };
}
