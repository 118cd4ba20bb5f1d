/** Defects in chats that hide: in one tier, one form, one place of a list, one length (sections 1, 2.4, 4.1, 4.11). */
import { type Fields, objectOf, oneOf, optional, type Rule, required, text } from "../facade/fields.ts";
import type { FacadeResponse } from "../facade/http.ts";
import type { Changes } from "../facade/index.ts";
import { type Body, bodyOf, chunk, completion, receipt, requests, within } from "../facade/overrides.ts";
import { invalid } from "../facade/refusal.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";

/** Other rules for some fields of a chat. */
const chatRules = (change: (honest: Fields) => Fields): Changes => ({
  door: (honest) => ({ chatFields: { ...honest.chatFields, ...change(honest.chatFields) } }),
});

/** Changes what some requests say before they are looked at. */
const rewritten = (applies: (body: Body) => boolean, change: (body: Body) => Body): Changes =>
  requests((body) => (applies(body) ? change(body) : body));

const streamed = (body: Body): boolean => body.stream === true;

/** Holds a stream back until it ends, where `applies` says so. */
const heldBack = (applies: (body: Body) => boolean): Changes => ({
  middleware: () => (request, response, next) => {
    const body = bodyOf(request);
    if (body === undefined || !streamed(body) || !applies(body)) return next(request, response);
    const waiting: (() => void)[] = [];
    const held: FacadeResponse = {
      head: (...given) => void waiting.push(() => response.head(...given)),
      write: (part) => void waiting.push(() => response.write(part)),
      end(trailers) {
        for (const go of waiting) go();
        response.end(trailers);
      },
      cut() {
        for (const go of waiting) go();
        response.cut();
      },
    };
    return next(request, held);
  },
});

const anyRole = required(text);
const knownRoles = oneOf(["system", "user", "assistant"]);

/** Only the first message is looked at. */
const firstMessageOnly: Rule = (value, param, shape) => {
  if (!Array.isArray(value)) return invalid(param, `${param} is an array.`);
  const [first, ...others] = value as readonly unknown[];
  const strict = objectOf({ role: required(knownRoles), content: required(text) });
  const lax = objectOf({ role: anyRole, content: required(text) });
  return (
    (first === undefined ? invalid(param, `${param} is empty.`) : strict(first, `${param}[0]`, shape)) ??
    others.map((message, index) => lax(message, `${param}[${index + 1}]`, shape)).find((broken) => broken !== undefined)
  );
};

