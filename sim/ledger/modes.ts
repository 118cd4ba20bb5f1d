/**
 * The three ways to keep the settlement chain: in memory, as contracts on Anvil, or both in step.
 *
 * Anvil's side is loaded when asked for; a run in memory pays nothing for it.
 */
import type { TextHashes } from "./anvil/index.ts";
import { type Chain, MemoryChain } from "./chain.ts";
import type { EscrowRules } from "./ledger.ts";

export const CHAIN_MODES = ["memory", "anvil", "lockstep"] as const;

export type ChainMode = (typeof CHAIN_MODES)[number];

/** Start of a run on the chain where nobody says otherwise: 2026-06-01, Unix seconds. */
export const CHAIN_EPOCH = Date.UTC(2026, 5, 1) / 1_000;

export interface ChainOptions {
  readonly seed: string | number;
  readonly rules: EscrowRules;
  /** Unix seconds of the start of the run; `CHAIN_EPOCH` unless told. */
  readonly epoch?: number | undefined;
  /** Address of an Anvil that runs already; one is started unless told. */
  readonly rpc?: string | undefined;
  /** Milliseconds that Anvil may take to answer; 30,000 unless told. */
  readonly timeout?: number | undefined;
  /** Hashes of texts that go on the chain, where somebody knows them. */
  readonly texts?: TextHashes | undefined;
  /** Blocks whose transactions Anvil keeps for whoever asks; all unless told. */
  readonly keep?: number | undefined;
  /** A command that repeats the run, for the message about a difference. */
  readonly replay?: string | undefined;
}

export interface OpenChain {
  readonly behind: Chain;
  /** What only the end of a run can show: every account of both chains once more. Throws LockstepDifference. */
  finish(): Promise<void>;
  /** Ends what was started. Call it whatever happens. */
  close(): Promise<void>;
}

/** @throws ChainError where Anvil does not come up or does not answer */
export async function openChain(mode: ChainMode, options: ChainOptions): Promise<OpenChain> {
  const nothing = async (): Promise<void> => {};
  if (mode === "memory") return { behind: new MemoryChain(options.rules), finish: nothing, close: nothing };
  const { AnvilChain } = await import("./anvil/index.ts");
  const { seed, rules, epoch = CHAIN_EPOCH, rpc, timeout, texts, keep, replay } = options;
  const contracts = await AnvilChain.open({ seed, epoch, rpc, timeout, texts, keep });
  const close = (): Promise<void> => contracts.close();
  if (mode === "anvil") return { behind: contracts, finish: nothing, close };
  const { LockstepChain } = await import("./lockstep/index.ts");
  const behind = new LockstepChain(new MemoryChain(rules), contracts, replay);
  return { behind, finish: () => behind.compareAll(), close };
}
