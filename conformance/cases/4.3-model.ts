/** Section 4.3: `GET /v1/models/{model_id}`. */
import { at, errorCode } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { answered, isErrorObject, told } from "./support/refusals.ts";

/** One model object with the same shape as a list entry: what the entry has, it has. */
const each = defineCase({
  id: "4.3/each",
  title: "every listed model is found by its id, with all that its entry in the list has",
  requirements: ["4.3/1"],
  async run(t) {
    const list = await t.api.models();
    t.accepted(list, "listing the models");
    const data = at(list.json, "data");
    for (const { id } of t.models()) {
      const exchange = answered(t, await t.api.model(id));
      t.check("4.3/1", exchange.status === 200 && at(exchange.json, "id") === id, {
        title: "a listed model is not found by its id",
        expected: `200 with the model ${id}`,
        seen: told(exchange),
      });
      const entry = Array.isArray(data) ? data.find((model) => at(model, "id") === id) : undefined;
      if (entry === undefined || exchange.status !== 200) continue;
      const lacking = [
        ...MODEL_FIELDS.map((field) => [field]),
        [t.brand],
        ...LIVE_FIELDS.map((field) => [t.brand, field]),
      ].filter((path) => at(entry, ...path) !== undefined && at(exchange.json, ...path) === undefined);
      t.check("4.3/1", lacking.length === 0, {
        title: "a model asked for by its id lacks what its entry in the list has",
        expected: "the same shape as a list entry",
        seen: `no ${lacking.map((path) => path.join(".")).join(", ")}`,
        exchanges: [list, exchange],
      });
    }
  },
});

/** Fields of a model (2.2) and of its live data. */
const MODEL_FIELDS = ["id", "object", "created", "owned_by"] as const;
const LIVE_FIELDS = [
  "tier",
  "credits_per_request",
  "credits_per_1k_tokens",
  "active_workers",
  "median_latency_ms",
  "parameters",
  "context_window",
] as const;

/** Error for an unknown id: not shown. 404 with any code, or 400 `model_not_found`; never 200, a 5xx, or no error object. */
const unknown = defineCase({
  id: "4.3/unknown",
  title: "ids that no model has, near ones, odd ones and long ones, are answered with an error object",
  requirements: ["4.3/3", "4.3/4"],
  async run(t) {
    const known = new Set(t.models().map((model) => model.id));
    const { id } = t.model();
    t.accepted(await t.api.model(id), "reading a listed model");
    const ids = [
      `no-such-model-${t.random.text(8)}`,
      `${id}x`,
      id.slice(0, -1),
      `${id} `,
      "gpt-4o",
      "../account",
      "%",
      "modèle",
      "x".repeat(500),
    ];
    for (const odd of ids.filter((candidate) => !known.has(candidate))) {
      const exchange = answered(t, await t.api.model(odd));
      // A path that climbs may be led back to where it belongs before any endpoint sees it.
      if (odd.includes("..") && exchange.status >= 300 && exchange.status < 400) continue;
      const refused = exchange.status >= 400 && exchange.status < 500 && isErrorObject(exchange);
      t.check("4.3/3", refused, {
        title: "an unknown model id is not answered with an error object",
        expected: "404, or 400 model_not_found",
        seen: told(exchange),
      });
    }
    const plain = await t.api.model(`no-such-model-${t.random.text(8)}`);
    const isNotFound = plain.status === 400 && errorCode(plain) === "model_not_found";
    t.observe("4.3/4", plain.status === 404 || isNotFound ? String(plain.status) : told(plain), { exchanges: plain });
  },
});

export const section43 = [each, unknown];
