import { expect, it } from "vitest";
import { gasIsFresh } from "../../../scripts/gas.ts";

it("the gas table is what the contracts cost", async () => {
  expect(await gasIsFresh(), "run npm run gas").toBe(true);
});
