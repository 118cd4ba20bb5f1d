/** The official OpenAI client against `assay serve`: nothing is changed but the base address and the key (section 1). */
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { api, control, eventually, type Served, startServe } from "./assay-serve.ts";

const MODEL = "brook-3b";
const ask = { model: MODEL, messages: [{ role: "user" as const, content: "Say one short sentence." }] };

let served: Served;
/** A wallet of its own for each test. */
let wallet: { wallet: string; api_key: string };
let openai: OpenAI;

const client = (options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}): OpenAI =>
  new OpenAI({ baseURL: `${served.base}/v1`, apiKey: wallet.api_key, maxRetries: 0, ...options });
const behave = (behaviour: string) => control(served, `/v1/models/${MODEL}/behaviour`, { behaviour });
const advance = (milliseconds: number) => control(served, "/v1/clock/advance", { milliseconds });
const balance = async (): Promise<number> => (await api(served, "/v1/account", wallet.api_key)).body.credits_remaining;
const jobs = async (): Promise<{ status: string; credits_charged: number }[]> =>
  (await api(served, "/v1/jobs", wallet.api_key)).body.data;
/** Until a worker has taken the newest job: how it behaves is settled then, and the clock may be moved on. */
const taken = () => eventually(jobs, ([newest]) => newest?.status === "processing");

beforeAll(async () => {
  served = await startServe("--control-port", "0");
});
afterAll(() => served.stop());
beforeEach(async () => {
  await behave("normal");
  wallet = await control(served, "/v1/wallets", { credits: 100 });
  openai = client();
});

