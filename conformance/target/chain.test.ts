import { describe, expect, it } from "vitest";
import { openChain, type RpcTransport } from "./chain.ts";

const ESCROW = "0xAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

/** An endpoint that answers by method. */
const endpoint =
  (results: Record<string, unknown>): RpcTransport =>
  (body) => {
    const { method } = body as { method: string };
    return Promise.resolve({ json: { jsonrpc: "2.0", id: 1, result: results[method] ?? null }, error: null });
  };

describe("the chain", () => {
  it("tells of a receipt whether it succeeded, its block, and all that it touched", async () => {
    const receipt = { status: "0x1", blockNumber: "0x2a", to: "0xBB", logs: [{ address: ESCROW }] };
    const chain = await openChain(endpoint({ eth_chainId: "0x1", eth_getTransactionReceipt: receipt }), "here");
    expect(await chain.receipt("0x1")).toEqual({
      succeeded: true,
      block: 42,
      index: 0,
      touched: ["0xbb", ESCROW.toLowerCase()],
    });
  });

  it("tells what is in no block, and a block's time", async () => {
    const chain = await openChain(
      endpoint({ eth_chainId: "0x1", eth_getBlockByNumber: { timestamp: "0x10" } }),
      "here",
    );
    expect(await chain.receipt("0x1")).toBeNull();
    expect(await chain.blockTime(3)).toBe(16);
  });

  it("refuses an endpoint that speaks something else, and gives up where it fails later", async () => {
    const silent: RpcTransport = () => Promise.resolve({ json: undefined, error: "connect ECONNREFUSED" });
    await expect(openChain(silent, "here")).rejects.toMatchObject({
      facts: { where: "--rpc here", seen: "connect ECONNREFUSED" },
    });
    const failing: RpcTransport = (body) =>
      Promise.resolve({
        json:
          (body as { method: string }).method === "eth_chainId" ? { result: "0x1" } : { error: { message: "busy" } },
        error: null,
      });
    const chain = await openChain(failing, "here");
    await expect(chain.receipt("0x1")).rejects.toMatchObject({ kind: "inconclusive" });
  });
});
