import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chatOf, openTestClient } from "./test-client.ts";

const CHAT = "/v1/chat/completions";
const sha256 = (text: string): string => `sha256:${createHash("sha256").update(text).digest("hex")}`;
const chunksOf = (text: string) =>
  text
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)));

describe("a chat completion", () => {
  it("is answered when it has settled, with every receipt", async () => {
    const client = openTestClient();
    const { reply, head } = client.start("POST", CHAT, chatOf());
    await client.seconds(0.2);
    expect(head()).toBeUndefined();
    await client.seconds(5);
    const answer = await reply;
    const job = (await client.ask("GET", `/v1/jobs/${answer.headers["x-service-job-id"]}`)).json;
    expect(answer.headers).toMatchObject({
      "x-service-job-id": job.id,
      "x-service-tx-hash": job.on_chain.escrow_tx,
      "x-service-settlement-tx": job.on_chain.settlement_tx,
      "x-service-worker": job.worker_address,
      "x-service-credits-remaining": "998",
    });
    expect(answer.json).toMatchObject({ id: `chatcmpl-${job.id}`, object: "chat.completion", usage: job.usage });
    expect(job.on_chain.proof_hash).toBe(sha256(answer.json.choices[0].message.content.replace(/\n$/, "")));
    expect(job).toMatchObject({ status: "settled", credits_charged: 2, usdg_value: 0.02, tier: "lite" });
  });

  it("streams live: the first chunk before the last is made, the settlement in the trailer", async () => {
    const client = openTestClient();
    await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "normal", output_tokens: 400 });
    const { reply, written, head } = client.start("POST", CHAT, chatOf({ stream: true }));
    await client.seconds(1);
    expect(head()?.headers).toMatchObject({ "content-type": "text/event-stream; charset=utf-8" });
    const soFar = written.length;
    expect(soFar).toBeGreaterThan(1);
    expect(soFar).toBeLessThan(400);
    await client.seconds(10);
    const { text, trailers, headers } = await reply;
    const chunks = chunksOf(text);
    expect(chunks).toHaveLength(401);
    expect(chunks[0].choices[0]).toMatchObject({ delta: { role: "assistant" }, finish_reason: null });
    expect(chunks.at(-1).choices[0]).toEqual({ index: 0, delta: {}, finish_reason: "stop" });
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(headers.trailer).toBe("x-service-settlement-tx");
    const job = (await client.ask("GET", `/v1/jobs/${headers["x-service-job-id"]}`)).json;
    expect(trailers).toEqual({ "x-service-settlement-tx": job.on_chain.settlement_tx });
    const said = chunks.map((chunk) => chunk.choices[0].delta.content ?? "").join("");
    expect(job.on_chain.proof_hash).toBe(sha256(said.replace(/\n$/, "")));
  });

  it("goes on when the client has gone", async () => {
    const client = openTestClient();
    const { written, abort } = client.start("POST", CHAT, chatOf({ stream: true }));
    await client.seconds(0.5);
    abort();
    const before = written.length;
    await client.seconds(5);
    expect(written).toHaveLength(before);
    expect((await client.ask("GET", "/v1/jobs")).json.data[0]).toMatchObject({ status: "settled", credits_charged: 2 });
  });

  it("is answered 504 with the refund when it times out, and 500 when its worker drops out", async () => {
    const client = openTestClient();
    for (const stream of [false, true]) {
      await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "silent" });
      const timeout = await client.chat({ stream });
      expect(timeout.status).toBe(504);
      const { job_id, refund_tx } = timeout.json.error.details;
      expect(timeout.json.error).toMatchObject({ type: "timeout_error", details: { credits_refunded: 2 } });
      expect(timeout.headers["x-service-job-id"]).toBe(job_id);
      expect(refund_tx).toMatch(/^0x[0-9a-f]{64}$/);
      await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "failing" });
      expect((await client.chat({ stream })).status).toBe(500);
    }
    expect((await client.ask("GET", "/v1/account")).json.credits_remaining).toBe(1_000);
  });

  it("breaks a stream whose job runs into the time-out midway", async () => {
    const client = openTestClient();
    await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "normal", output_tokens: 100_000 });
    const answer = await client.chat({ stream: true });
    expect(answer.status).toBe(200);
    expect(answer.cut).toBe(true);
    expect(answer.text).not.toContain("[DONE]");
  });

  it("gives equal texts for equal seeds, and other texts without", async () => {
    const client = openTestClient();
    const said = async (changes: object) => (await client.chat({ ...changes })).json.choices[0].message.content;
    expect(await said({ seed: 5 })).toBe(await said({ seed: 5 }));
    expect(await said({})).not.toBe(await said({}));
  });
});

