/** Section 4.1: which fields a request has, and of which types. One fault at a time, beside a request that differs in nothing else. */
import { at, errorCode } from "../../exchange/exchange.ts";
import { defineCase } from "../case.ts";
import { answered, choiceOf, isErrorObject, paidFor, refusedAsInvalid, refuses, told } from "../support/refusals.ts";

/** "model: required; messages: required". */
const required = defineCase({
  id: "4.1/required",
  title: "a chat without `model` or without `messages` is refused, and `param` says which",
  requirements: ["4.1/1"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const stream of [undefined, true]) {
      for (const field of ["model", "messages"]) {
        const answer = answered(t, await t.api.say({ stream, [field]: undefined }, { cost: 0 }));
        t.check("4.1/1", answer.status === 400 && errorCode(answer) === "invalid_request", {
          title: `a missing \`${field}\` is not refused as an invalid request${stream ? " in a stream" : ""}`,
          expected: "400 invalid_request",
          seen: told(answer),
        });
        const param = at(answer.json, "error", "param");
        t.check("4.1/1", typeof param === "string" && param.includes(field), {
          title: `the refusal of a missing \`${field}\` does not name it`,
          expected: `param ${field}`,
          seen: param,
        });
      }
    }
    const empty = answered(t, await t.api.chat({}, { cost: 0 }));
    t.check("4.1/1", empty.status === 400 && errorCode(empty) === "invalid_request", {
      title: "an empty object is not refused as an invalid request",
      expected: "400 invalid_request",
      seen: told(empty),
    });
  },
});

/** Values of another type than a field's own. Null is left out for optional fields: how it is taken is open (4.1/19). */
const OTHER_MODELS = [7, true, null, ["x"], { id: "x" }];
export const OTHER_MESSAGES: readonly unknown[] = [
  "Hello.",
  7,
  true,
  null,
  { role: "user", content: "Hello." },
  ["Hello."],
  [7],
  [null],
  [[]],
];

/** "model: string; messages: array of message objects". */
const types = defineCase({
  id: "4.1/types",
  title: "a `model` that is no string and `messages` that are no array of objects are refused",
  requirements: ["4.1/2"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const model of OTHER_MODELS) await refuses(t, "4.1/2", "a `model` that is no string", { model });
    for (const messages of OTHER_MESSAGES) {
      await refuses(t, "4.1/2", "`messages` that are no array of objects", { messages });
    }
    await refuses(t, "4.1/2", "a `model` that is no string, in a stream,", { model: 7, stream: true });
    await refuses(t, "4.1/2", "`messages` that are no array, in a stream,", { messages: "Hello.", stream: true });
  },
});

/** Each optional parameter of section 4.1, and values that are not of its type. */
export const WRONG_TYPES: Readonly<Record<string, readonly unknown[]>> = {
  stream: ["true", "false", 1, 0, [], {}],
  max_tokens: ["16", 16.5, true, [16], {}],
  temperature: ["1", true, [1], {}],
  top_p: ["1", true, [1], {}],
  stop: [7, true, {}, [7], ["END", 7], [null], [["END"]]],
  frequency_penalty: ["1", true, [1], {}],
  presence_penalty: ["1", true, [1], {}],
  seed: ["7", 7.5, true, [7], {}],
};

const optionalTypes = defineCase({
  id: "4.1/optional-types",
  title: "each optional parameter is refused in another type than its own, plain and streamed",
  requirements: ["4.1/7", "4.1/33"],
  cost: (prices) => prices.flat,
  async run(t) {
    const valid = { max_tokens: 16, temperature: 1, top_p: 1, stop: ["@@"], frequency_penalty: 0, seed: 7 };
    t.accepted(await t.api.say({ ...valid, presence_penalty: 0, stream: false }));
    for (const [field, values] of Object.entries(WRONG_TYPES)) {
      for (const value of values) await refuses(t, "4.1/7", `a \`${field}\` of another type`, { [field]: value });
      if (field === "stream") continue;
      const [value] = values;
      const answer = await refuses(t, "4.1/7", `a \`${field}\` of another type, in a stream,`, {
        [field]: value,
        stream: true,
      });
      t.check("4.1/33", isErrorObject(answer) && answer.status >= 400, {
        title: "a streamed request with a wrong parameter is answered with a stream",
        expected: "an error object",
        seen: told(answer),
      });
    }
  },
});

/** "How an optional field that is null is taken": as if it were not there, or refused. */
const OPTIONAL = Object.keys(WRONG_TYPES);

