/** Defects in what a chat completion is asked with, and in what comes in one piece (sections 4, 4.1). */

import { messageFields } from "../facade/chat-request.ts";
import { arrayOf, type Field, flag, number, objectOf, optional, type Rule, required, text } from "../facade/fields.ts";
import type { Changes } from "../facade/index.ts";
import { answers, bodyOf, completion, instead, leak, requests, within } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

/** Other rules for some fields of a chat request. */
const fields = (changed: Readonly<Record<string, Field>>): Changes => ({
  door: (honest) => ({ chatFields: { ...honest.chatFields, ...changed } }),
});

const anything: Rule = () => undefined;
const numberOrText =
  (min: number, max: number): Rule =>
  (value, param, shape) =>
    typeof value === "string" ? undefined : number(min, max)(value, param, shape);

/** The only choice of a completion, changed. */
const choice = (change: (only: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) =>
  completion((body) => ({
    ...body,
    choices: (body.choices as readonly Readonly<Record<string, unknown>>[]).map(change),
  }));

export const section4Common = [
  single(
    "json-called-text",
    "4/2",
    "The account is sent as text/plain",
    answers((answer, { target }) =>
      target === "/v1/account" ? { ...answer, headers: { ...answer.headers, "content-type": "text/plain" } } : answer,
    ),
  ),
  single(
    "unknown-path-in-html",
    "4/3",
    "An unknown path is answered with a page for people",
    answers((answer) =>
      answer.status === 404 && answer.text.includes("path_not_found")
        ? { ...answer, headers: { ...answer.headers, "content-type": "text/html" }, text: "<h1>Not found</h1>" }
        : answer,
    ),
  ),
  sequence("listing-costs-a-unit", "4/4", "Listing jobs takes a unit from the wallet", () => {
    const { take, network: leaking } = leak();
    return {
      network: leaking(),
      door: (honest) => ({
        listedJobs(inside, wallet, query) {
          take(wallet, 1);
          return honest.listedJobs(inside, wallet, query);
        },
      }),
    };
  }),
  single(
    "unknown-path-ok",
    "4/5",
    "An unknown path under /v1 is answered 200",
    answers((answer) =>
      answer.status === 404 && answer.text.includes("path_not_found") ? { ...answer, status: 200, text: "{}" } : answer,
    ),
  ),
];

export const section4Request = [
  single(
    "model-has-a-default",
    "4.1/1",
    "A request without `model` is served by the first",
    requests((body, request, inside) =>
      request.target.startsWith("/v1/chat") && body.model === undefined
        ? { ...body, model: inside.network.models[0]!.id }
        : body,
    ),
  ),
  single(
    "messages-may-be-text",
    "4.1/2",
    "`messages` may be one string",
    requests((body, { target }) =>
      target.startsWith("/v1/chat") && typeof body.messages === "string"
        ? { ...body, messages: [{ role: "user", content: body.messages }] }
        : body,
    ),
  ),
  single(
    "any-role",
    "4.1/3",
    "A message may have any role",
    fields({
      messages: required(arrayOf(objectOf({ ...messageFields, role: required(text) }))),
    }),
  ),
  single(
    "content-may-be-number",
    "4.1/3",
    "A message's content may be a number",
    requests((body, { target }) =>
      target.startsWith("/v1/chat") && Array.isArray(body.messages)
        ? {
            ...body,
            messages: body.messages.map((message) =>
              typeof message?.content === "number" ? { ...message, content: String(message.content) } : message,
            ),
          }
        : body,
    ),
  ),
  single(
    "stream-may-be-text",
    "4.1/7",
    "`stream` may be a string",
    fields({
      stream: optional((value, param, shape) => (typeof value === "string" ? undefined : flag(value, param, shape))),
    }),
  ),
  single(
    "max-tokens-may-be-text",
    "4.1/7",
    "`max_tokens` may be a string of digits",
    requests((body) =>
      typeof body.max_tokens === "string" ? { ...body, max_tokens: Number.parseInt(body.max_tokens, 10) } : body,
    ),
  ),
  single(
    "max-tokens-may-be-fraction",
    "4.1/7",
    "`max_tokens` may be a fraction",
    requests((body) =>
      typeof body.max_tokens === "number" ? { ...body, max_tokens: Math.floor(body.max_tokens) } : body,
    ),
  ),
  single(
    "temperature-may-be-text",
    "4.1/7",
    "`temperature` may be a string",
    fields({ temperature: optional(numberOrText(0, 2)) }),
  ),
  single("top-p-unchecked", "4.1/7", "`top_p` may be anything", fields({ top_p: optional(anything) })),
  single("seed-may-be-fraction", "4.1/7", "`seed` may be a fraction", fields({ seed: optional(number()) })),
  single(
    "stop-items-unchecked",
    "4.1/7",
    "An array of `stop` may hold numbers",
    requests((body) => (Array.isArray(body.stop) ? { ...body, stop: body.stop.map(String) } : body)),
  ),
  boundary("max-tokens-one-more", "4.1/8", "A completion may have one token more than `max_tokens`", {
    network: (honest) =>
      Object.assign(Object.create(honest), {
        submit: ((request, listener) =>
          honest.submit(
            request.maxTokens < 0 ? request : { ...request, maxTokens: request.maxTokens + 1 },
            listener,
          )) satisfies typeof honest.submit,
      }),
    door: (honest) => ({
      planText: (draw, length, bound, stops) => honest.planText(draw, length, bound < 0 ? bound : bound + 1, stops),
    }),
  }),
  boundary(
    "temperature-two-refused",
    "4.1/9",
    "A `temperature` of exactly 2.0 is refused",
    fields({
      temperature: optional(number(0, 1.999_999)),
    }),
  ),
  boundary(
    "temperature-zero-refused",
    "4.1/9",
    "A `temperature` of exactly 0 is refused",
    fields({
      temperature: optional(number(Number.MIN_VALUE, 2)),
    }),
  ),
  boundary(
    "temperature-rounded",
    "4.1/10",
    "`temperature` is rounded to a tenth before it is checked",
    requests((body) =>
      typeof body.temperature === "number" ? { ...body, temperature: Math.round(body.temperature * 10) / 10 } : body,
    ),
  ),
  single(
    "temperature-unbounded-below",
    "4.1/10",
    "A `temperature` below 0 is accepted",
    fields({
      temperature: optional(number(-Infinity, 2)),
    }),
  ),
  single("stop-shown", "4.1/11", "The `stop` sequence is part of the text", {
    door: (honest) => ({
      planText(draw, length, bound, stops) {
        const plan = honest.planText(draw, length, bound, stops);
        const stopped = plan.finishReason === "stop" && stops.length > 0 && plan.ends.length < length;
        if (!stopped) return plan;
        const text = plan.text + stops[0];
        return { ...plan, text, ends: [...plan.ends.slice(0, -1), text.length] };
      },
    }),
  }),
  single("only-first-stop", "4.1/11", "Of several `stop` sequences only the first counts", {
    door: (honest) => ({
      planText: (draw, length, bound, stops) => honest.planText(draw, length, bound, stops.slice(0, 1)),
    }),
  }),
  boundary(
    "penalty-minus-two-refused",
    "4.1/12",
    "A `presence_penalty` of exactly -2.0 is refused",
    fields({
      presence_penalty: optional(number(-1.999_999, 2)),
    }),
  ),
  boundary(
    "penalty-two-refused",
    "4.1/12",
    "A `frequency_penalty` of exactly 2.0 is refused",
    fields({
      frequency_penalty: optional(number(-2, 1.999_999)),
    }),
  ),
  single(
    "penalty-unbounded-below",
    "4.1/13",
    "A `frequency_penalty` below -2.0 is accepted",
    fields({
      frequency_penalty: optional(number(-Infinity, 2)),
    }),
  ),
  single(
    "penalty-unbounded-above",
    "4.1/13",
    "A `presence_penalty` above 2.0 is accepted",
    fields({
      presence_penalty: optional(number(-2)),
    }),
  ),
  single(
    "cut-says-stop",
    "4.1/15",
    "A completion cut by `max_tokens` has the `finish_reason` `stop`",
    choice((only) => ({
      ...only,
      finish_reason: "stop",
    })),
  ),
  single("stopped-says-length", "4.1/16", "A completion ended by `stop` has the `finish_reason` `length`", {
    door: (honest) => ({
      planText(draw, length, bound, stops) {
        const plan = honest.planText(draw, length, bound, stops);
        return stops.length > 0 && plan.ends.length < length ? { ...plan, finishReason: "length" } : plan;
      },
    }),
  }),
  boundary(
    "bound-reached-says-length",
    "4.1/16",
    "A completion that ends by itself under `max_tokens` has the `finish_reason` `length`",
    {
      door: (honest) => ({
        planText(draw, length, bound, stops) {
          const plan = honest.planText(draw, length, bound, stops);
          return bound >= 0 ? { ...plan, finishReason: "length" } : plan;
        },
      }),
    },
  ),
  single(
    "two-faults-pass",
    "4.1/21",
    "A request whose `temperature` and `top_p` are both wrong is accepted",
    requests((body) => {
      const wrong = (value: unknown, max: number) =>
        value !== undefined && !(typeof value === "number" && value >= 0 && value <= max);
      return wrong(body.temperature, 2) && wrong(body.top_p, 1) ? { ...body, temperature: 1, top_p: 1 } : body;
    }),
  ),
  single(
    "ascii-prompts-only",
    "4.1/22",
    "A message beyond ASCII is refused",
    instead((request) => {
      const body = bodyOf(request);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the edge of ASCII is what is tested
      if (body === undefined || /^[\x00-\x7f]*$/.test(JSON.stringify(body.messages ?? ""))) return undefined;
      const error = {
        code: "invalid_request",
        message: "ASCII only.",
        type: "invalid_request_error",
        param: "messages",
      };
      return { status: 400, body: { error: { ...error, docs: "https://docs.service.example" } } };
    }),
  ),
  single(
    "reply-in-latin1",
    "4.1/22",
    "The text of a completion is UTF-8 read as Latin-1",
    choice((only) =>
      within(only, "message", (message) => ({
        ...message,
        content: Buffer.from(String(message.content)).toString("latin1"),
      })),
    ),
  ),
];
