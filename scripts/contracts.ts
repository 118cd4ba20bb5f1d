/**
 * Compiles the Solidity sources into `fixtures/artifacts`, one file a contract: `npm run contracts`, or with `--check` compares what is there.
 *
 * Compiler (solc as WebAssembly) and OpenZeppelin are pinned by the lock file, sources are named by paths within the project and the metadata
 * trailer is left out, so every machine makes the same bytes.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import solc from "solc";

const root = fileURLToPath(new URL("..", import.meta.url));
const SOURCES = "sim/ledger/contracts";
const ARTIFACTS = "fixtures/artifacts";

const SETTINGS = {
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

/**
 * Compiles every contract of the project.
 *
 * @returns file name to text, as it is to stand in `fixtures/artifacts`
 * @throws Error with the compiler's own words where a source has an error or a warning
 */
export function compile(): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  const names = readdirSync(join(root, SOURCES))
    .filter((name) => name.endsWith(".sol"))
    .sort();
  const sources: Record<string, { content: string }> = {};
  for (const name of names) sources[`${SOURCES}/${name}`] = { content: load(`${SOURCES}/${name}`, read) };
  const input = { language: "Solidity", sources, settings: SETTINGS };
  const output: CompilerOutput = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (path: string) => ({ contents: load(path, read) }) }),
  );
  const complaints = (output.errors ?? []).filter((error) => !EXPECTED.includes(error.errorCode));
  if (complaints.length > 0) throw new Error(complaints.map((error) => error.formattedMessage).join("\n"));

  const hash = createHash("sha256").update(JSON.stringify(SETTINGS));
  for (const [path, text] of [...read].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(JSON.stringify([path, text]));
  const sourceHash = hash.digest("hex");
  return new Map(
    names.map((name) => {
      const contractName = name.slice(0, -".sol".length);
      const sourceName = `${SOURCES}/${name}`;
      const { abi, evm } = output.contracts[sourceName]![contractName]!;
      const artifact: Artifact = {
        contractName,
        sourceName,
        compiler: solc.version(),
        evmVersion: SETTINGS.evmVersion,
        optimizerRuns: SETTINGS.optimizer.runs,
        sourceHash,
        abi,
        bytecode: `0x${evm.bytecode.object}`,
      };
      return [`${contractName}.json`, `${JSON.stringify(artifact, null, 1)}\n`];
    }),
  );
}

/** Files of `fixtures/artifacts` that are missing, stray or not what the sources give. */
export function stale(): readonly string[] {
  const fresh = compile();
  const present = readdirSync(join(root, ARTIFACTS)).filter((name) => name.endsWith(".json"));
  const changed = [...fresh].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(root, ARTIFACTS, name), "utf8") !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !fresh.has(name))];
}

function load(path: string, read: Map<string, string>): string {
  const file = path.startsWith("@") ? createRequire(import.meta.url).resolve(path) : join(root, path);
  const text = readFileSync(file, "utf8");
  read.set(path, text);
  return text;
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
  for (const [name, text] of compile()) writeFileSync(join(root, ARTIFACTS, name), text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) main(process.argv.includes("--check"));
