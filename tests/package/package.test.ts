/** The package as its users get it: packed, laid out in an empty folder, run, imported, type-checked, and used from their own vitest. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installInto, type Packed, root } from "./pack.ts";

let folder = "";
let packed: Packed;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-package-"));
  packed = installInto(folder, ["vitest", "typescript", "@types/node"]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function elsewhere(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", npm_config_offline: "true", VITEST: undefined, VITEST_WORKER_ID: undefined },
  });
  return { status, out: stdout, err: stderr, all: `${stdout}${stderr}` };
}

const node = (source: string) => elsewhere(process.execPath, ["--input-type=module", "-e", source]);

describe("the package", () => {
  it("is small, and holds what it needs and no tests", () => {
    expect(packed.size).toBeLessThan(1_500_000);
    expect(
      packed.files.filter((path) => /\.test\.|\.fixture\.|^dist\/scripts|^tests|^node_modules/.test(path)),
    ).toEqual([]);
    for (const path of ["README.md", "package.json", "dist/bin/assay.js", "schemas/scenario.schema.json"]) {
      expect(packed.files).toContain(path);
    }
  });

  it("runs assay demo where nothing else is", () => {
    const { status, out } = elsewhere("npx", ["--no-install", "assay", "demo"]);
    expect(out).toContain("1. An honest network");
    expect(out).toContain("2. The same network with one planted defect");
    expect(out).toMatch(/findings?: not conformant/);
    expect(status).toBe(0);
    const json = elsewhere("npx", ["--no-install", "assay", "demo", "--only", "4.2/list", "--json"]);
    expect(JSON.parse(json.out)).toMatchObject({ format: "assay-report/1", verdict: "conformant" });
    // The whole judge, twice, beside whatever else this machine does.
  }, 300_000);

  it("runs a scenario that comes with it", () => {
    const scenario = "node_modules/assay/scenarios/chain-trouble.yaml";
    expect(existsSync(join(folder, scenario))).toBe(true);
    const { status, out } = elsewhere("npx", ["--no-install", "assay", "run", scenario, "--json", "--quiet"]);
    expect(JSON.parse(out)).toMatchObject({ complete: true, violationCount: 0 });
    expect(status).toBe(0);
  });

  it("can be imported by every door that it exports, and by no other", () => {
    const doors = Object.entries(packed.manifest.exports);
    for (const [door, target] of doors) {
      if (door.includes("*") || typeof target === "string") continue;
      expect(existsSync(join(folder, "node_modules/assay", target.types)), target.types).toBe(true);
    }
    const { out, all } = node(`
      const names = {};
      for (const door of ["sim", "conformance", "protocol"]) names[door] = Object.keys(await import("assay/" + door)).sort();
      for (const file of ["package.json", "openapi.json", "schemas/scenario.schema.json", "schemas/settings.schema.json"]) {
        const { default: json } = await import("assay/" + file, { with: { type: "json" } });
        names[file] = json.$id ?? json.openapi ?? json.name;
      }
      names.closed = await import("assay/dist/sim/world.js").catch((error) => error.code);
      process.stdout.write(JSON.stringify(names));
    `);
    expect(out, all).not.toBe("");
    expect(JSON.parse(out)).toMatchSnapshot("public surface");
  });

  it("brings types that hold a user's program to them", () => {
    // Beside the right program a wrong one, of which one line is told.
    writeFileSync(join(folder, "consumer.ts"), CONSUMER);
    writeFileSync(join(folder, "wrong.ts"), `${CONSUMER}\nconst wrong: string = report.exitCode;\nvoid wrong;\n`);
    const check = elsewhere("npx", [
      ...["--no-install", "tsc", "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2023"],
      ...["--module", "nodenext", "--types", "node", "consumer.ts", "wrong.ts"],
    ]);
    const errors = check.out.split("\n").filter((line) => line.includes("error TS"));
    expect(errors, check.out).toEqual([expect.stringMatching(/^wrong\.ts.*TS2322/)]);
    // The program does what its types say.
    const { out } = elsewhere(process.execPath, [
      "--import",
      join(root, "node_modules/tsx/dist/loader.mjs"),
      "consumer.ts",
    ]);
    expect(JSON.parse(out)).toEqual({ settled: true, verdict: "conformant", status: "settled" });
  });
});

describe("conformanceSuite in a user's own vitest", () => {
  const vitest = (name: string, source: string, ...args: readonly string[]) => {
    mkdirSync(join(folder, "suites"), { recursive: true });
    writeFileSync(join(folder, "suites", name), source);
    const { status, out, all } = elsewhere("npx", [
      ...["--no-install", "vitest", "run", "--root", ".", `suites/${name}`, "--reporter", "json", ...args],
    ]);
    const line = out.split("\n").find((text) => text.startsWith("{"));
    if (line === undefined) throw new Error(all);
    const { testResults } = JSON.parse(line) as {
      testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
    };
    return { status, tests: testResults.flatMap((file) => file.assertionResults) };
  };

  it("registers one test a case, which an honest service passes", () => {
    const { status, tests } = vitest("honest.test.ts", suiteOf([]));
    const names = tests.map(({ fullName }) => fullName);
    expect(names.length).toBeGreaterThan(3);
    expect(names.every((name) => name.includes("assay conformance"))).toBe(true);
    expect(names).toContainEqual(expect.stringContaining("the run as a whole"));
    expect(tests.filter((test) => test.status === "failed")).toEqual([]);
    expect(tests.some((test) => test.status === "passed")).toBe(true);
    expect(status).toBe(0);
  });

  it("fails the case that shows a planted defect, with requirement, curl and replay line", () => {
    const { status, tests } = vitest("defect.test.ts", suiteOf(["window-of-61-seconds"]));
    const failed = tests.filter((test) => test.status === "failed");
    const told = failed.flatMap((test) => test.failureMessages).join("\n");
    expect(told).toMatch(/ConformanceError: 4\.7\/\d+/);
    expect(told).toContain("$ curl ");
    expect(told).toMatch(/replay +assay conform http:\S+ --control http:\S+ --only 4\.7/);
    expect(status).toBe(1);
  });

  it("runs the one case that vitest selects, and skips what the target leaves no way to try", () => {
    const { tests } = vitest("one.test.ts", suiteOf([], false), "-t", "4\\.2/|4\\.7/w");
    const by = (state: string) => tests.filter((test) => test.status === state).map(({ fullName }) => fullName);
    expect(by("failed")).toEqual([]);
    expect(by("passed").some((name) => name.includes("4.2/"))).toBe(true);
    // 4.7/window by its need of a clock; 4.7/differs and the run as a whole by the name that was asked for.
    expect(by("passed")).toHaveLength(1);
    expect(tests).toHaveLength(4);
  });
});

const CONSUMER = `
import { judge, DEFAULTS, PATIENCE, type Report, type TargetOptions } from "assay/conformance";
import { JOB_STATUSES } from "assay/protocol";
import { buildScenario, parseScenario, runWorld, type RunResult, serve, type Serving } from "assay/sim";

const text = "workers: [{ kind: native, count: 1 }]\\nclients: [{ name: a, arrivals: { process: poisson, rate: 0.1 } }]\\nduration: 5min\\n";
const result: RunResult = await runWorld(buildScenario(parseScenario(text, "inline.yaml"), {}));
const settled: number = result.figures.jobs.settled;

const serving: Serving = await serve({ port: 0, controlPort: 0, mode: "manual", seed: "package" });
const target: TargetOptions = {
  baseUrl: serving.base, keys: [], brand: DEFAULTS.brand, receiver: false, patience: PATIENCE.none,
  control: { url: serving.control ?? "" }, maxCredits: 400, timeout: 60_000, seed: 1, runs: 5, only: ["4.2"],
};
const report: Report = await judge(target);
await serving.stop();
process.stdout.write(JSON.stringify({
  settled: settled > 0, verdict: report.verdict, status: JOB_STATUSES.find((each) => each === "settled"),
}));
`;

const suiteOf = (defects: readonly string[], controls = true): string => `
import * as vitest from "vitest";
import { conformanceSuite } from "assay/conformance";
import { findDefect, serve, type Serving } from "assay/sim";

const key = "svc_live_0123456789abcdefghijklmnopqrstuv";
let serving: Serving;
vitest.beforeAll(async () => {
  const overrides = ${JSON.stringify(defects)}.map((id) => findDefect(id)!.override);
  serving = await serve({ port: 0, ${controls ? 'controlPort: 0, mode: "manual"' : "speed: 100"}, seed: "suite", overrides });
  serving.service.facade.openWallet(1_000, key);
});
vitest.afterAll(() => serving.stop());

conformanceSuite(
  () => ({ baseUrl: serving.base, keys: [key], receiver: false, runs: 5, ...(${controls} ? { control: serving.control! } : {}) }),
  { vitest, only: ["4.2/list", "4.7/window", "4.7/differs"] },
);
`;
