/** A Prism proxy over the contract's OpenAPI document: it lets a tour of the endpoints through, and tells where an answer is not of its schema. */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { AssayError } from "../../../sim/core/index.ts";
import { commandOf, type OpenPeer, type Peer, type Tried } from "./peer.ts";

/** From `bin/score/peers` three levels up, from `dist/bin/score/peers` four. */
const DOCUMENT = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts")
      ? "../../../fixtures/protocol/openapi.json"
      : "../../../../fixtures/protocol/openapi.json",
    import.meta.url,
  ),
);
const READY = "is listening";
const READY_WITHIN = 60_000;
const ANSWER_WITHIN = 10_000;
/** Prism tells its complaints in one header. */
const HEADER_BYTES = 1 << 20;

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** One request; rejects when no whole answer comes. */
async function ask(base: string, method: string, path: string, key: string, body?: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "*/*" };
  const signal = AbortSignal.timeout(ANSWER_WITHIN);
  const outgoing = send(`${base}${path}`, { method, headers, maxHeaderSize: HEADER_BYTES, signal });
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(outgoing, "response")) as [IncomingMessage];
  let text = "";
  for await (const part of answer.setEncoding("utf8")) text += part;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text };
}

/** Prism has one upstream for life: this stands there, and passes everything on to whichever service is being tried. */
function switchboard(current: () => string): Server {
  return createServer((incoming, outgoing) => {
    const { method = "GET", headers, url = "/" } = incoming;
    const onward = send(`${current()}${url}`, { method, headers }, (answer) => {
      // Of one hop only, and Prism ends itself when an answer of known length announces trailers.
      const { trailer: _, ...kept } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, kept);
      answer.on("error", () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
}

/** What Prism holds against one answer. */
function violations(answer: Answer): string[] {
  const told = answer.headers["sl-violations"];
  if (typeof told !== "string") return [];
  const list = JSON.parse(told) as { readonly location?: readonly string[]; readonly code?: unknown }[];
  return list
    .filter(({ location }) => location?.[0] === "response")
    .map(({ location = [], code }) => `${location.join(".")} ${String(code)}`);
}

const field = (answer: Answer, name: string): string => {
  try {
    return String(JSON.parse(answer.text)[name]);
  } catch {
    return "unknown";
  }
};

/** Every endpoint, right and wrong. */
async function tour(proxy: string, { key, model }: Tried): Promise<string[]> {
  const complaints: string[] = [];
  const step = async (what: string, method: string, path: string, body?: unknown): Promise<Answer> => {
    try {
      const answer = await ask(proxy, method, path, key, body);
      complaints.push(...violations(answer).map((each) => `${what}: ${each}`));
      return answer;
    } catch {
      complaints.push(`${what}: no answer`);
      return { status: 0, headers: {}, text: "" };
    }
  };
  const chat = { model, messages: [{ role: "user", content: "Say one sentence." }], max_tokens: 16 };
  await step("list models", "GET", "/v1/models");
  await step("a model", "GET", `/v1/models/${model}`);
  await step("the account", "GET", "/v1/account");
  const done = await step("a chat", "POST", "/v1/chat/completions", chat);
  await step("a stream", "POST", "/v1/chat/completions", { ...chat, stream: true });
  await step("an unknown model", "POST", "/v1/chat/completions", { ...chat, model: "no-such-model" });
  const job = field(done, "id").replace("chatcmpl-", "");
  await step("a job", "GET", `/v1/jobs/${job}`);
  await step("an unknown job", "GET", "/v1/jobs/job_000000000000000000000000");
  await step("jobs", "GET", "/v1/jobs?limit=2");
  const text = (JSON.parse(done.text || "{}") as { choices?: { message?: { content?: unknown } }[] }).choices?.[0];
  const hash = createHash("sha256").update(String(text?.message?.content).replace(/\n$/, "")).digest("hex");
  await step("a dispute", "POST", `/v1/jobs/${job}/dispute`, { received_output_hash: `sha256:${hash}` });
  const hook = { url: "https://hooks.assay.example/never", events: ["job.failed"], secret: "whsec_of_the_tour" };
  const made = await step("a webhook", "POST", "/v1/webhooks", hook);
  await step("webhooks", "GET", "/v1/webhooks");
  await step("a deletion", "DELETE", `/v1/webhooks/${field(made, "id")}`);
  return complaints;
}

export const prism: Peer = {
  name: "Prism proxy",
  package: "@stoplight/prism-cli",
  async open(folder): Promise<OpenPeer> {
    let current = "";
    const upstream = switchboard(() => current).listen(0, "127.0.0.1");
    await once(upstream, "listening");
    const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    let running = await start(folder, address).catch((error) => {
      upstream.close();
      throw error;
    });
    return {
      async complaints(service) {
        current = service.base;
        // An answer that ends it is a complaint; the next service meets another.
        if (hasEnded(running.child)) running = await start(folder, address);
        const complaints = await tour(running.base, service);
        return hasEnded(running.child) ? ["Prism ended itself"] : complaints;
      },
      async close() {
        const { child } = running;
        child.kill();
        if (!hasEnded(child)) await once(child, "exit");
        upstream.closeAllConnections();
        upstream.close();
      },
    };
  },
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Starts Prism before `upstream`, and waits until it listens. */
async function start(
  folder: string,
  upstream: string,
): Promise<{ readonly child: ChildProcess; readonly base: string }> {
  const port = await freePort();
  const words = ["proxy", DOCUMENT, upstream, "--port", String(port), "--cors", "false"];
  const child = spawn(process.execPath, [commandOf(folder, "prism"), ...words], { stdio: ["ignore", "pipe", "pipe"] });
  try {
    await ready(child);
  } catch (error) {
    child.kill();
    throw error;
  }
  return { child, base: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves when Prism listens. */
async function ready(child: ChildProcess): Promise<void> {
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const fail = (): void =>
      reject(new AssayError({ what: "Prism did not start.", where: "--peers", seen: said.slice(-500) || "nothing" }));
    const timer = setTimeout(fail, READY_WITHIN);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part) => {
        said += String(part);
        if (said.length > 10_000) said = said.slice(-5_000);
        if (!said.includes(READY)) return;
        clearTimeout(timer);
        resolve();
      });
    }
    child.once("exit", () => {
      clearTimeout(timer);
      fail();
    });
  });
}
