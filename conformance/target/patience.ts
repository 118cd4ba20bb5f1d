/** How long a run may really wait where no clock can be moved: each time, and altogether. */
import { ConformError } from "../errors.ts";

/** Milliseconds. */
export interface Patience {
  readonly each: number;
  readonly total: number;
}

/** `none` waits for nothing, `short` for a settlement, `long` for a time-out of 120 seconds. */
export const PATIENCE = {
  none: { each: 0, total: 0 },
  short: { each: 15_000, total: 60_000 },
  long: { each: 150_000, total: 1_800_000 },
} as const satisfies Record<string, Patience>;

/** Waits of this length make the need `patience`: a time-out of 120 seconds, and some more for its answer. */
export const MINUTES = 125_000;

/** Reads `--patience`: a name, or the seconds of the longest single wait (ten times as many altogether). */
export function patienceFrom(text: string | number): Patience {
  const named = PATIENCE[text as keyof typeof PATIENCE];
  if (named !== undefined) return named;
  const seconds = Number(text);
  if (Number.isFinite(seconds) && seconds >= 0) return { each: seconds * 1000, total: seconds * 10_000 };
  throw new ConformError({
    what: "The patience of the run is no length of time.",
    where: "--patience",
    seen: text,
    expected: "none, short, long, or a number of seconds",
  });
}
