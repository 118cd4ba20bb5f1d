/**
 * Two chains in step: the memory chain and the contracts execute the same blocks, and every receipt and balance is compared after each.
 */
import type { AnvilChain, ChainBooks } from "../anvil/index.ts";
import { COINS_PER_UNIT, FLOAT, TOKEN } from "../anvil/index.ts";
import type { Chain, ChainNames, MemoryChain } from "../chain.ts";
import { MONEY_PER_UNIT, type Totals } from "../ledger.ts";
import { Block, REVERT, TX, type TxKind } from "../transaction.ts";
import { outcomeName } from "../words.ts";
import { type Difference, LockstepDifference } from "./difference.ts";

/** Accounts of one kind up to which all of them are compared after each block; of more, those that the block names, and all at the end. */
const FEW = 256;

/** What the memory chain made of a block's transactions. */
interface Receipts {
  readonly outcome: Block["outcome"];
  readonly paid: Block["paid"];
  readonly fee: Block["fee"];
}

export class LockstepChain implements Chain {
  readonly memory: MemoryChain;
  readonly contracts: AnvilChain;
  readonly #replay: string | undefined;
  /** Wallet that has a job's lock, by the job's place. */
  readonly #walletOf: number[] = [];
  readonly #workerOf: number[] = [];
  readonly #wallets = new Set<number>();
  readonly #workers = new Set<number>();
  /** Units that each wallet has redeemed. */
  readonly #redeemed: number[] = [];
  /** What each of the newest blocks redeemed: wallet and units. */
  readonly #recent: (readonly (readonly [wallet: number, units: number])[])[] = [];
  /** Number and time of the newest block, without its transactions. */
  readonly #last = new Block();

  /** @param replay a command that repeats the run, for the message about a difference */
  constructor(memory: MemoryChain, contracts: AnvilChain, replay?: string | undefined) {
    this.memory = memory;
    this.contracts = contracts;
    this.#replay = replay;
  }

  get names(): ChainNames {
    return this.contracts;
  }

  totals(): Totals {
    return this.memory.totals();
  }

  send(tx: number, kind: TxKind, subject: number, party: number, amount: number, extra: number, sentAt: number): void {
    this.contracts.send(tx, kind, subject, party, amount, extra, sentAt);
  }

  foredoom(tx: number, fate: "starved" | "replaced"): void {
    this.memory.foredoom(tx, fate);
    this.contracts.foredoom(tx, fate);
  }

  replace(tx: number, lost: number, how: "dropped" | "replaced"): void {
    this.contracts.replace(tx, lost, how);
  }

  /** @throws LockstepDifference where the chains have gone back to different books */
  async reorganise(blocks: number): Promise<void> {
    this.memory.reorganise(blocks);
    await this.contracts.reorganise(blocks);
    for (const redeemed of this.#recent.splice(this.#recent.length - blocks)) {
      for (const [wallet, units] of redeemed) this.#redeemed[wallet] = this.#redeemed[wallet]! - units;
    }
    this.#last.number -= blocks;
    const few = (accounts: ReadonlySet<number>): readonly number[] => [...accounts].slice(0, FEW);
    this.#stop(this.#last, await this.#compareBooks(few(this.#wallets), few(this.#workers)));
  }

  /** @throws LockstepDifference where receipts or balances differ; ChainError where Anvil fails */
  async seal(block: Block): Promise<void> {
    this.#last.number = block.number;
    this.#last.time = block.time;
    this.memory.seal(block);
    const { outcome, paid, fee } = block;
    const receipts: Receipts = { outcome: [...outcome], paid: [...paid], fee: [...fee] };
    const unexplained = await this.contracts.execute(block);
    this.#stop(block, compareReceipts(block, receipts, unexplained));
    const touched = this.#touch(block);
    const wallets = this.#wallets.size <= FEW ? [...this.#wallets] : [...touched.wallets];
    const workers = this.#workers.size <= FEW ? [...this.#workers] : [...touched.workers];
    this.#stop(block, await this.#compareBooks(wallets, workers));
  }

  /** Compares every account once more, at the end of a run, however many there are. */
  async compareAll(): Promise<void> {
    this.#stop(this.#last, await this.#compareBooks([...this.#wallets], [...this.#workers]));
  }

  close(): Promise<void> {
    return this.contracts.close();
  }

  #stop(block: Block, differences: readonly Difference[]): void {
    if (differences.length === 0) return;
    throw new LockstepDifference(block, differences, (tx) => this.contracts.hash(tx), this.#replay);
  }

