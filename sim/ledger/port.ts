/**
 * The chain port: transactions go in, sealed blocks come out.
 *
 * A transaction waits until the next block boundary; boundaries are multiples of the block time, and a block is sealed only when something waits.
 * Block time 0 seals in the moment of sending. What was sent while a block is read goes into the next one.
 *
 * Where trouble is planned (`ChainTrouble`) it happens here: transactions come late or are lost on their way, boundaries move, blocks are heard of
 * late, and the newest of them are undone, so that what was in them waits once more.
 */
import type { Kernel } from "../kernel/index.ts";
import { Queue, type Travelling } from "./approach.ts";
import type { Chain } from "./chain.ts";
import type { ChainRegister } from "./register.ts";
import { Block, type TxKind } from "./transaction.ts";
import { type ChainReader, type ChainTrouble, isGateways } from "./trouble.ts";

export interface ChainSettings {
  /** Microseconds between block boundaries. */
  readonly blockTime: number;
  /** Further block times that pass before a settlement counts as final. */
  readonly confirmations: number;
  /** Microseconds from sending a transaction until a block can take it; 0 unless told. */
  readonly mempoolDelay?: number | undefined;
}

export interface PortOptions {
  readonly settings: Pick<ChainSettings, "blockTime" | "mempoolDelay">;
  /** Keeps the public record, where somebody may ask for it. */
  readonly register?: ChainRegister | undefined;
  readonly trouble?: ChainTrouble | undefined;
}

/** Places of the two queues of what is on its way. */
const GATEWAY = 0;
const OTHERS = 1;

export class ChainPort {
  /** While a real chain seals: settled when it has, and the block has been read. The kernel stands still; see `World.run`. */
  waiting: Promise<void> | undefined;
  /** Number of the newest sealed block. */
  height = 0;
  readonly #kernel: Kernel;
  readonly #chain: Chain;
  readonly #blockTime: number;
  readonly #delay: number;
  readonly #reader: ChainReader;
  readonly #register: ChainRegister | undefined;
  readonly #trouble: ChainTrouble | undefined;
  readonly #seal: number;
  readonly #arrive: number;
  readonly #hear: number;
  #mempool = new Block();
  #sealing = new Block();
  #sent = 0;
  /** The timer of the next boundary, 0 while nothing waits. */
  #due = 0;
  readonly #travelling = [new Queue(), new Queue()] as const;
  /** Of transactions that stand in the place of others. */
  readonly #placeOf = new Map<number, number>();
  /** Sealed blocks that the gateway has not heard of. */
  #unheard: Block[] = [];
  /** Blocks that were undone, to be sealed again. */
  readonly #again: Block[] = [];
  /** Blocks that can be undone, the newest last; and those that could. */
  readonly #recent: Block[] = [];
  readonly #final: Block[] = [];

  constructor(kernel: Kernel, chain: Chain, reader: ChainReader, { settings, register, trouble }: PortOptions) {
    this.#kernel = kernel;
    this.#chain = chain;
    this.#blockTime = settings.blockTime;
    this.#delay = settings.mempoolDelay ?? 0;
    this.#reader = reader;
    this.#register = register;
    this.#trouble = trouble;
    this.#seal = kernel.handler(() => this.seal());
    this.#arrive = kernel.handler((queue) => this.#take(queue));
    this.#hear = kernel.handler(() => this.#hearAll());
  }

