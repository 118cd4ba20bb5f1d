/** The GitHub action: its form, and its shell steps run as a runner would run them, against a service that is honest and one that is not. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "./pack.ts";

interface Step {
  readonly name: string;
  readonly id?: string;
  readonly shell?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Action {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { description: string; required: boolean; default?: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action = parse(readFileSync(join(root, "action.yml"), "utf8")) as Action;

let folder = "";
let server: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-action-"));
});
afterEach(async () => {
  if (server !== undefined && server.exitCode === null) {
    server.kill();
    await once(server, "exit");
  }
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

/** Starts `assay serve` from the build, and reads its JSON greeting. */
async function served(...flags: readonly string[]): Promise<{ base: string; control: string }> {
  const program = join(root, "dist/bin/assay.js");
  const args = [program, "serve", "--port", "0", "--control-port", "0", "--clock", "manual", "--json", ...flags];
  server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [greeting] = (await once(server.stdout!, "data")) as [Buffer];
  return JSON.parse(greeting.toString()) as { base: string; control: string };
}

/** Runs all steps until one fails, with the inputs put where the runner would put them. */
function runAction(given: Readonly<Record<string, string>>) {
  const files = { GITHUB_STEP_SUMMARY: join(folder, "summary"), GITHUB_OUTPUT: join(folder, "output") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const inputs = Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: usual }]) => [name, given[name] ?? usual ?? ""]),
  );
  const filled = (text: string): string =>
    text.replace(/\$\{\{ (?:inputs\.([\w-]+)|(github\.action_path)) \}\}/g, (whole, input?: string, path?: string) =>
      path !== undefined ? root : (inputs[input ?? ""] ?? whole),
    );
  let log = "";
  let status: number | null = 0;
  for (const step of action.runs.steps) {
    const env = Object.fromEntries(Object.entries(step.env).map(([name, text]) => [name, filled(text)]));
    // The runner's own words for `shell: bash`.
    const result = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, NO_COLOR: "1", ...files, ...env },
    });
    log += result.stdout + result.stderr;
    status = result.status;
    if (status !== 0) break;
  }
  const read = (file: string): string => readFileSync(file, "utf8");
  return { status, log, summary: read(files.GITHUB_STEP_SUMMARY), output: read(files.GITHUB_OUTPUT) };
}

describe("action.yml", () => {
  it("has the form of a composite action, and no text from outside in its scripts", () => {
    expect(action).toMatchObject({
      name: expect.any(String),
      description: expect.any(String),
      runs: { using: "composite" },
    });
    for (const input of Object.values(action.inputs)) {
      expect(input.description).not.toBe("");
      expect(input.required || input.default !== undefined).toBe(true);
    }
    const used = action.runs.steps.flatMap((step) => Object.values(step.env)).join("\n");
    for (const name of Object.keys(action.inputs)) expect(used).toContain(`\${{ inputs.${name} }}`);
    for (const step of action.runs.steps) {
      expect(step.shell).toBe("bash");
      expect(step.run).not.toContain("${{");
    }
    for (const { value } of Object.values(action.outputs)) {
      const [, step, output] = /steps\.(\w+)\.outputs\.([\w-]+)/.exec(value)!;
      expect(action.runs.steps.find(({ id }) => id === step)?.run).toContain(`echo "${output}=`);
    }
  });

  it("passes an honest service, with summary, outputs and reports", async () => {
    const { base, control } = await served();
    const { status, log, summary, output } = runAction({
      "base-url": base,
      control,
      only: "4.2/list 5/no-such-case",
      receiver: "false",
    });
    expect(log).toContain("No case is selected");
    expect(status).toBe(2);
    expect(output).toContain("exit-code=2");
    expect(summary).toBe("");

    const good = runAction({
      "base-url": base,
      control,
      only: "4.2/list",
      receiver: "false",
      reports: "out of the way",
    });
    expect(good.status, good.log).toBe(0);
    expect(good.summary).toContain("# assay: conformant");
    expect(good.output).toBe("verdict=conformant\nexit-code=0\nreports=out of the way\n");
    for (const file of ["report.json", "report.html", "junit.xml", "summary.md", "badge.svg"]) {
      expect(readFileSync(join(folder, "out of the way", file), "utf8").length).toBeGreaterThan(100);
    }
  });

  it("fails a service with a defect, with an annotation; a baseline that knows it lets it through", async () => {
    const { base, control } = await served("--defect", "window-of-61-seconds");
    const given = { "base-url": base, control, only: "4.7/window", receiver: "false" };
    const { status, log, summary, output } = runAction(given);
    expect(status, log).toBe(1);
    expect(log).toContain("::error title=assay 4.7/11::");
    expect(summary).toContain("# assay: not conformant");
    expect(output).toContain("verdict=not conformant\nexit-code=1\n");

    const { findings } = JSON.parse(readFileSync(join(folder, "assay-reports/report.json"), "utf8"));
    const [{ requirement, fingerprint }] = findings;
    const known = [{ requirement, fingerprint, reason: "to be mended" }];
    writeFileSync(join(folder, "known.json"), JSON.stringify({ format: "assay-baseline/1", known }));
    expect(runAction({ ...given, baseline: "known.json" }).status).toBe(0);
  });
});