const nulls = defineCase({
  id: "4.1/null",
  title: "an optional field that is null is taken as absent, or refused",
  requirements: ["4.1/19"],
  cost: (prices) => prices.flat,
  async run(t) {
    const all = Object.fromEntries(OPTIONAL.map((field) => [field, null]));
    const tries = t.home.fresh ? OPTIONAL.map((field) => ({ [field]: null })) : [];
    const choices = new Set<string>();
    for (const changes of [{ ...all, max_tokens: 16 }, ...tries]) {
      const answer = paidFor(t, await t.api.say(changes));
      const taken = answer.status === 200 && at(answer.json, "object") === "chat.completion";
      if (taken || refusedAsInvalid(answer)) choices.add(taken ? "absence" : String(answer.status));
      else {
        t.fail("4.1/19", {
          title: "a null for an optional field is neither taken as its absence nor refused",
          expected: "a completion in one piece, 400 or 422",
          seen: `${JSON.stringify(changes)}: ${told(answer)}`,
        });
      }
    }
    // Refusing one field and taking another is one mixed choice, not two of the same point.
    t.observe("4.1/19", choices.size > 1 ? "mixed" : ([...choices][0] ?? "absence"));
  },
});

/** Values for which the contract gives no limit, or a vague one. */
const UNLIMITED: readonly Readonly<Record<string, unknown>>[] = [
  { messages: [] },
  { max_tokens: 0 },
  { max_tokens: -1 },
  { top_p: -0.1 },
  { top_p: 1.1 },
];

/** Integers at the edges of what a careless service stores one in. */
const SEEDS = [0, -1, 2 ** 31, 2 ** 32, -(2 ** 53) + 1, 2 ** 53 - 1];

const unlimited = defineCase({
  id: "4.1/no-limit-given",
  title: "empty messages, a `max_tokens` below 1 and a `top_p` beyond 1 are refused or answered, and crash nothing",
  requirements: ["4.1/4"],
  cost: (prices) => 6 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const changes of UNLIMITED) {
      const answer = paidFor(t, await t.api.say(changes));
      if (answer.status === 200 || refusedAsInvalid(answer)) t.observe("4.1/4", choiceOf(answer));
      else {
        t.fail("4.1/4", {
          title: "a value without a stated limit is neither answered nor refused",
          expected: "200, 400 or 422",
          seen: `${JSON.stringify(changes)}: ${told(answer)}`,
        });
      }
    }
    for (const seed of t.home.fresh ? SEEDS : []) {
      // A worker may drop out of one job.
      const answers = [await t.api.say({ seed }), await t.api.say({ seed })];
      t.check("4.1/4", !answers.every((each) => each.ending === "answered" && each.status >= 500), {
        title: "a seed, which is any integer, makes the service fail",
        expected: "200, 400 or 422",
        seen: `${seed}: ${answers.map(told).join(", ")}`,
        exchanges: answers,
      });
    }
  },
});

/** Fields that the contract does not have. The second request of a given key bears several, to spend less. */
const EXTRAS: readonly Readonly<Record<string, unknown>>[] = [
  { user: "somebody" },
  { n: 1 },
  { n: 2 },
  { response_format: { type: "json_object" } },
  { logprobs: true, top_logprobs: 2 },
  { logit_bias: { "50256": -100 } },
  { stream_options: { include_usage: true }, stream: true },
  { x_made_up: { deep: [1, 2, 3] } },
  { metadata: {}, store: true },
  // Within a message, too, and a list of sequences that has none.
  { messages: [{ role: "user", content: "Say one short sentence.", name: "somebody", x_made_up: { deep: [1] } }] },
  { stop: [] },
];

const extras = defineCase({
  id: "4.1/extra-fields",
  title: "fields outside the contract are ignored or refused, and crash nothing",
  requirements: ["4.1/18"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    const few = [{ user: "somebody", x_made_up: {}, stop: [] }, { n: 2 }];
    const choices = new Set<string>();
    for (const changes of t.home.fresh ? EXTRAS : few) {
      const answer = paidFor(t, await t.api.say(changes));
      if (answer.status === 200) choices.add("ignored");
      else if (refusedAsInvalid(answer)) choices.add(String(answer.status));
      else {
        t.fail("4.1/18", {
          title: "a field outside the contract is neither ignored nor refused",
          expected: "200, 400 or 422",
          seen: `${JSON.stringify(changes)}: ${told(answer)}`,
        });
      }
    }
    t.observe("4.1/18", choices.size > 1 ? "mixed" : ([...choices][0] ?? "ignored"));
  },
});

export const formCases = [required, types, optionalTypes, nulls, unlimited, extras];
