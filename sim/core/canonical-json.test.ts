import fc from "fast-check";
import { expect, it } from "vitest";
import { AssayError, canonicalJson } from "./index.ts";

it("orders keys by code unit and writes no white space", () => {
  expect(canonicalJson({ b: [1, "x", null], a: { "\u{1f600}": true, é: 1e21, z: -0 } })).toBe(
    '{"a":{"z":0,"é":1e+21,"😀":true},"b":[1,"x",null]}',
  );
});

it("leaves out undefined properties", () => {
  expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
});

it("writes equal values alike, in whatever order they were built, and loses nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      const reversed = JSON.parse(text, (_, part: unknown) =>
        part !== null && typeof part === "object" && !Array.isArray(part)
          ? Object.fromEntries(Object.entries(part).reverse())
          : part,
      );
      expect(canonicalJson(reversed)).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 1 },
  );
});

it.each([
  ["NaN", { a: [Number.NaN] }, "$.a[0]"],
  ["a bigint", 1n, "$"],
  ["undefined in a list", [undefined], "$[0]"],
  ["a function", { f: () => 1 }, "$.f"],
])("refuses %s and says where", (_, value, where) => {
  expect(() => canonicalJson(value)).toThrow(AssayError);
  expect(() => canonicalJson(value)).toThrow(where);
});

it("refuses a value that contains itself", () => {
  const cycle: Record<string, unknown> = {};
  cycle.inner = { cycle };
  expect(() => canonicalJson(cycle)).toThrow("$.inner.cycle");
});
