/**
 * What each kind of the world's transactions is on the chain: who calls which function of which contract, with which arguments.
 */
import { createHash } from "node:crypto";
import type { Hex } from "viem";
import { TX, type TxKind } from "../transaction.ts";
import type { Accounts } from "./accounts.ts";
import { encoder } from "./calldata.ts";
import { type Addresses, type Draft, TOKEN } from "./deployment.ts";

/** Hashes of texts, which the world of numbers does not know; a server that does may say. Form 0x and 64 hex digits. */
export interface TextHashes {
  /** What the worker of the job posts; `honest`: the hash of what it delivered. */
  posted(job: number, honest: boolean): Hex;
  /** What the client of a disputed job received. */
  received(job: number): Hex;
}

/** Stand-ins: SHA-256 over a sentence, one for each job. */
export const standIns: TextHashes = {
  posted: (job, honest) => sha256(`${honest ? "output" : "forged output"} of job ${job}`),
  received: (job) => sha256(`output of job ${job} as received`),
};

const WORKER_KIND = { browser: 1, native: 2 } as const;
const VERDICT = { fraudulent: 2, honest: 3 } as const;

const buy = encoder("Escrow", "buy");
const lock = encoder("Escrow", "lock");
const prove = encoder("Escrow", "prove");
const settle = encoder("Escrow", "settle");
const refund = encoder("Escrow", "refund");
const withdraw = encoder("Escrow", "withdraw");
const open = encoder("Disputes", "open");
const decide = encoder("Disputes", "decide");
const slash = encoder("Disputes", "slash");
const stake = encoder("WorkerRegistry", "stake");
const unstake = encoder("WorkerRegistry", "unstake");
const mint = encoder("GovernanceToken", "mint");
const approve = encoder("GovernanceToken", "approve");

export class Drafter {
  readonly #accounts: Accounts;
  readonly #to: Addresses;
  readonly #texts: TextHashes;
  readonly #epoch: number;
  /** The number of the job that has a place in the world's table: how the contracts know it. */
  readonly #numbers: number[] = [];

  /** @param epoch Unix seconds of the start of the run */
  constructor(accounts: Accounts, to: Addresses, texts: TextHashes, epoch: number) {
    this.#accounts = accounts;
    this.#to = to;
    this.#texts = texts;
    this.#epoch = epoch;
  }

  /**
   * The transaction, last, after what it needs to go through: a worker has to have its stake, and to allow the registry to take it.
   * Columns are explained at `TX`; `sentAt` is virtual time.
   */
  draft(kind: TxKind, subject: number, party: number, amount: number, extra: number, sentAt: number): readonly Draft[] {
    const accounts = this.#accounts;
    const gateway = accounts.role("gateway");
    const arbiter = accounts.role("arbiter");
    const { Escrow, Disputes, WorkerRegistry, GovernanceToken } = this.#to;
    switch (kind) {
      case TX.buy:
        return [{ from: accounts.role("shop"), to: Escrow, data: buy(accounts.wallet(subject), amount) }];
      case TX.lock:
        this.#numbers[subject] = extra;
        return [{ from: gateway, to: Escrow, data: lock(extra, accounts.wallet(party), amount) }];
      case TX.proof: {
        const hash = this.#texts.posted(subject, extra === 1);
        const data = prove(this.#number(subject), accounts.worker(party), hash, this.#stamp(sentAt));
        return [{ from: gateway, to: Escrow, data }];
      }
      case TX.settle:
        return [{ from: gateway, to: Escrow, data: settle(this.#number(subject), amount, accounts.worker(party)) }];
      case TX.refund:
      case TX.giveBack:
        return [{ from: gateway, to: Escrow, data: refund(this.#number(subject)) }];
      case TX.dispute: {
        const data = open(this.#number(subject), this.#texts.received(subject), this.#stamp(sentAt));
        return [{ from: gateway, to: Disputes, data }];
      }
      case TX.verdict: {
        const verdict = extra === 1 ? VERDICT.fraudulent : VERDICT.honest;
        return [{ from: arbiter, to: Disputes, data: decide(this.#number(subject), verdict, amount) }];
      }
      case TX.slash: {
        const data = slash(this.#number(party), accounts.worker(subject), BigInt(amount) * TOKEN);
        return [{ from: arbiter, to: Disputes, data }];
      }
      case TX.stake: {
        const from = accounts.worker(subject);
        const tokens = BigInt(amount) * TOKEN;
        const role = party === 1 ? WORKER_KIND.native : WORKER_KIND.browser;
        return [
          { from: accounts.role("issuer"), to: GovernanceToken, data: mint(from, tokens) },
          { from, to: GovernanceToken, data: approve(WorkerRegistry, tokens) },
          { from, to: WorkerRegistry, data: stake(role, tokens) },
        ];
      }
      case TX.unstake:
        return [{ from: accounts.worker(subject), to: WorkerRegistry, data: unstake(BigInt(amount) * TOKEN) }];
      case TX.withdraw:
        return [{ from: accounts.wallet(subject), to: Escrow, data: withdraw(amount) }];
    }
  }

  /** A job that never had a lock has no number; no lock will ever have this one. */
  #number(place: number): number {
    return this.#numbers[place] ?? Number.MAX_SAFE_INTEGER;
  }

  /** Microseconds since the Unix epoch. */
  #stamp(time: number): number {
    return this.#epoch * 1_000_000 + time;
  }
}

function sha256(text: string): Hex {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}
