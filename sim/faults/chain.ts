/**
 * What can go wrong with the settlement chain, and when: a plan, and the chain port's answers that follow from it.
 *
 * Everything is decided at the port, by virtual time and named dice, so that a run in memory and one on contracts meet the same troubles.
 */
import { invariant, SECOND, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import type { ChainPort, ChainTrouble, Fate } from "../ledger/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { FAULT } from "../trace/kinds.ts";

/** Between two times, microseconds: from the first up to, and not with, the second. */
interface Span {
  readonly from: number;
  readonly to: number;
}

export type ChainFault =
  /** Blocks come at multiples of another block time, a multiple of the chain's own. */
  | ({ readonly kind: "slow"; readonly blockTime: number } & Span)
  /** No block is sealed. */
  | ({ readonly kind: "stalled" } & Span)
  /** Of the gateway's transactions that many in a million are lost on their way, stand behind one with a higher fee, or run out of gas. */
  | ({ readonly kind: "dropped" | "replaced" | "reverted"; readonly chance: number } & Span)
  /** Blocks that were sealed less than `depth` block times ago are undone. */
  | { readonly kind: "reorganised"; readonly at: number; readonly depth: number }
  /** The gateway's node answers with errors, or not at all: nothing is sent and no block is heard of until it is tried again after that. */
  | ({ readonly kind: "rpc"; readonly how: "errors" | "hangs" } & Span);

export interface ChainFaultPlan {
  readonly faults: readonly ChainFault[];
  /** Microseconds until the gateway sends again what was lost. */
  readonly resendAfter: number;
}

/** Chances are counted in millionths. */
const MILLION = 1_000_000;
/** How long the gateway waits before it asks a node again that answers with an error, and one that does not answer. */
const TRY_AGAIN = { errors: SECOND, hangs: 10 * SECOND };

const NUMBERS: Readonly<Record<ChainFault["kind"], number>> = {
  slow: FAULT.slowBlocks,
  stalled: FAULT.stalledChain,
  dropped: FAULT.droppedTransactions,
  replaced: FAULT.replacedTransactions,
  reverted: FAULT.revertedTransactions,
  reorganised: FAULT.reorganisation,
  rpc: FAULT.rpcErrors,
};

const numberOf = (fault: ChainFault): number =>
  fault.kind === "rpc" && fault.how === "hangs" ? FAULT.rpcHangs : NUMBERS[fault.kind];

export class ChainFaults implements ChainTrouble {
  readonly resendAfter: number;
  readonly #blockTime: number;
  readonly #faults: readonly ChainFault[];
  readonly #dice: Stream;

  /** @param blockTime of the chain when all is well, microseconds */
  constructor(plan: ChainFaultPlan, blockTime: number, seed: string | number) {
    const { faults, resendAfter } = plan;
    this.#faults = faults;
    this.#blockTime = blockTime;
    this.resendAfter = resendAfter;
    this.#dice = stream(seed, "chain", "faults");
    for (const fault of faults) {
      invariant(
        fault.kind !== "slow" || fault.blockTime % blockTime === 0,
        "slow blocks keep to the chain's boundaries",
      );
    }
  }

  /** Begins and ends the faults as their times come. */
  start(kernel: Kernel, port: ChainPort, trace: Trace<WorldKinds>): void {
    const begin = kernel.handler((index) => {
      const fault = this.#faults[index]!;
      trace.emit(KIND["fault.began"], numberOf(fault), index);
      if (fault.kind !== "reorganised") return;
      const blocks = port.reorganise(fault.depth);
      trace.emit(KIND["chain.reorganised"], port.height, blocks);
      trace.emit(KIND["fault.ended"], numberOf(fault), index);
    });
    const end = kernel.handler((index) => trace.emit(KIND["fault.ended"], numberOf(this.#faults[index]!), index));
    for (const [index, fault] of this.#faults.entries()) {
      kernel.at(fault.kind === "reorganised" ? fault.at : fault.from, begin, index);
      if (fault.kind !== "reorganised") kernel.at(fault.to, end, index);
    }
  }

  boundary(time: number): number {
    const slow = this.#faults.find((fault) => fault.kind === "slow" && covers(fault, time));
    const step = slow?.kind === "slow" ? slow.blockTime : this.#blockTime;
    let next = step === 0 ? time : (Math.floor(time / step) + 1) * step;
    // One stall may end in another.
    for (let stall = this.#stall(next); stall !== undefined; stall = this.#stall(next)) {
      next = this.#blockTime === 0 ? stall.to : Math.ceil(stall.to / this.#blockTime) * this.#blockTime;
    }
    return next;
  }

  fate(time: number): Fate {
    for (const fault of this.#faults) {
      if (fault.kind !== "dropped" && fault.kind !== "replaced" && fault.kind !== "reverted") continue;
      if (!covers(fault, time) || this.#dice.below(MILLION) >= fault.chance) continue;
      return fault.kind === "reverted" ? "starved" : fault.kind;
    }
    return "none";
  }

  takes(time: number): number {
    let at = time;
    for (let outage = this.#outage(at); outage !== undefined; outage = this.#outage(at)) {
      at += TRY_AGAIN[outage.how];
    }
    return at;
  }

  /** It looks for blocks as often as it tries to send. */
  hears(time: number): number {
    return this.takes(time);
  }

  revocable(time: number): boolean {
    return this.#faults.some((fault) => {
      return fault.kind === "reorganised" && fault.at - fault.depth * this.#blockTime < time && time <= fault.at;
    });
  }

  #stall(time: number) {
    return this.#faults.find((fault) => fault.kind === "stalled" && covers(fault, time)) as Span | undefined;
  }

  #outage(time: number) {
    return this.#faults.find((fault) => fault.kind === "rpc" && covers(fault, time)) as
      | Extract<ChainFault, { readonly kind: "rpc" }>
      | undefined;
  }
}

const covers = ({ from, to }: Span, time: number): boolean => from <= time && time < to;
