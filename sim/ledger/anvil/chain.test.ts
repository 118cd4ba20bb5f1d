import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createPublicClient, type Hex, http, parseAbi } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import { defaultWorld } from "../../default-world.ts";
import { createNetwork } from "../../network-port.ts";
import { createWorld } from "../../world.ts";
import { busyDay } from "../lockstep/busy-day.ts";
import { Block, REVERT, TX, type TxKind } from "../transaction.ts";
import { AnvilChain } from "./chain.ts";

const EPOCH = 1_780_000_000;

describe("the contracts on Anvil", () => {
  const open: AnvilChain[] = [];
  afterEach(async () => {
    for (const chain of open.splice(0)) await chain.close();
  });

  async function anvil(seed: string, rpc?: string): Promise<AnvilChain> {
    const chain = await AnvilChain.open({ seed, epoch: EPOCH, rpc });
    open.push(chain);
    return chain;
  }

  it("make the run that the memory chain makes, with the same block hash each time", async () => {
    const memory = await busyDay({ seed: "day" });
    const last: string[] = [];
    for (let run = 0; run < 2; run++) {
      const chain = await anvil("day");
      const { trace, behind, chain: port } = await busyDay({ seed: "day", behind: chain });
      expect(trace.hash()).toBe(memory.trace.hash());
      expect(behind.totals()).toEqual(memory.behind.totals());
      last.push(chain.blockHash(port.height));
    }
    expect(last[1]).toBe(last[0]);
  });

  it("name transactions and blocks as the node does, before they are sealed and after", async () => {
    const chain = await anvil("names");
    const world = createWorld({ ...defaultWorld("names"), behind: chain });
    const network = createNetwork(world);
    await world.runUntil(0);
    const wallet = network.openWallet(500);
    const answer = network.submit({ wallet, model: 4, promptTokens: 10, outputTokens: 50, maxTokens: -1 }, {});
    const job = network.job(answer.ok ? answer.job : -1)!;
    const early = network.chain.hash(job.lockTx);
    expect(network.chain.blockOf(job.lockTx)).toBe(0);
    await world.runUntil(20_000_000);
    expect(job.status).toBe("settled");
    expect(network.chain.hash(job.lockTx)).toBe(early);

    const client = createPublicClient({ transport: http(chain.url) });
    for (const tx of [job.lockTx, job.proofTx, job.settlementTx]) {
      const receipt = await client.getTransactionReceipt({ hash: network.chain.hash(tx) as Hex });
      expect(receipt.status).toBe("success");
      expect(receipt.to).toBe(network.chain.escrowAddress);
      expect(Number(receipt.blockNumber)).toBe(network.chain.blockOf(tx));
      expect(receipt.blockHash).toBe(chain.blockHash(network.chain.blockOf(tx) - chain.blockNumber(0)));
    }
    const units = await client.readContract({
      address: chain.escrowAddress as Hex,
      abi: parseAbi(["function availableOf(address) view returns (uint256)"]),
      functionName: "availableOf",
      args: [network.walletAddress(wallet) as Hex],
    });
    expect(Number(units)).toBe(network.available(wallet));
    const settled = await client.getBlock({ blockNumber: BigInt(network.chain.blockOf(job.settlementTx)) });
    expect(Number(settled.timestamp)).toBe(EPOCH + Math.floor(job.completedAt / 1_000_000));
  });

  it("refuse a dispute after the window, which the gateway should not have let through", async () => {
    const chain = await anvil("window");
    let tx = 0;
    let blocks = 0;
    const seal = async (time: number, ...transactions: (readonly [TxKind, number, number, number, number])[]) => {
      const block = new Block();
      block.number = ++blocks;
      block.time = time;
      for (const columns of transactions) {
        block.add(++tx, ...columns);
        chain.send(tx, ...columns, time);
      }
      await chain.seal(block);
      return block.outcome.slice(0, block.count);
    };
    const opening = await seal(
      0,
      [TX.stake, 0, 0, 0, 0],
      [TX.buy, 0, 0, 500, 0],
      [TX.lock, 0, 0, 8, 0],
      [TX.lock, 1, 0, 8, 1],
      [TX.proof, 0, 0, 0, 1],
      [TX.proof, 1, 0, 0, 1],
    );
    expect(opening).toEqual(opening.map(() => REVERT.ok));
    // The last microsecond of the window, and the first after it.
    expect(await seal(60_000_000, [TX.dispute, 0, 0, 0, 0])).toEqual([REVERT.ok]);
    expect(await seal(60_000_001, [TX.dispute, 1, 0, 0, 0])).toEqual([REVERT.windowExpired]);
  });

  describe("attached to a node that runs already", () => {
    let node: ChildProcess | undefined;
    afterEach(() => node?.kill("SIGKILL"));

    /** An Anvil as anybody starts it: mining at once, ten accounts, thirty million gas to a block. */
    async function plain(): Promise<string> {
      const here = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
      const arch = process.arch === "x64" ? "amd64" : process.arch;
      const child = spawn(here.resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/anvil`), ["--port", "0"]);
      node = child;
      let said = "";
      for (;;) {
        const [more] = (await once(child.stdout, "data")) as [Buffer];
        said += more.toString();
        const address = /Listening on (\S+)/.exec(said)?.[1];
        if (address === undefined) continue;
        child.stdout.resume();
        return `http://${address}`;
      }
    }

    it("run there, once and again, and leave it mining as it did", async () => {
      const url = await plain();
      const memory = await busyDay({ seed: "attached" });
      const escrows = new Set<string>();
      for (let run = 0; run < 2; run++) {
        const chain = await AnvilChain.open({ seed: "attached", epoch: EPOCH, rpc: url });
        const { trace } = await busyDay({ seed: "attached", behind: chain });
        expect(trace.hash()).toBe(memory.trace.hash());
        escrows.add(chain.escrowAddress);
        await chain.close();
      }
      expect(escrows.size).toBe(2);
      const client = createPublicClient({ transport: http(url) });
      expect(await client.request({ method: "anvil_getAutomine" } as never)).toBe(true);
    });
  });
});
