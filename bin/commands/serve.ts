/** `assay serve`: the simulated service on real sockets. */
import { readFileSync } from "node:fs";
import { AssayError } from "../../sim/core/index.ts";
import { defects, findDefect } from "../../sim/defects/index.ts";
import type { Override } from "../../sim/facade/index.ts";
import { type Serving, serve } from "../../sim/server/index.ts";
import { findVariant, variants } from "../../sim/variants/index.ts";
import { type ChainFlags, chainFlags, checkedChain } from "../chain.ts";
import type { Command } from "../command.ts";
import { type GradeFlags, openGrading, tellGrades } from "../grades.ts";
import { nearest } from "../nearest.ts";

/** Of a chain that fails: nothing was found out. */
const EXIT_CHAIN = 3;

interface Options extends ChainFlags, GradeFlags {
  readonly port: number;
  readonly host: string;
  readonly clock: "real" | "manual";
  readonly speed: number;
  readonly controlPort: number | undefined;
  readonly controlToken: string | undefined;
  readonly chainPort: number | undefined;
  readonly fixedClock: boolean;
  readonly key: readonly string[];
  readonly credits: number;
  readonly brand: string;
  readonly seed: string;
  readonly epoch: string | undefined;
  readonly defect: readonly string[];
  readonly variant: readonly string[];
  readonly webhookCa: string | undefined;
  readonly webhookInsecure: boolean;
  readonly quiet: boolean;
  readonly json: boolean;
}

export const serveCommand: Command<Options> = {
  command: "serve",
  describe: "Serve the simulated network over HTTP",
  builder: (yargs) =>
    chainFlags(yargs)
      .option("port", { type: "number", requiresArg: true, default: 8080, describe: "0 takes any free one" })
      .option("host", { type: "string", requiresArg: true, default: "127.0.0.1", describe: "address to listen on" })
      .option("clock", {
        choices: ["real", "manual"] as const,
        default: "real" as const,
        describe: "time flows, or stands still except when the test controls move it",
      })
      .option("speed", {
        type: "number",
        requiresArg: true,
        default: 1,
        describe: "simulated seconds a real second, with --clock real",
      })
      .option("control-port", {
        type: "number",
        requiresArg: true,
        describe: "port of the test controls; none without it, 0 takes any free one",
      })
      .option("control-token", {
        type: "string",
        requiresArg: true,
        describe: "bearer token that the test controls ask for",
      })
      .option("chain-port", {
        type: "number",
        requiresArg: true,
        describe: "port of the settlement chain's JSON-RPC; none without it, 0 takes any free one",
      })
      .option("fixed-clock", {
        type: "boolean",
        default: false,
        describe: "the test controls cannot make a real clock jump (test-controls kind: wall)",
      })
      .option("key", {
        type: "string",
        requiresArg: true,
        array: true,
        default: [],
        describe: "an API key to accept; each has a wallet of its own",
      })
      .option("credits", { type: "number", requiresArg: true, default: 10_000, describe: "units in each wallet" })
      .option("brand", {
        type: "string",
        requiresArg: true,
        default: "service",
        describe: "what stands for `service` in headers and names",
      })
      .option("seed", {
        type: "string",
        requiresArg: true,
        default: "1",
        describe: "names every id, key, text and delay",
      })
      .option("epoch", {
        type: "string",
        requiresArg: true,
        describe: "time at the start, ISO 8601; default now, or 2026-06-01 with --clock manual",
      })
      .option("defect", {
        type: "string",
        requiresArg: true,
        array: true,
        default: [],
        describe: "plant a defect (assay defects lists them)",
      })
      .option("variant", {
        type: "string",
        requiresArg: true,
        array: true,
        default: [],
        describe: "choose otherwise where the contract is open",
      })
      .option("webhook-ca", {
        type: "string",
        requiresArg: true,
        describe: "PEM file with an authority to trust for webhook receivers",
      })
      .option("webhook-insecure", {
        type: "boolean",
        default: false,
        describe: "trust any certificate of a webhook receiver",
      })
      .option("grade-clients", {
        type: "boolean",
        default: false,
        describe:
          "do to each client what a service may (503, 504, a lost answer, a forged delivery ...), and grade it at the end",
      })
      .option("grades", { type: "string", requiresArg: true, describe: "write the grades as JSON to this file, too" })
      .option("quiet", { type: "boolean", default: false, describe: "no line for each request" })
      .option("json", { type: "boolean", default: false, describe: "the greeting as one line of JSON, and no other" })
      .example("$0 serve", "on http://127.0.0.1:8080, with a key made for you")
      .example("$0 serve --clock manual --control-port 8081", "time moves when POST :8081/v1/clock/advance says so")
      .example("$0 serve --speed 60", "a minute passes each second")
      .example("$0 serve --grade-clients --speed 60", "a bench for clients: Ctrl-C tells what each did")
      .example("$0 serve --defect refund-missing", "a service with one flaw"),
  async handler(options) {
    const grading = openGrading(options);
    const { serving, wallets } = await start(options, grading === undefined ? [] : [grading.override]);
    process.stdout.write(options.json ? jsonGreeting(serving, wallets) : greeting(serving, wallets, options));
    await stopped(serving, options.json);
    if (grading !== undefined) {
      process.exitCode = tellGrades(grading.grades(), options.grades, options.json ? process.stderr : process.stdout);
    }
  },
};

interface OpenWallet {
  readonly key: string;
  readonly address: string;
}

