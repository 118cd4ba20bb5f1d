/** Draws the nth world of a hunt. */
import { stream } from "../core/index.ts";
import type { Scenario } from "../scenario/index.ts";
import { type Feature, features } from "./features.ts";
import { beginCalm, drawFrame } from "./frame.ts";

export interface DrawnWorld {
  readonly scenario: Scenario;
  /** Names of the features and faults that it drew. */
  readonly features: readonly string[];
}

/** A function of the hunt's seed and the world's number alone: any world can be drawn again without those before it. */
export function drawWorld(seed: string | number, world: number, table: readonly Feature[] = features): DrawnWorld {
  const name = `${seed}/${world}`;
  const dice = stream(name, "fuzz", "world");
  const draft = drawFrame(name, dice);
  // Swarm: the density differs from world to world, too, from bare to crowded.
  const density = 1 + dice.below(6);
  const drawn = table.filter(() => dice.below(10) < density);
  for (const feature of drawn) feature.add(draft, dice);
  beginCalm(draft);
  return { scenario: draft, features: drawn.map((feature) => feature.name) };
}
