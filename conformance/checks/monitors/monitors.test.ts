import { describe, expect, it } from "vitest";
import { ADDRESS, chat, failedBy, hash, job, KEY, made, NOW, passedBy } from "../exchange.fixture.ts";
import { accountMonitor } from "./account.ts";
import { answersMonitor } from "./answers.ts";
import { completionsMonitor } from "./completions.ts";
import { errorsMonitor } from "./errors.ts";
import { faultsMonitor } from "./faults.ts";
import { makeMonitors } from "./index.ts";
import { jobsMonitor } from "./jobs.ts";
import { modelsMonitor, sizeOf } from "./models.ts";
import { receiptsMonitor } from "./receipts.ts";

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
const model = (changes: object = {}, extension: object = {}) => ({
  id: "small",
  object: "model",
  created: 1_700_000_000,
  owned_by: "us",
  service: {
    ...{ tier: "lite", credits_per_request: 2, credits_per_1k_tokens: 1, active_workers: 1 },
    ...{ median_latency_ms: 5, parameters: "3B", context_window: 32_768 },
    ...extension,
  },
  ...changes,
});
const models = (...data: unknown[]) => made("GET /v1/models", { json: { object: "list", data } });
const readJob = (changes: object = {}, key = KEY) => made("GET /v1/jobs/job_1", { key, json: job(changes as never) });
const page = (data: readonly unknown[], key = KEY) =>
  made("GET /v1/jobs", { key, json: { object: "list", data, has_more: false, next_cursor: null } });

describe("all monitors", () => {
  it("are quiet on a service that is right", () => {
    const right = [
      models(model()),
      made("GET /v1/models/small", { json: model() }),
      account(),
      chat(),
      readJob(),
      page([job()]),
    ];
    for (const monitor of makeMonitors("service"))
      expect([monitor.name, failedBy(monitor, ...right)]).toEqual([monitor.name, []]);
  });

  it("read paths whose escapes are broken", () => {
    const unknown = { status: 404, json: { error: { code: "c", message: "m", type: "t", param: null, docs: "d" } } };
    const broken = [
      made("GET /v1/jobs/%zz", unknown),
      made("POST /v1/jobs/%E0%A4%A/dispute", unknown),
      made("DELETE /v1/webhooks/%", unknown),
      made("GET /v1/jobs?before=%&status=%zz", { json: { object: "list", data: [], has_more: false } }),
    ];
    for (const monitor of makeMonitors("service"))
      expect([monitor.name, failedBy(monitor, ...broken)]).toEqual([monitor.name, []]);
  });

  it("name the rows that they judge", () => {
    const rows = makeMonitors("service").flatMap((monitor) => monitor.rows);
    expect(new Set(rows).size).toBeGreaterThan(100);
  });
});

describe("answers", () => {
  it.each([
    [
      "a wrong type",
      made("GET /v1/account", { json: { wallet: ADDRESS, credits_remaining: "98", usdg_value: 1 } }),
      ["2.1/1"],
    ],
    ["a missing field", made("GET /v1/account", { json: { wallet: ADDRESS, credits_remaining: 98 } }), ["2.1/2"]],
    ["no JSON", made("GET /v1/account", { text: "hello" }), ["4/2", "4.4/1"]],
    [
      "another content type",
      made("GET /v1/models", { json: { object: "list", data: [] }, headers: { "content-type": "text/plain" } }),
      ["4/2"],
    ],
    ["another status", made("GET /v1/models", { status: 202, json: { object: "list", data: [] } }), ["4.2/1"]],
    [
      "a stream that nobody asked for",
      made("POST /v1/chat/completions", { body: {}, headers: { "content-type": "text/event-stream" } }),
      ["4.1/5"],
    ],
    ["no stream where one was asked for", chat({}, {}, { stream: true }), ["4.1/6"]],
    ["a settled job without its chain", readJob({ on_chain: {} }), ["2.3/15"]],
    [
      "a next cursor that is no job",
      made("GET /v1/jobs", { json: { object: "list", data: [], has_more: true, next_cursor: "2" } }),
      ["2.5/3"],
    ],
    [
      "a webhook with its secret",
      made("POST /v1/webhooks", {
        status: 201,
        json: {
          id: "wh_1",
          url: "https://x.test",
          events: ["job.failed"],
          created_at: "2026-06-01T00:00:00Z",
          status: "active",
          secret: "s",
        },
      }),
      ["2.6/4"],
    ],
  ])("finds %s", (_, exchange, rows) => {
    expect(failedBy(answersMonitor("service"), exchange)).toEqual(rows);
  });

  it("takes a list for no evidence of how one is answered", () => {
    expect(passedBy(answersMonitor("service"), models(model()))).not.toContain("4.3/1");
  });
});