describe("refusals", () => {
  const cases: readonly (readonly [object, number, string, string | null])[] = [
    [{ model: undefined }, 400, "invalid_request", "model"],
    [{ messages: undefined }, 400, "invalid_request", "messages"],
    [{ messages: [] }, 400, "invalid_request", "messages"],
    [{ messages: [{ role: "user", content: "x" }, { content: "y" }] }, 400, "invalid_request", "messages[1].role"],
    [{ messages: [{ role: "robot", content: "x" }] }, 400, "invalid_request", "messages[0].role"],
    [{ messages: [{ role: "user", content: null }] }, 400, "invalid_request", "messages[0].content"],
    [{ messages: ["x"] }, 400, "invalid_request", "messages[0]"],
    [{ stream: "true" }, 400, "invalid_request", "stream"],
    [{ max_tokens: 1.5 }, 400, "invalid_request", "max_tokens"],
    [{ max_tokens: 0 }, 400, "invalid_request", "max_tokens"],
    [{ temperature: 2.01 }, 400, "invalid_request", "temperature"],
    [{ top_p: "1" }, 400, "invalid_request", "top_p"],
    [{ stop: ["a", 1] }, 400, "invalid_request", "stop[1]"],
    [{ frequency_penalty: -2.01 }, 400, "invalid_request", "frequency_penalty"],
    [{ presence_penalty: 2.01 }, 400, "invalid_request", "presence_penalty"],
    [{ seed: "1" }, 400, "invalid_request", "seed"],
    [{ model: "gpt-4o" }, 400, "model_not_found", "model"],
    [{ messages: [{ role: "user", content: "word ".repeat(131_073) }] }, 400, "context_length_exceeded", "messages"],
  ];

  it.each(cases)("tell of %j", async (changes, status, code, param) => {
    const answer = await openTestClient().ask("POST", CHAT, chatOf({ ...changes }));
    expect(answer.status).toBe(status);
    expect(answer.json.error).toMatchObject({ code, param });
    expect(answer.json.error.docs).toContain(`#${code}`);
  });

  it("take every edge of a range", async () => {
    const client = openTestClient();
    for (const temperature of [0, 2]) expect((await client.chat({ temperature })).status).toBe(200);
    const answer = await client.chat({ frequency_penalty: -2, presence_penalty: 2, top_p: 1, stop: null, seed: 1 });
    expect(answer.status).toBe(200);
    const full = await client.chat({ messages: [{ role: "user", content: "word ".repeat(131_071) }] });
    expect(full.status).toBe(200);
  });

  it("look at the key first, wherever it goes", async () => {
    const client = openTestClient();
    for (const [method, path] of [
      ["GET", "/v1/nothing"],
      ["POST", CHAT],
      ["DELETE", "/v1/webhooks/wh_x"],
      ["PUT", "/v1/models"],
    ] as const) {
      const missing = client.start(method, path, undefined, { authorization: undefined as unknown as string });
      expect((await missing.reply).json.error.code).toBe("missing_api_key");
      expect((await client.ask(method, path, undefined, { authorization: "Bearer x" })).json.error.code).toBe(
        "invalid_api_key",
      );
    }
  });

  it("tell of too few units, and of a model that nobody hosts", async () => {
    const client = openTestClient();
    const { key } = client.facade.openWallet(39);
    const authorization = `Bearer ${key}`;
    const poor = await client.ask("POST", CHAT, chatOf({ model: "summit-70b" }), { authorization });
    expect(poor.status).toBe(402);
    expect(poor.json.error).toMatchObject({
      type: "payment_error",
      details: { credits_remaining: 39, credits_required: 40, tier: "max" },
    });
    await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "absent" });
    const unhosted = await client.ask("POST", CHAT, chatOf());
    expect(unhosted.status).toBe(503);
    expect(unhosted.json.error.details).toEqual({ model: "brook-3b", retry_after: 10 });
  });
});

