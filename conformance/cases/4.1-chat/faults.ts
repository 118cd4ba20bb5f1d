/** Section 4.1: a request with two faults, and streamed requests that are refused. */
import { errorCode } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import type { CallOptions } from "../api.ts";
import { defineCase } from "../case.ts";
import { answered, isErrorObject, told } from "../support/refusals.ts";

/** Codes that name a fault of another kind than a wrong field. Which code a value out of range has is not shown. */
const OTHER_FAULTS = [
  "invalid_api_key",
  "missing_api_key",
  "key_suspended",
  "insufficient_credits",
  "no_workers_available",
  "job_timeout",
  "context_length_exceeded",
  "dispute_window_expired",
];

interface TwoFaults {
  readonly what: string;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly statuses: readonly number[];
  /** Codes of section 7.2 that name one of the two. */
  readonly codes: readonly string[];
  readonly keyless?: boolean;
}

const PAIRS: readonly TwoFaults[] = [
  {
    what: "an unknown model and a `temperature` out of range",
    changes: { model: "no-such-model", temperature: 3 },
    statuses: [400, 422],
    codes: ["model_not_found", "invalid_request"],
  },
  {
    what: "an unknown model and no `messages`",
    changes: { model: "no-such-model", messages: undefined },
    statuses: [400],
    codes: ["model_not_found", "invalid_request"],
  },
  {
    what: "two values out of range",
    changes: { temperature: -1, presence_penalty: 5 },
    statuses: [400, 422],
    codes: ["invalid_request"],
  },
  {
    what: "two sampling parameters of other types",
    changes: { temperature: "1", top_p: "1" },
    statuses: [400, 422],
    codes: ["invalid_request"],
  },
  {
    what: "a value out of range and another of another type",
    changes: { temperature: 3, top_p: "1" },
    statuses: [400, 422],
    codes: ["invalid_request"],
  },
  {
    what: "a bound and a seed of other types",
    changes: { max_tokens: "16", seed: "7" },
    statuses: [400, 422],
    codes: ["invalid_request"],
  },
  {
    what: "no `messages` and a value out of range",
    changes: { messages: undefined, frequency_penalty: 3 },
    statuses: [400, 422],
    codes: ["invalid_request"],
  },
  {
    what: "no key and an unknown model",
    changes: { model: "no-such-model" },
    statuses: [400, 401],
    codes: ["missing_api_key", "invalid_api_key", "model_not_found"],
    keyless: true,
  },
  {
    what: "no key and no `messages`",
    changes: { messages: undefined },
    statuses: [400, 401],
    codes: ["missing_api_key", "invalid_api_key", "invalid_request"],
    keyless: true,
  },
];

/** "Which fault wins when a request has two": any of them, but one of the two. */
const twoFaults = defineCase({
  id: "4.1/two-faults",
  title: "a request with two faults is refused for one of the two",
  requirements: ["4.1/20", "4.1/21"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const { what, changes, statuses, codes, keyless } of PAIRS) {
      for (const stream of [false, true]) {
        const api = keyless === true ? t.as(null) : t.api;
        const answer = answered(t, await api.say({ ...changes, stream }, { cost: 0 }));
        const code = errorCode(answer);
        const blames = statuses.includes(answer.status) && isErrorObject(answer);
        const foreign = code !== null && OTHER_FAULTS.includes(code) && !codes.includes(code);
        t.check("4.1/21", blames && !foreign, {
          title: `${what}: refused for neither`,
          expected: `${statuses.join(" or ")}, such as ${codes.join(" or ")}`,
          seen: told(answer),
        });
        if (keyless === true && blames) t.observe("4.1/20", answer.status === 401 ? "key-first" : "body-first");
      }
    }
    if (!t.has("wallets")) return;
    const poor = await t.wallet({ credits: t.model().credits_per_request - 1 });
    const answer = answered(t, await poor.api.say({ temperature: 3 }, { cost: 0 }));
    t.check("4.1/21", [400, 402, 422].includes(answer.status) && isErrorObject(answer), {
      title: "a lack of units and a value out of range: refused for neither",
      expected: "400, 402 or 422",
      seen: told(answer),
    });
  },
});

/** What is wrong with a streamed request before its first chunk. */
const STREAMED: readonly (readonly [what: string, changes: Readonly<Record<string, unknown>>])[] = [
  ["an unknown model", { model: "no-such-model" }],
  ["missing messages", { messages: undefined }],
  ["a value out of range", { temperature: 2.5 }],
  ["a wrong type", { max_tokens: "16" }],
  ["an unknown role", { messages: [{ role: "wizard", content: "Hello." }] }],
];

/** An error before the first chunk is an HTTP error, with an HTTP status and an error object, even for who accepts a stream only. */
const refusedStreams = defineCase({
  id: "4.1/refused-streams",
  title: "a streamed request that is refused is answered with an error object and its status",
  requirements: ["4.1/33"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say({ stream: true }));
    const accepts: readonly CallOptions[] = [{}, { headers: { accept: "text/event-stream" } }];
    for (const options of accepts) {
      for (const [what, changes] of STREAMED) {
        judge(what, answered(t, await t.api.say({ ...changes, stream: true }, { ...options, cost: 0 })));
      }
      judge("no key", answered(t, await t.as(null).say({ stream: true }, options)));
      judge("an unknown key", answered(t, await t.as(`svc_live_${t.random.text(32)}`).say({ stream: true }, options)));
    }
    if (t.has("wallets")) {
      const poor = await t.wallet({ credits: t.model().credits_per_request - 1 });
      judge("a lack of units", answered(t, await poor.api.say({ stream: true }, { cost: 0 })));
    }
    if (t.has("behaviours")) {
      await t.behave(t.model(), "absent");
      judge("a model without workers", answered(t, await t.api.say({ stream: true })));
    }

    function judge(what: string, answer: Awaited<ReturnType<typeof t.api.say>>): void {
      const streamed = (answer.headers.get("content-type") ?? "").startsWith("text/event-stream");
      const form = isErrorObject(answer) && !streamed && readStream(answer).events.length === 0;
      t.check("4.1/33", answer.status >= 400 && form, {
        title: `a stream refused for ${what} is not answered with an error object`,
        expected: "an error object with a status of 400 or more",
        seen: `${told(answer)}, ${answer.headers.get("content-type")}`,
      });
    }
  },
});

export const faultCases = [twoFaults, refusedStreams];
