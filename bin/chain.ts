/** Options that say on what chain a command runs. */
import type { Argv } from "yargs";
import { AssayError } from "../sim/core/index.ts";
import { CHAIN_MODES, type ChainMode } from "../sim/ledger/index.ts";

export interface ChainFlags {
  readonly chain?: ChainMode | undefined;
  readonly rpc?: string | undefined;
}

export function chainFlags<T>(yargs: Argv<T>) {
  return yargs
    .option("chain", {
      choices: CHAIN_MODES,
      default: "memory" as const,
      describe:
        "what settles: books in memory, the contracts on Anvil, or both with all receipts and balances compared",
    })
    .option("rpc", {
      type: "string",
      requiresArg: true,
      describe: "an Anvil that runs already, for --chain anvil and lockstep; one is started without it",
    });
}

/**
 * What the parser cannot say: an address is of use to a real chain only, and must be one.
 *
 * @throws AssayError
 */
export function checkedChain({ chain = "memory", rpc }: ChainFlags): { mode: ChainMode; rpc: string | undefined } {
  const wrong = (what: string, expected: string): AssayError =>
    new AssayError({ what, where: "--rpc", seen: rpc, expected });
  if (rpc === undefined) return { mode: chain, rpc };
  if (!/^https?:\/\/./.test(rpc) || !URL.canParse(rpc)) {
    throw wrong("This is no address of a node.", "an address such as http://127.0.0.1:8545");
  }
  if (chain === "memory")
    throw wrong("The chain in memory has no address.", "--chain anvil or --chain lockstep with it");
  return { mode: chain, rpc };
}

/** A command line to paste: options that are not given are left out. */
export function commandLine(words: readonly string[], options: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
  return [...words, ...given].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
