import { afterEach, describe, expect, it } from "vitest";
import { openClock } from "../target/make-clock.ts";
import { PATIENCE } from "../target/patience.ts";
import type { Exchange } from "./exchange.ts";
import { endpointOf, makeHttp, retryWait } from "./http.ts";
import { type Handler, type LocalServer, localServer } from "./local-server.fixture.ts";
import { openWire, type Wire } from "./wire.ts";

let server: LocalServer;
let wire: Wire;

async function open(handler: Handler, path = "") {
  server = await localServer(handler);
  wire = openWire({ now: Date.now });
  const { signal } = new AbortController();
  const clock = await openClock({
    kind: "none",
    port: null,
    patience: PATIENCE.none,
    activity: () => 0,
    inProcess: false,
    signal,
  });
  const seen: Exchange[] = [];
  const http = makeHttp({
    wire,
    clock,
    baseUrl: server.url + path,
    owner: () => "a/case",
    onExchange: (each) => seen.push(each),
    signal,
  });
  const get = (to: string) => http.call({ method: "GET", path: to, headers: [], body: null, key: null });
  return { http, get, seen };
}

afterEach(async () => {
  await wire.close();
  await server.close();
});

describe("a call", () => {
  it("sends nothing until it is awaited or started, and once however often it is awaited", async () => {
    let requests = 0;
    const { get } = await open((_, response) => {
      requests += 1;
      response.end(`{"n":${requests}}`);
    });
    const call = get("/v1/models");
    expect(requests).toBe(0);
    const [first, second] = await Promise.all([call, call]);
    expect(first).toBe(second);
    expect(first).toMatchObject({
      number: 1,
      case: "a/case",
      endpoint: "GET /v1/models",
      status: 200,
      json: { n: 1 },
      retried: 0,
    });
    expect(requests).toBe(1);
  });

  it("puts the path of the base address before its own", async () => {
    const { get } = await open((request, response) => response.end(request.url), "/prefix/");
    expect((await get("/v1/models?x=1")).text).toBe("/prefix/v1/models?x=1");
  });

  it("waits out a burst of 429 and records every answer", async () => {
    let left = 3;
    const { get, seen } = await open((_, response) => {
      left -= 1;
      response.writeHead(left < 0 ? 200 : 429, { "retry-after": "0" }).end("{}");
    });
    expect(await get("/v1/account")).toMatchObject({ status: 200, retried: 3 });
    expect(seen.map(({ status }) => status)).toEqual([429, 429, 429, 200]);
  });

  it("does not wait for ever: a target that only says 429 is believed", async () => {
    const { get, seen } = await open((_, response) => response.writeHead(429, { "retry-after": "0" }).end());
    expect((await get("/v1/account")).status).toBe(429);
    expect(seen.length).toBe(7);
  });

  it("can be left in the middle", async () => {
    const { get } = await open((_, response) => {
      response.writeHead(200);
      response.write("one");
    });
    const pending = get("/v1/models").start();
    while (pending.arrivals.length === 0) await new Promise(setImmediate);
    expect(pending).toMatchObject({ settled: false, status: 200 });
    pending.abort();
    expect(await pending.done).toMatchObject({ ending: "aborted", status: 200, text: "one" });
  });

  it("is abandoned with all the others when the run is over", async () => {
    const { http, get } = await open(() => {});
    const pending = get("/v1/models").start();
    http.abandon("over");
    expect(await pending.done).toMatchObject({ ending: "aborted", error: "over" });
  });
});

describe("endpointOf", () => {
  it.each([
    ["GET", "/v1/jobs/job_1?x=1", "GET /v1/jobs/{job_id}"],
    ["GET", "/v1/jobs", "GET /v1/jobs"],
    ["POST", "/v1/jobs/job_1/dispute", "POST /v1/jobs/{job_id}/dispute"],
    ["GET", "/v1/jobs/", null],
    ["PUT", "/v1/jobs", null],
    ["GET", "/v2/jobs", null],
  ])("%s %s is for %s", (method, path, endpoint) => {
    expect(endpointOf(method, path)).toBe(endpoint);
  });
});

describe("retryWait", () => {
  const answer = (retryAfter: string | null, retried = 0): Exchange =>
    ({ headers: { get: () => retryAfter }, retried }) as unknown as Exchange;

  it("reads seconds and dates, never waits longer than 15 s, and waits ever longer without being told", () => {
    expect(retryWait(answer("2"), 0)).toBe(2_000);
    expect(retryWait(answer("Thu, 01 Jan 1970 00:00:05 GMT"), 1_000)).toBe(4_000);
    expect(retryWait(answer("3600"), 0)).toBe(15_000);
    expect([0, 1, 2].map((retried) => retryWait(answer(null, retried), 0))).toEqual([250, 500, 1_000]);
    expect(retryWait(answer("soon"), 0)).toBe(250);
  });
});
