/** What must not be shown to others, and what is delivered to them: each monitor is seen to fail on one wrong thing. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { headerList } from "../../exchange/headers.ts";
import { arrived, withReply } from "../../receiver/delivery.ts";
import { reply } from "../../receiver/receiver.ts";
import { ADDRESS, chat, context, failedBy, hash, job, KEY, made, NOW, OTHER_KEY } from "../exchange.fixture.ts";
import { deliveriesMonitor } from "./deliveries.ts";
import { isolationMonitor } from "./isolation.ts";
import { leaksMonitor } from "./leaks.ts";

const account = (changes: object = {}, key = KEY) =>
  made("GET /v1/account", {
    key,
    json: { wallet: ADDRESS, credits_remaining: 98, usdg_value: 0.98, last_topup_at: null, ...changes },
  });
const error = (status: number, code: string, changes: object = {}) =>
  made("GET /v1/jobs/job_x", {
    status,
    json: { error: { code, message: "m", type: "t", param: null, docs: "d", ...changes } },
  });
const readJob = (changes: object = {}, key = KEY) => made("GET /v1/jobs/job_1", { key, json: job(changes as never) });
const page = (data: readonly unknown[], key = KEY) =>
  made("GET /v1/jobs", { key, json: { object: "list", data, has_more: false, next_cursor: null } });

describe("isolation", () => {
  const theirs = account({ wallet: `0x${"b".repeat(40)}` }, OTHER_KEY);
  const hook = made("POST /v1/webhooks", { status: 201, body: { url: "https://x.test" }, json: { id: "wh_1" } });

  it.each([
    ["a job that another reads", [readJob({}, OTHER_KEY)], ["4.5/3"]],
    ["a page that shows another's job", [page([job()], OTHER_KEY)], ["4.6/3"]],
    ["a dispute of another's job", [made("POST /v1/jobs/job_1/dispute", { key: OTHER_KEY })], ["4.7/15"]],
    [
      "a list with another's webhook",
      [made("GET /v1/webhooks", { key: OTHER_KEY, json: [{ id: "wh_1" }] })],
      ["4.9/2"],
    ],
    ["another's webhook deleted", [made("DELETE /v1/webhooks/wh_1", { key: OTHER_KEY })], ["4.10/4"]],
    ["a receipt of a job that nobody knows", [made("GET /v1/jobs/job_1", { status: 404 })], ["4.5/4", "4.11/9"]],
  ])("finds %s", (_, exchanges, rows) => {
    expect(failedBy(isolationMonitor(), account(), theirs, chat(), hook, ...exchanges)).toEqual(rows);
  });

  it("accuses nobody whose wallets it does not know: two keys may be of one", () => {
    expect(failedBy(isolationMonitor(), chat(), readJob({}, OTHER_KEY))).toEqual([]);
  });
});

describe("leaks", () => {
  const secret = "whsec_0123456789";
  const hook = made("POST /v1/webhooks", { status: 201, body: { secret }, json: { id: "wh_1" } });

  it.each([
    ["the secret in a list", [hook, made("GET /v1/webhooks", { json: [{ secret }] })], ["4.9/3"]],
    ["the secret in any other answer", [hook, account({ note: `x=${secret};` })], ["2.6/5"]],
    [
      "the secret in the answer to its own creation",
      [made("POST /v1/webhooks", { status: 201, body: { secret }, json: { secret } })],
      ["2.6/4"],
    ],
    ["the key in an error", [error(404, "not_found", { message: `no job for ${KEY}` })], ["5/8", "7/11"]],
    [
      "another's key in a header",
      [account({}, OTHER_KEY), made("GET /v1/models", { headers: { "x-debug": OTHER_KEY } })],
      ["5/8"],
    ],
  ])("finds %s", (_, exchanges, rows) => {
    expect(failedBy(leaksMonitor(), ...exchanges)).toEqual(rows);
  });

  it("lets a completion say again what its prompt told", () => {
    const echo = made("POST /v1/chat/completions", {
      body: { messages: [{ content: secret }] },
      json: { content: secret },
    });
    expect(failedBy(leaksMonitor(), hook, echo)).toEqual([]);
  });
});

describe("deliveries", () => {
  const secret = "whsec_0123456789";
  const url = "https://receiver.test/1-x";
  const hook = made("POST /v1/webhooks", {
    status: 201,
    body: { url, secret, events: ["job.completed"] },
    json: { id: "wh_1" },
  });
  const data = {
    ...{ job_id: "job_1", model: "small", tier: "lite", credits_charged: 2, usdg_value: 0.02, worker_address: ADDRESS },
    ...{ settlement_tx: hash("2"), block_number: 7, prompt_tokens: 3, completion_tokens: 4, credits_remaining: 98 },
  };
  const envelope = {
    id: "evt_1",
    event: "job.completed",
    created_at: "2026-06-01T00:00:00Z",
    api_version: "2026-06-01",
    data,
  };

  function delivery(
    changes: {
      readonly body?: object;
      readonly key?: string;
      readonly t?: number;
      readonly method?: string;
      readonly type?: string;
    } = {},
  ) {
    const text = JSON.stringify({ ...envelope, ...changes.body });
    const t = changes.t ?? NOW / 1000;
    const v1 = createHmac("sha256", changes.key ?? secret)
      .update(`${t}.${text}`)
      .digest("hex");
    const headers = [
      ["Content-Type", changes.type ?? "application/json"],
      ["Service-Signature", `t=${t},v1=${v1}`],
    ] as const;
    const raw = { url, method: changes.method ?? "POST", headers, body: new TextEncoder().encode(text) };
    return withReply(arrived(raw, { number: 1, brand: "service", earliest: NOW, at: NOW }), reply.ok());
  }

  function heard(...deliveries: readonly ReturnType<typeof delivery>[]): readonly string[] {
    const monitor = deliveriesMonitor("service");
    for (const exchange of [account(), chat(), hook, readJob()]) [...monitor.see(exchange, context)];
    const judgements = deliveries.flatMap((each) => [...(monitor.hear?.(each, context) ?? [])]);
    return [...new Set(judgements.flatMap((each) => (each.kind === "failed" ? [each.requirement] : [])))];
  }

  it.each([
    ["nothing wrong", [delivery()], []],
    ["another method", [delivery({ method: "PUT" })], ["6/1"]],
    ["another content type", [delivery({ type: "text/plain" })], ["6/7"]],
    ["an id without its prefix", [delivery({ body: { id: "1" } })], ["2.7/1"]],
    [
      "an event that was not subscribed",
      [delivery({ body: { event: "job.failed", data: { job_id: "job_1" } } })],
      ["6/3"],
    ],
    ["a signature by another secret", [delivery({ key: "whsec_of_another" })], ["6.3/2"]],
    ["a time that is not the delivery's", [delivery({ t: NOW / 1000 - 3_600 })], ["6.3/3"]],
    [
      "another charge than the job's",
      [delivery({ body: { data: { ...data, credits_charged: 3, usdg_value: 0.03 } } })],
      ["6.2/3"],
    ],
    [
      "a value that is not the charge x 0.01",
      [delivery({ body: { data: { ...data, usdg_value: 2 } } })],
      ["6.2/6", "6.2/3"],
    ],
    ["another version", [delivery({ body: { api_version: "2027-01-01" } })], ["9/2"]],
    [
      "two endings",
      [delivery(), delivery({ body: { event: "job.timeout", data: { job_id: "job_1" } } })],
      ["6/3", "6.1/11"],
    ],
  ])("finds %s", (_, deliveries, rows) => {
    expect(heard(...deliveries)).toEqual(rows);
  });

  it("finds another wallet's event, and a missing signature", () => {
    const monitor = deliveriesMonitor("service");
    const foreign = { ...chat({}, {}), request: { ...chat().request, key: OTHER_KEY } };
    for (const exchange of [account(), account({ wallet: `0x${"b".repeat(40)}` }, OTHER_KEY), foreign, hook])
      [...monitor.see(exchange, context)];
    const unsigned = {
      ...delivery(),
      signature: null,
      signatureHeader: null,
      headers: headerList([["content-type", "application/json"]]),
    };
    const rows = [...(monitor.hear?.(unsigned, context) ?? [])].flatMap((each) =>
      each.kind === "failed" ? [each.requirement] : [],
    );
    expect(rows).toEqual(["6.3/1", "6/4"]);
  });
});
