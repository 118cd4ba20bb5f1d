import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exp, ln, pow, sqrt } from "./index.ts";

/** The engine's own functions are right to about a unit in the last place (2.2e-16); two steps more are for subnormal numbers. */
function close(actual: number, expected: number): boolean {
  return Object.is(actual, expected) || Math.abs(actual - expected) <= 1e-15 * Math.abs(expected) + 1e-323;
}

const positive = fc.double({ min: 0, max: Number.MAX_VALUE, noNaN: true, minExcluded: true });
const runs = { numRuns: 20_000, seed: 1 };

describe("against the engine's own", () => {
  it("ln", () => {
    fc.assert(
      fc.property(positive, (x) => {
        expect(close(ln(x), Math.log(x))).toBe(true);
      }),
      runs,
    );
  });

  it("ln near 1, where it is small", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 2, noNaN: true }), (x) => {
        expect(close(ln(x), Math.log(x))).toBe(true);
      }),
      runs,
    );
  });

  it("exp", () => {
    fc.assert(
      fc.property(fc.double({ min: -760, max: 720, noNaN: true }), (x) => {
        expect(close(exp(x), Math.exp(x))).toBe(true);
      }),
      runs,
    );
  });

  it("pow", () => {
    const exponent = fc.double({ min: -400, max: 400, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(positive, fc.double({ min: 0.1, max: 10, noNaN: true })), exponent, (x, y) => {
        expect(close(pow(x, y), x ** y)).toBe(true);
      }),
      runs,
    );
  });
});

it("agrees with the engine where there is nothing to compute", () => {
  for (const x of [0, Infinity, Number.NaN, -1]) expect(ln(x)).toBe(Math.log(x));
  for (const x of [0, -0, Infinity, -Infinity, Number.NaN, 1e-300, 709.78, 710, -745, -746]) {
    expect(close(exp(x), Math.exp(x))).toBe(true);
  }
  for (const x of [0, 0.5, 1, 2, Infinity, Number.NaN, -1, 5e-324]) {
    for (const y of [0, 0.5, 1, -1, 2, 1e9, -1e9, Infinity, -Infinity, Number.NaN]) {
      // Only whole exponents have a power of a negative number, and nobody needs them; 1 ** Infinity is NaN in ECMAScript alone.
      if (x < 0 || x === 1) continue;
      expect([x, y, close(pow(x, y), x ** y)]).toEqual([x, y, true]);
    }
  }
});

it("is exact where the answer is a double", () => {
  for (let n = 0; n <= 22; n++) expect(pow(10, n)).toBe(Number(`1e${n}`));
  for (const x of [3, 0.1, 12345]) expect(pow(x, 1)).toBe(x);
  expect(exp(0)).toBe(1);
  expect(ln(1)).toBe(0);
  expect(sqrt(2)).toBe(Math.SQRT2);
});

it("gives these bits, on every machine", () => {
  const bits = (x: number): string =>
    Buffer.from(new Float64Array([x]).buffer)
      .reverse()
      .toString("hex");
  expect([ln(10), ln(0.1), exp(1), exp(-0.1), pow(1.5, 0.3), pow(7, 100.25)].map(bits)).toMatchInlineSnapshot(`
    [
      "40026bb1bbb55516",
      "c0026bb1bbb55515",
      "4005bf0a8b14576a",
      "3fecf46d99d52b3a",
      "3ff211ce179a0012",
      "5185aa61771c9b3c",
    ]
  `);
});
