/** The program as it is installed, run as its users run it: one judge a process, since the test runner in it cannot run within another. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Report } from "../../conformance/index.ts";

const program = fileURLToPath(new URL("../../dist/bin/assay.js", import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `assay` with these words. */
export async function assay(...words: readonly string[]): Promise<Ran> {
  return await run(process.execPath, [program, ...words]);
}

/** Pastes a line into a shell in which `assay` is a command. */
export async function paste(line: string): Promise<Ran> {
  return await run("sh", ["-c", `assay() { "${process.execPath}" "${program}" "$@"; }; ${line}`]);
}

export const reportOf = ({ stdout, stderr }: Ran): Report => {
  if (!stdout.startsWith("{")) throw new Error(`no report:\n${stdout}\n${stderr}`);
  return JSON.parse(stdout) as Report;
};

async function run(command: string, words: readonly string[]): Promise<Ran> {
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] });
  const parts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (part) => {
      parts[name] += String(part);
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...parts };
}

export interface Served {
  readonly base: string;
  readonly control: string;
  stop(): Promise<void>;
}

/** `assay serve` on the manual clock. Ports are any free ones where they are left out. */
export async function served(...options: readonly string[]): Promise<Served> {
  if (!existsSync(program)) throw new Error("the program is not built: npm run prepare");
  const child = spawn(
    process.execPath,
    [program, "serve", "--clock", "manual", "--webhook-insecure", "--quiet", ...options],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (part) => {
      printed += String(part);
      if (/^ready$/m.test(printed)) resolve();
    });
    child.once("exit", () => reject(new Error(`assay serve has ended:\n${printed}`)));
  });
  const line = (name: string): string => new RegExp(`^${name} +(\\S+)`, "m").exec(printed)?.[1] ?? "";
  return {
    base: line("base"),
    control: line("control"),
    async stop() {
      if (child.exitCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
