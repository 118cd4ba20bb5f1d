/** Section 7.1: "500: failure on the service side". What a client sends is no such failure, however wrong. */
import { chatRequests, type Drawn } from "../../arbitraries/chat.ts";
import type { RawRequest } from "../api.ts";
import { defineCase, type RequirementId } from "../case.ts";
import { answered, refusedAsInvalid, told } from "../support/refusals.ts";

const CHAT = "/v1/chat/completions";
const CHATTING = { messages: [{ role: "user", content: "Hello." }] };
const deep = (depth: number): string => `{"model":"x","messages":${"[".repeat(depth)}${"]".repeat(depth)}}`;

/** Requests that no client of good will sends. Each is one thing wrong, and none may reach further than a refusal. */
const ODD: readonly (readonly [what: string, request: RawRequest])[] = [
  ["lists nested ten thousand deep", { method: "POST", path: CHAT, body: deep(10_000) }],
  [
    "a number beyond all bounds",
    { method: "POST", path: CHAT, body: '{"model":"x","messages":[],"max_tokens":1e999}' },
  ],
  ["a name of the language's own", { method: "POST", path: CHAT, body: '{"__proto__":{"model":1},"constructor":1}' }],
  ["bytes that are no UTF-8", { method: "POST", path: CHAT, body: Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d) }],
  ["a byte order mark", { method: "POST", path: CHAT, body: '\ufeff{"model":"x"}' }],
  ["a null for a body", { method: "POST", path: CHAT, body: "null" }],
  ["a list for a body", { method: "POST", path: CHAT, body: "[]" }],
  ["a text for a body", { method: "POST", path: CHAT, body: '"chat"' }],
  ["a null for a webhook", { method: "POST", path: "/v1/webhooks", body: "null" }],
  ["a list for a webhook", { method: "POST", path: "/v1/webhooks", body: "[]" }],
  ["a null among the messages", { method: "POST", path: CHAT, json: { model: "x", messages: [null] } }],
  ["a list among the messages", { method: "POST", path: CHAT, json: { model: "x", messages: [[]] } }],
  ["a model id of 300 letters", { method: "POST", path: CHAT, json: { ...CHATTING, model: "x".repeat(300) } }],
  ["a model id of 70,000 letters", { method: "POST", path: CHAT, json: { ...CHATTING, model: "x".repeat(70_000) } }],
  ["an empty model id", { method: "POST", path: CHAT, json: { ...CHATTING, model: "" } }],
  ["a zero byte", { method: "POST", path: CHAT, body: '{"model":"\u0000"}' }],
  ["half a surrogate pair", { method: "POST", path: CHAT, body: '{"model":"\\ud800","messages":[]}' }],
  ["an unknown job with a strange id", { method: "GET", path: "/v1/jobs/%00%0d%0a" }],
  ["a path that climbs", { method: "GET", path: "/v1/jobs/..%2f..%2fetc%2fpasswd" }],
  ["a broken escape in a path", { method: "GET", path: "/v1/jobs/%E0%A4%A" }],
  ["a very long path", { method: "GET", path: `/v1/jobs/${"a".repeat(4_000)}` }],
  ["a strange query", { method: "GET", path: "/v1/jobs?limit[]=1&limit=2&before=%&%00=%ff" }],
  ["a limit that is no number", { method: "GET", path: "/v1/jobs?limit=NaN" }],
  ["a limit in words", { method: "GET", path: "/v1/jobs?limit=ten" }],
  ["another method", { method: "PUT", path: CHAT, json: {} }],
  ["another method without a body", { method: "DELETE", path: "/v1/account" }],
  ["a body with a GET's path", { method: "POST", path: "/v1/models", json: {} }],
  ["a webhook of strange values", { method: "POST", path: "/v1/webhooks", json: { url: {}, events: 7, secret: null } }],
  [
    "a webhook with a list of lists",
    { method: "POST", path: "/v1/webhooks", json: { url: [], events: [[]], secret: "" } },
  ],
  ["a dispute of nothing", { method: "POST", path: "/v1/jobs//dispute", json: { received_output_hash: 7 } }],
  ["a model called like a method", { method: "GET", path: "/v1/models/constructor" }],
];

const oddities = defineCase({
  id: "7.1/oddities",
  title: "requests wrong in strange ways are refused, and make nothing fail",
  requirements: ["7.1/8"],
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    for (const [what, request] of ODD) {
      const answer = await t.api.raw({ headers: { "content-type": "application/json" }, ...request, cost: 0 });
      // A server, or whatever stands before it, may close the connection on such requests.
      if (answer.ending !== "answered") continue;
      t.check("7.1/8", answer.status < 500 || answer.status === 501 || answer.status === 505, {
        title: `${what} makes the service fail`,
        expected: "a 4xx",
        seen: told(answer),
      });
    }
    const after = answered(t, await t.api.account());
    t.check("7.1/8", after.status === 200, {
      title: "the service fails after a strange request",
      expected: "200",
      seen: told(after),
    });
  },
});

/** Requests drawn field by field, each value right, wrong, or one that the contract does not speak of. */
const drawn = defineCase({
  id: "7.1/drawn",
  title: "drawn requests are answered when every field is right, refused when one is wrong, and never with a 500",
  requirements: ["1/10", "4.1/2", "4.1/3", "4.1/7", "4.1/10", "4.1/13", "4.1/21", "7.1/8"],
  cost: () => 0,
  async run(t) {
    t.accepted(await t.api.models(), "listing the models with this key");
    const requests = chatRequests(t.models().map((model) => model.id));
    await t.property<Drawn>({
      // Who pays for the right ones: a fresh wallet, not somebody's.
      arbitrary: t.home.fresh ? requests : requests.filter((request) => request.wrong.length > 0),
      runs: 2 * t.runs,
      show: (request) => JSON.stringify(request.body),
      async run(request) {
        const answer = answered(t, await t.api.chat(request.body, { cost: 0 }));
        const seen = told(answer);
        t.check("7.1/8", answer.status < 500, {
          title: "a request makes the service fail",
          expected: "200 or a 4xx",
          seen,
        });
        if (request.wrong.length > 0) {
          t.check(rowOf(request), refusedAsInvalid(answer), {
            title: `a request with ${request.wrong.length === 1 ? "a wrong field" : "several wrong fields"} is not refused`,
            expected: "400 or 422",
            seen,
          });
        } else if (request.open.length === 0) {
          t.check("1/10", answer.status === 200, {
            title: "a request whose fields are all of their types is refused",
            expected: "200",
            seen,
          });
        }
      },
    });
  },
});

/** The row that asks for the refusal: of a type, of a range, or of two faults. */
function rowOf({ body, wrong }: Drawn): RequirementId {
  const [field, another] = wrong;
  if (field === undefined || another !== undefined) return "4.1/21";
  if (field === "model") return "4.1/2";
  if (field === "messages") return "4.1/3";
  if (typeof body[field] !== "number") return "4.1/7";
  if (field === "temperature") return "4.1/10";
  return field.endsWith("_penalty") ? "4.1/13" : "4.1/7";
}

export const crashCases = [oddities, drawn];
