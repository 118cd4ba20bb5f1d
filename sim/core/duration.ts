/**
 * Durations as people write them: `"250us"`, `"20ms"`, `"1.5s"`, `"2min"`, `"1h"`, or a plain number of microseconds.
 */
import { AssayError } from "./errors.ts";
import { HOUR, MICROSECOND, MILLISECOND, MINUTE, SECOND } from "./time.ts";

/** Microseconds, or text with a unit. */
export type Duration = number | string;

const UNITS: Readonly<Record<string, number>> = {
  "": MICROSECOND,
  us: MICROSECOND,
  ms: MILLISECOND,
  s: SECOND,
  min: MINUTE,
  h: HOUR,
};

/**
 * @param where the place of the duration, for the error's message
 * @returns integer microseconds >= 0
 * @throws AssayError where it is no duration or is not a whole number of microseconds
 */
export function microseconds(duration: Duration, where?: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(String(duration).trim());
  const unit = UNITS[match?.[2] ?? "?"];
  // 1.1 ms is 1100.0000000000002 in doubles; a whole number of microseconds is what was meant.
  const exact = unit === undefined ? Number.NaN : Number(match![1]) * unit;
  const whole = Math.round(exact);
  if (Number.isSafeInteger(whole) && Math.abs(exact - whole) < 1e-6) return whole;
  throw new AssayError({
    what: "This is not a duration.",
    where,
    seen: duration,
    expected: "whole microseconds, or a number with a unit: us, ms, s, min or h",
    hint: 'write "20ms" or "1.5s"',
  });
}
