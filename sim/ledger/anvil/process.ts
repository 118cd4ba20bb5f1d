/**
 * An Anvil of our own: started on a port that is free, told to mine only when asked, and gone when we are gone.
 *
 * Between us and Anvil stands a warden, a second Node process of a few lines that holds a pipe from us. The pipe closes when we end, in whatever way
 * (return, exception, Ctrl-C, `kill -9`), and the warden then ends Anvil. Neither keeps our own process from ending.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { Readable, Writable } from "node:stream";
import { type BlankChain, openBlankChain } from "./blank.ts";
import { ChainError } from "./error.ts";

export interface AnvilSettings {
  /** Unix seconds of the first block. */
  readonly epoch: number;
  /** Milliseconds to wait for the first word; 10,000 unless told. */
  readonly patience?: number | undefined;
  /** States of past blocks to keep, which is how deep a reorganisation may go; none unless told. */
  readonly history?: number | undefined;
  /** Blocks whose transactions are kept for whoever asks; all unless told. */
  readonly keep?: number | undefined;
}

/** How Anvil ended, as one clause: "was ended by SIGKILL", "left with exit code 1: ...". */
export type Ending = string;

export interface AnvilProcess {
  /** http://127.0.0.1:port */
  readonly url: string;
  /** Anvil's own process. */
  readonly pid: number;
  /** How it ended; undefined while it runs. Waits a moment for the news, which may be slower than a broken connection. */
  ending(): Promise<Ending | undefined>;
  /** Ends Anvil; resolves when both processes are gone. Safe to call twice. */
  stop(): Promise<void>;
}

const WARDEN = `
const anvil = require("node:child_process").spawn(process.argv[1], process.argv.slice(2), { stdio: ["ignore", "inherit", "inherit"] });
process.stdout.write("pid " + anvil.pid + "\\n");
const end = () => anvil.kill("SIGKILL");
process.stdin.on("end", end).on("error", end).on("close", end).resume();
anvil.on("error", (error) => { process.stderr.write(error.message + "\\n"); process.exit(1); });
anvil.on("exit", (code, signal) => { process.stdout.write("ended " + (signal ?? code) + "\\n", () => process.exit(0)); });
`;

/** Anvil's own number for a chain that is nobody's. */
const CHAIN_ID = 31_337;

/** What Anvil is told. Fees order transactions in a block, which is how we fix their order; the base fee is zero, so a fee is all ours. */
const FLAGS = [
  ...["--port", "0", "--host", "127.0.0.1"],
  ...["--no-mining", "--order", "fees", "--base-fee", "0", "--gas-price", "0", "--disable-block-gas-limit"],
  ...["--auto-impersonate", "--accounts", "1", "--no-request-size-limit", "--color", "never"],
  ...["--chain-id", String(CHAIN_ID), "--fork-chain-id", String(CHAIN_ID), "--fork-block-number", "0"],
  ...["--no-storage-caching", "--no-rate-limit"],
];

/** Lines of standard error kept for the message of an unlucky end. */
const LAST_WORDS = 5;
/** Milliseconds between a broken connection and the warden's word on it, at most. */
const NEWS = 1_000;

/**
 * @returns once Anvil listens
 * @throws ChainError where there is no Anvil for this machine, or it does not come up
 */
