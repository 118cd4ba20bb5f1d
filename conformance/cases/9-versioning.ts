/** Section 9: versioning. */
import { at } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { answered, told } from "./support/refusals.ts";

/** The API version appears in the path prefix `/v1` of every endpoint. */
const prefix = defineCase({
  id: "9/prefix",
  title: "the endpoints are under /v1, and not beside it",
  requirements: ["9/1"],
  async run(t) {
    t.accepted(await t.api.models(), "GET /v1/models");
    t.accepted(await t.api.account(), "GET /v1/account");
    const isAccount = (json: unknown): boolean => at(json, "credits_remaining") !== undefined;
    const isList = (json: unknown): boolean => Array.isArray(at(json, "data"));
    for (const [path, shows] of [
      ["/account", isAccount] as const,
      ["/models", isList] as const,
      ["/jobs", isList] as const,
    ]) {
      const exchange = answered(t, await t.api.raw({ method: "GET", path }));
      t.check("9/1", !(exchange.status < 300 && shows(exchange.json)), {
        title: "an endpoint answers without /v1 in its path",
        expected: "no such endpoint",
        seen: `GET ${path}: ${told(exchange)}`,
      });
    }
  },
});

export const section9 = [prefix];
