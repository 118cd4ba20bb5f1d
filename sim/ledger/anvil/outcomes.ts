/**
 * Why the contracts refuse a transaction, in the words of the ledger.
 */
import { type Abi, decodeErrorResult, type Hex, toFunctionSelector } from "viem";
import { type Outcome, REVERT, TX, type TxKind } from "../transaction.ts";
import { artifact } from "./artifacts.ts";
import { wordAt } from "./calldata.ts";

type AbiError = Extract<Abi[number], { readonly type: "error" }>;

/** Of `Escrow.State`. */
const LOCKED = 1n;

/** Selector and arguments of an error: 4 bytes, then a word for each. */
type Reading = Outcome | ((kind: TxKind, argument: (place: number) => bigint) => Outcome);

const READINGS: Readonly<Record<string, Reading>> = {
  InsufficientUnits: REVERT.insufficient,
  ZeroUnits: REVERT.insufficient,
  NotEnoughStake: REVERT.insufficient,
  PurchaseTooSmall: REVERT.belowMinimum,
  StakeTooLow: REVERT.belowMinimum,
  JobExists: REVERT.lockExists,
  WrongState: (kind, argument) => {
    if (kind === TX.verdict) return REVERT.exceedsLock;
    return kind === TX.settle && argument(1) === LOCKED ? REVERT.notProven : REVERT.lockNotHeld;
  },
  MoreThanJobHolds: REVERT.exceedsLock,
  AlreadyProven: REVERT.alreadyProven,
  NotTheProver: REVERT.unknownParty,
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

/** One call within a transaction, as `trace_block` tells of it; the outermost has no address. */
export interface Trace {
  readonly transactionHash: Hex;
  readonly traceAddress: readonly number[];
  readonly error?: string;
  readonly result?: { readonly output?: Hex };
}

/** @returns one of `REVERT`, or in words what nobody who plays by the rules can meet */
export function reading(kind: TxKind, { error = "no reason", result }: Trace): Outcome | string {
  const output = result?.output ?? "0x";
  if (output === "0x") return /gas/i.test(error) ? REVERT.outOfGas : error;
  const known = errors().get(output.slice(0, 10));
  const found = known === undefined ? undefined : READINGS[known.name];
  if (found === undefined) return words(known, output);
  return typeof found === "function" ? found(kind, (place) => wordAt(`0x${output.slice(10)}`, place)) : found;
}

let bySelector: ReadonlyMap<string, AbiError> | undefined;

/** Every error of every contract, by the four bytes that name it. */
function errors(): ReadonlyMap<string, AbiError> {
  bySelector ??= new Map(
    (["Escrow", "Disputes", "WorkerRegistry", "Stablecoin", "GovernanceToken"] as const)
      .flatMap((name) => artifact(name).abi.filter((item) => item.type === "error"))
      .map((error) => [toFunctionSelector(`${error.name}(${error.inputs.map(({ type }) => type).join(",")})`), error]),
  );
  return bySelector;
}

/** Without an error of ours it is the compiler's: `Panic(17)` for an overflow, `Error(text)`. */
function words(known: AbiError | undefined, data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: known === undefined ? [] : [known], data });
    return `${errorName}(${((args ?? []) as readonly unknown[]).join(", ")})`;
  } catch {
    return `an error that nobody declares: ${data.slice(0, 138)}`;
  }
}
