import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { defaultWorld } from "../../default-world.ts";
import { createWorld } from "../../world.ts";
import { AnvilChain } from "./chain.ts";
import { ChainError } from "./error.ts";
import { startAnvil } from "./process.ts";

const EPOCH = 1_780_000_000;

/** Whether a process runs; one that has ended and waits to be counted does not. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** Asks until the answer is yes. Between two questions the processor is left to who is waited for. */
async function until(answer: () => boolean): Promise<void> {
  const patience = AbortSignal.timeout(10_000);
  while (!answer()) {
    patience.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A program of its own that starts Anvil and says what process that is. */
async function program(then: string) {
  const url = new URL("./process.ts", import.meta.url).href;
  const code = `
    const { startAnvil } = await import(${JSON.stringify(url)});
    const anvil = await startAnvil({ epoch: ${EPOCH} });
    process.stdout.write(anvil.pid + "\\n");
    ${then}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, pid: Number(said.toString()) };
}

describe("Anvil as a process", () => {
  it("listens, and is gone when stopped", async () => {
    const anvil = await startAnvil({ epoch: EPOCH });
    expect(anvil.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(runs(anvil.pid)).toBe(true);
    await anvil.stop();
    expect(runs(anvil.pid)).toBe(false);
    await anvil.stop();
  });

  it("two run side by side, each on a port of its own", async () => {
    const [one, other] = await Promise.all([startAnvil({ epoch: EPOCH }), startAnvil({ epoch: EPOCH })]);
    expect(one.url).not.toBe(other.url);
    await Promise.all([one.stop(), other.stop()]);
  });

  it.each([
    ["returns", ""],
    ["throws", "throw new Error('on purpose')"],
    ["exits", "process.exit(5)"],
  ])("is gone when the program that started it %s", async (_, then) => {
    const { child, pid } = await program(`process.on("uncaughtException", () => process.exit(1)); ${then}`);
    if (child.exitCode === null) await once(child, "exit");
    await until(() => !runs(pid));
  });

  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("is gone when the program gets %s", async (signal) => {
    const { child, pid } = await program("process.stdin.resume(); setInterval(() => {}, 1000);");
    expect(runs(pid)).toBe(true);
    child.kill(signal);
    await once(child, "exit");
    await until(() => !runs(pid));
  });
});

describe("a chain whose Anvil fails", () => {
  let chain: AnvilChain | undefined;
  afterEach(() => chain?.close());

  /** A world with a block to seal. */
  async function world(timeout?: number) {
    chain = await AnvilChain.open({ seed: "fails", epoch: EPOCH, timeout });
    const made = createWorld({ ...defaultWorld("fails"), behind: chain });
    made.start();
    await made.runUntil(0);
    made.gateway.openWallet(500);
    return { made, pid: chain.pid! };
  }

  it("ends the run with what happened, and keeps the trace up to there, when Anvil is killed", async () => {
    const { made, pid } = await world();
    const events = made.trace.events;
    process.kill(pid, "SIGKILL");
    await until(() => !runs(pid));
    const error = await made.runUntil(10_000_000).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ChainError);
    expect((error as ChainError).exitCode).toBe(3);
    expect((error as ChainError).message.replace(/:\d+$/m, ":PORT")).toMatchInlineSnapshot(`
      "Anvil is gone in the middle of the run.
        where     eth_sendTransaction to http://127.0.0.1:PORT
        seen      Anvil was ended by SIGKILL
        expected  it runs until the run ends
        try       run again; if nobody ended it, the machine may be short of memory"
    `);
    expect(made.trace.events).toBeGreaterThanOrEqual(events);
  });

  it("ends the run when Anvil stands still", async () => {
    const { made, pid } = await world(300);
    process.kill(pid, "SIGSTOP");
    const error = await made.runUntil(10_000_000).catch((caught: unknown) => caught);
    // Which call the signal meets is the machine's business.
    const message = (error as ChainError).message.replace(/:\d+$/m, ":PORT").replace(/e\w+_\w+/, "some_call");
    expect(message).toMatchInlineSnapshot(`
      "The chain does not answer.
        where     some_call to http://127.0.0.1:PORT
        seen      The operation was aborted due to timeout
        expected  an answer
        try       is an Anvil running at that address? \`--chain anvil\` without --rpc starts one"
    `);
  });

  it("says so when nobody listens at the address", async () => {
    const anvil = await startAnvil({ epoch: EPOCH });
    await anvil.stop();
    const error = await AnvilChain.open({ seed: 1, epoch: EPOCH, rpc: anvil.url }).catch((caught: unknown) => caught);
    expect((error as ChainError).message.replaceAll(/:\d+$/gm, ":PORT")).toMatchInlineSnapshot(`
      "The chain does not answer.
        where     web3_clientVersion to http://127.0.0.1:PORT
        seen      fetch failed: connect ECONNREFUSED 127.0.0.1:PORT
        expected  an answer
        try       is an Anvil running at that address? \`--chain anvil\` without --rpc starts one"
    `);
  });
});
