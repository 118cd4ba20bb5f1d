/** Routing policies by name. */
import { Fastest } from "./fastest.ts";
import { LeastLoaded } from "./least-loaded.ts";
import type { MakePolicy } from "./policy.ts";
import { PowerOfTwo } from "./power-of-two.ts";
import { Random } from "./random.ts";
import { Reputation } from "./reputation.ts";
import { RoundRobin } from "./round-robin.ts";
import { StakeWeighted } from "./stake-weighted.ts";

export type { Candidate, JobEnd, MakePolicy, RoutingPolicy } from "./policy.ts";

/** What a scenario's `routing` may name. */
export const policies = {
  "round-robin": () => new RoundRobin(),
  random: (dice) => new Random(dice),
  "least-loaded": () => new LeastLoaded(),
  "power-of-two": (dice) => new PowerOfTwo(dice),
  fastest: () => new Fastest(),
  "stake-weighted": (dice) => new StakeWeighted(dice),
  reputation: (dice) => new Reputation(dice),
} as const satisfies Readonly<Record<string, MakePolicy>>;

export type PolicyName = keyof typeof policies;
