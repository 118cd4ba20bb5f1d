/** Section 7.1: bodies that cannot be read, and fields that are not there. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import type { CallOptions, RawRequest } from "../api.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { mayBeLate } from "../support/disputed.ts";
import { honestHashes, sha256 } from "../support/hash.ts";
import { settledJob } from "../support/jobs.ts";
import { answered, refusedAsInvalid, told } from "../support/refusals.ts";
import { webhookSecret } from "../support/webhooks.ts";

const free: CallOptions = { cost: 0 };
const CHAT = "/v1/chat/completions";

/** What no JSON parser takes, made of a body without fault: whoever reads it all the same acts on it. */
const BROKEN: Readonly<Record<string, (valid: string) => string>> = {
  "an empty body": () => "",
  "white space": () => "  \n",
  "a body without its end": (valid) => valid.slice(0, -1),
  "half a body": (valid) => valid.slice(0, Math.floor(valid.length / 2)),
  "a trailing comma": (valid) => `${valid.slice(0, -1)},}`,
  "something after the end": (valid) => `${valid} ${valid}`,
  "something before the beginning": (valid) => `data: ${valid}`,
  "single quotes": (valid) => valid.replaceAll('"', "'"),
  "unquoted names": (valid) => valid.replace(/"(\w+)":/g, "$1:"),
  "a comment": (valid) => `${valid.slice(0, -1)} /* that is all */ }`,
  words: () => "hello",
  "a form": () => "model=x&messages=y",
};

/** JSON, but no object: a body all the same that is none of this request. */
const NO_OBJECT = ["null", "[]", '"text"', "42", "true", "[{}]"];

/** "400: body cannot be parsed." On every endpoint that reads one. */
const unparseable = defineCase({
  id: "7.1/unparseable",
  title: "a body that is no JSON, or no object, is refused as an invalid request, on every endpoint that reads one",
  requirements: ["7.1/1"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete();
    // While it settles a job may be refused for that: a body is looked at by itself only afterwards.
    await settledJob(t, done.jobId);
    const chat = { model: t.model().id, messages: [{ role: "user", content: "Hello." }], max_tokens: 16 };
    const webhook = { url: "https://hooks.assay.example/x", events: ["job.failed"], secret: webhookSecret(t) };
    // The right hash: who reads a broken dispute opens none.
    const dispute = { received_output_hash: honestHashes(done.text)[0] };
    // The dispute first, before its window is over.
    const bodies: readonly (readonly [path: string, valid: string])[] = [
      [`/v1/jobs/${encodeURIComponent(done.jobId)}/dispute`, JSON.stringify(dispute)],
      [CHAT, JSON.stringify(chat)],
      [CHAT, JSON.stringify({ ...chat, stream: true })],
      ["/v1/webhooks", JSON.stringify(webhook)],
    ];
    for (const [path, valid] of bodies) {
      const post = (more: Partial<RawRequest>) => t.api.raw({ method: "POST", path, cost: 0, ...more });
      const json = { "content-type": "application/json" };
      for (const [what, broken] of Object.entries(BROKEN)) {
        const answer = answered(t, await post({ body: broken(valid), headers: json }));
        if (mayBeLate(t, done, answer)) break;
        t.check("7.1/1", answer.status === 400 && errorCode(answer) === "invalid_request", {
          title: `${what} as a body is not refused as an invalid request`,
          expected: "400 invalid_request",
          seen: told(answer),
        });
      }
      for (const body of NO_OBJECT) {
        const answer = answered(t, await post({ body, headers: json }));
        if (mayBeLate(t, done, answer)) break;
        t.check("7.1/1", refusedAsInvalid(answer), {
          title: "JSON that is no object is not refused as a body",
          expected: "400 or 422",
          seen: `${body}: ${told(answer)}`,
        });
      }
      const bare = answered(t, await post({}));
      t.check("7.1/1", bare.status >= 400 && bare.status < 500, {
        title: "a request without a body is not refused",
        expected: "400 invalid_request",
        seen: told(bare),
      });
    }
  },
});

/** "400: a required field is missing; `param` names the field." */
const missing = defineCase({
  id: "7.1/missing",
  title: "each missing required field is refused with 400 `invalid_request`, and named by `param`",
  requirements: ["7.1/2"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete();
    await settledJob(t, done.jobId);
    for (const body of [{}, { hash: sha256(done.text) }]) {
      const answer = await t.api.dispute(done.jobId, body);
      if (!mayBeLate(t, done, answer)) judge(t, "received_output_hash", answer);
    }
    const webhook = { url: "https://hooks.assay.example/x", events: ["job.completed"], secret: webhookSecret(t) };
    for (const stream of [undefined, true]) {
      for (const field of ["model", "messages"]) {
        judge(t, field, await t.api.say({ stream, [field]: undefined }, free));
      }
    }
    for (const field of ["url", "events", "secret"] as const) {
      judge(t, field, await t.api.createWebhook({ ...webhook, [field]: undefined }));
    }
    const hello = { role: "user", content: "Hello." };
    judge(t, "role", await t.api.say({ messages: [{ content: "Hello." }] }, free), ["role", "messages"]);
    judge(t, "content", await t.api.say({ messages: [hello, { role: "user" }] }, free), ["content", "messages"]);
  },
});

/** `named`: any of these in `param` points to the field. A nested one may be named by its path or by what holds it. */
function judge(t: CaseContext, field: string, answer: Exchange, named: readonly string[] = [field]): void {
  if (answer.ending !== "answered") t.giveUp(`no whole answer came: ${answer.ending}`);
  t.check("7.1/2", answer.status === 400 && errorCode(answer) === "invalid_request", {
    title: `a missing \`${field}\` is not refused as an invalid request`,
    expected: "400 invalid_request",
    seen: told(answer),
    exchanges: answer,
  });
  const param = at(answer.json, "error", "param");
  const names = typeof param === "string" && named.some((each) => param.split(/[^A-Za-z_]+/).includes(each));
  t.check("7.1/2", names, {
    title: `the refusal of a missing \`${field}\` does not name it`,
    expected: `param ${field}`,
    seen: param,
    exchanges: answer,
  });
}

/** Bodies sent as something else than JSON. Statuses such as 415 are not in the list of section 7.1, and allowed. */
const TYPES: readonly (string | null)[] = ["text/plain", "application/x-www-form-urlencoded", "application/xml", null];

const contentTypes = defineCase({
  id: "7.1/content-types",
  title: "a body of another content type is read all the same, or refused with an error object",
  requirements: ["7.1/9", "7.1/8"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    const types = [...TYPES, "application/json; charset=utf-8"];
    for (const type of t.home.fresh ? types : types.slice(0, 1)) {
      const answer = answered(t, await t.api.say({}, { headers: { "content-type": type } }));
      t.check("7.1/8", answer.status < 500, {
        title: "a body of another content type makes the service fail",
        expected: "200 or a 4xx",
        seen: `${type}: ${told(answer)}`,
      });
      t.observe("7.1/9", `${type ?? "no content type"}: ${answer.status}`);
    }
  },
});

export const bodyCases = [unparseable, missing, contentTypes];
