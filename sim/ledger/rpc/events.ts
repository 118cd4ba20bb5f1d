/**
 * What the contracts would have logged for a transaction of the memory chain.
 */
import {
  type Accounts,
  type Address,
  type Addresses,
  type ContractName,
  type Hex,
  type TextHashes,
  TOKEN,
  writeLog,
} from "../anvil/index.ts";
import type { TxRecord } from "../register.ts";
import { TX } from "../transaction.ts";

export interface LoggedEvent {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** What is known of a transaction once it is sealed, beyond what was sent. */
export interface Facts {
  /** Wallet whose units it moved, -1 where it moved none. */
  readonly wallet: number;
  /** Worker that it is about, -1 where there is none. */
  readonly worker: number;
  /** Base units of the coin that the worker was paid. */
  readonly paid: bigint;
  /** Tokens that the worker has at stake afterwards. */
  readonly stake: number;
  /** Whether the worker was unknown before. */
  readonly registers: boolean;
}

/** Whose words the logs are in. */
export interface Speaker {
  readonly accounts: Accounts;
  readonly contracts: Addresses;
  readonly texts: TextHashes;
  /** Unix seconds of the start of the run. */
  readonly epoch: number;
}

const KIND = { browser: 1, native: 2 } as const;
const VERDICT = { fraudulent: 2, honest: 3 } as const;
const ARBITRATION_SECONDS = 86_400;

/** How many events the transaction has, if it went through. */
export function eventCount({ kind, amount }: TxRecord, { registers }: Facts): number {
  if (kind === TX.stake) return registers ? 2 : 1;
  return kind === TX.verdict && amount !== 0 ? 2 : 1;
}

/** The contracts' own events, in order, of a transaction that went through; the transfers that the tokens log are left out. */
export function eventsOf(record: TxRecord, facts: Facts, speaker: Speaker): readonly LoggedEvent[] {
  const { accounts, contracts, texts, epoch } = speaker;
  const { kind, subject, party, amount, extra, sentAt } = record;
  const log = (contract: ContractName, name: string, args: Readonly<Record<string, unknown>>): LoggedEvent => ({
    address: contracts[contract],
    ...writeLog(contract, name, args),
  });
  const units = BigInt(amount);
  const tokens = units * TOKEN;
  const left = BigInt(facts.stake) * TOKEN;
  const jobId = BigInt(subject);
  const wallet = facts.wallet < 0 ? undefined : accounts.wallet(facts.wallet);
  const worker = facts.worker < 0 ? undefined : accounts.worker(facts.worker);
  switch (kind) {
    case TX.buy:
      return [log("Escrow", "Bought", { wallet, payer: accounts.role("shop"), units })];
    case TX.withdraw:
      return [log("Escrow", "Withdrawn", { wallet, units })];
    case TX.lock:
      return [log("Escrow", "Locked", { jobId: BigInt(extra), wallet, units })];
    case TX.proof: {
      const proofHash = texts.posted(subject, extra === 1);
      const lastTokenAt = BigInt(epoch) * 1_000_000n + BigInt(sentAt);
      return [log("Escrow", "Proven", { jobId, worker, proofHash, lastTokenAt })];
    }
    case TX.settle:
      return [log("Escrow", "Settled", { jobId, worker, charge: units, returned: BigInt(extra), paid: facts.paid })];
    case TX.refund:
    case TX.giveBack:
      return [log("Escrow", "Refunded", { jobId, wallet, units })];
    case TX.dispute: {
      const arbitrationEnds = BigInt(epoch + Math.floor(sentAt / 1_000_000) + ARBITRATION_SECONDS);
      const opened = { jobId, worker, receivedHash: texts.received(subject), arbitrationEnds };
      return [log("Disputes", "DisputeOpened", opened)];
    }
    case TX.verdict: {
      const verdict = extra === 1 ? VERDICT.fraudulent : VERDICT.honest;
      const closed = log("Disputes", "DisputeClosed", { jobId, worker, verdict });
      return amount === 0 ? [closed] : [closed, log("Escrow", "Compensated", { jobId, wallet, units })];
    }
    case TX.slash:
      return [log("WorkerRegistry", "Slashed", { worker, jobId: BigInt(party), amount: tokens, left })];
    case TX.stake: {
      const staked = log("WorkerRegistry", "Staked", { worker, amount: tokens, total: left });
      const joined = { worker, kind: party === 1 ? KIND.native : KIND.browser };
      return facts.registers ? [log("WorkerRegistry", "WorkerRegistered", joined), staked] : [staked];
    }
    case TX.unstake:
      return [log("WorkerRegistry", "Unstaked", { worker, amount: tokens, left })];
  }
}
