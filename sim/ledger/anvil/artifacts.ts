/**
 * The compiled contracts of `fixtures/artifacts`.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Abi, Hex } from "viem";
import { ChainError } from "./error.ts";

export type ContractName = "Stablecoin" | "GovernanceToken" | "WorkerRegistry" | "Escrow" | "Disputes" | "Lens";

export interface Compiled {
  readonly abi: Abi;
  /** Creation code. */
  readonly bytecode: Hex;
}

const read = new Map<ContractName, Compiled>();

/** @throws ChainError where the package lacks its artefacts */
export function artifact(name: ContractName): Compiled {
  let found = read.get(name);
  if (found === undefined) {
    const { abi, bytecode } = JSON.parse(readFileSync(join(folder(), `${name}.json`), "utf8"));
    found = { abi, bytecode };
    read.set(name, found);
  }
  return found;
}

/** The package is found by its artefacts, from the sources as from what was built of them. */
function folder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (let up = here; up !== dirname(up); up = dirname(up)) {
    const candidate = join(up, "fixtures", "artifacts");
    if (existsSync(join(candidate, "Escrow.json"))) return candidate;
  }
  throw new ChainError({
    what: "The compiled contracts are missing.",
    where: here,
    expected: "fixtures/artifacts/Escrow.json in a folder above",
    hint: "npm run contracts",
  });
}
