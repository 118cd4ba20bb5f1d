/**
 * The house rules that a compiler does not know: which way imports run, one door a package, banned calls with their replacement,
 * and the size of a file that one can still read.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const ROOMS = ["bin", "sim", "conformance", "fixtures", "reports", "scripts", "tests"];

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesUnder(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?:[^"';]*?\sfrom\s)?["']([^"']+)["']|import\(\s*["']([^"']+)["']\s*\)/g;

const sourceOf = (path: string, text: string): Source => ({
  path,
  text,
  imports: [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? ""),
});

const sources: readonly Source[] = ROOMS.flatMap(filesUnder).map((path) =>
  sourceOf(path, readFileSync(join(root, path), "utf8")),
);

const isTest = (path: string): boolean => /\.(test|bench)\.ts$/.test(path) || path.startsWith("tests/");
const resolve = (from: string, specifier: string): string =>
  specifier.startsWith(".") ? normalize(join(dirname(from), specifier)) : specifier;
const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** A room may import only from what stands on its right. The first row whose prefix fits a file speaks for it. */
const ARROWS: readonly (readonly [room: string, mayImport: readonly string[]])[] = [
  ["fixtures/", ["fixtures/"]],
  ["sim/core/", ["sim/core/"]],
  ["sim/kernel/", ["sim/kernel/", "sim/core/"]],
  ["sim/trace/", ["sim/trace/", "sim/core/"]],
  ["sim/network/", ["sim/network/", "sim/core/"]],
  ["sim/checkers/", ["sim/checkers/", "sim/trace/", "sim/core/", "fixtures/protocol/"]],
  ["sim/metrics/", ["sim/metrics/", "sim/trace/", "sim/core/", "fixtures/protocol/"]],
  ["sim/", ["sim/", "fixtures/"]],
  ["conformance/", ["conformance/", "fixtures/"]],
  ["reports/", ["reports/", "conformance/", "sim/", "fixtures/"]],
  ["scripts/alien.ts", ["tests/judge/"]],
  ["scripts/", ["scripts/", "sim/", "conformance/", "fixtures/", "reports/", "bin/"]],
  ["bin/", ["bin/", "sim/", "conformance/", "fixtures/", "reports/"]],
];

