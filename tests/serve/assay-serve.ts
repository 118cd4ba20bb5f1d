/** Starts `assay serve` as a process of its own, as a user would, and reads from its greeting where it is. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Served {
  readonly base: string;
  /** Base address of the test controls; "" without them. */
  readonly control: string;
  readonly key: string;
  readonly child: ChildProcess;
  /** Everything that it has printed so far. */
  readonly printed: () => string;
  /** Sends SIGTERM. Resolves to the exit code. */
  stop(): Promise<number | null>;
}

const program = fileURLToPath(new URL("../../bin/assay.ts", import.meta.url));

/** Resolves once the process says that it is ready. `--port 0` is given. */
export async function startServe(...options: readonly string[]): Promise<Served> {
  const child = spawn(process.execPath, ["--import", "tsx", program, "serve", "--port", "0", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    printed += String(chunk);
  });
  while (!/^ready$/m.test(printed)) {
    if (child.exitCode !== null) throw new Error(`assay serve has ended:\n${printed}`);
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  }
  const line = (name: string): string => new RegExp(`^${name} +(\\S+)`, "m").exec(printed)?.[1] ?? "";
  return {
    base: line("base"),
    control: line("control"),
    key: line("key"),
    child,
    printed: () => printed,
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = (await once(child, "exit")) as [number | null];
      return code;
    },
  };
}

/** Asks a test control. Resolves to the JSON of its answer. */
export async function control<T = Record<string, unknown>>(served: Served, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${served.control}${path}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Asks the service. Resolves to status, headers and JSON. */
export async function api(served: Served, path: string, key = served.key, init: RequestInit = {}) {
  const answer = await fetch(`${served.base}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...init.headers },
  });
  const text = await answer.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  return { status: answer.status, headers: answer.headers, body: (text === "" ? undefined : JSON.parse(text)) as any };
}

/** Asks again until the answer is as wanted; the test's own time limit ends it otherwise. */
export async function eventually<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (wanted(answer)) return answer;
    // An answer may be there already; what it waits for comes by the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