export const moreRequests = [
  single("openai-headers-refused", "1/1", "A request with the headers of the OpenAI client is refused", {
    middleware: () => (request, response, next) =>
      next(request.headers["x-stainless-lang"] === undefined ? request : { ...request, target: "/v1/?" }, response),
  }),
  sequence("equal-streams-share-a-job", "1/2", "A stream equal to the one before names that one's job", () => {
    const seen = new Map<string, string>();
    return receipt((headers, inside, { job, moment }) => {
      if (job === undefined || moment !== "head") return headers;
      const told = JSON.stringify([job.wallet, job.model, job.plan.text]);
      const known = seen.get(told);
      if (known === undefined) seen.set(told, job.id);
      return known === undefined ? headers : { ...headers, [`${inside.brand.headerPrefix}job-id`]: known };
    });
  }),
  single(
    "stream-false-streams",
    "4.1/5",
    "Whatever `stream` is, the answer is a stream",
    rewritten(
      (body) => body.stream === false,
      (body) => ({ ...body, stream: true }),
    ),
  ),
  single(
    "no-streams-from-small-models",
    "4.1/6",
    "`stream` is not heeded where `max_tokens` is below 20",
    rewritten(
      (body) => streamed(body) && Number(body.max_tokens ?? 99) < 20,
      (body) => ({ ...body, stream: false }),
    ),
  ),
  boundary(
    "roles-of-first-message-only",
    "4.1/3",
    "Only the first message's role is looked at",
    chatRules(() => ({ messages: required(firstMessageOnly) })),
  ),
  single(
    "stream-types-unchecked",
    "4.1/7",
    "A stream's `temperature` may be a text",
    rewritten(
      (body) => streamed(body) && typeof body.temperature === "string",
      (body) => ({ ...body, temperature: 1 }),
    ),
  ),
  boundary(
    "stream-temperature-unbounded",
    "4.1/10",
    "A stream's `temperature` may be above 2.0",
    rewritten(
      (body) => streamed(body) && Number(body.temperature) > 2,
      (body) => ({ ...body, temperature: 2 }),
    ),
  ),
  boundary(
    "temperature-of-one-model-unbounded",
    "4.1/10",
    "The largest model takes any `temperature`",
    rewritten(
      (body) => /70b/i.test(String(body.model)) && typeof body.temperature === "number",
      (body) => ({ ...body, temperature: 1 }),
    ),
  ),
  boundary(
    "presence-penalty-unbounded",
    "4.1/13",
    "`presence_penalty` may be anything, unlike `frequency_penalty`",
    rewritten(
      (body) => typeof body.presence_penalty === "number",
      (body) => ({ ...body, presence_penalty: 0 }),
    ),
  ),
  boundary(
    "penalties-bounded-by-one",
    "4.1/12",
    "`presence_penalty` is refused above 1.0",
    chatRules(() => ({
      presence_penalty: optional((value, param) =>
        typeof value === "number" && value >= -2 && value <= 1
          ? undefined
          : invalid(param, `${param} is out of range.`),
      ),
    })),
  ),
  boundary(
    "stop-list-without-last",
    "4.1/11",
    "The last of several `stop` sequences is not heeded",
    rewritten(
      (body) => Array.isArray(body.stop) && body.stop.length > 1,
      (body) => ({ ...body, stop: (body.stop as unknown[]).slice(0, -1) }),
    ),
  ),
  boundary("stop-within-words-only", "4.1/11", "A `stop` sequence with white space in it is not heeded", {
    door: (honest) => ({
      planText: (draw, length, bound, stops) =>
        honest.planText(
          draw,
          length,
          bound,
          stops.filter((stop) => !/\s/.test(stop)),
        ),
    }),
  }),
  boundary(
    "bound-of-one-ignored",
    "4.1/8",
    "A `max_tokens` of 1 is taken for none",
    rewritten(
      (body) => body.max_tokens === 1,
      ({ max_tokens: _, ...body }) => body,
    ),
  ),
  boundary(
    "large-bound-one-more",
    "4.1/35",
    "A stream with a `max_tokens` of 400 or more is a token longer",
    rewritten(
      (body) => streamed(body) && Number(body.max_tokens ?? 0) >= 400,
      (body) => ({ ...body, max_tokens: Number(body.max_tokens) + 1 }),
    ),
  ),
  single(
    "message-role-model",
    "2.4/1",
    "The message of a completion has the role `model`",
    completion((body) => ({
      ...body,
      choices: (body.choices as readonly Body[]).map((only) =>
        within(only, "message", (message) => ({ ...message, role: "model" })),
      ),
    })),
  ),
  boundary(
    "created-in-milliseconds-in-streams",
    "2.4/10",
    "`created` of a stream's chunks is in milliseconds",
    chunk((body) => ({ ...body, created: Number(body.created) * 1_000 })),
  ),
  sequence(
    "created-by-the-hour",
    "2.4/10",
    "`created` is the hour's beginning",
    completion((body) => ({ ...body, created: Math.floor(Number(body.created) / 3_600) * 3_600 - 600 })),
  ),
];

/** Events of a stream by their number. */
const numbered =
  (change: (data: string, frame: string, index: number) => string): (() => Changes) =>
  () => {
    let job: unknown;
    let index = 0;
    return {
      door: (honest) => ({
        frame(inside, data) {
          const id = data === "[DONE]" ? job : (JSON.parse(data) as Body).id;
          index = id === job ? index + 1 : 0;
          job = id;
          return change(data, honest.frame(inside, data), index);
        },
      }),
    };
  };

