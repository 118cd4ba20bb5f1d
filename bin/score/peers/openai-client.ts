/**
 * The official OpenAI client, used as a program uses it: it throws on what it cannot read, and what it returns is of the types that it declares, or is not.
 * Right calls must succeed, and wrong ones must be refused by the error class that the client has for them.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import type { OpenPeer, Peer, Tried } from "./peer.ts";

/** What is used of the client. */
interface Client {
  readonly models: {
    list(): Promise<{ readonly data: unknown }>;
    retrieve(id: string): Promise<unknown>;
  };
  readonly chat: { readonly completions: { create(body: object): Promise<unknown> } };
}
type ClientClass = new (options: object) => Client;

const TIME_OUT = 5_000;

type Kind = "string" | "number" | "string or null";
type Fields = Readonly<Record<string, Kind>>;

/** Fields of what a call returned that are not of their declared types. */
function mistyped(value: unknown, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([path, kind]) => {
    const field = path
      .split(".")
      .reduce<unknown>((at, name) => (at as Readonly<Record<string, unknown>> | null | undefined)?.[name], value);
    const ok = kind === "string or null" ? field === null || typeof field === "string" : typeof field === kind;
    return ok ? [] : [`\`${path}\` is no ${kind}`];
  });
}

const MODEL: Fields = { id: "string", object: "string", created: "number", owned_by: "string" };
const COMPLETION: Fields = {
  ...{ id: "string", object: "string", created: "number", model: "string" },
  ...{
    "choices.0.index": "number",
    "choices.0.finish_reason": "string",
    "choices.0.message.content": "string or null",
  },
  ...{ "usage.prompt_tokens": "number", "usage.completion_tokens": "number", "usage.total_tokens": "number" },
};
const CHUNK: Fields = {
  id: "string",
  object: "string",
  created: "number",
  model: "string",
  "choices.0.index": "number",
};

const chat = (model: string) => ({ model, messages: [{ role: "user", content: "Say one sentence." }], max_tokens: 16 });

/** A call that should succeed: what it threw, or what was wrong with what it returned. */
async function expectAnswer(what: string, call: () => Promise<string[]>): Promise<string[]> {
  try {
    return (await call()).map((each) => `${what}: ${each}`);
  } catch (error) {
    return [`${what} threw ${(error as Error).constructor.name}`];
  }
}

/** A call that should be refused, by an error of a class. */
async function expectError(what: string, expected: string, call: () => Promise<unknown>): Promise<string[]> {
  try {
    await call();
    return [`${what} was not refused`];
  } catch (error) {
    const name = (error as Error).constructor.name;
    const code = (error as { readonly code?: unknown }).code;
    return [
      ...(name === expected ? [] : [`${what} threw ${name}, not ${expected}`]),
      ...(typeof code === "string" ? [] : [`${what}: the error has no \`code\``]),
    ];
  }
}

export const openaiClient: Peer = {
  name: "the OpenAI client",
  package: "openai",
  open(folder): Promise<OpenPeer> {
    const module = createRequire(join(folder, "package.json"))("openai") as { readonly default: ClientClass };
    const clientFor = ({ base, key }: Tried): Client =>
      new module.default({ baseURL: `${base}/v1`, apiKey: key, maxRetries: 0, timeout: TIME_OUT });
    return Promise.resolve({
      async complaints(service) {
        const { model } = service;
        const client = clientFor(service);
        const stranger = clientFor({ ...service, key: service.key.replace(/.{6}$/, "000000") });
        return [
          ...(await expectAnswer("models.list", async () => {
            const { data } = await client.models.list();
            if (!Array.isArray(data)) return ["no list"];
            return [...new Set(data.flatMap((each) => mistyped(each, MODEL)))];
          })),
          ...(await expectAnswer("models.retrieve", async () => mistyped(await client.models.retrieve(model), MODEL))),
          ...(await expectAnswer("chat.completions.create", async () =>
            mistyped(await client.chat.completions.create(chat(model)), COMPLETION),
          )),
          ...(await expectAnswer("chat.completions.create, streamed", async () => {
            const stream = await client.chat.completions.create({ ...chat(model), stream: true });
            const wrong = new Set<string>();
            let ended = false;
            for await (const chunk of stream as AsyncIterable<unknown>) {
              for (const each of mistyped(chunk, CHUNK)) wrong.add(each);
              ended = mistyped(chunk, { "choices.0.finish_reason": "string" }).length === 0;
            }
            return ended ? [...wrong] : [...wrong, "the last chunk has no `finish_reason`"];
          })),
          ...(await expectError("an unknown key", "AuthenticationError", () => stranger.models.list())),
          ...(await expectError("an unknown model", "BadRequestError", () =>
            client.chat.completions.create(chat("no-such-model")),
          )),
          ...(await expectError("a request without messages", "BadRequestError", () =>
            client.chat.completions.create({ model }),
          )),
        ];
      },
      close: () => Promise.resolve(),
    });
  },
};