describe("the OpenAI client", () => {
  it("lists and retrieves models", async () => {
    const ids: string[] = [];
    for await (const model of openai.models.list()) ids.push(model.id);
    expect(ids).toHaveLength(8);
    expect(ids).toContain(MODEL);
    expect(await openai.models.retrieve(MODEL)).toMatchObject({
      id: MODEL,
      object: "model",
      service: { tier: "lite" },
    });
  });

  it("gets a completion, its receipt and its charge", async () => {
    const { data, response } = await openai.chat.completions.create(ask).withResponse();
    expect(data.choices[0]).toMatchObject({ index: 0, finish_reason: "stop", message: { role: "assistant" } });
    expect(data.choices[0]!.message.content).not.toBe("");
    expect(data.usage!.total_tokens).toBe(data.usage!.prompt_tokens + data.usage!.completion_tokens);
    expect(data.id).toBe(`chatcmpl-${response.headers.get("x-service-job-id")}`);
    expect(response.headers.get("x-service-settlement-tx")).toMatch(/^0x[0-9a-f]{64}$/);
    expect(response.headers.get("x-service-credits-remaining")).toBe("98");
    expect(await balance()).toBe(98);
  });

  it("streams a completion, and helpers of the client put it together", async () => {
    const stream = openai.chat.completions.stream({ ...ask, max_tokens: 6 });
    const parts: string[] = [];
    stream.on("content", (delta) => void parts.push(delta));
    const whole = await stream.finalChatCompletion();
    expect(parts).toHaveLength(6);
    expect(whole.choices[0]!.message.content).toBe(parts.join(""));
    expect(whole.choices[0]!.finish_reason).toBe("length");
    expect(await balance()).toBe(98);
  });

  it("maps each refusal to its class of error, with code, param and type", async () => {
    const refusal = (promise: Promise<unknown>) =>
      promise.then(
        () => undefined,
        (error: InstanceType<typeof OpenAI.APIError>) => error,
      );
    const unknownKey = await refusal(client({ apiKey: `svc_live_${"0".repeat(32)}` }).models.list());
    expect(unknownKey).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(unknownKey).toMatchObject({ status: 401, code: "invalid_api_key" });

    const badRequest = await refusal(openai.chat.completions.create({ ...ask, temperature: 2.5 }));
    expect(badRequest).toBeInstanceOf(OpenAI.BadRequestError);
    expect(badRequest).toMatchObject({ status: 400, code: "invalid_request", param: "temperature" });

    const unknownModel = await refusal(openai.chat.completions.create({ ...ask, model: "gpt-4o" }));
    expect(unknownModel).toBeInstanceOf(OpenAI.BadRequestError);
    expect(unknownModel).toMatchObject({ code: "model_not_found", param: "model" });

    const notFound = await refusal(openai.models.retrieve("no-such-model"));
    expect(notFound).toBeInstanceOf(OpenAI.NotFoundError);

    const poor = await control<typeof wallet>(served, "/v1/wallets", { credits: 1 });
    const payment = await refusal(client({ apiKey: poor.api_key }).chat.completions.create(ask));
    expect(payment).toBeInstanceOf(OpenAI.APIError);
    expect(payment).toMatchObject({ status: 402, code: "insufficient_credits", type: "payment_error" });

    await control(served, "/v1/keys/state", { api_key: poor.api_key, state: "suspended" });
    const suspended = await refusal(client({ apiKey: poor.api_key }).models.list());
    expect(suspended).toBeInstanceOf(OpenAI.PermissionDeniedError);

    await behave("failing");
    const failed = await refusal(openai.chat.completions.create(ask));
    expect(failed).toBeInstanceOf(OpenAI.InternalServerError);
    expect(await balance()).toBe(100);
  });

  it("maps 409 and 422 of disputes", async () => {
    const { id } = await openai.chat.completions.create(ask);
    const dispute = () =>
      openai.post(`/jobs/${id.slice("chatcmpl-".length)}/dispute`, {
        body: { received_output_hash: `sha256:${"0".repeat(64)}` },
      });
    await expect(dispute()).resolves.toMatchObject({ dispute_opened: true });
    await expect(dispute()).rejects.toBeInstanceOf(OpenAI.ConflictError);
    await advance(61_000);
    await expect(dispute()).rejects.toBeInstanceOf(OpenAI.UnprocessableEntityError);
  });

  it("retries a 503 by itself, and pays once", async () => {
    await behave("absent");
    let attempts = 0;
    const counting: typeof fetch = async (...given) => {
      attempts++;
      const answer = await fetch(...given);
      if (answer.status === 503) await behave("normal");
      return answer;
    };
    const completion = await client({ maxRetries: 2, fetch: counting }).chat.completions.create(ask);
    expect(completion.choices).toHaveLength(1);
    expect(attempts).toBe(2);
    expect(await balance()).toBe(98);
    expect((await jobs()).map(({ status }) => status)).toEqual(["settled"]);
  });

  it("gives up on a model that stays unhosted, with nothing paid", async () => {
    await behave("absent");
    await expect(client({ maxRetries: 1 }).chat.completions.create(ask)).rejects.toMatchObject({
      status: 503,
      code: "no_workers_available",
      error: { details: { model: MODEL, retry_after: 10 } },
    });
    expect(await balance()).toBe(100);
    expect(await jobs()).toEqual([]);
  });

  it("retries a 504 by itself: two jobs, of which one was refunded and one charged", async () => {
    await behave("silent");
    const answer = client({ maxRetries: 1 }).chat.completions.create(ask);
    await taken();
    expect(await balance()).toBe(98);
    await behave("normal");
    await advance(120_000);
    expect((await answer).choices).toHaveLength(1);
    expect(await jobs()).toMatchObject([
      { status: "settled", credits_charged: 2 },
      { status: "refunded", credits_charged: 0 },
    ]);
    expect(await balance()).toBe(98);
  });

  it("throws on a stream that breaks in the middle, and the units come back", async () => {
    await control(served, `/v1/models/${MODEL}/behaviour`, { behaviour: "normal", output_tokens: 60_000 });
    const stream = await openai.chat.completions.create({ ...ask, stream: true });
    const read = (async () => {
      for await (const _ of stream);
    })();
    const broken = expect(read).rejects.toThrow();
    await taken();
    await advance(121_000);
    await broken;
    expect(await balance()).toBe(100);
  });
});
