/**
 * The chain port's other side: Solidity contracts on Anvil, in step with the virtual clock.
 *
 * A block of the world is a block of Anvil: its transactions go in as one batch, one call seals them at the block's virtual time, and what the
 * contracts logged says what became of each. (Logs, because a receipt costs the node time in proportion to the block: a block's receipts cost
 * its square. A transaction of ours that logs nothing was reverted; only then its trace is read, for the reason.)
 */
import type { Address, Hex } from "viem";
import { invariant } from "../../core/index.ts";
import type { Chain, ChainNames } from "../chain.ts";
import type { Totals } from "../ledger.ts";
import { type Block, REVERT, type TxKind } from "../transaction.ts";
import { transactionWords } from "../words.ts";
import { Accounts } from "./accounts.ts";
import { artifact, type Compiled, type ContractName } from "./artifacts.ts";
import { type ChainBooks, readBooks } from "./books.ts";
import { quantity } from "./calldata.ts";
import { type Addresses, addresses, type Draft, deployment } from "./deployment.ts";
import { Drafter, standIns, type TextHashes } from "./drafts.ts";
import { ChainError } from "./error.ts";
import { type Log, Tally } from "./logs.ts";
import { foredoomed, Mempool, type Written } from "./mempool.ts";
import { type Node, openNode } from "./node.ts";
import { reading, type Trace } from "./outcomes.ts";
import type { Call } from "./rpc.ts";

export interface AnvilChainSettings {
  readonly seed: string | number;
  /** Unix seconds of the start of the run; block times count from it. */
  readonly epoch: number;
  /** An Anvil that runs already; one is started and ended with the chain unless told. */
  readonly rpc?: string | undefined;
  /** Milliseconds that the node may take to answer; 30,000 unless told. */
  readonly timeout?: number | undefined;
  /** Of an Anvil of ours: states of past blocks that it keeps, none unless told; blocks whose transactions it keeps, all unless told. */
  readonly history?: number | undefined;
  readonly keep?: number | undefined;
  readonly texts?: TextHashes | undefined;
  /** Contracts to deploy instead of the package's own: a test's, with a defect planted. */
  readonly instead?: Partial<Record<ContractName, Compiled>> | undefined;
}

/** Enough for all the gas that an account will ever burn. */
const PLENTY = "0xffffffffffffffffffffffff";

interface Header {
  readonly hash: Hex;
  readonly transactions: readonly Hex[];
}

/** A transaction of the world, and what the chain needs before it. */
interface Sending {
  readonly before: readonly Written[];
  readonly itself: Written;
  /** One that went the same way before, and did not get there. */
  readonly lost?: { readonly itself: Written; readonly how: "dropped" | "replaced" };
  readonly starved?: boolean;
}

/** What it takes to undo a block. */
interface Undo {
  readonly sendings: readonly (readonly [tx: number, Sending])[];
  readonly funded: readonly Address[];
  /** The totals before it, and Anvil's name for its own state. */
  readonly totals: Totals;
  readonly snapshot: Hex;
}

export class AnvilChain implements Chain, ChainNames {
  readonly accounts: Accounts;
  readonly contracts: Addresses;
  readonly #node: Node;
  readonly #epoch: number;
  readonly #mempool: Mempool;
  readonly #drafter: Drafter;
  readonly #tally: Tally;
  readonly #waiting = new Map<number, Sending>();
  readonly #hashes: Hex[] = [];
  readonly #blockHashes: Hex[] = [];
  readonly #funded = new Set<Address>();
  /** Of the newest blocks, as far as they are revocable. */
  readonly #undo: Undo[] = [];
  /** Anvil's number of the world's block 0: the deployment. */
  #offset = 0;

  /**
   * Starts Anvil, or attaches to one, and deploys the contracts.
   *
   * @throws ChainError where no Anvil comes up or answers
   */
  static async open(settings: AnvilChainSettings): Promise<AnvilChain> {
    const node = await openNode(settings);
    try {
      const chain = new AnvilChain(node, settings, await node.used(new Accounts(settings.seed).role("deployer")));
      await chain.#deploy((name) => settings.instead?.[name] ?? artifact(name));
      return chain;
    } catch (error) {
      await node.close();
      throw error;
    }
  }