  /** Accounts that the block's transactions name. */
  #touch(block: Block): { readonly wallets: ReadonlySet<number>; readonly workers: ReadonlySet<number> } {
    const wallets = new Set<number>();
    const workers = new Set<number>();
    const redeemed: [number, number][] = [];
    for (let i = 0; i < block.count; i++) {
      const [kind, subject, party] = [block.kind[i]!, block.subject[i]!, block.party[i]!];
      switch (kind) {
        case TX.withdraw:
          if (block.outcome[i] === REVERT.ok) {
            this.#redeemed[subject] = (this.#redeemed[subject] ?? 0) + block.amount[i]!;
            redeemed.push([subject, block.amount[i]!]);
          }
          wallets.add(subject);
          break;
        case TX.buy:
          wallets.add(subject);
          break;
        case TX.lock:
          if (block.outcome[i] === REVERT.ok) this.#walletOf[subject] = party;
          wallets.add(party);
          break;
        case TX.stake:
        case TX.unstake:
        case TX.slash:
          workers.add(subject);
          break;
        case TX.proof:
          this.#workerOf[subject] = party;
          break;
        case TX.settle:
        case TX.verdict:
          workers.add(party);
          workers.add(this.#workerOf[subject] ?? party);
      }
      const wallet = this.#walletOf[subject];
      if (wallet !== undefined && JOB_KINDS.has(kind)) wallets.add(wallet);
    }
    if (block.revocable) this.#recent.push(redeemed);
    else this.#recent.length = 0;
    for (const wallet of wallets) this.#wallets.add(wallet);
    for (const worker of workers) this.#workers.add(worker);
    return { wallets, workers };
  }

  async #compareBooks(wallets: readonly number[], workers: readonly number[]): Promise<readonly Difference[]> {
    const { ledger } = this.memory;
    const books = await this.contracts.books(wallets, workers);
    const found = new Found();
    for (const [i, wallet] of wallets.entries()) {
      const { available, locked, coins } = books.wallets[i]!;
      found.compare(`wallet ${wallet}, units available`, BigInt(ledger.available(wallet)), available);
      found.compare(`wallet ${wallet}, units locked`, BigInt(ledger.locked(wallet)), locked);
      found.compare(`wallet ${wallet}, coins`, BigInt(this.#redeemed[wallet] ?? 0) * COINS_PER_UNIT, coins);
    }
    for (const [i, worker] of workers.entries()) {
      const { kind, stake, coins } = books.workers[i]!;
      const native = ledger.isNative(worker);
      found.compare(`worker ${worker}, kind`, native === undefined ? 0n : native ? 2n : 1n, BigInt(kind));
      found.compare(`worker ${worker}, stake`, BigInt(ledger.stake(worker)) * TOKEN, stake);
      found.compare(`worker ${worker}, coins`, BigInt(ledger.earned(worker)) * COINS_PER_CENT, coins);
    }
    compareTotals(this.memory.totals(), books, found);
    return found.differences;
  }
}

/** Hundredths of a unit, the ledger's money, in base units of the coin. */
const COINS_PER_CENT = COINS_PER_UNIT / BigInt(MONEY_PER_UNIT);

/** Kinds whose subject is a job. */
const JOB_KINDS: ReadonlySet<TxKind> = new Set([TX.settle, TX.refund, TX.giveBack, TX.verdict]);

class Found {
  readonly differences: Difference[] = [];

  compare(what: string, memory: bigint, contracts: bigint): void {
    if (memory === contracts) return;
    this.differences.push({ what, memory: memory.toString(), contracts: contracts.toString() });
  }
}

/** @param unexplained why contracts failed where no rule says so, by place in the block */
function compareReceipts(
  block: Block,
  memory: Receipts,
  unexplained: ReadonlyMap<number, string>,
): readonly Difference[] {
  const differences: Difference[] = [];
  const words = (of: Receipts, i: number): string => {
    const outcome = outcomeName(of.outcome[i]!);
    return of.paid[i] === 0 && of.fee[i] === 0 ? outcome : `${outcome}, paid ${of.paid[i]}, fee ${of.fee[i]}`;
  };
  for (let at = 0; at < block.count; at++) {
    const one = words(memory, at);
    const other = unexplained.get(at) ?? words(block, at);
    if (one !== other) differences.push({ what: `transaction ${block.tx[at]}`, memory: one, contracts: other, at });
  }
  return differences;
}

/** Sums, and that each chain can pay what it owes: the money is there, not only recorded. */
function compareTotals(memory: Totals, { totals }: ChainBooks, found: Found): void {
  const units = BigInt(memory.available + memory.locked);
  found.compare("units outstanding", units, totals.outstanding);
  found.compare("coins held by the escrow", units * COINS_PER_UNIT, totals.escrowCoins);
  found.compare("coins of the treasury", FLOAT + BigInt(memory.treasury) * COINS_PER_CENT, totals.treasuryCoins);
  const stake = BigInt(memory.active) * TOKEN;
  found.compare("stake recorded", stake, totals.totalStaked);
  found.compare("tokens held by the registry", stake, totals.registryTokens);
  found.compare("tokens slashed", BigInt(memory.slashed) * TOKEN, totals.treasuryTokens);
}
