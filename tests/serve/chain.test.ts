import { createPublicClient, decodeEventLog, type Hex, http } from "viem";
import { afterEach, describe, expect, it } from "vitest";
import escrow from "../../fixtures/artifacts/Escrow.json" with { type: "json" };
import { SECOND } from "../../sim/core/index.ts";
import type { ChainFault } from "../../sim/faults/chain.ts";
import { type AnvilChain, ChainError } from "../../sim/ledger/anvil/index.ts";
import { CHAIN_MODES, type ChainMode } from "../../sim/ledger/index.ts";
import { type Serving, serve } from "../../sim/server/index.ts";

const KEY = `svc_live_${"c".repeat(32)}`;

describe("the served network and its chain", () => {
  let serving: Serving | undefined;
  afterEach(async () => {
    await serving?.stop();
    serving = undefined;
  });

  async function up(chain: ChainMode, onChainFailure?: (error: unknown) => void): Promise<Serving> {
    serving = await serve({ port: 0, chainPort: 0, speed: 100, seed: "chain", chain, onChainFailure });
    serving.service.facade.openWallet(500, KEY);
    return serving;
  }

  const call = async (path: string, body?: unknown): Promise<{ status: number; headers: Headers; json: unknown }> => {
    const answer = await fetch(`${serving!.base}/v1/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, json: await answer.json() };
  };
  const chat = { model: "grove-8b", messages: [{ role: "user", content: "Good day." }] };

  it.each(CHAIN_MODES)("on %s: what the API tells of a job is on the chain, to the unit and the hash", async (mode) => {
    const { chain } = await up(mode);
    const { status, headers } = await call("chat/completions", chat);
    expect(status).toBe(200);
    const { json } = await call(`jobs/${headers.get("x-service-job-id")}`);
    const job = json as {
      credits_charged: number;
      worker_address: string;
      on_chain: { escrow_tx: Hex; settlement_tx: Hex; escrow_address: Hex; block_number: number; proof_hash: string };
    };
    const { escrow_tx, settlement_tx, escrow_address, block_number, proof_hash } = job.on_chain;
    expect(headers.get("x-service-tx-hash")).toBe(escrow_tx);
    expect(headers.get("x-service-settlement-tx")).toBe(settlement_tx);

    const client = createPublicClient({ transport: http(chain!) });
    const receipt = await client.getTransactionReceipt({ hash: settlement_tx });
    expect(receipt.status).toBe("success");
    expect(Number(receipt.blockNumber)).toBe(block_number);
    expect(receipt.to).toBe(escrow_address);
    const settled = decodeEventLog({ abi: escrow.abi, ...pick(receipt.logs.find(at(escrow_address))!) });
    expect(settled).toMatchObject({ eventName: "Settled", args: { charge: BigInt(job.credits_charged) } });
    expect((settled.args as unknown as { worker: string }).worker.toLowerCase()).toBe(job.worker_address);

    // The proof is in one of the blocks between: the same hash as in the API's words.
    const proofs = await client.getLogs({ address: escrow_address, fromBlock: 0n, toBlock: "latest" });
    const posted = proofs
      .map((log) => decodeEventLog({ abi: escrow.abi, ...pick(log) }))
      .find(({ eventName }) => eventName === "Proven");
    expect((posted!.args as unknown as { proofHash: Hex }).proofHash).toBe(`0x${proof_hash.slice("sha256:".length)}`);
  });

  it.each(["memory", "anvil"] as const)(
    "on %s: a job whose settlement is undone leaves settled, and comes back with it",
    async (chain) => {
      // Blocks come every 250 ms; at 20 s those of the last 15 s are undone.
      const faults: readonly ChainFault[] = [{ kind: "reorganised", at: 20_100_000, depth: 60 }];
      const overrides = [{ world: () => ({ chainFaults: { faults, resendAfter: SECOND } }) }];
      serving = await serve({ port: 0, chainPort: 0, mode: "manual", seed: "undone", chain, overrides });
      const { facade } = serving.service;
      facade.openWallet(500, KEY);
      await facade.advanceTo(10 * SECOND);
      const answer = call("chat/completions", { ...chat, max_tokens: 3 });
      let answered = false;
      answer.finally(() => {
        answered = true;
      });
      for (let time = 10 * SECOND; !answered; time += SECOND / 4) {
        await facade.advanceTo(time);
        await new Promise(setImmediate);
      }
      const { headers } = await answer;
      const look = async () => {
        const { json } = await call(`jobs/${headers.get("x-service-job-id")}`);
        const { status, completed_at, on_chain } = json as {
          status: string;
          completed_at: string | null;
          on_chain: { block_number: number | null };
        };
        return { status, completed: completed_at !== null, block: on_chain.block_number };
      };
      const client = createPublicClient({ transport: http(serving.chain!) });
      const receipt = () => client.getTransactionReceipt({ hash: headers.get("x-service-settlement-tx") as Hex });
      const before = await look();
      expect(before).toMatchObject({ status: "settled", completed: true });
      expect(Number((await receipt()).blockNumber)).toBe(before.block);

      await facade.advanceTo(20_200_000);
      expect(await look()).toEqual({ status: "processing", completed: false, block: null });
      await expect(receipt()).rejects.toThrow(/could not be found/);

      await facade.advanceTo(20_300_000);
      const after = await look();
      expect(after).toMatchObject({ status: "settled", completed: true });
      expect(Number((await receipt()).blockNumber)).toBe(after.block);
    },
  );

  it("says so when Anvil is killed, and answers no request with what is not settled", async () => {
    let told: (error: unknown) => void = () => {};
    const failure = new Promise<unknown>((resolve) => {
      told = resolve;
    });
    const { service } = await up("anvil", told);
    process.kill((service.world.behind as AnvilChain).pid!, "SIGKILL");
    const answer = call("chat/completions", chat).catch(() => "cut");
    const error = await failure;
    expect(error).toBeInstanceOf(ChainError);
    expect((error as ChainError).message).toContain("Anvil was ended by SIGKILL");
    serving!.service.facade.inside.keys.create(0, 0);
    // Time stands still: the job waits until the server is taken down, which nobody waits for here.
    expect(await Promise.race([answer, Promise.resolve("pending")])).toBe("pending");
    serving = undefined;
  });
});

const at = (address: string) => (log: { readonly address: string }) => log.address === address;
const pick = ({ topics, data }: { topics: [Hex, ...Hex[]] | []; data: Hex }) => ({ topics, data });
