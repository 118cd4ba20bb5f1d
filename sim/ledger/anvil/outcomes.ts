/**
 * Why the contracts refuse a transaction, in the words of the ledger.
 */
import { type Abi, decodeErrorResult, type Hex } from "viem";
import { type Outcome, REVERT, TX, type TxKind } from "../transaction.ts";
import { artifact } from "./artifacts.ts";

/** States of `Escrow.State`. */
const LOCKED = 1;

type Reading = Outcome | ((kind: TxKind, args: readonly unknown[]) => Outcome);

const READINGS: Readonly<Record<string, Reading>> = {
  InsufficientUnits: REVERT.insufficient,
  ZeroUnits: REVERT.insufficient,
  NotEnoughStake: REVERT.insufficient,
  PurchaseTooSmall: REVERT.belowMinimum,
  StakeTooLow: REVERT.belowMinimum,
  JobExists: REVERT.lockExists,
  WrongState: (kind, [, state]) => {
    if (kind === TX.verdict) return REVERT.exceedsLock;
    return kind === TX.settle && state === LOCKED ? REVERT.notProven : REVERT.lockNotHeld;
  },
  MoreThanJobHolds: REVERT.exceedsLock,
  AlreadyProven: REVERT.alreadyProven,
  NotAWorker: REVERT.unknownParty,
  UnknownWorker: REVERT.unknownParty,
  KindIsFixed: REVERT.kindIsFixed,
  UnderDispute: REVERT.underDispute,
  NotProven: REVERT.notProven,
  AlreadyDisputed: REVERT.alreadyDisputed,
  WindowExpired: REVERT.windowExpired,
  HashesEqual: REVERT.hashesEqual,
  NotOpen: REVERT.notUnderArbitration,
  NothingToSlash: REVERT.nothingToSlash,
};

let errors: Abi | undefined;

/** What a node tells of one call; `callTracer` of `debug_traceTransaction`. */
export interface Trace {
  readonly output?: Hex;
  readonly error?: string;
}

/** @returns one of `REVERT`, or in words what nobody who plays by the rules can meet */
export function reading(kind: TxKind, trace: Trace): Outcome | string {
  const { output = "0x", error = "no reason" } = trace;
  if (output === "0x") return /gas/i.test(error) ? REVERT.outOfGas : error;
  errors ??= (["Escrow", "Disputes", "WorkerRegistry", "Stablecoin", "GovernanceToken"] as const).flatMap((name) =>
    artifact(name).abi.filter(({ type }) => type === "error"),
  );
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data: output });
    const found = READINGS[errorName];
    if (found === undefined) return `${errorName}(${(args ?? []).join(", ")})`;
    return typeof found === "function" ? found(kind, args ?? []) : found;
  } catch {
    return `${error} (${output.slice(0, 138)})`;
  }
}
