/** Section 1: what a client written for the OpenAI protocol may count on. */
import { at, type Exchange } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { defineCase, type RequirementId } from "../case.ts";
import { answered, paidFor, refusedAsInvalid, told } from "../support/refusals.ts";

/** The headers of the official Node client, which a server meets with every request of it. */
const CLIENT_HEADERS = {
  accept: "application/json",
  "content-type": "application/json",
  "user-agent": "OpenAI/JS 6.49.0",
  "x-stainless-retry-count": "0",
  "x-stainless-timeout": "600",
  "x-stainless-lang": "js",
  "x-stainless-package-version": "6.49.0",
  "x-stainless-os": "Linux",
  "x-stainless-arch": "x64",
  "x-stainless-runtime": "node",
  "x-stainless-runtime-version": "v20.19.0",
};

/** "A client written against that protocol works after changing only the base address and the API key." */
const unchanged = defineCase({
  id: "1/client",
  title: "an OpenAI client's own requests are served, in one piece, streamed, and when it lists models",
  requirements: ["1/1", "4.1/5", "4.1/6"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const body = { model: t.model().id, messages: [{ role: "user", content: "Say hello." }], max_tokens: 16 };

    const list = answered(t, await t.api.models({ headers: CLIENT_HEADERS }));
    t.check("1/1", list.status === 200 && Array.isArray(at(list.json, "data")), {
      title: "an OpenAI client cannot list models",
      expected: "200 with an array `data`",
      seen: told(list),
    });

    const whole = answered(t, await t.api.chat(body, { headers: CLIENT_HEADERS }));
    if (whole.status === 402 || whole.status >= 500) t.giveUp(`a valid chat was answered ${told(whole)}`);
    t.check("1/1", readsAsCompletion(whole), {
      title: "an OpenAI client cannot read a completion",
      expected: "200 with `id`, `object`, `created`, `model`, `choices[0].message.content` and `usage`",
      seen: told(whole),
    });
    t.check("4.1/5", isJson(whole), { expected: "a JSON completion", seen: whole.headers.get("content-type") });

    const stream = answered(t, await t.api.chat({ ...body, stream: true }, { headers: CLIENT_HEADERS }));
    t.check("1/1", stream.status === 200 && readStream(stream).chunks.length > 1, {
      title: "an OpenAI client cannot read a stream",
      expected: "200 with chunks",
      seen: told(stream),
    });
    t.check("4.1/6", isStream(stream), { expected: "an SSE stream", seen: stream.headers.get("content-type") });
  },
});

const isJson = (exchange: Exchange): boolean => at(exchange.json, "object") === "chat.completion";
const isStream = (exchange: Exchange): boolean => readStream(exchange).chunks.length > 0 && !isJson(exchange);

function readsAsCompletion({ status, json }: Exchange): boolean {
  return (
    status === 200 &&
    typeof at(json, "id") === "string" &&
    at(json, "object") === "chat.completion" &&
    typeof at(json, "created") === "number" &&
    typeof at(json, "model") === "string" &&
    typeof at(json, "choices", 0, "message", "content") === "string" &&
    typeof at(json, "usage", "total_tokens") === "number"
  );
}

/** Section 2.4's roles: a system prompt, and a conversation of several turns. */
const CONVERSATIONS: Readonly<Record<string, readonly { role: string; content: string }[]>> = {
  "a system prompt": [
    { role: "system", content: "You answer in one short sentence." },
    { role: "user", content: "What is a ledger?" },
  ],
  "a conversation of several turns": [
    { role: "user", content: "Name a river." },
    { role: "assistant", content: "The Rhine." },
    { role: "user", content: "And another." },
    { role: "assistant", content: "The Danube." },
    { role: "user", content: "Which is longer?" },
  ],
  "a system prompt and several turns": [
    { role: "system", content: "You are brief." },
    { role: "user", content: "Name a river." },
    { role: "assistant", content: "The Rhine." },
    { role: "user", content: "Where does it end?" },
  ],
};

const turn = (role: string, content: string) => ({ role, content });

/** What the OpenAI protocol takes, too: the contract knows of no order in which roles must come. */
const FREE_ORDERS: Readonly<Record<string, readonly { role: string; content: string }[]>> = {
  "two system messages": [turn("system", "You are brief."), turn("system", "You are kind."), turn("user", "Hello.")],
  "two messages of the user in a row": [turn("user", "Hello."), turn("user", "Name a river.")],
  "a system message after others": [
    turn("user", "Name a river."),
    turn("assistant", "The Rhine."),
    turn("system", "Be brief from now on."),
    turn("user", "Another."),
  ],
  "a conversation that the assistant begins": [turn("assistant", "How can I help?"), turn("user", "Name a river.")],
};

