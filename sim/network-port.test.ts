import { describe, expect, it } from "vitest";
import { SECOND } from "./core/index.ts";
import { defaultWorld } from "./default-world.ts";
import { createNetwork } from "./network-port.ts";
import type { JobStatus, Network } from "./port.ts";
import { createWorld } from "./world.ts";

const open = (seed = "port"): Network => createNetwork(createWorld(defaultWorld(seed)));
const submission = (wallet: number, outputTokens = 50) => ({
  wallet,
  model: 4,
  promptTokens: 10,
  outputTokens,
  maxTokens: -1,
});

/** Submits a job and notes the status and time of each call. */
function follow(network: Network, wallet: number, outputTokens = 50) {
  const calls: [string, JobStatus, number][] = [];
  const note = (name: string) => (job: { status: JobStatus }) => void calls.push([name, job.status, network.now]);
  const answer = network.submit(submission(wallet, outputTokens), {
    locked: note("locked"),
    processing: note("processing"),
    firstToken: note("firstToken"),
    lastToken: note("lastToken"),
    settled: note("settled"),
    failed: note("failed"),
    refunded: note("refunded"),
  });
  if (!answer.ok) throw new Error(answer.error);
  return { job: answer.job, calls };
}

describe("the network behind the port", () => {
  it("brings a job from its lock to its settlement", () => {
    const network = open();
    const wallet = network.openWallet(1_000);
    const events: string[] = [];
    network.onEvent(({ event }) => events.push(event));
    const { job, calls } = follow(network, wallet);
    expect(network.available(wallet)).toBe(992);
    expect(network.job(job)?.status).toBe("pending");
    network.runUntil(10 * SECOND);
    expect(calls.map(([name, status]) => `${name}: ${status}`)).toEqual([
      "locked: pending",
      "processing: processing",
      "firstToken: processing",
      "lastToken: processing",
      "settled: settled",
    ]);
    expect(events).toEqual(["job.submitted", "job.processing", "job.completed"]);
    const done = network.job(job)!;
    expect(done).toMatchObject({ status: "settled", charged: 8, returned: 0, outputTokens: 50, honestProof: true });
    for (const tx of [done.lockTx, done.proofTx, done.settlementTx]) {
      expect(network.chain.hash(tx)).toMatch(/^0x[0-9a-f]{64}$/);
      expect(network.chain.blockOf(tx)).toBeGreaterThan(0);
    }
    expect(network.available(wallet)).toBe(992);
    expect(network.medianFirstToken(4)).toBe(done.firstTokenAt - done.createdAt);
  });

  it("refunds a job of a silent worker 120 s after its creation, to the microsecond, to be spent at once", () => {
    const network = open();
    const wallet = network.openWallet(8);
    network.runUntil(1_234_567);
    network.setBehaviour(4, "silent");
    const { job, calls } = follow(network, wallet);
    const refundAt = 1_234_567 + 120 * SECOND;
    network.runUntil(refundAt - 1);
    expect(network.job(job)?.status).toBe("processing");
    expect(network.available(wallet)).toBe(0);
    network.runUntil(refundAt);
    expect(calls.at(-1)).toEqual(["refunded", "refunded", refundAt]);
    expect(network.available(wallet)).toBe(8);
    network.setBehaviour(4, "normal");
    const again = follow(network, wallet);
    network.runUntil(refundAt + 10 * SECOND);
    expect(network.job(again.job)?.status).toBe("settled");
  });

  it("gives the units of a failed job back", () => {
    const network = open();
    const wallet = network.openWallet(100);
    network.setBehaviour(4, "failing");
    const { job, calls } = follow(network, wallet);
    network.runUntil(10 * SECOND);
    expect(calls.at(-1)?.slice(0, 2)).toEqual(["failed", "failed"]);
    expect(network.job(job)).toMatchObject({ charged: 0, returned: 8 });
    expect(network.available(wallet)).toBe(100);
  });

  it("returns the difference between estimate and charge", () => {
    const network = open();
    const wallet = network.openWallet(100);
    const answer = network.submit({ ...submission(wallet), maxTokens: 2_000 }, {});
    if (!answer.ok) throw new Error(answer.error);
    expect(network.available(wallet)).toBe(100 - 16);
    network.runUntil(10 * SECOND);
    expect(network.job(answer.job)).toMatchObject({ locked: 16, charged: 8, returned: 8 });
    expect(network.available(wallet)).toBe(92);
  });

  it("refuses what the balance does not cover, and models that nobody hosts", () => {
    const network = open();
    const wallet = network.openWallet(7);
    expect(network.submit(submission(wallet), {})).toEqual({
      ok: false,
      error: "insufficient_credits",
      remaining: 7,
      required: 8,
    });
    network.topUp(wallet, 100);
    network.setBehaviour(4, "absent");
    expect(network.activeWorkers(4)).toBe(0);
    expect(network.submit(submission(wallet), {})).toMatchObject({ ok: false, error: "no_workers_available" });
    expect(network.available(wallet)).toBe(107);
    const worker = network.registerWorker("native", [4]);
    expect(network.workerAddress(worker)).toMatch(/^0x[0-9a-f]{40}$/);
    network.setBehaviour(4, "normal");
    expect(network.activeWorkers(4)).toBe(4);
  });

  it("hears disputes for 60 s, decides them, and slashes", () => {
    const network = open();
    const wallet = network.openWallet(100);
    network.setBehaviour(4, "dishonest");
    const [first, second] = [follow(network, wallet), follow(network, wallet)];
    network.runUntil(10 * SECOND);
    const job = network.job(first.job)!;
    expect(job.honestProof).toBe(false);
    expect(network.dispute(first.job, false)).toEqual({ ok: true, opened: false, tx: 0 });
    network.runUntil(job.lastTokenAt + 60 * SECOND);
    expect(network.dispute(first.job, true)).toMatchObject({ ok: true, opened: true });
    expect(network.dispute(first.job, true)).toEqual({ ok: false, error: "already_disputed" });
    expect(job.status).toBe("disputed");
    network.runUntil(Math.max(network.now, network.job(second.job)!.lastTokenAt + 60 * SECOND + 1));
    expect(network.dispute(second.job, true)).toEqual({ ok: false, error: "window_expired" });

    const events: string[] = [];
    network.onEvent((event) => void events.push(JSON.stringify(event)));
    expect(network.verdict(first.job, "fraudulent")).toBe(true);
    expect(network.verdict(first.job, "fraudulent")).toBe(false);
    network.runUntil(network.now + SECOND);
    expect(job.status).toBe("settled");
    expect(events).toHaveLength(1);
    expect(JSON.parse(events[0]!)).toMatchObject({ event: "worker.slashed", worker: job.worker, amount: 100 });
  });

  it("tells when a balance falls below the threshold, once a fall", () => {
    const network = open();
    const wallet = network.openWallet(110);
    const low: unknown[] = [];
    network.onEvent((event) => event.event === "credit.low" && low.push(event.remaining));
    for (let i = 0; i < 4; i++) follow(network, wallet);
    expect(low).toEqual([94]);
  });

  it("has timers for the door", () => {
    const network = open();
    const fired: number[] = [];
    network.after(500, () => fired.push(network.now));
    network.cancel(network.after(400, () => fired.push(0)));
    expect(network.nextDue()).toBe(500);
    network.runUntil(1_000);
    expect(fired).toEqual([500]);
    expect(network.nextDue()).toBe(Infinity);
  });

  it("gives the same hashes for the same seed", () => {
    const hash = (seed: string): string => {
      const network = open(seed);
      const { job } = follow(network, network.openWallet(100));
      network.runUntil(10 * SECOND);
      return network.chain.hash(network.job(job)!.settlementTx);
    };
    expect(hash("a")).toBe(hash("a"));
    expect(hash("a")).not.toBe(hash("b"));
  });
});