describe("errors", () => {
  it.each([
    ["no error object", made("GET /v1/jobs/job_x", { status: 404, json: { message: "no" } }), ["7/1"]],
    ["a code that is no string", error(404, 404 as never), ["7/2"]],
    ["a param that is a number", error(404, "not_found", { param: 1 }), ["7/4"]],
    ["details that are none", error(404, "not_found", { details: "x" }), ["7/5"]],
    [
      "another content type",
      made("GET /v1/jobs/job_x", { status: 404, text: "{}", headers: { "content-type": "text/html" } }),
      ["4/3", "7/1"],
    ],
    ["a code with another status", error(400, "invalid_api_key"), ["7.2/15"]],
    [
      "a timeout of another type",
      error(504, "job_timeout", { details: { job_id: "job_1", credits_refunded: 2, refund_tx: hash("1") } }),
      ["7/8"],
    ],
    [
      "a timeout without its job",
      error(504, "job_timeout", { type: "timeout_error", details: { credits_refunded: 2, refund_tx: hash("1") } }),
      ["7.2/9"],
    ],
    [
      "a number of units that is a text",
      error(402, "insufficient_credits", {
        type: "payment_error",
        details: { credits_remaining: 7, credits_required: "8", tier: "lite" },
      }),
      ["7.2/1"],
    ],
    [
      "a wait below zero",
      error(503, "no_workers_available", { type: "capacity_error", details: { model: "small", retry_after: -1 } }),
      ["7.3/3", "7.2/6"],
    ],
  ])("finds %s", (_, exchange, rows) => {
    expect(failedBy(errorsMonitor("service"), exchange)).toEqual(rows);
  });

  it("leave the HTTP layer its own answer to what is no URI", () => {
    const parts = { status: 400, text: "400 Bad Request", headers: { "content-type": "text/plain" } };
    expect(failedBy(errorsMonitor("service"), made("GET /v1/jobs/%E0%A4%A", parts))).toEqual([]);
    expect(failedBy(errorsMonitor("service"), made("GET /v1/jobs/%E0%A4%AB", parts))).toEqual(["4/3", "7/1"]);
  });

  it("judges nothing of a 429, and lets an unknown model be 404 with any code", () => {
    const exchanges = [
      made("GET /v1/account", { status: 429, text: "slow" }),
      { ...error(404, "model_not_found"), endpoint: "GET /v1/models/{model_id}" as const },
    ];
    expect(failedBy(errorsMonitor("service"), ...exchanges)).toEqual([]);
  });

  it("lets any code stand beside 404, 409 and 500, but on a completion", () => {
    const odd = [error(404, "model_not_found"), error(409, "invalid_request"), error(405, "invalid_request")];
    for (const exchange of odd) {
      expect(failedBy(errorsMonitor("service"), { ...exchange, endpoint: null })).toEqual([]);
    }
    const completion = { ...error(404, "model_not_found"), endpoint: "POST /v1/chat/completions" as const };
    expect(failedBy(errorsMonitor("service"), completion)).toEqual(["7.2/15"]);
  });
});

describe("faults", () => {
  const bad = (body: object) =>
    made("POST /v1/chat/completions", { status: 500, body, json: { error: { code: "x" } } });

  it("finds a 500 that no job can have caused, and lets a job fail", () => {
    expect(failedBy(faultsMonitor("service"), bad({ model: 5 }))).toEqual(["7.1/8"]);
    expect(failedBy(faultsMonitor("service"), error(500, "oops"))).toEqual(["7.1/8"]);
    expect(
      failedBy(faultsMonitor("service"), bad({ model: "small", messages: [{ role: "user", content: "hi" }] })),
    ).toEqual([]);
  });
});

describe("receipts", () => {
  it.each([
    ["a malformed hash", chat({}, { "x-service-tx-hash": "0x12" }), ["4.11/10"]],
    ["a balance below zero", chat({}, { "x-service-credits-remaining": "-1" }), ["2.1/7"]],
    ["another job than the completion's", chat({ id: "chatcmpl-job_2" }), ["4.11/6", "2.4/2"]],
    [
      "a completion without any",
      made("POST /v1/chat/completions", { body: {}, json: {} }),
      ["4.11/1", "4.11/2", "4.11/4", "4.11/5"],
    ],
  ])("finds %s", (_, exchange, rows) => {
    expect(failedBy(receiptsMonitor(), exchange)).toEqual(rows);
  });
});

