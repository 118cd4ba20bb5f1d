import { describe, expect, it } from "vitest";
import { toAnswer, toCurl } from "./curl.ts";
import type { Exchange } from "./exchange.ts";
import { headerList, NO_HEADERS } from "./headers.ts";
import { secrets } from "./redact.ts";

const key = "svc_live_0123456789abcdef0123456789abcdef";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const exchange: Exchange = {
  number: 1,
  case: "x/y",
  endpoint: "POST /v1/webhooks",
  request: {
    method: "POST",
    path: "/v1/webhooks",
    headers: headerList([["authorization", `Bearer ${key}`]]),
    body: bytes(`{"secret":"whsec_123456","note":"it's"}`),
    json: {},
    key,
  },
  ending: "answered",
  error: null,
  status: 201,
  headers: headerList([["content-type", "application/json"]]),
  trailers: NO_HEADERS,
  body: bytes(`{"id":"wh_1"}`),
  text: `{"id":"wh_1"}`,
  json: { id: "wh_1" },
  arrivals: [],
  sentAt: 0,
  headAt: 0,
  endedAt: 0,
  retried: 0,
};
const known = secrets();
known.add(key, "key");
known.add("whsec_123456", "webhook secret");

describe("a transcript", () => {
  it("is a command to paste, without secrets", () => {
    expect(toCurl(exchange, "http://localhost:8080/", known)).toBe(
      `curl -i -X POST -H 'authorization: Bearer <key>' --data-binary '{"secret":"<webhook secret>","note":"it'\\''s"}' 'http://localhost:8080/v1/webhooks'`,
    );
  });

  it("shows the answer, or how the exchange ended instead", () => {
    expect(toAnswer(exchange, known)).toBe(`HTTP 201\ncontent-type: application/json\n\n{"id":"wh_1"}`);
    const reset: Exchange = { ...exchange, ending: "reset", error: "socket hang up", status: 0, text: "" };
    expect(toAnswer(reset, known)).toBe("(reset: socket hang up)");
  });

  it("finds a secret wherever it stands, and takes short texts for none", () => {
    known.add("a", "short");
    expect(known.foundIn(`x ${key} y`)).toEqual(["key"]);
    expect(known.hide("banana")).toBe("banana");
  });
});
