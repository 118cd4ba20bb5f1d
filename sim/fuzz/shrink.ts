/**
 * Makes a failing world small: fewer faults, actors, jobs, less time, as long as the same checker still tells.
 *
 * Greedy: simplifications are tried from the boldest to the finest, whatever still fails is kept, until a whole round changes nothing. Named random
 * streams make this work: taking an actor away moves no other's dice.
 */
import { PRICES } from "../../fixtures/protocol/prices.ts";
import type { Scenario } from "../scenario/index.ts";
import { type Draft, type DraftClients, draftOf } from "./draft.ts";

/** Whether the world still shows what is looked for. */
export type StillFails = (scenario: Scenario) => Promise<boolean>;

export interface Shrunk {
  readonly scenario: Scenario;
  /** Worlds that were tried. */
  readonly tries: number;
}

/** A step that makes a draft simpler; false where there is nothing to make simpler. */
type Step = (draft: Draft) => boolean;

const TRIES = 600;

/**
 * @param scenario one that fails
 * @param lasting words of a client that must stay, because a world without them fails rightly
 */
export async function shrink(
  scenario: Scenario,
  stillFails: StillFails,
  lasting: readonly (keyof DraftClients)[] = [],
): Promise<Shrunk> {
  let best = scenario;
  let left = TRIES;
  for (let changed = true; changed && left > 0; ) {
    changed = false;
    // Steps are made anew for what is left, so their places are right; one that worked is tried again at the same place.
    for (let place = 0; left > 0; ) {
      const step = stepsOf(best, lasting)[place];
      if (step === undefined) break;
      const draft = draftOf(best);
      if (!step(draft) || same(draft, best)) {
        place++;
        continue;
      }
      left--;
      if (await stillFails(draft)) {
        best = draft;
        changed = true;
      } else place++;
    }
  }
  return { scenario: best, tries: TRIES - left };
}

const same = (a: Scenario, b: Scenario): boolean => JSON.stringify(a) === JSON.stringify(b);

function stepsOf(scenario: Scenario, lasting: readonly (keyof DraftClients)[]): Step[] {
  const steps: Step[] = [];
  for (const [index] of scenario.clients.entries()) steps.push(({ clients }) => remove(clients, index));
  for (const [index] of scenario.workers.entries()) steps.push(({ workers }) => remove(workers, index));
  for (const field of beyond(scenario, FRAME)) {
    const value = scenario[field];
    for (const [at] of Array.isArray(value) ? value.entries() : []) {
      steps.push((draft) => remove(draft[field] as unknown[], at));
    }
    steps.push((draft) => drop(draft, field));
  }
  for (const [at] of (scenario.chain?.faults ?? []).entries()) {
    steps.push((draft) => {
      const faults = (draft.chain?.faults ?? []).toSpliced(at, 1);
      return set(draft, "chain", { ...draft.chain, faults });
    });
  }
  for (const [index, each] of scenario.clients.entries()) {
    for (const field of beyond(each, [...CLIENT_FRAME, ...lasting]))
      steps.push(({ clients }) => drop(clients[index]!, field));
    const { requests = 1, wallets = 1, units = 0, burst = 1 } = each;
    for (const fewer of lessMoney(scenario).filter((less) => less < units)) {
      steps.push(({ clients }) => set(clients[index]!, "units", fewer));
    }
    if (each.top_up !== undefined) {
      // Money from the start instead of money bought on the way.
      for (const enough of lessMoney(scenario)) {
        steps.push(({ clients }) => drop(clients[index]!, "top_up") && set(clients[index]!, "units", enough));
      }
    }
    for (const fewer of fewerThan(burst).filter((least) => least > 1)) {
      steps.push(({ clients }) => set(clients[index]!, "burst", fewer));
    }
    for (const fewer of fewerThan(requests)) steps.push(({ clients }) => set(clients[index]!, "requests", fewer));
    for (const fewer of fewerThan(wallets)) steps.push(({ clients }) => set(clients[index]!, "wallets", fewer));
    steps.push(({ clients }) => {
      const events = clients[index]!.webhook?.events ?? [];
      return (
        events.length > 1 && set(clients[index]!, "webhook", { ...clients[index]!.webhook!, events: [events[0]!] })
      );
    });
    steps.push(({ clients }) => {
      const [first, ...others] = Object.keys(clients[index]!.models ?? {});
      return others.length > 0 && set(clients[index]!, "models", { [first!]: 1 });
    });
    for (const [field, simple] of SIMPLE_CLIENTS) steps.push(({ clients }) => set(clients[index]!, field, simple));
    // Where that is too short, or too quick, something as simple; never back from it.
    if (typeof each.output_tokens !== "number") {
      steps.push(({ clients }) => set(clients[index]!, "output_tokens", LONG_ANSWER));
    }
    if (each.arrivals.process !== "deterministic") {
      for (const every of [AT_ONCE, RARELY]) {
        steps.push(({ clients }) => set(clients[index]!, "arrivals", { process: "deterministic", every }));
      }
    }
  }
  for (const [index, each] of scenario.workers.entries()) {
    for (const field of beyond(each, WORKER_FRAME)) steps.push(({ workers }) => drop(workers[index]!, field));
    for (const fewer of fewerThan(each.slots ?? 1)) steps.push(({ workers }) => set(workers[index]!, "slots", fewer));
    for (const fewer of fewerThan(each.count)) steps.push(({ workers }) => set(workers[index]!, "count", fewer));
    const { models } = each;
    if (Array.isArray(models)) {
      for (const [at] of models.entries()) {
        steps.push(({ workers }) => remove(workers[index]!.models as unknown as string[], at));
      }
    }
    for (const field of CERTAIN) {
      const rate = each[field];
      if (rate !== undefined && rate !== 1) steps.push(({ workers }) => set(workers[index]!, field, 1));
    }
    for (const [field, simple] of SIMPLE_WORKERS) steps.push(({ workers }) => set(workers[index]!, field, simple));
  }
  // Other dice may need fewer requests.
  for (const [index, { requests = 1 }] of scenario.clients.entries()) {
    for (const fewer of fewerThan(requests)) {
      for (const seed of SEEDS) {
        steps.push((draft) => set(draft, "seed", seed) && set(draft.clients[index]!, "requests", fewer));
      }
    }
  }
  steps.push((draft) => {
    if (draft.models.every(({ memory }) => memory === undefined)) return false;
    for (const each of draft.workers) if (each.models === "fitting") each.models = "all";
    return set(
      draft,
      "models",
      draft.models.map(({ id, tier }) => ({ id, tier })),
    );
  });
  steps.push(({ models, workers, clients }) => {
    // Models that nobody hosts or asks for.
    const used = new Set([
      ...workers.flatMap((w) => w.models ?? []),
      ...clients.flatMap((c) => Object.keys(c.models ?? {})),
    ]);
    const unused = models.findIndex(({ id }) => !used.has(id));
    return unused >= 0 && remove(models, unused);
  });
  return steps;
}

