/**
 * Sybil workers: one operator behind many browser tabs, which come back under a new face when they are thrown out.
 *
 * Economics. A browser worker needs no stake, so a slash takes nothing: all that being found out costs is the identity. With expulsion an identity
 * that cheats on every job lives for 1/q jobs on average, of which all but the last are paid: it brings (1/q - 1) * pay, less `cost` of a new
 * face. The wave pays as long as (1 - q) * pay > q * cost; raising the price of a face (a stake for browsers too, a deposit, a waiting time during
 * which nothing is earned) is the only deterrent, since slashing has nothing to take.
 *
 * A wave is workers that cheat (any conduct) and rejoin.
 */
export interface Rejoining {
  /** Microseconds from being thrown out to coming back as another worker. */
  readonly after: number;
  /** What a new face costs, in hundredths of a unit. */
  readonly cost: number;
}
