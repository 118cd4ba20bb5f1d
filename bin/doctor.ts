/** Looks at the machine: everything that assay can use, whether it is there, and what to do where it is not. */
import { execFile } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmdirSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Diagnosis } from "../reports/doctor-text.ts";
import { anvilBinary } from "../sim/ledger/anvil/index.ts";

const run = promisify(execFile);

/** Oldest Node.js that runs assay: `engines` of package.json. */
const OLDEST = [20, 19] as const;

/** All diagnoses, in the order in which they matter. Never throws. */
export async function examine(env: NodeJS.ProcessEnv = process.env): Promise<readonly Diagnosis[]> {
  const browser = firstOf(["chromium", "chromium-browser", "google-chrome", "chrome"], env);
  const openssl = firstOf(["openssl"], env);
  return [
    nodeVersion(process.versions.node),
    await sockets(),
    scratch(),
    await anvil(),
    await program("redis", firstOf(["redis-server"], env), {
      purpose: "assay worker and assay sweep --queue: studies over several machines",
      remedy: "install redis-server, or give --queue the address of one that runs",
    }),
    await program("chromium", browser, {
      purpose: "the tests of the HTML pages (the pages themselves need any browser)",
      remedy: "install chromium",
    }),
    await program("openssl", openssl, {
      purpose: "docs/how-to/webhooks.md: a certificate of your own for the webhook receiver",
      remedy: "install openssl",
    }),
    environment(env),
  ];
}

/** @param version such as `20.19.1` */
export function nodeVersion(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const fits = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return {
    name: "node",
    state: fits ? "found" : "missing",
    seen: version,
    purpose: "everything",
    needed: true,
    ...(fits ? {} : { remedy: `install Node.js ${OLDEST.join(".")} or newer` }),
  };
}

/** Whether a port can be opened here: the service, its controls and the webhook receiver listen. */
async function sockets(): Promise<Diagnosis> {
  const about = { name: "sockets", purpose: "assay serve, and webhooks of a judged service", needed: true } as const;
  try {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(0, "127.0.0.1", resolve);
    });
    await new Promise((resolve) => server.close(resolve));
    return { ...about, state: "found", seen: "127.0.0.1" };
  } catch (error) {
    return { ...about, state: "missing", seen: (error as Error).message, remedy: "let this user listen on 127.0.0.1" };
  }
}

function scratch(): Diagnosis {
  const about = { name: "scratch", purpose: "studies, and files while they are written", needed: true } as const;
  try {
    rmdirSync(mkdtempSync(join(tmpdir(), "assay-doctor-")));
    return { ...about, state: "found", seen: tmpdir() };
  } catch (error) {
    return { ...about, state: "missing", seen: (error as Error).message, remedy: "set TMPDIR to a folder of yours" };
  }
}

async function anvil(): Promise<Diagnosis> {
  const about = {
    purpose: "--chain anvil and --chain lockstep of run and serve",
    remedy: "npm install @foundry-rs/anvil, or give --rpc the address of one that runs",
  };
  try {
    return await program("anvil", anvilBinary(), about);
  } catch (error) {
    return missing("anvil", (error as Error).message.split("\n", 1)[0] ?? "", about);
  }
}

/** A program of which everything but what is named works without. */
async function program(
  name: string,
  path: string | undefined,
  about: { readonly purpose: string; readonly remedy: string },
): Promise<Diagnosis> {
  if (path === undefined) return missing(name, "not on the path", about);
  try {
    const { stdout } = await run(path, [name === "openssl" ? "version" : "--version"], { timeout: 10_000 });
    return {
      name,
      state: "found",
      // Whatever a program says besides, its version is what matters.
      seen: /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? stdout.split("\n", 1)[0]?.trim() ?? "",
      purpose: about.purpose,
      needed: false,
    };
  } catch (error) {
    return missing(name, `${path} does not start: ${(error as Error).message.split("\n", 1)[0]}`, about);
  }
}

function missing(name: string, seen: string, about: { readonly purpose: string; readonly remedy: string }): Diagnosis {
  return { name, state: "missing", seen, ...about, needed: false };
}

/** Variables that bear on a run of the judge, by name alone: their values may be secrets. */
function environment(env: NodeJS.ProcessEnv): Diagnosis {
  const set = Object.keys(env)
    .filter((name) => name.startsWith("ASSAY_") && env[name] !== "")
    .sort();
  return {
    name: "environment",
    state: "found",
    seen: set.length === 0 ? "no ASSAY_ variable is set" : `set: ${set.join(", ")}`,
    purpose: "the settings of assay conform, which a flag goes before",
    needed: false,
  };
}

/** The first of these programs that is on the path. */
function firstOf(names: readonly string[], { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  return names.flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
