/**
 * Compiles the Solidity sources into `fixtures/artifacts`, one file a contract: `npm run contracts`, or with `--check` compares what is there.
 *
 * Compiler (solc as WebAssembly) and OpenZeppelin are pinned by the lock file, sources are named by paths within the project and the metadata
 * trailer is left out, so every machine makes the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import solc from "solc";

const root = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = "sim/ledger/contracts";
const ARTIFACTS = "fixtures/artifacts";

export const SETTINGS = {
  // The one named in the artefacts; Anvil runs it by default. Transient storage (the reentrancy guard) came with Cancun.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { appendCBOR: false, bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
} as const;

/** 2394: transient storage may outlive a call. OpenZeppelin's reentrancy guard clears it, which the warning itself calls safe. */
const EXPECTED = ["2394"];

/** One file of `fixtures/artifacts`. */
export interface Artifact {
  readonly contractName: string;
  readonly sourceName: string;
  /** solc's full version. */
  readonly compiler: string;
  readonly evmVersion: string;
  readonly optimizerRuns: number;
  /** SHA-256 over every source that went in, the imported ones too, and the settings. */
  readonly sourceHash: string;
  readonly abi: readonly unknown[];
  /** Creation code, 0x and hex digits. */
  readonly bytecode: string;
}

interface CompilerOutput {
  readonly errors?: readonly { readonly errorCode: string; readonly formattedMessage: string }[];
  readonly contracts: Record<
    string,
    Record<
      string,
      { readonly abi: readonly unknown[]; readonly evm: { readonly bytecode: { readonly object: string } } }
    >
  >;
}

/** Solidity texts by the path that they are known by within the project. */
export type Sources = ReadonlyMap<string, string>;

/** The project's own sources. */
export function ownSources(): Sources {
  const names = readdirSync(join(root, SOURCES)).filter((name) => name.endsWith(".sol"));
  return new Map(names.sort().map((name) => [`${SOURCES}/${name}`, readFileSync(join(root, SOURCES, name), "utf8")]));
}

/**
 * Compiles each source's contract of the source's name.
 *
 * @param optimise artefacts are; a test that plants a defect can do without, in half of the time
 * @throws Error with the compiler's own words where a source has an error or a warning
 */
export function compile(sources: Sources = ownSources(), optimise = true): readonly Artifact[] {
  const read = new Map(sources);
  const load = (path: string): string => {
    const text = readFileSync(path.startsWith("@") ? createRequire(import.meta.url).resolve(path) : join(root, path));
    read.set(path, text.toString("utf8"));
    return text.toString("utf8");
  };
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([...sources].map(([path, content]) => [path, { content }])),
    settings: optimise ? SETTINGS : { ...SETTINGS, optimizer: { enabled: false } },
  };
  const output: CompilerOutput = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path: string) => ({ contents: load(path) }) }),
  );
  const complaints = (output.errors ?? []).filter((error) => !EXPECTED.includes(error.errorCode));
  if (complaints.length > 0) throw new Error(complaints.map((error) => error.formattedMessage).join("\n"));

  const hash = createHash("sha256").update(JSON.stringify(SETTINGS));
  for (const [path, text] of [...read].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(JSON.stringify([path, text]));
  const sourceHash = hash.digest("hex");
  return [...sources.keys()].map((sourceName) => {
    const contractName = basename(sourceName, ".sol");
    const { abi, evm } = output.contracts[sourceName]![contractName]!;
    return {
      contractName,
      sourceName,
      compiler: solc.version(),
      evmVersion: SETTINGS.evmVersion,
      optimizerRuns: SETTINGS.optimizer.runs,
      sourceHash,
      abi,
      bytecode: `0x${evm.bytecode.object}`,
    };
  });
}

/** File name to text, as it is to stand in `fixtures/artifacts`. */
function files(): ReadonlyMap<string, string> {
  return new Map(
    compile().map((artifact) => [`${artifact.contractName}.json`, `${JSON.stringify(artifact, null, 1)}\n`]),
  );
}

/** Files of `fixtures/artifacts` that are missing, stray or not what the sources give. */
export function stale(): readonly string[] {
  const fresh = files();
  const present = readdirSync(join(root, ARTIFACTS)).filter((name) => name.endsWith(".json"));
  const changed = [...fresh].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(root, ARTIFACTS, name), "utf8") !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !fresh.has(name))];
}

function main(check: boolean): void {
  if (check) {
    const names = stale();
    if (names.length === 0) return;
    process.stderr.write(`${ARTIFACTS} is not what the sources give: ${names.join(", ")}\n  try  npm run contracts\n`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(join(root, ARTIFACTS), { recursive: true });
  for (const [name, text] of files()) writeFileSync(join(root, ARTIFACTS, name), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.includes("--check"));
