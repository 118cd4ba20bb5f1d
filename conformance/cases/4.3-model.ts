/** Section 4.3: `GET /v1/models/{model_id}`. */
import { at, errorCode } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { answered, isErrorObject, told } from "./support/refusals.ts";

/** One model object with the same shape as a list entry. */
const each = defineCase({
  id: "4.3/each",
  title: "every listed model is found by its id",
  requirements: ["4.3/1"],
  async run(t) {
    for (const { id } of t.models()) {
      const exchange = answered(t, await t.api.model(id));
      t.check("4.3/1", exchange.status === 200 && at(exchange.json, "id") === id, {
        title: "a listed model is not found by its id",
        expected: `200 with the model ${id}`,
        seen: told(exchange),
      });
    }
  },
});

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