describe("the list of jobs", () => {
  it("is walked by its cursors, from either end, while jobs are made", async () => {
    for (const jobOrder of ["newest", "oldest"] as const) {
      const client = openTestClient({ overrides: [{ shape: { jobOrder } }] });
      for (let i = 0; i < 25; i++) client.start("POST", CHAT, chatOf());
      await client.seconds(5);
      const cursor = jobOrder === "newest" ? "before" : "after";
      const seen: string[] = [];
      let page = (await client.ask("GET", "/v1/jobs?limit=7")).json;
      for (;;) {
        seen.push(...page.data.map(({ id }: { id: string }) => id));
        if (!page.has_more) break;
        if (jobOrder === "newest") await client.chat();
        page = (await client.ask("GET", `/v1/jobs?limit=7&${cursor}=${page.next_cursor}`)).json;
      }
      expect(seen).toHaveLength(25);
      expect(new Set(seen).size).toBe(25);
    }
  });

  it("filters by status and model, and shows no other wallet's jobs", async () => {
    const client = openTestClient();
    await client.chat();
    await client.chat({ model: "grove-8b" });
    await client.control("POST", "/v1/models/brook-3b/behaviour", { behaviour: "failing" });
    await client.chat();
    const ids = async (query: string, key = client.key) =>
      (await client.ask("GET", `/v1/jobs?${query}`, undefined, { authorization: `Bearer ${key}` })).json.data?.length;
    expect(await ids("status=settled")).toBe(2);
    expect(await ids("status=failed")).toBe(1);
    expect(await ids("status=settled&model=grove-8b")).toBe(1);
    const other = client.facade.openWallet(100).key;
    expect(await ids("", other)).toBe(0);
    const { id } = (await client.ask("GET", "/v1/jobs?limit=1")).json.data[0];
    const authorization = `Bearer ${other}`;
    expect((await client.ask("GET", `/v1/jobs/${id}`, undefined, { authorization })).status).toBe(404);
    expect((await client.ask("GET", `/v1/jobs?before=${id}`, undefined, { authorization })).status).toBe(400);
  });
});

describe("a dispute", () => {
  const hash = (digit: string) => ({ received_output_hash: `sha256:${digit.repeat(64)}` });

  it("is opened once, in time, where the hashes differ", async () => {
    const client = openTestClient();
    const { reply } = client.start("POST", CHAT, chatOf());
    await client.seconds(5);
    const { json, headers } = await reply;
    const path = `/v1/jobs/${headers["x-service-job-id"]}/dispute`;
    const own = sha256(json.choices[0].message.content.replace(/\n$/, ""));
    const equal = await client.ask("POST", path, {
      received_output_hash: own.toUpperCase().replace("SHA256", "sha256"),
    });
    expect(equal.json).toMatchObject({ dispute_opened: false, dispute_tx: null });
    const opened = await client.ask("POST", path, hash("0"));
    expect(opened.json).toMatchObject({
      dispute_opened: true,
      your_hash: hash("0").received_output_hash,
      worker_hash: own,
      arbitration_window_hours: 24,
    });
    expect((await client.ask("POST", path, hash("0"))).status).toBe(409);
    const verdict = `/v1/disputes/${headers["x-service-job-id"]}/verdict`;
    expect((await client.control("POST", verdict, { verdict: "honest" })).status).toBe(200);
    expect((await client.control("POST", verdict, { verdict: "honest" })).status).toBe(404);
  });

  it("is too late after 60 seconds", async () => {
    const client = openTestClient();
    const { headers } = await client.chat();
    const late = await client.ask("POST", `/v1/jobs/${headers["x-service-job-id"]}/dispute`, hash("0"));
    expect(late.status).toBe(422);
    expect(late.json.error.code).toBe("dispute_window_expired");
  });
});
