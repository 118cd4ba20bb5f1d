/** Section 4.2: `GET /v1/models`. */
import { at } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";
import { isErrorObject, refusedAsInvalid } from "./support/refusals.ts";

/** No parameters; the response is `{object: "list", data: [models]}`. A parameter that is none may be ignored or refused, as a field may. */
const list = defineCase({
  id: "4.2/list",
  title: "the list of models is a list object whose data are models, with and without a query",
  requirements: ["4.2/1"],
  async run(t) {
    for (const path of ["/v1/models", "/v1/models?limit=1&unknown=x"]) {
      const exchange = await t.api.raw({ method: "GET", path });
      if (path.includes("?") && refusedAsInvalid(exchange) && isErrorObject(exchange)) continue;
      const shape = at(exchange.json, "object") === "list" && Array.isArray(at(exchange.json, "data"));
      t.check("4.2/1", exchange.status === 200 && shape, {
        expected: "200 with object `list` and an array `data`",
        seen: exchange.text.slice(0, 300),
      });
    }
  },
});

export const section42 = [list];