  /** @param used transactions that the deployer has on the chain already */
  private constructor(node: Node, settings: AnvilChainSettings, used: number) {
    this.#node = node;
    this.#epoch = node.epoch;
    this.accounts = new Accounts(settings.seed);
    const deployer = this.accounts.role("deployer");
    this.contracts = addresses(deployer, used);
    this.#mempool = new Mempool(node.chainId, new Map([[deployer, used]]));
    this.#tally = new Tally(this.contracts);
    this.#drafter = new Drafter(this.accounts, this.contracts, settings.texts ?? standIns, node.epoch);
  }

  /** Address of its JSON-RPC. */
  get url(): string {
    return this.#node.rpc.url;
  }

  /** Anvil's process, where it is ours. */
  get pid(): number | undefined {
    return this.#node.pid;
  }

  get names(): ChainNames {
    return this;
  }

  get escrowAddress(): string {
    return this.contracts.Escrow;
  }

  /** Balances after the newest block, in the order asked for. */
  books(wallets: readonly number[], workers: readonly number[]): Promise<ChainBooks> {
    const { accounts, contracts } = this;
    return readBooks(
      this.#node.rpc,
      contracts.Lens,
      wallets.map((wallet) => accounts.wallet(wallet)),
      workers.map((worker) => accounts.worker(worker)),
    );
  }

  /** Any call that reads. */
  read<T>(...call: Call): Promise<T> {
    return this.#node.rpc.call<T>(...call);
  }

