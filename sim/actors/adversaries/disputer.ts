/**
 * A client that disputes: answers are accused whatever they are.
 *
 * Economics. The contract asks no fee for a dispute. An arbiter of accuracy a lets an honest worker down in 1 - a of the cases: where verdicts
 * compensate, a dispute of an honest job brings (1 - a) * charge on average, and costs what `checks.cost` says; it pays as soon as
 * (1 - a) * charge > cost. Each false verdict also takes `slash` tokens from an honest worker, which is the greater damage, and with a perfect
 * arbiter the only effect left is that workers cannot withdraw stake while a dispute about them is open.
 *
 * With `spares` it is the client half of a colluding pair (`colluders.ts`).
 */
export interface Accusing {
  /** The class of workers whose answers are never accused; -1 where there is none. */
  readonly spares: number;
}

/** Whether the client disputes this answer, which it has looked at, whatever its hash. `label`: class of the job's worker, -1 where it has none. */
export function accuses({ spares }: Accusing, label: number): boolean {
  return spares < 0 || label !== spares;
}