async function start(
  options: Options,
  bench: readonly Override[],
): Promise<{ readonly serving: Serving; readonly wallets: readonly OpenWallet[] }> {
  check(options);
  const { brand, key, controlToken } = options;
  const serving = await serve({
    port: options.port,
    host: options.host,
    mode: options.clock,
    speed: options.speed,
    clockOffered: options.fixedClock ? "wall" : "offset",
    seed: options.seed,
    brand,
    overrides: [...options.variant.map(variantOf), ...options.defect.map(defectOf), ...bench],
    controls: controlToken === undefined ? {} : { token: controlToken },
    webhooks: {
      insecure: options.webhookInsecure,
      ...(options.webhookCa === undefined ? {} : { ca: readPem(options.webhookCa) }),
    },
    ...(options.epoch === undefined ? {} : { epochMs: Date.parse(options.epoch) }),
    chain: checkedChain(options).mode,
    ...(options.rpc === undefined ? {} : { rpc: options.rpc }),
    chainPort: options.chainPort,
    onChainFailure: failed,
    ...(options.controlPort === undefined ? {} : { controlPort: options.controlPort }),
    ...(options.quiet || options.json ? {} : { onExchange: logExchange }),
  });
  const { facade } = serving.service;
  const keys = key.length === 0 ? [undefined] : key;
  return { serving, wallets: keys.map((text) => facade.openWallet(options.credits, text)) };
}

/** What yargs cannot know. */
function check(options: Options): void {
  const fail = (option: string, seen: unknown, expected: string): never => {
    throw new AssayError({ what: "This option has a value that cannot be.", where: `--${option}`, seen, expected });
  };
  if (!(options.speed > 0 && Number.isFinite(options.speed))) fail("speed", options.speed, "a number above 0");
  if (options.clock === "manual" && options.speed !== 1)
    fail("speed", options.speed, "no speed: a manual clock has none");
  if (!(Number.isSafeInteger(options.credits) && options.credits >= 0)) {
    fail("credits", options.credits, "an integer from 0");
  }
  for (const [name, port] of Object.entries({
    port: options.port,
    "control-port": options.controlPort,
    "chain-port": options.chainPort,
  })) {
    if (port !== undefined && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) {
      fail(name, port, "an integer from 0 to 65535");
    }
  }
  if (!/^[a-z][a-z0-9]*$/.test(options.brand)) fail("brand", options.brand, "small letters and digits, a letter first");
  if (options.epoch !== undefined && Number.isNaN(Date.parse(options.epoch))) {
    fail("epoch", options.epoch, "a time such as 2026-06-01T00:00:00Z");
  }
}

function defectOf(id: string): Override {
  return findDefect(id)?.override ?? unknown("defect", id, defects, "assay defects");
}

function variantOf(id: string): Override {
  return findVariant(id)?.override ?? unknown("variant", id, variants, "assay defects --variants");
}

function unknown(kind: string, id: string, known: readonly { readonly id: string }[], list: string): never {
  const meant = nearest(
    id,
    known.map((one) => one.id),
  );
  throw new AssayError({
    what: `There is no ${kind} of this name.`,
    where: `--${kind}`,
    seen: id,
    hint: meant === undefined ? `${list} shows them all` : `did you mean ${meant}? ${list} shows them all`,
  });
}

function readPem(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new AssayError({
      what: "The certificates cannot be read.",
      where: "--webhook-ca",
      seen: path,
      expected: "a file with certificates in PEM form",
      cause,
    });
  }
}

/** One line, for a program that starts the service and reads where it is. */
function jsonGreeting({ base, control, chain }: Serving, wallets: readonly OpenWallet[]): string {
  const told = wallets.map(({ key, address }) => ({ key, wallet: address }));
  return `${JSON.stringify({ base, control, chain, keys: told })}\n`;
}

function greeting(serving: Serving, wallets: readonly OpenWallet[], options: Options): string {
  const time =
    options.clock === "manual" ? "standing still" : options.speed === 1 ? "real" : `${options.speed} times as fast`;
  const lines = [
    ...wallets.map(({ key, address }) => `key      ${key}  (wallet ${address}, ${options.credits} credits)`),
    `base     ${serving.base}`,
    `openai   ${serving.base}/v1`,
  ];
  if (serving.control !== undefined) lines.push(`control  ${serving.control}`);
  if (serving.chain !== undefined) lines.push(`chain    ${serving.chain}`);
  lines.push(`time     ${time}`);
  const flaws = [...options.variant.map((id) => `variant ${id}`), ...options.defect.map((id) => `defect ${id}`)];
  if (flaws.length > 0) lines.push(`with     ${flaws.join(", ")}`);
  return `${lines.join("\n")}\nready\n`;
}

/** Method, path, status and size. Keys travel in headers and secrets in bodies; neither is here, nor is a query. */
function logExchange({
  method,
  path,
  status,
  bytes,
}: {
  method: string;
  path: string;
  status: number;
  bytes: number;
}): void {
  process.stdout.write(`${status || "left"} ${method} ${JSON.stringify(path.slice(0, 200)).slice(1, -1)} ${bytes}\n`);
}

/** The chain that was to settle is gone: no answer can be true any more, so nothing in flight is waited for. */
function failed(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof AssayError ? error.exitCode : EXIT_CHAIN);
}

/** Waits for a signal; a second one does not wait for what is in flight. */
function stopped(serving: Serving, silent: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const stop = (): void => {
      if (asked) process.exit(130);
      asked = true;
      if (!silent) process.stdout.write("stopping: finishing what is in flight\n");
      serving.stop().then(resolve, reject);
    };
    process.on("SIGTERM", stop);
    process.on("SIGINT", stop);
  });
}
