import { createPublicClient, custom, decodeEventLog, type Hex, parseAbi } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { honestRules } from "../../rules.ts";
import type { World } from "../../world.ts";
import { artifact } from "../anvil/artifacts.ts";
import { AnvilChain, type Compiled } from "../anvil/index.ts";
import type { Chain } from "../chain.ts";
import { busyDay } from "../lockstep/busy-day.ts";
import { address } from "../register.ts";
import { REVERT, TX } from "../transaction.ts";
import { type ChainRpc, createChainRpc } from "./index.ts";

const EPOCH = 1_780_000_000;
const SEED = "rpc";

function rpcOf(world: World): ChainRpc {
  return createChainRpc({
    seed: SEED,
    behind: world.behind,
    register: world.register!,
    rules: honestRules,
    epoch: EPOCH,
    wallets: () => world.gateway.books.wallets,
    workers: () => world.workers.all.length,
  });
}

/** viem on that node. */
function clientOf(rpc: ChainRpc) {
  return createPublicClient({
    transport: custom({
      async request({ method, params }) {
        const { result, error } = JSON.parse(await rpc(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
        if (error !== undefined) throw Object.assign(new Error(error.message), error);
        return result;
      },
    }),
  });
}

const ask = async (rpc: ChainRpc, body: unknown): Promise<unknown> => {
  const text = await rpc(typeof body === "string" ? body : JSON.stringify(body));
  return text === "" ? undefined : JSON.parse(text);
};

/** What the chain says of the day, the same whoever keeps it: places, parties, outcomes, and the escrow's own logs. */
async function testimony(world: World, client: ReturnType<typeof clientOf>, escrow: string) {
  const register = world.register!;
  const { names } = world.behind;
  const told: unknown[] = [];
  for (let tx = 1; register.transaction(tx) !== undefined; tx++) {
    const hash = (names ?? register).hash(tx) as Hex;
    const receipt = await client.getTransactionReceipt({ hash });
    const { from, input, to } = await client.getTransaction({ hash });
    const block = await client.getBlock({ blockHash: receipt.blockHash });
    expect(block.number).toBe(receipt.blockNumber);
    expect(block.transactions).toContain(hash);
    const logs = receipt.logs
      .filter((log) => log.address === escrow)
      .map((log) => decodeEventLog({ abi: (artifact("Escrow") as Compiled).abi, topics: log.topics, data: log.data }));
    const toEscrow = to === escrow;
    told.push({ tx, from, status: receipt.status, time: block.timestamp, toEscrow, input: toEscrow && input, logs });
  }
  return told;
}

describe("the chain over JSON-RPC", () => {
  let memory: World;
  let rpc: ChainRpc;
  beforeAll(async () => {
    memory = await busyDay({ seed: SEED });
    rpc = rpcOf(memory);
  });

  it("tells viem of every transaction, and of balances that are the ledger's", async () => {
    const client = clientOf(rpc);
    expect(await client.getChainId()).toBe(31_337);
    expect(await client.getBlockNumber()).toBe(BigInt(memory.chain.height));
    const escrow = address(SEED, "escrow") as Hex;
    const abi = parseAbi([
      "function availableOf(address) view returns (uint256)",
      "function coin() view returns (address)",
    ]);
    const coin = await client.readContract({ address: escrow, abi, functionName: "coin" });
    for (let wallet = 0; wallet < memory.gateway.books.wallets; wallet++) {
      const args = [address(SEED, `wallet ${wallet}`) as Hex] as const;
      const units = await client.readContract({ address: escrow, abi, functionName: "availableOf", args });
      expect(Number(units)).toBe(memory.gateway.books.available(wallet));
    }
    const token = parseAbi(["function balanceOf(address) view returns (uint256)"]);
    const held = await client.readContract({ address: coin, abi: token, functionName: "balanceOf", args: [escrow] });
    const { available, locked } = memory.behind.totals()!;
    expect(Number(held)).toBe((available + locked) * 10_000);
  });

  it("finds a transaction that was reverted, one that waits, and none that was never sent", async () => {
    const client = clientOf(rpc);
    const register = memory.register!;
    const outcomes = new Set<string>();
    for (let tx = 1; register.transaction(tx) !== undefined; tx++) {
      const { status } = await client.getTransactionReceipt({ hash: register.hash(tx) as Hex });
      expect(status).toBe(register.outcome(tx) === REVERT.ok ? "success" : "reverted");
      outcomes.add(status);
    }
    expect([...outcomes].sort()).toEqual(["reverted", "success"]);
    const waiting = memory.chain.submit(TX.buy, 0, 0, 100, 0);
    const hash = register.hash(waiting) as Hex;
    expect(await client.getTransaction({ hash })).toMatchObject({ blockNumber: null });
    await expect(client.getTransactionReceipt({ hash })).rejects.toThrow("could not be found");
    await memory.runUntil(memory.kernel.now + 10_000_000);
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: "success" });
    await expect(client.getTransaction({ hash: `0x${"12".repeat(32)}` })).rejects.toThrow("could not be found");
  });

  it("finds logs by contract, event and block", async () => {
    const client = clientOf(rpc);
    const escrow = address(SEED, "escrow") as Hex;
    const event = parseAbi(["event Refunded(uint256 indexed jobId, address indexed wallet, uint256 units)"])[0];
    const logs = await client.getLogs({ address: escrow, event, fromBlock: 0n, toBlock: "latest" });
    expect(logs.length).toBeGreaterThan(0);
    for (const { args, logIndex, transactionHash } of logs) {
      expect(args.units).toBeGreaterThan(0n);
      const receipt = await client.getTransactionReceipt({ hash: transactionHash });
      expect(receipt.logs.map((log) => log.logIndex)).toContain(logIndex);
    }
  });

  describe("beside the contracts' own chain", () => {
    let contracts: AnvilChain;
    beforeAll(async () => {
      contracts = await AnvilChain.open({ seed: SEED, epoch: EPOCH });
    });
    afterAll(() => contracts.close());

    it("says the same of the same day", async () => {
      const real = await busyDay({ seed: SEED, behind: contracts as Chain });
      const again = await busyDay({ seed: SEED });
      const told = await testimony(again, clientOf(rpcOf(again)), address(SEED, "escrow"));
      expect(await testimony(real, clientOf(rpcOf(real)), contracts.escrowAddress)).toEqual(told);
      expect(told.length).toBeGreaterThan(100);
    });

    it("lets nobody write", async () => {
      const forwarded = createChainRpc({
        seed: SEED,
        behind: contracts,
        register: memory.register!,
        rules: honestRules,
        epoch: EPOCH,
        wallets: () => 0,
        workers: () => 0,
      });
      for (const method of ["evm_mine", "anvil_setBalance", "eth_sendTransaction", "eth_sendRawTransaction"]) {
        expect(await ask(forwarded, [{ jsonrpc: "2.0", id: 7, method, params: [] }])).toMatchObject({
          error: { code: -32601 },
        });
      }
    });
  });

  it.each([
    ["no JSON", "{", { id: null, error: { code: -32700 } }],
    ["no request", "3", { id: null, error: { code: -32600 } }],
    ["an empty batch", "[]", { error: { code: -32600 } }],
    ["an unknown method", { jsonrpc: "2.0", id: 1, method: "eth_sendTransaction" }, { id: 1, error: { code: -32601 } }],
    ["a method of every object", { jsonrpc: "2.0", id: 1, method: "constructor" }, { error: { code: -32601 } }],
    [
      "a hash that is none",
      { jsonrpc: "2.0", id: 1, method: "eth_getTransactionReceipt", params: ["0x12"] },
      { error: { code: -32602 } },
    ],
    [
      "a block that is none",
      { jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params: ["0xffff"] },
      { result: null },
    ],
    ["an old state", { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{}, "0x0"] }, { error: { code: -32000 } }],
  ])("answers %s", async (_, body, expected) => {
    expect(await ask(rpc, body)).toMatchObject(expected);
  });

  it("answers batches in order, and notifications not at all", async () => {
    const id = (n: number) => ({ jsonrpc: "2.0", id: n, method: "eth_chainId" });
    expect(await ask(rpc, [id(2), { jsonrpc: "2.0", method: "eth_chainId" }, id(1)])).toMatchObject([
      { id: 2 },
      { id: 1 },
    ]);
    expect(await ask(rpc, { jsonrpc: "2.0", method: "eth_chainId" })).toBeUndefined();
  });
});
