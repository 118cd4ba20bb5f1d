/** The request for a chat completion (section 4.1): its fields, and what the world is asked for. */
import { RANGES } from "../../fixtures/protocol/limits.ts";
import { ROLES } from "../../fixtures/protocol/states.ts";
import { type Stream, stream } from "../core/index.ts";
import {
  arrayOf,
  type Fields,
  flag,
  integer,
  number,
  objectOf,
  oneOf,
  optional,
  type Rule,
  required,
  text,
} from "./fields.ts";
import type { Inside } from "./inside.ts";
import { outOfRange } from "./refusal.ts";

/** A body whose form was checked. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean | null;
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly seed?: number | null;
}

export const messageFields: Fields = {
  role: required(oneOf(ROLES)),
  content: required(text),
};

const messages: Rule = (value, param, shape) => {
  const broken = arrayOf(objectOf(messageFields))(value, param, shape);
  if (broken !== undefined) return broken;
  const empty = (value as readonly unknown[]).length === 0;
  return empty && shape.emptyMessages === "refused"
    ? outOfRange(shape, param, "messages holds at least one message.")
    : undefined;
};

const maxTokens: Rule = (value, param, shape) =>
  integer(value, param, shape) ??
  ((value as number) < 1 && shape.maxTokensBelowOne === "refused"
    ? outOfRange(shape, param, `${param} is at least 1.`)
    : undefined);

const stop: Rule = (value, param, shape) =>
  typeof value === "string" ? undefined : arrayOf(text)(value, param, shape);

const topP: Rule = (value, param, shape) =>
  (shape.topPBeyondOne === "refused" ? number(0, 1) : number())(value, param, shape);

export const chatFields: Fields = {
  model: required(text),
  messages: required(messages),
  stream: optional(flag),
  max_tokens: optional(maxTokens),
  temperature: optional(number(RANGES.temperature.minimum, RANGES.temperature.maximum)),
  top_p: optional(topP),
  stop: optional(stop),
  frequency_penalty: optional(number(RANGES.frequency_penalty.minimum, RANGES.frequency_penalty.maximum)),
  presence_penalty: optional(number(RANGES.presence_penalty.minimum, RANGES.presence_penalty.maximum)),
  seed: optional(integer),
};

/** `max_tokens` as a bound: -1 where there is none. */
export function boundOf(request: ChatRequest): number {
  const bound = request.max_tokens ?? -1;
  return bound < 1 ? -1 : bound;
}

export function stopsOf(request: ChatRequest): readonly string[] {
  if (request.stop === undefined || request.stop === null) return [];
  return typeof request.stop === "string" ? [request.stop] : request.stop;
}

/** Whether a conversation fits the model's context window. */
export function fitsContext(inside: Inside, model: number, promptTokens: number, bound: number): boolean {
  const counted = inside.shape.contextCounts === "messages" ? 0 : Math.max(0, bound);
  return promptTokens + counted <= inside.network.models[model]!.contextWindow;
}

/**
 * The stream that a completion's text is drawn from: the request's own where it gave a `seed` and the shape honours it (best effort, section
 * 4.1), else that of the how-manieth request it is.
 */
export function textStream(inside: Inside, request: ChatRequest, ordinal: number): Stream {
  const reproducible = inside.shape.seedReproduces && typeof request.seed === "number";
  const { model, messages, seed } = request;
  const bound = inside.shape.seedBinds === "body" ? request : [seed, model, messages];
  const name = reproducible ? JSON.stringify(bound) : `completion ${ordinal}`;
  return stream(inside.seed, name, "text");
}

/** Tokens that a model says by itself, where the test controls have not set a length. */
export function naturalLength(draw: Stream): number {
  return 12 + draw.below(37);
}
