/** What the internet sends: `assay serve` answers all of it with an error object, and goes on. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { Agent, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { api, control, eventually, type Served, startServe } from "./assay-serve.ts";

const MODEL = "brook-3b";
const CHAT = "/v1/chat/completions";
const chat = (changes: object = {}) =>
  JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "Hello" }], ...changes });

let served: Served;
beforeAll(async () => {
  served = await startServe("--control-port", "0", "--credits", "1000000");
});
afterAll(() => served.stop());
// Whatever a test has sent, the next request is served.
afterEach(async () => {
  expect((await api(served, "/v1/account")).status).toBe(200);
});

const post = (path: string, body: string | Uint8Array, type = "application/json") =>
  api(served, path, served.key, { method: "POST", headers: { "content-type": type }, body });

function expectError(answer: Awaited<ReturnType<typeof api>>, status: number, code?: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.body.error).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    type: expect.any(String),
  });
  if (code !== undefined) expect(answer.body.error.code).toBe(code);
}

/** Sends raw bytes and reads until the other side closes, or `until` is seen. */
async function raw(bytes: string, until?: RegExp): Promise<string> {
  const { hostname, port } = new URL(served.base);
  const socket: Socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let text = "";
  socket.on("data", (chunk) => {
    text += String(chunk);
    if (until?.test(text)) socket.destroy();
  });
  socket.on("error", () => {});
  socket.write(bytes);
  await once(socket, "close");
  return text;
}

