/**
 * A colluding pair: a client and workers of one operator.
 *
 * Economics. A job that reaches the operator's own worker costs it only what the network keeps, 15 % or 25 % of the charge: the worker makes junk
 * at no cost, the client does not mind, and both gain standing wherever routing weighs reputation. At every other worker the client pays in full.
 * With a share s of its jobs landing at home, a job costs charge * (1 - 0.85 * s) and earns nothing by itself: the pair lives on what the standing is
 * worth, or on disputing its rivals (`spares`), whose slashes move work to its own workers. Audits find the junk at home as anybody's.
 *
 * A pair is a population and a class of workers with the same `operator`; the report adds up what they win and lose together. This names the
 * checks that make it one.
 */
import type { Accusing } from "./disputer.ts";

/** The client half: accuses everybody but the operator's own workers. */
export function colluder(own: number): Accusing {
  return { spares: own };
}