export const moreStreams = [
  single(
    "stream-held-back",
    "4.1/51",
    "A stream is sent in one go when it has ended",
    heldBack(() => true),
  ),
  boundary(
    "long-stream-held-back",
    "4.1/51",
    "A stream of more than 256 tokens is sent in one go when it has ended",
    heldBack((body) => Number(body.max_tokens ?? 999) > 256),
  ),
  boundary("cut-stream-without-done", "4.1/27", "A stream cut by `max_tokens` ends without `[DONE]`", () => {
    let cut = false;
    return {
      door: (honest) => ({
        chunkBody(inside, record, delta, finish) {
          cut = finish === "length";
          return honest.chunkBody(inside, record, delta, finish);
        },
        frame: (inside, data) => (data === "[DONE]" && cut ? "" : honest.frame(inside, data)),
      }),
    };
  }),
  boundary(
    "long-stream-done-twice",
    "4.1/27",
    "A stream of more than 200 events says `[DONE]` twice",
    numbered((data, frame, index) => (data === "[DONE]" && index > 200 ? frame + frame : frame)),
  ),
  boundary(
    "hundredth-chunk-in-two-lines",
    "4.1/24",
    "The hundredth event of a stream is spread over two data lines",
    numbered((_data, frame, index) => (index === 99 ? frame.replace(",", ",\ndata: ") : frame)),
  ),
  boundary(
    "empty-object-after-a-while",
    "4.1/28",
    "After 50 events a stream sends an empty object",
    numbered((data, frame, index) => (index === 50 && data !== "[DONE]" ? `data: {}\n\n${frame}` : frame)),
  ),
  boundary(
    "stream-splits-letters",
    "4.1/32",
    "Letters beyond ASCII are lost where a stream cuts its text into chunks",
    {
      door: (honest) => ({
        chunkText: (plan, from, to) => honest.chunkText(plan, from, to).replace(/[^\p{ASCII}]$/u, "\ufffd"),
      }),
    },
  ),
  concurrent("streams-mix-ids", "2.4/14", "Of two streams at once, one tells the other's id now and then", () => {
    let last = "";
    let before = 0;
    return chunk((body, inside, _record, _delta, finish) => {
      const { now } = inside.network;
      const mixed = last !== "" && last !== body.id && now - before < 20_000 && finish === null;
      const id = mixed ? last : body.id;
      [last, before] = [String(body.id), now];
      return { ...body, id };
    });
  }),
  single(
    "stopped-stream-without-reason",
    "4.1/26",
    "A stream that ended at a `stop` has no `finish_reason`",
    chunk((body, _inside, record, _delta, finish) =>
      finish === null || record.plan.finishReason !== "stop" || record.plan.ends.length > 40
        ? body
        : { ...body, choices: (body.choices as readonly Body[]).map((only) => ({ ...only, finish_reason: null })) },
    ),
  ),
];

const header = (name: string, change: (value: string, headers: Readonly<Record<string, string>>) => string | null) =>
  receipt((body, inside) => {
    const full = `${inside.brand.headerPrefix}${name}`;
    const { [full]: value, ...rest } = body as Readonly<Record<string, string>>;
    const changed = value === undefined ? null : change(value, rest);
    return changed === null ? rest : { ...rest, [full]: changed };
  });

export const moreReceipts = [
  boundary(
    "settlement-missing-on-max",
    "4.11/3",
    "Completions of the largest models come without their settlement",
    () =>
      receipt((headers, inside, { job, moment }) => {
        const name = `${inside.brand.headerPrefix}settlement-tx`;
        const large = job !== undefined && inside.network.models[job.model]!.tier === "max" && moment === "whole";
        return Object.fromEntries(Object.entries(headers).filter(([each]) => !(large && each === name)));
      }),
  ),
  single(
    "worker-without-prefix",
    "4.11/10",
    "The worker's address comes without `0x`",
    header("worker", (value) => value.slice(2)),
  ),
  single(
    "stream-lock-of-its-own",
    "4.11/11",
    "A stream's head names a lock that its job does not know",
    receipt((headers, inside, { moment }) => {
      const name = `${inside.brand.headerPrefix}tx-hash`;
      const value = (headers as Readonly<Record<string, string>>)[name];
      if (moment !== "head" || value === undefined) return headers;
      return { ...headers, [name]: `0x${value.slice(2).split("").reverse().join("")}` };
    }),
  ),
  sequence(
    "trailer-of-the-stream-before",
    "4.1/30",
    "A stream's trailer tells the settlement of the stream before",
    () => {
      let last: string | undefined;
      return receipt((headers, inside, { moment }) => {
        const name = `${inside.brand.headerPrefix}settlement-tx`;
        const value = (headers as Readonly<Record<string, string>>)[name];
        if (moment !== "trailer" || value === undefined) return headers;
        const told = last ?? value;
        last = value;
        return { ...headers, [name]: told };
      });
    },
  ),
];