/** Words that a world, clients or workers need, or that have simplifications of their own; any other may go. */
const FRAME = ["seed", "models", "workers", "clients"];
const CLIENT_FRAME = ["name", "arrivals", "requests", "wallets", "units", "models", "prompt_tokens", "output_tokens"];
const WORKER_FRAME = ["kind", "count", "models", "first_token", "token_time"];
const SEEDS = [1, 2, 3, 4];
const CERTAIN = ["dishonest", "silent", "failing"] as const;
const SIMPLE_CLIENTS = [
  ["prompt_tokens", 1],
  ["output_tokens", 1],
  ["arrivals", { process: "deterministic", every: "1s" }],
] as const;
const LONG_ANSWER = 4_000;
const AT_ONCE = "1ms";
/** Three such waits are longer than a verdict takes. */
const RARELY = "12h";
const SIMPLE_WORKERS = [
  ["first_token", "1s"],
  ["token_time", 0],
] as const;

/** Units that may do: none, what one to three requests cost, the least that can be bought and as much more, some. */
function lessMoney({ models = [] }: Scenario): readonly number[] {
  const prices = models.flatMap(({ tier }) => [1, 2, 3].map((requests) => requests * PRICES[tier].perRequest));
  const amounts = [0, ...prices, 100, ...prices.map((price) => 100 + price), 300];
  return [...new Set(amounts)].toSorted((a, b) => a - b);
}

/** The words that are there and not among those. */
function beyond<T extends object>(of: T, frame: readonly string[]): (keyof T)[] {
  return Object.keys(of).filter((field) => !frame.includes(field)) as (keyof T)[];
}

/** One, a half, one less: what may do instead of `count`. */
function fewerThan(count: number): readonly number[] {
  return [...new Set([1, Math.floor(count / 2), count - 1])].filter((fewer) => fewer >= 1 && fewer < count);
}

function remove(list: unknown[], index: number): boolean {
  if (list.length <= 1) return false;
  list.splice(index, 1);
  return true;
}

function drop<T extends object>(from: T, field: keyof T): boolean {
  if (from[field] === undefined) return false;
  delete from[field];
  return true;
}

function set<T extends object, K extends keyof T>(of: T, field: K, value: T[K]): boolean {
  of[field] = value;
  return true;
}