export async function startAnvil(settings: AnvilSettings): Promise<AnvilProcess> {
  const { epoch, patience = 10_000, history, keep } = settings;
  const blank = await openBlankChain(CHAIN_ID, epoch);
  const flags = [...FLAGS, "--fork-url", blank.url, "--prune-history"];
  if (history !== undefined) flags.push(String(history));
  if (keep !== undefined) flags.push("--transaction-block-keeper", String(keep));
  const child = spawn(process.execPath, ["-e", WARDEN, anvilBinary(), ...flags], {
    // A group of its own: Ctrl-C is for us to hear, who may have a trace to finish.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const watched = new Watched(child, blank);
  try {
    await watched.listening(patience);
  } catch (error) {
    await watched.stop();
    throw error;
  }
  return watched;
}

class Watched implements AnvilProcess {
  url = "";
  pid = 0;
  #ending: Ending | undefined;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #blank: BlankChain;
  readonly #gone: Promise<void>;
  #said = "";
  #lastWords: string[] = [];
  #heard: () => void = () => {};

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, blank: BlankChain) {
    this.#child = child;
    this.#blank = blank;
    child.stdout.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#lastWords = [...this.#lastWords, ...text.split("\n").filter(Boolean)].slice(-LAST_WORDS);
    });
    // Writing to a warden that is gone is no news: its end is.
    child.stdin.on("error", () => {});
    this.#gone = new Promise((resolve) => {
      child.once("close", () => {
        this.#ending ??= "ended";
        this.#heard();
        resolve();
      });
      child.once("error", (error) => {
        this.#ending ??= `could not be started: ${error.message}`;
        this.#heard();
        resolve();
      });
    });
    this.#hold("unref");
  }

  async listening(patience: number): Promise<void> {
    const news = new Promise<void>((resolve) => {
      this.#heard = resolve;
    });
    await soon(news, patience);
    if (this.url !== "") return;
    throw new ChainError({
      what: "Anvil did not come up.",
      seen: this.#ending === undefined ? `no word within ${patience} ms` : `Anvil ${this.#ending}`,
      expected: "it listens on a port",
      hint: "`npx anvil` shows whether it runs on this machine; --rpc takes one that runs already",
    });
  }

  async ending(): Promise<Ending | undefined> {
    if (this.#ending === undefined) await soon(this.#gone, NEWS);
    return this.#ending;
  }

  async stop(): Promise<void> {
    this.#ending ??= "was ended by us";
    this.#child.stdin.end();
    this.#hold("ref");
    await this.#gone;
    this.#blank.close();
  }

  /** Whether the two processes keep ours from ending: only while we wait for their end. */
  #hold(how: "ref" | "unref"): void {
    const { stdin, stdout, stderr } = this.#child;
    for (const handle of [this.#child, stdin, stdout, stderr])
      (handle as unknown as Record<typeof how, () => void>)[how]();
  }

  #hear(text: string): void {
    if (this.url !== "" && this.#ending !== undefined) return;
    this.#said = (this.#said + text).slice(-16_384);
    this.pid ||= Number(/^pid (\d+)$/m.exec(this.#said)?.[1] ?? 0);
    this.url ||= /^Listening on (\S+)$/m.exec(this.#said)?.[1]?.replace(/^/, "http://") ?? "";
    const end = /^ended (\S+)$/m.exec(this.#said)?.[1];
    if (end !== undefined)
      this.#ending ??= `${/^\d/.test(end) ? `left with exit code ${end}` : `was ended by ${end}`}${this.#quote()}`;
    if (this.url !== "" || end !== undefined) this.#heard();
  }

  #quote(): string {
    return this.#lastWords.length === 0 ? "" : `: ${this.#lastWords.join(" / ")}`;
  }
}

/** Waits for `news`, though not longer than so many milliseconds. */
async function soon(news: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([news, late]);
  clearTimeout(timer);
}

/** npm installs the one package that has the binary for this machine. */
export function anvilBinary(): string {
  const { platform, arch } = process;
  const name = `@foundry-rs/anvil-${platform}-${arch === "x64" ? "amd64" : arch}`;
  const file = platform === "win32" ? "anvil.exe" : "anvil";
  try {
    const here = createRequire(import.meta.url);
    return createRequire(here.resolve("@foundry-rs/anvil/package.json")).resolve(`${name}/bin/${file}`);
  } catch (cause) {
    throw new ChainError({
      what: "There is no Anvil for this machine.",
      seen: `${platform}, ${arch}`,
      expected: `the package ${name}`,
      hint: "npm install, without --omit=optional; or --rpc with the address of an Anvil that runs",
      cause,
    });
  }
}
