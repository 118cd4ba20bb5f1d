/**
 * The memory chain's history as a chain of accounts and contracts: a fold over its register, brought up to date when somebody asks.
 *
 * The fold keeps books of its own, by the chain's rules, and so knows at each transaction what a log tells: what a worker was paid, what stake is
 * left.
 */
import { COINS_PER_UNIT, type Draft, Drafter } from "../anvil/index.ts";
import { type EscrowRules, Ledger, MONEY_PER_UNIT } from "../ledger.ts";
import type { ChainRegister, TxRecord } from "../register.ts";
import { REVERT, TX } from "../transaction.ts";
import type { Facts, Speaker } from "./events.ts";

const NOTHING: Facts = { wallet: -1, worker: -1, paid: 0n, stake: 0, registers: false };

export class History {
  /** The books after the newest block. */
  get ledger(): Ledger {
    return this.#ledger;
  }
  #ledger: Ledger;
  readonly #rules: EscrowRules;
  #reorganisations = 0;
  readonly #register: ChainRegister;
  readonly #drafter: Drafter;
  readonly #drafts: Draft[] = [];
  readonly #nonces: number[] = [];
  readonly #nextNonce = new Map<string, number>();
  readonly #facts: Facts[] = [];
  readonly #byHash = new Map<string, number>();
  readonly #blockByHash = new Map<string, number>();
  readonly #walletOf: number[] = [];
  readonly #workerOf: number[] = [];
  readonly #redeemed: number[] = [];
  #sent = 0;
  #blocks = 0;

  constructor(register: ChainRegister, rules: EscrowRules, speaker: Speaker) {
    this.#register = register;
    this.#rules = rules;
    this.#ledger = new Ledger(rules);
    this.#drafter = new Drafter(speaker.accounts, speaker.contracts, speaker.texts, speaker.epoch);
  }

  /** Takes in what has been sent and sealed since the last time. Where blocks were taken back, all is read anew. */
  update(): void {
    const register = this.#register;
    if (register.reorganisations !== this.#reorganisations) this.#forget();
    for (;;) {
      const record = register.transaction(this.#sent + 1);
      if (record === undefined) break;
      this.#sent++;
      this.#send(record);
    }
    while (this.#blocks < register.height) {
      const number = ++this.#blocks;
      this.#blockByHash.set(register.blockHash(number), number);
      for (const tx of register.block(number)!.transactions) this.#seal(register.transaction(tx)!);
    }
  }

  /** Number of the transaction with that hash. */
  find(hash: string): number | undefined {
    return this.#byHash.get(hash);
  }

  /** Number of the block with that hash. */
  findBlock(hash: string): number | undefined {
    return hash === this.#register.blockHash(0) ? 0 : this.#blockByHash.get(hash);
  }

  /** Who called what with which data. */
  draft(tx: number): Draft & { readonly nonce: number } {
    return { ...this.#drafts[tx]!, nonce: this.#nonces[tx]! };
  }

  facts(tx: number): Facts {
    return this.#facts[tx] ?? NOTHING;
  }

  /** Transactions of an account so far. */
  nonce(account: string): number {
    return this.#nextNonce.get(account) ?? 0;
  }

  /** Base units of the coin that a wallet has redeemed units for. */
  redeemed(wallet: number): bigint {
    return BigInt(this.#redeemed[wallet] ?? 0) * COINS_PER_UNIT;
  }

  #forget(): void {
    this.#reorganisations = this.#register.reorganisations;
    this.#ledger = new Ledger(this.#rules);
    this.#blocks = 0;
    this.#blockByHash.clear();
    for (const kept of [this.#facts, this.#walletOf, this.#workerOf, this.#redeemed]) kept.length = 0;
  }

  #send({ tx, kind, subject, party, amount, extra, sentAt }: TxRecord): void {
    // What must go before it (a worker's tokens, its allowance) has no place on this chain.
    const draft = this.#drafter.draft(kind, subject, party, amount, extra, sentAt).at(-1)!;
    const nonce = this.nonce(draft.from);
    this.#nextNonce.set(draft.from, nonce + 1);
    this.#drafts[tx] = draft;
    this.#nonces[tx] = nonce;
    this.#byHash.set(this.#register.hash(tx), tx);
  }

  #seal({ tx, kind, subject, party, amount, extra }: TxRecord): void {
    const { ledger } = this;
    ledger.lastPaid = 0;
    const registers = kind === TX.stake && ledger.isNative(subject) === undefined;
    if (this.#register.outcome(tx) !== REVERT.ok) return;
    if (ledger.apply(kind, subject, party, amount, extra) !== REVERT.ok) return;
    if (kind === TX.lock) this.#walletOf[subject] = party;
    if (kind === TX.proof) this.#workerOf[subject] = party;
    if (kind === TX.withdraw) this.#redeemed[subject] = (this.#redeemed[subject] ?? 0) + amount;
    const worker = workerOf(kind, subject, this.#workerOf);
    this.#facts[tx] = {
      wallet: kind === TX.buy || kind === TX.withdraw ? subject : (this.#walletOf[subject] ?? -1),
      worker,
      paid: (BigInt(ledger.lastPaid) * COINS_PER_UNIT) / BigInt(MONEY_PER_UNIT),
      stake: worker < 0 ? 0 : ledger.stake(worker),
      registers,
    };
  }
}

/** The worker that a transaction is about: itself, or whoever proved the job. */
function workerOf(kind: TxRecord["kind"], subject: number, provers: readonly number[]): number {
  if (kind === TX.stake || kind === TX.unstake || kind === TX.slash) return subject;
  return kind === TX.buy || kind === TX.withdraw || kind === TX.lock ? -1 : (provers[subject] ?? -1);
}
