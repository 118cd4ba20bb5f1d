/** What a chat request must look like. */
import type { AlienModel } from "./choices.ts";
import type { FlawId } from "./flaws.ts";
import { Refusal } from "./http.ts";
import { promptTokens } from "./text.ts";
import type { World } from "./world.ts";

export interface ChatAsked {
  readonly model: AlienModel;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly promptTokens: number;
  readonly lastPrompt: number;
  readonly stream: boolean;
  readonly most: number | null;
  readonly stops: readonly string[];
  readonly seed: number | null;
}

const FIELDS = [
  "model",
  "messages",
  "stream",
  "max_tokens",
  "temperature",
  "top_p",
  "stop",
  "frequency_penalty",
].concat([...["presence_penalty", "seed"]]);
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

export function checkedChat(world: World, given: Record<string, unknown>): ChatAsked {
  const { choices, flawed } = world;
  const wrongType = (param: string): never => {
    throw new Refusal(400, "invalid_request", `\`${param}\` has the wrong type.`, { param });
  };
  const wrongValue = (param: string): never => {
    throw new Refusal(choices.invalid, "invalid_request", `\`${param}\` is out of range.`, { param });
  };
  const missing = (param: string): never => {
    const told = flawed("stream-param-wrong") && given.stream === true ? "model" : param;
    throw new Refusal(400, "invalid_request", `\`${param}\` is required.`, { param: told });
  };

  const body = { ...given };
  for (const [name, value] of Object.entries(body)) {
    if (choices.unknownFields === "refused" && !FIELDS.includes(name)) wrongValue(name);
    if (value !== null || name === "model" || name === "messages") continue;
    if (choices.nulls === "refused") wrongType(name);
    delete body[name];
  }
  if (body.model === undefined || body.model === null) missing("model");
  if (body.messages === undefined || body.messages === null) missing("messages");
  if (typeof body.model !== "string") return wrongType("model");

  const range = (name: string, from: number, to: number): void => {
    const value = body[name];
    if (value === undefined) return;
    if (!isNumber(value)) throw wrongType(name);
    if (flawed("temperature-zero") && name === "temperature" && value === 0) throw wrongValue(name);
    if (flawed("presence-below") && name === "presence_penalty" && value < from && value >= from - 0.1) return;
    const most = name === "temperature" && flawed("temperature-edge") ? to + 0.1 : to;
    const below = flawed("penalty-edge") && from === -2 ? value <= from : value < from;
    if (below || value > most) wrongValue(name);
  };
  const whole = (name: string): number | null => {
    const value = body[name];
    if (value === undefined) return null;
    if (flawed("seed-fraction") && name === "seed" && isNumber(value)) return Math.floor(value);
    return isNumber(value) && Number.isInteger(value) ? value : wrongType(name);
  };
  if (flawed("stream-word") && body.stream === "true") body.stream = true;
  if (body.stream !== undefined && typeof body.stream !== "boolean") wrongType("stream");
  range("temperature", 0, 2);
  if (flawed("stream-top-p-text") && body.stream === true) body.top_p = Number(body.top_p ?? 1);
  range("top_p", 0, 1);
  range("frequency_penalty", -2, 2);
  range("presence_penalty", -2, 2);
  const most = whole("max_tokens");
  if (most !== null && most < 1) wrongValue("max_tokens");
  const seed = whole("seed");
  if (flawed("stop-of-numbers") && Array.isArray(body.stop)) body.stop = body.stop.map(String);
  const stops = stopsOf(body.stop, wrongType);
  const messages = messagesOf(body.messages, wrongType, wrongValue, flawed);
  const model = choices.models.find((each) => each.id === body.model);
  if (model === undefined) {
    throw new Refusal(
      flawed("stream-model-404") && body.stream === true ? 404 : 400,
      "model_not_found",
      "There is no such model.",
      { param: "model" },
    );
  }
  if (messages.length > choices.mostMessages) {
    throw new Refusal(400, "too_many_messages", "That conversation has too many messages.", { param: "messages" });
  }
  const tokens = promptTokens(messages);
  const lastPrompt = promptTokens(messages.slice(-1));
  const bound = choices.boundCounts ? (most ?? 0) : 0;
  if ((flawed("context-of-last") ? lastPrompt : tokens) + bound > model.window) {
    const status = flawed("context-422") && messages.length > 1 ? 422 : 400;
    throw new Refusal(status, "context_length_exceeded", "That is more than the model can read.", {
      param: "messages",
    });
  }
  return { model, messages, promptTokens: tokens, lastPrompt, stream: body.stream === true, most, stops, seed };
}

function stopsOf(given: unknown, wrong: (param: string) => never): readonly string[] {
  if (given === undefined) return [];
  if (typeof given === "string") return [given];
  return Array.isArray(given) && given.every((each) => typeof each === "string") ? given : wrong("stop");
}

function messagesOf(
  given: unknown,
  wrongType: (param: string) => never,
  wrongValue: (param: string) => never,
  flawed: (id: FlawId) => boolean,
): ChatAsked["messages"] {
  if (!Array.isArray(given)) return wrongType("messages");
  if (given.length === 0) return wrongValue("messages");
  return given.map((message: unknown, index) => {
    if (typeof message !== "object" || message === null) return wrongType("messages");
    const { role, content } = message as { role?: unknown; content?: unknown };
    if (flawed("text-parts-crash") && Array.isArray(content) && content.every((each) => each?.type === "text")) {
      throw new Refusal(500, "internal_error", "content.trim is not a function");
    }
    if (flawed("content-number") && index > 0 && typeof role === "string" && isNumber(content)) {
      return { role, content: String(content) };
    }
    if (typeof role !== "string" || typeof content !== "string") return wrongType("messages");
    const free = flawed("later-roles-free") && index > 0;
    if (!free && !["system", "user", "assistant"].includes(role)) return wrongValue("messages");
    return { role, content };
  });
}
