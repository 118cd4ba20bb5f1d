/** The settlement chain, read through a JSON-RPC endpoint (`--rpc`). Only what a receipt tells is used: no contract's form is assumed. */
import { ConformError, Stop } from "../errors.ts";

/** A transaction that is in a sealed block. */
export interface Receipt {
  readonly succeeded: boolean;
  readonly block: number;
  /** Its place within the block, from 0. */
  readonly index: number;
  /** Every address that the transaction went to or that left a log in it, in small letters. */
  readonly touched: readonly string[];
}

export interface Chain {
  /** Null while the transaction is in no block, or was never sent. Ends the case as inconclusive when the endpoint does not answer. */
  receipt(hash: string): Promise<Receipt | null>;
  /** Unix seconds of a block; null when there is no such block. */
  blockTime(block: number): Promise<number | null>;
}

/** Sends one JSON-RPC body and resolves to the answer's body, or to the reason why there is none. */
export type RpcTransport = (body: unknown) => Promise<{ readonly json: unknown; readonly error: string | null }>;

/** Opens the chain. Throws `ConformError` when the endpoint speaks no JSON-RPC of an Ethereum chain. */
export async function openChain(transport: RpcTransport, where: string): Promise<Chain> {
  const first = await ask(transport, "eth_chainId", []);
  if (first.error !== null) {
    throw new ConformError({
      what: "The chain's endpoint does not speak Ethereum JSON-RPC.",
      where: `--rpc ${where}`,
      seen: first.error,
      expected: "an answer to eth_chainId",
    });
  }
  const call = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const answer = await ask(transport, method, params);
    if (answer.error !== null)
      throw new Stop("inconclusive", `the chain's endpoint failed (${method}): ${answer.error}`);
    return answer.result;
  };
  return {
    receipt: async (hash) => receiptFrom(await call("eth_getTransactionReceipt", [hash])),
    blockTime: async (block) => {
      const found = (await call("eth_getBlockByNumber", [`0x${block.toString(16)}`, false])) as {
        timestamp?: unknown;
      } | null;
      return found === null ? null : quantity(found.timestamp);
    },
  };
}

async function ask(
  transport: RpcTransport,
  method: string,
  params: readonly unknown[],
): Promise<{ readonly result: unknown; readonly error: string | null }> {
  const { json, error } = await transport({ jsonrpc: "2.0", id: 1, method, params });
  const answer = json as { result?: unknown; error?: { message?: unknown } } | undefined;
  if (error !== null) return { result: null, error };
  if (answer?.error !== undefined) return { result: null, error: String(answer.error.message ?? "an error") };
  return answer !== undefined && "result" in answer
    ? { result: answer.result, error: null }
    : { result: null, error: "no JSON-RPC answer" };
}

function receiptFrom(value: unknown): Receipt | null {
  if (typeof value !== "object" || value === null) return null;
  const { status, blockNumber, transactionIndex, to, logs } = value as Record<string, unknown>;
  const block = quantity(blockNumber);
  if (block === null) return null;
  const logged = Array.isArray(logs) ? logs.map((log: { address?: unknown }) => log.address) : [];
  return {
    succeeded: quantity(status) === 1,
    block,
    index: quantity(transactionIndex) ?? 0,
    touched: [to, ...logged]
      .filter((each): each is string => typeof each === "string")
      .map((each) => each.toLowerCase()),
  };
}

function quantity(value: unknown): number | null {
  const number = typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : null;
}