describe("assay serve", () => {
  it("refuses bodies that are no JSON, or JSON of another kind", async () => {
    for (const body of [
      "",
      "{",
      "nonsense",
      '{"model":',
      "\u0000",
      "[1,2]",
      "null",
      '"text"',
      "12",
      "[".repeat(100_000),
    ]) {
      expectError(await post(CHAT, body), 400, "invalid_request");
    }
    expectError(await post(CHAT, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), 400, "invalid_request");
    expectError(await post(CHAT, '{"__proto__":{"model":"x"},"constructor":1}'), 400, "invalid_request");
  });

  it("refuses other content types, and takes a charset", async () => {
    for (const type of [
      "text/plain",
      "application/xml",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
    ]) {
      expectError(await post(CHAT, chat(), type), 415);
    }
    expect((await post(CHAT, chat(), "application/json; charset=utf-8")).status).toBe(200);
  });

  it("refuses unknown paths and methods", async () => {
    for (const path of [
      "/",
      "/v1",
      "/v1/",
      "/v2/models",
      "/v1/nothing",
      "/v1/models/",
      "/v1//models",
      "/v1/jobs/%ZZ",
      "/v1/jobs/a/b/c",
      "/favicon.ico",
    ]) {
      expectError(await api(served, path), 404);
    }
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const answer = await api(served, "/v1/models", served.key, { method });
      expectError(answer, 405);
      expect(answer.headers.get("allow")).toBe("GET");
    }
  });

  it("refuses bodies of many megabytes, with and without a length told in advance", async () => {
    const big = Buffer.alloc(20 * 1024 * 1024, "x");
    expectError(await post(CHAT, big), 413);
    const chunked = await request(`${served.base}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${served.key}`, "content-type": "application/json" },
      body: Readable.from(Array.from({ length: 20 }, () => big.subarray(0, 1024 * 1024))),
    });
    expect(chunked.statusCode).toBe(413);
    expect(await chunked.body.json()).toMatchObject({ error: { code: "request_too_large" } });
    const long = chat({ messages: [{ role: "user", content: "word ".repeat(200_000) }] });
    expectError(await post(CHAT, long), 400, "context_length_exceeded");
  });

  it("answers what is no HTTP, and requests that come in pieces or in one go", async () => {
    expect(await raw("GARBAGE\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/);
    expect(await raw(`GET /v1/models HTTP/1.1\r\nhost: x\r\nx-long: ${"y".repeat(100_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    const get = `GET /v1/account HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${served.key}\r\n\r\n`;
    const pipelined = await raw(get.repeat(3), /(HTTP\/1\.1 200[\s\S]*){3}\}$/);
    expect(pipelined.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
    const head = await raw(
      `HEAD /v1/models HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${served.key}\r\n\r\n`,
    );
    expect(head).toMatch(/^HTTP\/1\.1 405 [\s\S]*\r\n\r\n$/);
  });

  it("takes a body that trickles in", async () => {
    const body = chat();
    const { hostname, port } = new URL(served.base);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.setNoDelay(true);
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${served.key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
    );
    for (const letter of body) await new Promise((resolve) => socket.write(letter, resolve));
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*"chat\.completion"/);
  });

  it("finishes and charges the job of a client that leaves in the middle of a stream", async () => {
    const wallet = await control<{ api_key: string }>(served, "/v1/wallets", { credits: 10 });
    const leaving = new AbortController();
    const answer = await fetch(`${served.base}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${wallet.api_key}`, "content-type": "application/json" },
      body: chat({ stream: true }),
      signal: leaving.signal,
    });
    const { value } = await answer.body!.getReader().read();
    expect(Buffer.from(value!).toString()).toMatch(/^data: \{/);
    leaving.abort();
    const job = await eventually(
      () => api(served, `/v1/jobs/${answer.headers.get("x-service-job-id")}`, wallet.api_key),
      ({ body }) => body.status === "settled",
    );
    expect(job.body.credits_charged).toBe(2);
    expect((await api(served, "/v1/account", wallet.api_key)).body.credits_remaining).toBe(8);
  });

  it("serves a thousand connections at once", async () => {
    const agent = new Agent({ connections: 1_000, pipelining: 1 });
    const before = (await api(served, "/v1/account")).body.credits_remaining;
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const { statusCode, body } = await request(`${served.base}${CHAT}`, {
          dispatcher: agent,
          method: "POST",
          headers: { authorization: `Bearer ${served.key}`, "content-type": "application/json" },
          body: chat({ stream: index % 2 === 0 }),
        });
        const text = await body.text();
        return { statusCode, whole: index % 2 === 0 ? text.endsWith("data: [DONE]\n\n") : text.endsWith("}") };
      }),
    );
    await agent.close();
    expect(answers.filter(({ statusCode, whole }) => statusCode === 200 && whole)).toHaveLength(1_000);
    expect(before - (await api(served, "/v1/account")).body.credits_remaining).toBe(2_000);
  });

  it("prints no key but its own, once, and no query", async () => {
    const wallet = await control<{ api_key: string }>(served, "/v1/wallets", { credits: 10 });
    await api(served, `/v1/jobs?status=settled&note=${wallet.api_key}`, wallet.api_key);
    await eventually(
      async () => served.printed(),
      (text) => /200 GET \/v1\/jobs \d+/.test(text),
    );
    expect(served.printed()).not.toContain(wallet.api_key);
    expect(served.printed().split(served.key)).toHaveLength(2);
    expect(served.printed()).not.toContain("note=");
  });
});

describe("SIGTERM", () => {
  /** A streamed request that is under way; resolves to its whole text. */
  async function begun(at: Served): Promise<Promise<string>> {
    const answer = await fetch(`${at.base}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${at.key}`, "content-type": "application/json" },
      body: chat({ stream: true, max_tokens: 200 }),
    });
    return answer.text();
  }

  it("finishes what is in flight, takes nothing new, and leaves with 0", async () => {
    const own = await startServe("--control-port", "0");
    await control(own, `/v1/models/${MODEL}/behaviour`, { behaviour: "normal", output_tokens: 100 });
    const stream = await begun(own);
    const code = own.stop();
    expect(await stream).toMatch(/data: \[DONE\]\n\n$/);
    expect(await code).toBe(0);
    await expect(fetch(`${own.base}/v1/models`)).rejects.toThrow();
  });

  it("moves a manual clock for those who wait", async () => {
    const own = await startServe("--clock", "manual");
    const waiting = fetch(`${own.base}${CHAT}`, {
      method: "POST",
      headers: { authorization: `Bearer ${own.key}`, "content-type": "application/json" },
      body: chat(),
    });
    await eventually(
      () => api(own, "/v1/jobs"),
      ({ body }) => body.data.length === 1,
    );
    expect(await own.stop()).toBe(0);
    expect((await waiting).status).toBe(200);
  });
});
