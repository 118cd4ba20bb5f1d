/**
 * `npm run forge`: the contracts' own tests (`sim/ledger/contracts/tests`) by Forge, invariants under random calls among them. `-- --runs 1000`
 * looks harder.
 *
 * Forge takes the compiler that made the artefacts, from npm, and works in a folder of its own that is gone afterwards; nothing is downloaded. The
 * optimiser is left out, which is most of a compiler's time: what the artefacts do is what lockstep tries.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SETTINGS } from "./contracts.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const CONTRACTS = join(root, "sim/ledger/contracts");

/** Texts of files of the contracts, and what stands there instead. */
export type Mutant = readonly (readonly [file: string, from: string, to: string])[];

export interface ForgeOptions {
  /** Random sequences for each invariant, and calls in each. */
  readonly runs?: number | undefined;
  readonly depth?: number | undefined;
  /** Further copies of the contracts, by name, each with a text of one file replaced: defects that the tests must find. */
  readonly mutants?: Readonly<Record<string, Mutant>> | undefined;
}

export interface ForgeResult {
  /** The contracts of the project, or the mutant's name. */
  readonly of: string;
  readonly contract: string;
  readonly test: string;
  readonly passed: boolean;
  /** Why not. */
  readonly reason: string | undefined;
  /** Calls made by an invariant, and how many of them the contracts refused. */
  readonly calls: number | undefined;
  readonly reverts: number | undefined;
}

/** Forge's name for the honest contracts. */
export const HONEST = "honest";

/**
 * Runs all tests on the contracts and on each mutant.
 *
 * @throws Error with Forge's own words where it cannot compile
 */
export async function forgeTests({ runs = 32, depth = 150, mutants = {} }: ForgeOptions = {}): Promise<ForgeResult[]> {
  const project = mkdtempSync(join(tmpdir(), "assay-forge-"));
  try {
    const copies: readonly (readonly [string, Mutant | undefined])[] = [
      [HONEST, undefined],
      ...Object.entries(mutants),
    ];
    for (const [name, mutant] of copies) {
      const folder = join(project, "contracts", name);
      mkdirSync(folder, { recursive: true });
      cpSync(CONTRACTS, folder, { recursive: true });
      for (const [file, from, to] of mutant ?? []) {
        const text = readFileSync(join(folder, file), "utf8");
        if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
        writeFileSync(join(folder, file), text.replace(from, to));
      }
    }
    writeFileSync(join(project, "foundry.toml"), settings(runs, depth));
    return parse(await forge(project));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

function settings(runs: number, depth: number): string {
  const packages = dirname(dirname(createRequire(import.meta.url).resolve("@openzeppelin/contracts/package.json")));
  return `[profile.default]
src = "contracts"
test = "contracts"
out = "out"
libs = []
remappings = ["@openzeppelin/=${packages}/"]
allow_paths = ["${packages}"]
solc = "${join(root, "scripts/solc.mjs")}"
offline = true
evm_version = "${SETTINGS.evmVersion}"
optimizer = false
[fuzz]
seed = "0x4"
[invariant]
runs = ${runs}
depth = ${depth}
fail_on_revert = false
`;
}

/** What Forge prints, which is JSON. */
async function forge(project: string): Promise<string> {
  const binary = join(dirname(createRequire(import.meta.url).resolve("@foundry-rs/forge/package.json")), "bin.mjs");
  const child = spawn(process.execPath, [binary, "test", "--json", "--threads", "1"], {
    cwd: project,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FOUNDRY_DISABLE_NIGHTLY_WARNING: "1" },
  });
  let printed = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints += text;
  });
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
  if (!printed.trimStart().startsWith("{"))
    throw new Error(`Forge made nothing of the contracts:\n${printed}${complaints}`);
  return printed;
}

interface Suite {
  readonly test_results: Record<
    string,
    {
      readonly status: string;
      readonly reason: string | null;
      readonly kind: { readonly Invariant?: { readonly calls: number; readonly reverts: number } };
    }
  >;
}

function parse(printed: string): ForgeResult[] {
  const suites: Record<string, Suite> = JSON.parse(printed);
  return Object.entries(suites).flatMap(([name, suite]) => {
    const [, of, contract] = /^contracts\/([^/]+)\/.*:(\w+)$/.exec(name)!;
    return Object.entries(suite.test_results).map(([test, { status, reason, kind }]) => ({
      of: of!,
      contract: contract!,
      test: test.replace("()", ""),
      passed: status === "Success",
      reason: reason ?? undefined,
      calls: kind.Invariant?.calls,
      reverts: kind.Invariant?.reverts,
    }));
  });
}

async function main(words: readonly string[]): Promise<void> {
  const runs = words[0] === "--runs" ? Number(words[1]) : undefined;
  for (const { contract, test, passed, reason, calls, reverts } of await forgeTests({ runs })) {
    const tried =
      calls === undefined ? "" : `  ${calls.toLocaleString("en")} calls, ${reverts!.toLocaleString("en")} refused`;
    console.log(
      `${passed ? "held  " : "BROKEN"}  ${`${contract}.${test}`.padEnd(48)}${tried}${passed ? "" : `\n        ${reason}`}`,
    );
    if (!passed) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
