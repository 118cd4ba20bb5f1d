/** Section 4.2: `GET /v1/models`. */
import { at } from "../exchange/exchange.ts";
import { defineCase } from "./case.ts";

/** No parameters; the response is `{object: "list", data: [models]}`. */
const list = defineCase({
  id: "4.2/list",
  title: "the list of models is a list object whose data are models",
  requirements: ["4.2/1"],
  async run(t) {
    const exchange = await t.api.models();
    const shape =
      exchange.status === 200 && at(exchange.json, "object") === "list" && Array.isArray(at(exchange.json, "data"));
    t.check("4.2/1", shape, { expected: "200 with object `list` and an array `data`", seen: exchange.text });
  },
});

export const section42 = [list];