/** "Supported OpenAI features: ... system prompts and multi-turn chats", and each sampling parameter beside the others. */
const features = defineCase({
  id: "1/features",
  title: "system prompts, several turns and all sampling parameters together are accepted",
  requirements: ["1/10", "1/11"],
  cost: (prices) => 5 * prices.flat,
  async run(t) {
    // Who pays hears all of them at once.
    const orders = t.home.fresh ? FREE_ORDERS : { "a conversation in a free order": Object.values(FREE_ORDERS).flat() };
    for (const [what, messages] of Object.entries({ ...CONVERSATIONS, ...orders })) {
      for (const stream of t.home.fresh ? [false, true] : [false]) {
        const answer = answered(t, await t.api.say({ messages, stream }));
        if (answer.status === 402 || answer.status >= 500) t.giveUp(`a valid chat was answered ${told(answer)}`);
        t.check("1/11", answer.status === 200, {
          title: `${what} is refused${stream ? " in a stream" : ""}`,
          expected: "200",
          seen: told(answer),
        });
      }
    }
    const sampling = {
      temperature: 0.7,
      top_p: 0.9,
      stop: ["\n\n\n", "THE END"],
      frequency_penalty: 0.5,
      presence_penalty: -0.5,
      seed: 7,
    };
    for (const stream of t.home.fresh ? [false, true] : [true]) {
      const answer = paidFor(t, await t.api.say({ ...sampling, stream }));
      t.check("1/10", answer.status === 200, { expected: "200", seen: told(answer) });
    }
  },
});

/** "Model IDs are the service's own; OpenAI model IDs do not work." */
const OPENAI_MODELS = ["gpt-4o", "gpt-4o-mini", "gpt-3.5-turbo", "o1", "text-davinci-003", "text-embedding-3-small"];

const foreignModels = defineCase({
  id: "1/openai-models",
  title: "OpenAI's model ids are unknown models",
  requirements: ["1/16"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    const listed = new Set(t.models().map((model) => model.id));
    for (const model of OPENAI_MODELS.filter((id) => !listed.has(id))) {
      for (const stream of [false, true]) {
        const answer = answered(t, await t.api.say({ model, stream }, { cost: 0 }));
        t.check("1/16", answer.status === 400 && at(answer.json, "error", "code") === "model_not_found", {
          title: `an OpenAI model id is not refused as an unknown model${stream ? " in a stream" : ""}`,
          expected: "400 model_not_found",
          seen: `${model}: ${told(answer)}`,
        });
      }
    }
  },
});

/** Endpoints of OpenAI that are announced for later, or not supported at all. */
const UNAVAILABLE: readonly (readonly [method: string, path: string, json: unknown])[] = [
  ["POST", "/v1/embeddings", { model: "text-embedding-3-small", input: "Hello." }],
  ["GET", "/v1/assistants", undefined],
  ["POST", "/v1/assistants", { model: "gpt-4o" }],
  ["POST", "/v1/threads", {}],
  ["POST", "/v1/threads/runs", { assistant_id: "asst_1" }],
  ["GET", "/v1/fine_tuning/jobs", undefined],
  ["POST", "/v1/fine_tuning/jobs", { model: "gpt-4o", training_file: "file-1" }],
];

/** "Announced for a later phase and not available now ... Not supported: Assistants API, fine-tuning API." */
const unavailable = defineCase({
  id: "1/unavailable",
  title: "embeddings, assistants, threads and fine-tuning do not succeed",
  requirements: ["1/13", "1/14"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    for (const [method, path, json] of UNAVAILABLE) {
      const answer = answered(t, await t.api.raw({ method, path, json, cost: 0 }));
      t.check("1/13", answer.status >= 300, {
        title: `${path} succeeds`,
        expected: "no 2xx",
        seen: told(answer),
      });
      const choice = answer.status === 404 || answer.status === 501 ? `${answer.status}` : "4xx";
      if (answer.status >= 400 && (answer.status < 500 || answer.status === 501)) t.observe("1/14", choice);
    }
  },
});

/** What comes in a later phase: taken as if it were not there, or refused, but never a crash. */
const later: readonly (readonly [row: RequirementId, what: string, changes: Readonly<Record<string, unknown>>])[] = [
  ["1/12", "`tools`", { tools: [{ type: "function", function: { name: "now", parameters: { type: "object" } } }] }],
  ["1/12", "`tool_choice`", { tool_choice: "auto" }],
  ["1/12", "`functions`", { functions: [{ name: "now", parameters: { type: "object" } }] }],
  [
    "1/15",
    "an image part",
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
          ],
        },
      ],
    },
  ],
];

const inParts = [{ role: "user", content: [{ type: "text", text: "Hello." }] }];

const laterPhase = defineCase({
  id: "1/later-phase",
  title: "tools and image inputs are ignored or refused, and crash nothing",
  requirements: ["1/12", "1/15"],
  cost: (prices) => 6 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    const tried = [...later, ["1/15", "content in text parts", { messages: inParts }] as const];
    for (const [row, what, changes] of tried) {
      const answer = paidFor(t, await t.api.say(changes));
      const ignored = answer.status === 200;
      if (ignored || refusedAsInvalid(answer)) t.observe(row, ignored ? "ignored" : String(answer.status));
      else {
        t.fail(row, {
          title: `${what} is neither ignored nor refused`,
          expected: "200, 400 or 422",
          seen: told(answer),
        });
      }
    }
  },
});

export const clientCases = [unchanged, features, foreignModels, unavailable, laterPhase];
