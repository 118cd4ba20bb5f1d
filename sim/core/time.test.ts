import { describe, expect, it } from "vitest";
import {
  AssayError,
  HOUR,
  isoTime,
  MICROSECOND,
  MILLISECOND,
  MINUTE,
  microseconds,
  SECOND,
  unixSeconds,
} from "./index.ts";

it("counts microseconds", () => {
  expect([MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR]).toEqual([1, 1e3, 1e6, 6e7, 3.6e9]);
});

it("tells the time of a run in ISO 8601, UTC, with milliseconds", () => {
  const epoch = Date.UTC(2026, 0, 1);
  expect(isoTime(epoch, 0)).toBe("2026-01-01T00:00:00.000Z");
  expect(isoTime(epoch, 90 * SECOND + 1_999)).toBe("2026-01-01T00:01:30.001Z");
  expect(unixSeconds(epoch, 1_999_999)).toBe(epoch / 1_000 + 1);
});

describe("durations", () => {
  it.each([
    [1_500, 1_500],
    ["250us", 250],
    ["20ms", 20_000],
    ["1.1 ms", 1_100],
    ["1.5s", 1_500_000],
    ["2min", 2 * MINUTE],
    ["24h", 24 * HOUR],
    ["0", 0],
  ])("reads %s", (text, expected) => {
    expect(microseconds(text)).toBe(expected);
  });

  it.each([["-1s"], ["1 day"], ["1.5us"], ["s"], [""], [-1], [0.5], [Number.NaN], ["1e3ms"]])("refuses %s", (text) => {
    expect(() => microseconds(text, "here")).toThrow(AssayError);
  });

  it("says what would be right", () => {
    try {
      microseconds("5 days", "faults[0].after");
    } catch (error) {
      expect((error as AssayError).message).toMatchInlineSnapshot(`
        "This is not a duration.
          where     faults[0].after
          seen      5 days
          expected  whole microseconds, or a number with a unit: us, ms, s, min or h
          try       write "20ms" or "1.5s""
      `);
    }
    expect.assertions(1);
  });
});
