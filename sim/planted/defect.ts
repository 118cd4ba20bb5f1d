/**
 * What a planted defect of the simulator is: a named break of one promise, and the checker that sees it.
 *
 * A defect is an override of rules, or a hand laid on the wired world before its clients begin: a method of one of its parts replaced by a wrong
 * one. The honest code has no branch for either.
 */
import { honestRules, type Rules } from "../rules.ts";
import type { World, WorldOptions } from "../world.ts";

export interface PlantedDefect {
  readonly id: string;
  /** What the broken world does, in a few words. */
  readonly what: string;
  /** The checker that must tell; others may, too. */
  readonly checker: string;
  readonly rules?: Partial<Rules>;
  readonly plant?: (world: World) => void;
}

/** The same world with the defect in it. */
export function withDefect(options: WorldOptions, defect: PlantedDefect | undefined): WorldOptions {
  if (defect === undefined) return options;
  const rules = { ...(options.rules ?? honestRules), ...defect.rules };
  return { ...options, rules, ...(defect.plant !== undefined && { plant: defect.plant }) };
}

/** Replaces a method by one made around it. */
export function around<P, K extends keyof P>(part: P, name: K, wrong: (right: P[K]) => P[K]): void {
  const right = part[name];
  part[name] = wrong((right as unknown as (...args: unknown[]) => unknown).bind(part) as unknown as P[K]);
}

/** True on every nth call. */
export function everyNth(n: number): () => boolean {
  let calls = 0;
  return () => ++calls % n === 0;
}