  send(tx: number, kind: TxKind, subject: number, party: number, amount: number, extra: number, sentAt: number): void {
    const drafts = this.#drafter.draft(kind, subject, party, amount, extra, sentAt);
    const written = drafts.map((draft) => this.#mempool.write(draft));
    this.#waiting.set(tx, { before: written.slice(0, -1), itself: written.at(-1)! });
  }

  foredoom(tx: number, fate: "starved" | "replaced"): void {
    const { before, itself } = this.#take(tx);
    this.#waiting.set(tx, { before, itself: foredoomed(itself, fate), starved: fate === "starved" });
  }

  replace(tx: number, lost: number, how: "dropped" | "replaced"): void {
    this.#hashes[lost] = this.hash(lost) as Hex;
    const { before, itself } = this.#take(lost);
    this.#waiting.set(tx, { before, itself: this.#mempool.rewrite(itself), lost: { itself, how } });
  }

  /** (Not by `anvil_rollback`, which leaves storage that the undone blocks were the first to use.) */
  async reorganise(blocks: number): Promise<void> {
    invariant(blocks <= this.#undo.length, "only revocable blocks are undone");
    const undone = this.#undo.splice(this.#undo.length - blocks);
    const [{ totals, snapshot }] = undone as [Undo, ...Undo[]];
    await this.#node.rpc.call("evm_revert", snapshot);
    Object.assign(this.#tally.totals, totals);
    for (const { sendings, funded } of undone) {
      for (const [tx, sending] of sendings) this.#waiting.set(tx, sending);
      for (const account of funded) this.#funded.delete(account);
    }
    this.#blockHashes.splice(this.#blockHashes.length - blocks);
  }

  hash(tx: number): string {
    const sending = this.#waiting.get(tx);
    if (sending !== undefined) this.#hashes[tx] ??= this.#mempool.hash(sending.itself);
    const hash = this.#hashes[tx];
    invariant(hash !== undefined, `transaction ${tx} was sent`);
    return hash;
  }

  blockNumber(block: number): number {
    return block + this.#offset;
  }

  blockHash(block: number): string {
    const hash = this.#blockHashes[block];
    invariant(hash !== undefined, `block ${block} was sealed`);
    return hash;
  }

  totals(): Totals {
    return this.#tally.totals;
  }

  /** @throws ChainError where Anvil fails, or a contract fails for a reason that no rule gives */
  async seal(block: Block): Promise<void> {
    const [[at, reason] = [0, undefined]] = await this.execute(block);
    if (reason === undefined) return;
    throw new ChainError({
      what: "A contract refused a transaction for a reason that the ledger does not know.",
      where: `transaction ${block.tx[at]}, ${transactionWords(block, at)}, ${this.#hashes[block.tx[at]!]}`,
      seen: reason,
      expected: "one of the contracts' own errors",
      hint: "`--chain lockstep` shows what the memory chain makes of it",
    });
  }

  /** Seals, and tells of each transaction that a contract refused for a reason that no rule gives: its place in the block, and the reason. */
  async execute(block: Block): Promise<ReadonlyMap<number, string>> {
    const numbered = block.tx.slice(0, block.count).map((tx) => [tx, this.#take(tx)] as const);
    const sendings = numbered.map(([, sending]) => sending);
    const written = sendings.flatMap(({ before, itself }) => [...before, itself]);
    const before = {
      totals: { ...this.#tally.totals },
      snapshot: block.revocable ? await this.#snapshot() : "0x",
    } as const;
    const funded = await this.#fund(written);
    const hashes = await this.#sendAll(written, sendings);
    const logs = await this.#mine(hashes, this.#epoch + Math.floor(block.time / 1_000_000), block.number);
    const refused: number[] = [];
    let at = 0;
    for (const [i, { before }] of sendings.entries()) {
      for (const hash of hashes.slice(at, at + before.length)) this.#expectLogged(logs, hash);
      at += before.length;
      const hash = hashes[at++]!;
      this.#hashes[block.tx[i]!] = hash;
      const logged = logs.get(hash);
      block.outcome[i] = REVERT.ok;
      if (logged === undefined) refused.push(i);
      else this.#fold(block, i, logged);
    }
    if (block.revocable) {
      this.#undo.push({ sendings: numbered.map(([tx, sending]) => [tx, withoutLost(sending)]), funded, ...before });
    } else this.#undo.length = 0;
    if (refused.length === 0) return new Map();
    const unexplained = await this.#readReasons(block, refused);
    return new Map([...unexplained].filter(([at]) => !this.#wentHungry(block, at, sendings[at]!)));
  }

  /** Ends Anvil where it is ours, gives it back its manners where it is not. */
  close(): Promise<void> {
    return this.#node.close();
  }

  #take(tx: number): Sending {
    const sending = this.#waiting.get(tx);
    invariant(sending !== undefined, `transaction ${tx} was sent before its block is sealed`);
    this.#waiting.delete(tx);
    return sending;
  }

  async #deploy(compiled: (name: ContractName) => Compiled): Promise<void> {
    const drafts: readonly Draft[] = deployment(this.accounts, this.contracts, compiled);
    const written = drafts.map((draft) => this.#mempool.write(draft));
    await this.#fund(written);
    const hashes = await this.#sendAll(written, []);
    const logs = await this.#mine(hashes, this.#epoch, 0);
    for (const hash of hashes) {
      // A contract without roles logs nothing on its making; it is looked at below.
      if (!logs.has(hash)) await this.#expectStatus(hash);
    }
  }

  #snapshot(): Promise<Hex> {
    return this.#node.rpc.call<Hex>("evm_snapshot");
  }

  /** Gives gas money to whoever sends for the first time, and the nonce that it has in our books: an earlier run may have used the account. */
  async #fund(written: readonly Written[]): Promise<readonly Address[]> {
    const strangers = written.filter(({ from }) => !this.#funded.has(from)).toReversed();
    const first = new Map(strangers.map(({ from, nonce }) => [from, nonce]));
    const poor = [...first.keys()];
    if (poor.length === 0) return poor;
    const gifts = poor.map((account): Call => ["anvil_setBalance", account, PLENTY]);
    const nonces = [...first].map(([account, nonce]): Call => ["anvil_setNonce", account, quantity(nonce)]);
    await this.#node.rpc.batch(this.pid === undefined ? [...gifts, ...nonces] : gifts);
    for (const account of poor) this.#funded.add(account);
    return poor;
  }

  /** Sends all in order. What is lost on its way is sent, too, and is gone or stands back when its successor comes. */
  async #sendAll(written: readonly Written[], sendings: readonly Sending[]): Promise<Hex[]> {
    const { rpc } = this.#node;
    const hashes: Hex[] = [];
    const upTo = async (end: number): Promise<void> => {
      if (end > hashes.length) {
        hashes.push(
          ...(await rpc.batch<Hex>(written.slice(hashes.length, end).map((each) => this.#mempool.call(each)))),
        );
      }
    };
    for (const { lost, itself } of sendings) {
      if (lost === undefined) continue;
      await upTo(written.indexOf(itself));
      const [hash] = await rpc.batch<Hex>([this.#mempool.call(lost.itself)]);
      if (lost.how === "dropped") await rpc.call("anvil_dropTransaction", hash);
    }
    await upTo(written.length);
    return hashes;
  }

  /** Whether it failed because it had too little gas, wherever among the contracts that showed. */
  #wentHungry(block: Block, at: number, { starved }: Sending): boolean {
    if (starved !== true) return false;
    block.outcome[at] = REVERT.outOfGas;
    return true;
  }

  /** Seals what was sent at that time, and reads what each transaction logged. */
  async #mine(hashes: readonly Hex[], time: number, world: number) {
    const { rpc } = this.#node;
    await rpc.call("evm_mine", time);
    const [header, entries] = (await rpc.batch([
      ["eth_getBlockByNumber", "latest", false],
      ["eth_getLogs", { fromBlock: "latest", toBlock: "latest" }],
    ])) as [Header & { readonly number: Hex }, readonly Log[]];
    this.#expectOrder(header, hashes);
    const number = Number(header.number);
    if (world === 0) this.#offset = number;
    else this.#expectNumber(number, this.blockNumber(world));
    this.#blockHashes[world] = header.hash;
    const logs = new Map<Hex, Log[]>();
    for (const log of entries) {
      const found = logs.get(log.transactionHash);
      if (found === undefined) logs.set(log.transactionHash, [log]);
      else found.push(log);
    }
    return logs;
  }

  #expectNumber(number: number, expected: number): void {
    if (number === expected) return;
    throw new ChainError({
      what: "The chain has sealed blocks that are not ours.",
      where: `block ${number}`,
      expected: `block ${expected}`,
      hint: "nobody else may mine on this node while a run lasts",
    });
  }

  #expectOrder(header: Header, hashes: readonly Hex[]): void {
    const at = hashes.findIndex((hash, i) => header.transactions[i] !== hash);
    if (at === -1 && header.transactions.length === hashes.length) return;
    throw new ChainError({
      what: "The chain sealed other transactions than it was given, or in another order.",
      where: `block ${header.hash}`,
      seen: at === -1 ? `${header.transactions.length} transactions` : `${header.transactions[at]} at place ${at}`,
      expected: at === -1 ? `${hashes.length} transactions` : hashes[at],
      hint: "nobody else may send to this node, and it must order by fees, as Anvil does unless told",
    });
  }

  #expectLogged(logs: ReadonlyMap<Hex, readonly Log[]>, hash: Hex): void {
    if (logs.has(hash)) return;
    throw new ChainError({ what: "The chain refused a preparation.", where: hash, expected: "it never does" });
  }

  async #expectStatus(hash: Hex): Promise<void> {
    const { status } = await this.#node.rpc.call<{ status: Hex }>("eth_getTransactionReceipt", hash);
    if (status === "0x1") return;
    throw new ChainError({ what: "The contracts could not be deployed.", where: hash, expected: "status 1" });
  }

  #fold(block: Block, at: number, logs: readonly Log[]): void {
    for (const log of logs) {
      const split = this.#tally.fold(log);
      if (split === undefined) continue;
      block.paid[at] = split.paid;
      block.fee[at] = split.fee;
    }
  }

  /** One call for the whole block: asked one by one, refusals cost a millisecond each. */
  async #readReasons(block: Block, places: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const traces = await this.#node.rpc.call<readonly Trace[]>("trace_block", quantity(this.blockNumber(block.number)));
    const outer = new Map(
      traces.filter(({ traceAddress }) => traceAddress.length === 0).map((trace) => [trace.transactionHash, trace]),
    );
    const unexplained = new Map<number, string>();
    for (const at of places) {
      const trace = outer.get(this.#hashes[block.tx[at]!]!);
      const reason = trace === undefined ? "no trace" : reading(block.kind[at]!, trace);
      block.outcome[at] = typeof reason === "string" ? REVERT.unexplained : reason;
      if (typeof reason === "string") unexplained.set(at, reason);
    }
    return unexplained;
  }
}

/** As it is sent again once its block has been undone: what was lost on the first way is not lost again. */
function withoutLost({ before, itself, starved }: Sending): Sending {
  return starved === true ? { before, itself, starved } : { before, itself };
}
