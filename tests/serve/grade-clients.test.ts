/** `assay serve --grade-clients`: the official OpenAI client, as it comes and with the care that the contract asks for, and two receivers. */
import { createHmac } from "node:crypto";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGrading, type Grade } from "../../sim/grading/index.ts";
import { type Serving, serve, wallClock } from "../../sim/server/index.ts";
import { openReceiver, type Receiver } from "./webhook-receiver.ts";

const MODEL = "brook-3b";
const grading = createGrading({ now: wallClock.elapsed, retryAfterSeconds: 2 });
const SECRET = "whsec_bench";

let serving: Serving;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  serving = await serve({
    port: 0,
    // A time-out of 120 s in half a second.
    speed: 240,
    seed: "bench",
    brand: "service",
    overrides: [grading.override],
    webhooks: { insecure: true },
  });
});
afterAll(async () => {
  await serving.stop();
  await receiver.close();
});

const messages = (content: string) => [{ role: "user" as const, content }];

function clientOf(options: Partial<ConstructorParameters<typeof OpenAI>[0]> = {}) {
  const wallet = serving.service.facade.openWallet(1_000);
  const openai = new OpenAI({ baseURL: `${serving.base}/v1`, apiKey: wallet.key, maxRetries: 2, ...options });
  const grades = (): Record<string, Grade["verdict"]> =>
    Object.fromEntries(
      grading
        .grades()
        .filter(({ client }) => client === wallet.address)
        .map(({ lesson, verdict }) => [lesson, verdict]),
    );
  return { openai, grades, key: wallet.key };
}

async function register(key: string, url: string): Promise<void> {
  const made = await fetch(`${serving.base}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, events: ["job.completed"], secret: SECRET }),
  });
  expect(made.ok).toBe(true);
}

const anything = async (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a bench for clients", () => {
  it("shows what the OpenAI client does by itself: it hurries after a 503, and pays twice when an answer is lost", async () => {
    const { openai, grades } = clientOf();
    const ask = (content: string) => openai.chat.completions.create({ model: MODEL, messages: messages(content) });
    await anything(ask("busy"));
    await anything(ask("refused"));
    await anything(ask("timed out"));
    await anything(ask("lost"));
    const stream = await openai.chat.completions.create({ model: MODEL, messages: messages("cut"), stream: true });
    await expect(
      (async () => {
        for await (const _ of stream);
      })(),
    ).rejects.toThrow();
    expect(grades()).toEqual({
      busy: "bad",
      refused: "good",
      timeout: "good",
      lost: "bad",
      cut: "good",
      repeat: "not tried",
      forgery: "not tried",
    });
    const lost = grading.grades().find(({ lesson, verdict }) => lesson === "lost" && verdict === "bad");
    expect(lost?.seen).toBe("asked again without a look; paid 4 units for 2 jobs");
  });

  it("gives a client that waits as told, and looks before it pays again, good grades", async () => {
    const { openai, grades, key } = clientOf({ maxRetries: 0 });
    const ask = (content: string) => openai.chat.completions.create({ model: MODEL, messages: messages(content) });
    const busy = (await anything(ask("busy"))) as { status: number; error: { details: { retry_after: number } } };
    expect(busy.status).toBe(503);
    await new Promise((resolve) => wallClock.after(busy.error.details.retry_after * 1_000, () => resolve(null)));
    await ask("busy");
    await anything(ask("refused"));
    await anything(ask("timed out"));
    await ask("timed out");
    await anything(ask("lost"));
    await fetch(`${serving.base}/v1/jobs?limit=1`, { headers: { authorization: `Bearer ${key}` } });
    await ask("lost");
    expect(grades()).toMatchObject({ busy: "good", refused: "good", timeout: "good", lost: "good", cut: "not tried" });
  });

  it("tells a receiver that checks signatures from one that believes everything", async () => {
    const careless = clientOf();
    await register(careless.key, receiver.url);
    const ask = (openai: OpenAI, content: string) =>
      anything(openai.chat.completions.create({ model: MODEL, messages: messages(content) }));
    // The first two questions make no job: they are lessons.
    for (const content of ["a", "b", "c"]) await ask(careless.openai, content);
    await receiver.arrived(5);
    expect(careless.grades()).toMatchObject({ repeat: "good", forgery: "bad" });

    receiver.judge = ({ headers, body }) => {
      const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["service-signature"])) ?? [];
      return v1 === createHmac("sha256", SECRET).update(`${t}.${body}`).digest("hex") ? 200 : 400;
    };
    const careful = clientOf();
    await register(careful.key, `${receiver.url}/careful`);
    const before = receiver.received.length;
    for (const content of ["a", "b", "c"]) await ask(careful.openai, content);
    await receiver.arrived(before + 5);
    expect(careful.grades()).toMatchObject({ repeat: "good", forgery: "good" });
  });
});