  /** Sends a transaction; its columns are explained at `TX`. Returns its number, counted from 1. */
  submit(kind: TxKind, subject: number, party: number, amount: number, extra: number): number {
    const tx = ++this.#sent;
    const { now } = this.#kernel;
    this.#chain.send?.(tx, kind, subject, party, amount, extra, now);
    this.#register?.sent({ tx, kind, subject, party, amount, extra, sentAt: now });
    // What is there from the start is sealed at once, ahead of all trouble.
    const smooth = (this.#trouble === undefined && this.#delay === 0) || (this.height === 0 && now === 0);
    if (smooth) this.#admit(tx, kind, subject, party, amount, extra);
    else this.#approach(this.#trouble, tx, kind, subject, party, amount, extra);
    return tx;
  }

  /** Seals what waits now, ahead of the boundary: for the first block of a run. */
  seal(): void {
    this.#kernel.cancel(this.#due);
    this.#due = 0;
    const again = this.#again.shift();
    const block = again ?? this.#mempool;
    if (block.count === 0) return;
    if (again === undefined) {
      this.#mempool = this.#sealing;
      this.#sealing = block;
      // By fee: who was sent first pays most, and who stands in for another pays what that one should have.
      if (this.#trouble !== undefined) block.sort((tx) => this.#placeOf.get(tx) ?? tx);
    }
    block.number = ++this.height;
    block.time = this.#kernel.now;
    block.revocable = block.number > 1 && this.#trouble?.revocable(block.time) === true;
    this.#await(this.#chain.seal(block), () => this.#sealed(block));
  }

  /**
   * Undoes every block that was sealed less than so many block times ago, but the first. At the next boundary they are sealed again, one after the
   * other, ahead of whatever waits already.
   *
   * @returns how many blocks those were
   */
  reorganise(depth: number): number {
    this.#hearAll();
    const since = this.#kernel.now - depth * this.#blockTime;
    const first = this.#recent.findIndex(({ time }) => time > since);
    if (first === -1) return 0;
    const undone = this.#recent.splice(first);
    this.height -= undone.length;
    this.#register?.undo(this.height);
    for (const block of undone.toReversed()) this.#reader.undone(block);
    this.#again.unshift(...undone);
    this.#await(this.#chain.reorganise?.(undone.length), () => this.#schedule());
    return undone.length;
  }

  #admit(tx: number, kind: TxKind, subject: number, party: number, amount: number, extra: number): void {
    this.#mempool.add(tx, kind, subject, party, amount, extra);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#due !== 0) return;
    if (this.#again.length > 0 || this.#mempool.count > 0) this.#due = this.#kernel.at(this.#boundary(), this.#seal);
  }

  #approach(
    trouble: ChainTrouble | undefined,
    tx: number,
    kind: TxKind,
    subject: number,
    party: number,
    amount: number,
    extra: number,
  ): void {
    const { now } = this.#kernel;
    const gateways = isGateways(kind);
    let fate: Travelling["fate"] = "none";
    let due = now + this.#delay;
    if (gateways && trouble !== undefined) {
      fate = trouble.fate(now, kind);
      due += trouble.takes(now) - now;
      if (fate === "starved" || fate === "replaced") this.#chain.foredoom?.(tx, fate);
      if (fate === "dropped" || fate === "replaced") due += trouble.resendAfter;
    }
    const queue = gateways ? GATEWAY : OTHERS;
    const at = this.#travelling[queue].push({ tx, kind, subject, party, amount, extra, fate, due });
    if (at === now) this.#take(queue);
    else this.#kernel.at(at, this.#arrive, queue);
  }

  #take(queue: number): void {
    for (;;) {
      const next = this.#travelling[queue]!.take(this.#kernel.now);
      if (next === undefined) return;
      const { kind, subject, party, amount, extra, fate } = next;
      const lost = fate === "dropped" || fate === "replaced";
      const tx = lost ? this.#resend(next, fate) : next.tx;
      this.#admit(tx, kind, subject, party, amount, extra);
    }
  }

  #resend({ tx: lost, kind, subject, party, amount, extra }: Travelling, how: "dropped" | "replaced"): number {
    const tx = ++this.#sent;
    this.#placeOf.set(tx, lost);
    this.#chain.replace?.(tx, lost, how);
    this.#register?.sent({ tx, kind, subject, party, amount, extra, sentAt: this.#kernel.now });
    this.#reader.resent(tx, lost, kind, subject);
    return tx;
  }

  /** Goes on at once, or when the promise resolves; until then the kernel stands still. */
  #await(done: Promise<void> | undefined, then: () => void): void {
    if (done === undefined) {
      then();
      return;
    }
    this.waiting = done.then(() => {
      this.waiting = undefined;
      then();
    });
    // Whoever waits hears of a failure; nobody has to.
    this.waiting.catch(() => {});
    this.#kernel.stop();
  }

  #sealed(block: Block): void {
    this.#register?.sealed(block);
    const trouble = this.#trouble;
    if (trouble === undefined) {
      this.#reader.sealed(block);
      block.clear();
      return;
    }
    // Others keep it: the next block is another object.
    if (this.#sealing === block) this.#sealing = new Block();
    // One branch of the chain takes the place of another at once.
    if (this.#again.length > 0) this.#due = this.#kernel.at(this.#kernel.now, this.#seal);
    else this.#schedule();
    if (block.revocable) this.#recent.push(block);
    else this.#final.push(...this.#recent.splice(0));
    const hears = trouble.hears(block.time);
    if (hears > block.time) this.#kernel.at(hears, this.#hear);
    this.#unheard.push(block);
    if (hears === block.time) this.#hearAll();
  }

  #hearAll(): void {
    const blocks = this.#unheard;
    this.#unheard = [];
    for (const block of blocks) this.#reader.sealed(block);
    for (const block of this.#final.splice(0)) this.#reader.final(block);
  }

  #boundary(): number {
    const { now } = this.#kernel;
    if (this.#trouble !== undefined) return this.#trouble.boundary(now);
    return this.#blockTime === 0 ? now : (Math.floor(now / this.#blockTime) + 1) * this.#blockTime;
  }
}