/** Each third-party package comes in by one door; tests may use what they test with. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "@vitest/runner": ["conformance/harness/vitest-adapter.ts"],
  seedrandom: ["sim/core/stream.ts", "conformance/harness/random.ts"],
  chalk: ["reports/palette.ts"],
  yargs: ["bin/"],
  yaml: ["sim/scenario/", "conformance/target/", "scripts/"],
  viem: ["sim/ledger/anvil/", "conformance/chain/"],
  piscina: ["bin/score/", "bin/study/", "bin/fuzz/", "bin/commands/verify.ts"],
  bullmq: ["bin/study/queue/"],
  "hyparquet-writer": ["bin/study/"],
  jstat: ["sim/study/distributions.ts"],
  xmlbuilder2: ["reports/ci/junit.ts"],
  solc: ["scripts/contracts.ts"],
  esbuild: ["reports/page/assets.ts"],
  "@observablehq/plot": ["reports/charts/plot.ts"],
  "happy-dom": ["reports/charts/plot.ts"],
  selfsigned: ["conformance/receiver/certificate.ts"],
};

interface Ban {
  readonly call: RegExp;
  readonly within: string;
  readonly instead: string;
  readonly except?: readonly string[];
}

const BANS: readonly Ban[] = [
  {
    call: /Date\.now\(|new Date\(\)/,
    within: "sim/",
    instead: "the kernel's now",
    except: ["sim/server/wall-clock.ts"],
  },
  {
    call: /performance\.now\(|process\.hrtime/,
    within: "sim/",
    instead: "the kernel's now",
    except: ["sim/server/wall-clock.ts"],
  },
  { call: /Math\.random\(/, within: "sim/", instead: "a named stream" },
  { call: /Math\.random\(/, within: "conformance/", instead: "the run's seeded random" },
  { call: /Math\.(log|log2|log10|exp|pow|sin|cos|tan|cbrt|hypot)\(/, within: "sim/", instead: "core's ln, exp, pow" },
  {
    call: /\bset(Timeout|Interval)\(/,
    within: "sim/",
    instead: "a kernel timer",
    except: ["sim/server/", "sim/ledger/anvil/"],
  },
  { call: /\bconsole\.(log|error|warn)\(/, within: "sim/", instead: "a trace event or a returned value" },
  { call: /\bconsole\.(log|error|warn)\(/, within: "conformance/", instead: "a result that reports/ renders" },
];

/** Comments blanked out, so that a ban may be named where its reason is told. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/.*$/gm, "");

/** Each rule lists what breaks it, empty when nothing does. */
const rules = {
  "runs imports only along the arrows": (all: readonly Source[]): string[] =>
    all
      .filter((source) => !isTest(source.path))
      .flatMap((source) => {
        const arrow = ARROWS.find(([room]) => source.path.startsWith(room));
        if (!arrow) return [`${source.path}: stands in no room`];
        return source.imports
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => resolve(source.path, specifier))
          .filter((target) => !arrow[1].some((allowed) => target.startsWith(allowed)))
          .map((target) => `${source.path} imports ${target}`);
      }),

  "lets no half see the other, not even in the tests beside it": (all: readonly Source[]): string[] =>
    all.flatMap((source) => {
      const other = { sim: "conformance/", conformance: "sim/" }[source.path.split("/")[0] ?? ""];
      if (other === undefined) return [];
      return source.imports
        .map((specifier) => resolve(source.path, specifier))
        .filter((target) => target.startsWith(other))
        .map((target) => `${source.path} imports ${target}`);
    }),

  "gives each package one door": (all: readonly Source[]): string[] =>
    all
      .filter((source) => !isTest(source.path))
      .flatMap((source) =>
        source.imports.flatMap((specifier) => {
          const doors = DOORS[packageOf(specifier)];
          if (doors === undefined || doors.some((door) => source.path.startsWith(door))) return [];
          return [`${source.path} imports ${specifier}; its door is ${doors.join(" or ")}`];
        }),
      ),

  "calls nothing that is banned": (all: readonly Source[]): string[] =>
    all
      .filter((source) => !isTest(source.path))
      .flatMap((source) => {
        const code = withoutComments(source.text);
        return BANS.filter((ban) => source.path.startsWith(ban.within))
          .filter((ban) => !(ban.except ?? []).some((path) => source.path.startsWith(path)))
          .filter((ban) => ban.call.test(code))
          .map((ban) => `${source.path} uses ${ban.call.source}; use ${ban.instead}`);
      }),

  "keeps every file short enough to read": (all: readonly Source[]): string[] =>
    all
      .map((source) => ({ path: source.path, lines: source.text.split("\n").length - 1 }))
      .filter(({ lines }) => lines > 400)
      .map(({ path, lines }) => `${path} has ${lines} lines`),

  "holds no path of one machine and no test switched off": (all: readonly Source[]): string[] =>
    all
      .filter((source) => source.path !== "tests/tidy.test.ts")
      .flatMap((source) => [
        ...(/(^|[^A-Za-z])\/(work|root|home)\//m.test(source.text) ? [`${source.path}: a machine's path`] : []),
        ...(/\b(it|test|describe)\.(skip|only|todo|fails)\(/.test(source.text) ? [`${source.path}: a test off`] : []),
      ]),
};

type Rule = keyof typeof rules;

/** One file for each rule that breaks it: a rule nobody has seen fail guards nothing. */
const planted: Record<Rule, Source> = {
  "runs imports only along the arrows": sourceOf("sim/core/x.ts", 'import { Kernel } from "../kernel/index.ts";'),
  "lets no half see the other, not even in the tests beside it": sourceOf(
    "conformance/x.test.ts",
    'import { world } from "../sim/world.ts";',
  ),
  "gives each package one door": sourceOf("sim/actors/x.ts", 'import seedrandom from "seedrandom";'),
  "calls nothing that is banned": sourceOf("sim/actors/x.ts", "const now = Date.now();"),
  "keeps every file short enough to read": sourceOf("sim/x.ts", "\n".repeat(401)),
  "holds no path of one machine and no test switched off": sourceOf("sim/x.test.ts", 'it.skip("later", () => {});'),
};

describe("tidy", () => {
  for (const [name, rule] of Object.entries(rules)) {
    it(name, () => expect(rule(sources)).toEqual([]));
    it(`${name}: a planted file is caught`, () => expect(rule([planted[name as Rule]])).toHaveLength(1));
  }
});
