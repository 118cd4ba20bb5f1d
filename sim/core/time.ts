/**
 * Time is an integer count of microseconds since the start of a run. A run of 285 years fits a double exactly.
 */

export const MICROSECOND = 1;
export const MILLISECOND = 1_000;
export const SECOND = 1_000_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/**
 * The moment `micros` into a run that began at `epochMs` (milliseconds of the Unix era), as ISO 8601 UTC with milliseconds:
 * `isoTime(0, 1_500_000)` is `"1970-01-01T00:00:01.500Z"`. Microseconds below a millisecond are cut off.
 */
export function isoTime(epochMs: number, micros: number): string {
  return new Date(epochMs + Math.floor(micros / MILLISECOND)).toISOString();
}

/** The same moment in whole seconds of the Unix era. */
export function unixSeconds(epochMs: number, micros: number): number {
  return Math.floor((epochMs + Math.floor(micros / MILLISECOND)) / 1_000);
}
