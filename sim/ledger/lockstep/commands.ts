/**
 * Random commands to both chains: what to draw, and how a drawn command becomes a transaction. For tests.
 *
 * Each sequence has a little world of its own (two wallets, two workers, three jobs), so that many sequences run side by side on one chain without
 * touching each other: a block holds one command of each, and every balance is compared after it.
 */
import { type Block, TX } from "../transaction.ts";

/** Places are within the sequence's own world; amounts are drawn around the limits that the contract sets. */
export type Command =
  | { readonly do: "buy" | "withdraw"; readonly wallet: number; readonly units: number }
  | { readonly do: "lock"; readonly job: number; readonly wallet: number }
  | { readonly do: "prove"; readonly job: number; readonly worker: number; readonly honest: boolean }
  | { readonly do: "settle"; readonly job: number; readonly worker: number; readonly percent: number }
  | { readonly do: "refund" | "giveBack" | "dispute"; readonly job: number }
  | { readonly do: "verdict"; readonly job: number; readonly fraudulent: boolean; readonly percent: number }
  | { readonly do: "slash"; readonly job: number; readonly worker: number; readonly tokens: number }
  | { readonly do: "stake"; readonly worker: number; readonly native: boolean; readonly tokens: number }
  | { readonly do: "unstake"; readonly worker: number; readonly tokens: number };

export const WALLETS = 2;
export const WORKERS = 2;
export const JOBS = 3;

/** What a job's lock holds, whoever locks it. */
export const JOB_UNITS: readonly number[] = [2, 40, 130];

/** One sequence's world, `index` of many. */
export class LittleWorld {
  readonly #index: number;
  constructor(index: number) {
    this.#index = index;
  }

  /** Adds the command to the block, as transaction number `tx`. */
  add(block: Block, tx: number, command: Command): void {
    const wallet = (place: number): number => this.#index * WALLETS + place;
    const worker = (place: number): number => this.#index * WORKERS + place;
    const job = (place: number): number => this.#index * JOBS + place;
    switch (command.do) {
      case "buy":
      case "withdraw":
        block.add(tx, TX[command.do], wallet(command.wallet), 0, command.units, 0);
        return;
      case "lock":
        // A job's number never changes here, so that a second lock is refused by both chains.
        block.add(tx, TX.lock, job(command.job), wallet(command.wallet), JOB_UNITS[command.job]!, job(command.job));
        return;
      case "prove":
        block.add(tx, TX.proof, job(command.job), worker(command.worker), 0, command.honest ? 1 : 0);
        return;
      case "settle": {
        const units = JOB_UNITS[command.job]!;
        const charge = Math.ceil((units * command.percent) / 100);
        const returned = Math.max(0, units - charge);
        block.add(tx, TX.settle, job(command.job), worker(command.worker), charge, returned);
        return;
      }
      case "refund":
      case "giveBack":
        block.add(tx, TX[command.do], job(command.job), 0, JOB_UNITS[command.job]!, 0);
        return;
      case "dispute":
        block.add(tx, TX.dispute, job(command.job), 0, 0, 0);
        return;
      case "verdict": {
        const units = Math.ceil((JOB_UNITS[command.job]! * command.percent) / 100);
        block.add(tx, TX.verdict, job(command.job), 0, units, command.fraudulent ? 1 : 0);
        return;
      }
      case "slash":
        block.add(tx, TX.slash, worker(command.worker), job(command.job), command.tokens, 0);
        return;
      case "stake":
        block.add(tx, TX.stake, worker(command.worker), command.native ? 1 : 0, command.tokens, 0);
        return;
      case "unstake":
        block.add(tx, TX.unstake, worker(command.worker), 0, command.tokens, 0);
    }
  }
}
