/**
 * What the chain port asks of whoever plans a chain's troubles, and what it tells of them.
 *
 * Trouble is made at the port, the same for every chain behind it: the memory chain and the contracts are given the same blocks. Only what a
 * chain must do itself (let a transaction run out of gas, put one in another's place, undo blocks) is asked of the chain.
 */
import { type Block, TX, type TxKind } from "./transaction.ts";

/** What befalls a transaction of the gateway on its way. */
export type Fate = "none" | "dropped" | "replaced" | "starved";

export interface ChainTrouble {
  /** Whether a block that is sealed at that time may be undone later. */
  revocable(time: number): boolean;
  /** Microseconds until the gateway sends a lost transaction again. */
  readonly resendAfter: number;
  /** The next block boundary after that time. */
  boundary(time: number): number;
  /** Of a transaction that the gateway sends now. */
  fate(time: number, kind: TxKind): Fate;
  /** When the gateway's node takes what is offered to it at that time. */
  takes(time: number): number;
  /** When the gateway hears of a block that is sealed at that time. */
  hears(time: number): number;
}

/** Reads what the port tells, in order. */
export interface ChainReader {
  sealed(block: Block): void;
  /** The block has been undone, the newest of several first. Its transactions are going to be sealed again with the same outcomes. */
  undone(block: Block): void;
  /** The block was revocable, and cannot be undone any more. */
  final(block: Block): void;
  /** `tx` stands in the place of `lost`, which is not going to be in any block. */
  resent(tx: number, lost: number, kind: TxKind, subject: number): void;
}

/** Kinds that the gateway sends, from one account: nonces hold back whatever comes after one that is lost. */
const GATEWAYS: ReadonlySet<TxKind> = new Set([TX.lock, TX.proof, TX.settle, TX.refund, TX.giveBack, TX.dispute]);

export const isGateways = (kind: TxKind): boolean => GATEWAYS.has(kind);