describe("account, models, completions", () => {
  it.each([
    ["a value that is not the balance x 0.01", [account({ usdg_value: 0.97 })], ["2.1/2"]],
    ["a balance below zero", [account({ credits_remaining: -1, usdg_value: -0.01 })], ["2.1/7"]],
    ["another wallet for the same key", [account(), account({ wallet: `0x${"b".repeat(40)}` })], ["2.1/8"]],
  ])("finds %s", (_, exchanges, rows) => {
    expect(failedBy(accountMonitor(), ...exchanges)).toEqual(rows);
  });

  it.each([
    ["a model that nobody hosts", [models(model({}, { active_workers: 0 }))], ["2.2/5"]],
    ["one id twice", [models(model(), model())], ["2.2/9"]],
    ["a creation in milliseconds", [models(model({ created: 1_700_000_000_000 }))], ["2.2/10"]],
    ["the prices of another tier", [models(model({}, { credits_per_1k_tokens: 4 }))], ["8/5"]],
    ["a size of another tier", [models(model({}, { parameters: "14B" }))], ["8/9"]],
    ["an owner that changes", [models(model()), models(model({ owned_by: "them" }))], ["2.2/11"]],
    [
      "a model that reads otherwise alone",
      [models(model()), made("GET /v1/models/small", { json: model({ created: 1_600_000_000 }) })],
      ["4.3/2"],
    ],
  ])("finds %s", (_, exchanges, rows) => {
    expect(failedBy(modelsMonitor(), ...exchanges)).toEqual(rows);
  });

  it.each([
    ["another model", chat({ model: "large" }), ["2.4/4"]],
    ["two choices", chat({ choices: [{ index: 0 }, { index: 1 }] }), ["2.4/8"]],
    ["another ending", chat({ choices: [{ index: 0, finish_reason: "tool_calls" }] }), ["2.4/9"]],
    ["a total that is no sum", chat({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 3 } }), ["2.4/7"]],
    ["no token of prompt", chat({ usage: { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 } }), ["2.4/11"]],
    ["more than max_tokens", chat({ usage: { prompt_tokens: 1, completion_tokens: 17, total_tokens: 18 } }), ["4.1/8"]],
  ])("finds %s", (_, exchange, rows) => {
    expect(failedBy(completionsMonitor(), exchange)).toEqual(rows);
  });

  it("reads sizes as they are written", () => {
    expect(["1.7B", "70B", "350M", "8 B", "huge", 8].map(sizeOf)).toEqual([1.7e9, 70e9, 350e6, 8e9, null, null]);
  });
});

describe("jobs", () => {
  const later = { at: NOW + 1 };

  it.each([
    ["two chats with one job", [chat(), chat()], ["2.3/21", "1/2"]],
    ["another model than was asked for", [chat(), readJob({ model: "large" })], ["2.3/3"]],
    ["another tier than its model's", [models(model()), readJob({ tier: "pro" })], ["2.3/5"]],
    ["a charge below zero", [readJob({ credits_charged: -2, usdg_value: -0.02 })], ["2.3/27"]],
    ["a value that is not its charge x 0.01", [readJob({ usdg_value: 2 })], ["2.3/7"]],
    ["an end before the beginning", [readJob({ completed_at: "2026-05-31T00:00:00Z" })], ["2.3/10"]],
    [
      "a total that is no sum",
      [readJob({ usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 8 } })],
      ["2.3/17"],
    ],
    [
      "another usage than the completion's",
      [chat(), readJob({ usage: { prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 } })],
      ["2.3/18"],
    ],
    [
      "one transaction for lock and settlement",
      [readJob({ on_chain: { escrow_tx: hash("1"), settlement_tx: hash("1") } })],
      ["2.3/22"],
    ],
    ["a refunded job that was settled on-chain", [readJob({ status: "refunded" })], ["3.1/10"]],
    [
      "another worker than the receipt's",
      [chat({}, { "x-service-worker": `0x${"b".repeat(40)}` }), readJob()],
      ["4.11/6"],
    ],
    [
      "a step back",
      [readJob(), made("GET /v1/jobs/job_1", { json: job({ status: "processing", completed_at: null }), ...later })],
      ["3.1/9", "3.1/12"],
    ],
    [
      "a creation that moves",
      [
        readJob({ status: "processing", completed_at: null }),
        made("GET /v1/jobs/job_1", { json: job({ created_at: "2026-05-31T23:59:58Z" }), ...later }),
      ],
      ["2.3/11"],
    ],
    [
      "a page out of order",
      [
        page(
          ["00:00:09", "00:00:05", "00:00:07", "00:00:01"].map((time, index) =>
            job({ id: `job_${index}`, status: "processing", completed_at: null, created_at: `2026-05-31T${time}Z` }),
          ),
        ),
      ],
      ["4.6/19"],
    ],
    ["a completion of a job on its way", [readJob({ status: "processing" })], ["2.3/10"]],
    ["a disputed job without its value", [readJob({ status: "disputed", usdg_value: 0 })], ["2.3/7"]],
    [
      "a disputed job that forgets its tokens",
      [readJob(), made("GET /v1/jobs/job_1", { json: job({ status: "disputed", usage: null }), ...later })],
      ["2.3/23"],
    ],
    [
      "a settled job that changes",
      [readJob(), made("GET /v1/jobs/job_1", { json: job({ completed_at: "2026-06-01T00:00:02Z" }), ...later })],
      ["2.3/23"],
    ],
    [
      "a job that reads otherwise in a page",
      [readJob(), page([job({ completed_at: "2026-06-01T00:00:02Z" })])],
      ["2.5/6"],
    ],
  ])("finds %s", (_, exchanges, rows) => {
    expect(failedBy(jobsMonitor(), ...exchanges)).toEqual(rows);
  });

  it("lets a dispute change what was settled", () => {
    const disputed = made("POST /v1/jobs/job_1/dispute", { json: { dispute_opened: true } });
    const after = made("GET /v1/jobs/job_1", { json: job({ credits_charged: 0, usdg_value: 0 }), ...later });
    expect(failedBy(jobsMonitor(), readJob(), disputed, after)).toEqual([]);
  });
});
