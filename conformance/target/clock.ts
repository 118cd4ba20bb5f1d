/**
 * The clock of the service, as a case sees it. One interface over four kinds; `make-clock.ts` chooses.
 *
 * - `manual`: the service's time stands still except when advanced. Requests that are awaited are pumped: the clock advances in steps until
 *   they are answered. A request that was only started (`call.start()`) is not pumped: the case moves the clock by itself.
 * - `offset`: time flows, and can be made to jump.
 * - `wall`: time flows, and the service tells what time it has.
 * - `none`: there are no controls; the judge reads its own clock, and waits really, within its patience.
 */

export type ClockKind = "manual" | "offset" | "wall" | "none";

export interface Clock {
  readonly kind: ClockKind;
  /** Whether time can be moved: `manual` and `offset`. */
  readonly movable: boolean;
  /** How many times as fast as this machine's time the service's flows: 1 unless a faster one was measured. What is read off it is less exact by as much. */
  readonly rate: number;
  /** The service's time, milliseconds since 1970: exact where the clock is manual, else as near as it was last compared. */
  now(): number;
  /** Whether a span can be moved over or waited for: always when the clock is movable, else by what is left of the patience. */
  affords(milliseconds: number): boolean;
  /**
   * Moves time on by whole milliseconds, at least 1, or waits really. Resolves to the new time, once everything due has happened and
   * has been seen here. Throws `Stop` (not exercised) when the span cannot be afforded.
   */
  advance(milliseconds: number): Promise<number>;
  /** As `advance`, up to a moment: milliseconds since 1970, or an ISO 8601 text. Does nothing when it has passed. */
  until(moment: number | string): Promise<number>;
  /** Gives what was sent time to arrive, and what came of it time to come back. Moves no time. */
  settle(): Promise<void>;
  /**
   * Advances in steps of `step` milliseconds (default 250) until `condition` holds, for at most `within` milliseconds. Resolves to whether
   * it came to hold. Throws `Stop` (not exercised) where the patience ends first: what was not waited for is no finding. The condition may itself send requests that are answered at once, such as `GET /v1/jobs/{job_id}`.
   */
  advanceUntil(
    condition: () => boolean | Promise<boolean>,
    options: { readonly within: number; readonly step?: number | undefined },
  ): Promise<boolean>;
}
