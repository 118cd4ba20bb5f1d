/**
 * The network between the parties: a pair of links for each population of clients, each worker and each webhook, and the troubles that they are
 * scheduled to have.
 */
import { Link, type LinkSpec } from "./link.ts";

/** Classes of links: those of all clients, workers or webhooks with the gateway. */
export const LINK_CLASSES = ["clients", "workers", "webhooks"] as const;
export type LinkClass = (typeof LINK_CLASSES)[number];

/** A party's way to the gateway and back. */
export interface Pair {
  readonly up: Link;
  readonly down: Link;
}

/** Something that happens to links. Times in microseconds. */
export interface LinkTrouble {
  readonly link: LinkClass;
  /** Whose links: the number of the population, worker or webhook, and the region where it stands. */
  readonly strikes: (party: number, region: string | undefined) => boolean;
  readonly from: number;
  readonly until: number;
  /** How many times as long messages take; Infinity for a partition. */
  readonly factor: number;
}

export interface NetworkPlan {
  readonly links: Readonly<Partial<Record<LinkClass, LinkSpec>>>;
  readonly troubles: readonly LinkTrouble[];
}

export class Links {
  readonly #plan: NetworkPlan;
  readonly #seed: string | number;
  readonly #pairs: Record<LinkClass, Pair[]> = { clients: [], workers: [], webhooks: [] };

  constructor(plan: NetworkPlan, seed: string | number) {
    this.#plan = plan;
    this.#seed = seed;
  }

  /** Whether the plan says anything about links of that class. */
  has(link: LinkClass): boolean {
    const { links, troubles } = this.#plan;
    return links[link] !== undefined || troubles.some((trouble) => trouble.link === link);
  }

  /** The links of a party, made when they are first asked for. */
  of(link: LinkClass, party: number, region?: string | undefined): Pair {
    this.#pairs[link][party] ??= this.#make(link, party, region);
    return this.#pairs[link][party];
  }

  #make(link: LinkClass, party: number, region: string | undefined): Pair {
    const spec = this.#plan.links[link] ?? { delay: 0 };
    const troubles = this.#plan.troubles.filter((trouble) => trouble.link === link && trouble.strikes(party, region));
    const way = (name: string): Link => {
      const made = new Link(spec, this.#seed, `${link} ${party} ${name}`, `network.${link}`);
      for (const { from, until, factor } of troubles) {
        if (factor === Infinity) made.partition(from, until);
        else made.clog(from, until, factor);
      }
      return made;
    };
    return { up: way("up"), down: way("down") };
  }
}

/** Bytes of a message: its frame, and its text by tokens. */
export function bytesOf(tokens: number): number {
  return 600 + tokens * 4;
}
