/**
 * What a drawn world may have beyond its bare frame: one row a feature or fault.
 *
 * Swarm testing (Groce and others, 2012): each world draws its own subset of the rows, so that some worlds have one fault in full force and nothing
 * that would hide it. A new word of the scenario file becomes part of the hunt by a row here. Values are drawn from short lists that hold the edges
 * of the contract, such as 60 s and one microsecond more.
 */
import { EVENTS } from "../../fixtures/protocol/events.ts";
import { PRICES } from "../../fixtures/protocol/prices.ts";
import { conducts, policies } from "../actors/index.ts";
import { type DistributionSpec, type Duration, microseconds, SECOND, type Stream } from "../core/index.ts";
import { LINK_CLASSES, type LinkClass } from "../network/index.ts";
import type { Draft, DraftClients, DraftWorkers } from "./draft.ts";
import { SAFETY_PHASE } from "./frame.ts";

export interface Feature {
  readonly name: string;
  /** A fault is what a healthy network does not have; the others are what people do with it. */
  readonly fault: boolean;
  /** Adds it to the draft, somewhere and with some strength. */
  add(draft: Draft, dice: Stream): void;
}

const RATES = [0.05, 0.3, 1];
const DISPUTE_AFTER: readonly Duration[] = ["1s", "20s", 59_999_999, 60_000_000, 60_000_001, "60500ms", "3min"];
const ANSWER_AFTER: readonly DistributionSpec[] = [
  "80ms",
  "lognormal(median=3s, sigma=1)",
  9_999_999,
  10_000_000,
  10_000_001,
  "15s",
];
type ChainFault = NonNullable<NonNullable<Draft["chain"]>["faults"]>[number]["fault"];
const CHAIN_FAULTS: readonly ChainFault[] = [
  "slow_blocks",
  "stalled",
  "dropped",
  "replaced",
  "reverted",
  "reorganised",
  "rpc_errors",
  "rpc_hangs",
];
const LONG_SERVICE: readonly DistributionSpec[] = [
  "exponential(mean=60s)",
  "uniform(min=60s, max=180s)",
  "uniform(min=110s, max=121s)",
  119_999_999,
  120_000_000,
  "10min",
];

export const features: readonly Feature[] = [
  atWorkers("dishonest workers", true, (workers, dice) => {
    workers.dishonest = dice.pick(RATES);
  }),
  atWorkers("silent workers", true, (workers, dice) => {
    workers.silent = dice.pick(RATES);
  }),
  atWorkers("failing workers", true, (workers, dice) => {
    workers.failing = dice.pick(RATES);
  }),
  atWorkers("slow workers", true, (workers, dice) => {
    workers.service = dice.pick(LONG_SERVICE);
  }),
  atWorkers("workers that work late", true, (workers) => {
    workers.works_late = true;
  }),
  atWorkers("workers with little stake to lose", false, (workers, dice) => {
    if (workers.kind === "native") workers.stake = dice.pick([1_000, 1_050, 2_000]);
    else workers.stake = dice.pick([0, 1, 500]);
  }),
  atClients("endpoints that fail", true, (clients, dice) => {
    clients.webhook = {
      events: someEvents(dice),
      success: dice.pick([0, 0, 0.3, 0.9]),
      latency: dice.pick(ANSWER_AFTER),
    };
  }),
  atClients("webhooks", false, (clients, dice) => {
    clients.webhook = { events: someEvents(dice), latency: dice.pick(ANSWER_AFTER) };
  }),
  atClients("clients that check answers", false, (clients, dice) => {
    clients.checks = { share: dice.pick(RATES), after: dice.pick(DISPUTE_AFTER) };
  }),
  atClients("clients that buy units", false, (clients, dice) => {
    clients.top_up = { below: dice.pick([1, 50, 100]), units: dice.pick([100, 101, 500]) };
  }),
  atClients("clients that redeem their units", false, (clients, dice) => {
    clients.redeem_at = `${1 + dice.below(SAFETY_PHASE - 1)}s`;
  }),
  atClients("max_tokens", false, (clients, dice) => {
    clients.max_tokens = dice.pick(["exact", 1, 100, 501, 2_000]);
  }),
  atClients("little money", false, (clients, dice) => {
    const { perRequest } = PRICES[dice.pick(["lite", "standard", "pro", "max"] as const)];
    clients.units = dice.pick([0, perRequest, 2 * perRequest, 50, 100, 100 + perRequest, 150]);
  }),
  atClients("bursts", false, (clients) => {
    clients.arrivals = { process: "renewal", gap: "gamma(shape=0.1, scale=100s)" };
  }),
  atClients("arrivals that jump between rates", false, (clients) => {
    const states = [
      { rate: 0, stay: "30s" },
      { rate: 5, stay: "2s" },
    ] as const;
    clients.arrivals = { process: "bursts", states };
  }),
  atClients("users who think before they ask again", false, (clients) => {
    clients.arrivals = { process: "closed", think: "exponential(mean=10s)" };
  }),
  atClients("requests in one moment", false, (clients, dice) => {
    clients.arrivals = { process: "deterministic", every: dice.pick(["1ms", "2s", "30s"]) };
  }),
  atClients("long answers", false, (clients, dice) => {
    clients.output_tokens = dice.pick<DistributionSpec>([499, 500, 501, 1_501, "uniform(min=400, max=4000)"]);
  }),
  inWorld("another routing", false, (draft, dice) => {
    draft.routing = dice.pick(Object.keys(policies) as (keyof typeof policies)[]);
  }),
  inWorld("frauds, and clients who look for them", true, ({ workers, clients }, dice) => {
    const after = dice.pick(DISPUTE_AFTER);
    for (const each of workers.slice(1)) each.dishonest = dice.pick([0.3, 1]);
    for (const each of clients.slice(1)) each.checks = { share: dice.pick([0.3, 1]), after };
  }),
  atWorkers("workers that cheat", true, (workers, dice) => {
    workers.cheats = { how: dice.pick(Object.keys(conducts) as (keyof typeof conducts)[]), share: dice.pick([0.3, 1]) };
  }),
  atWorkers("workers that come back", true, (workers, dice) => {
    workers.rejoins = { after: dice.pick(["1s", "10min"]), cost: 100 };
  }),
  atWorkers("workers that come and go", true, (workers, dice) => {
    workers.session = { stays: dice.pick(["20s", "exponential(mean=3min)"]), away: "30s", drains: dice.below(2) === 0 };
  }),
  inWorld("workers that host what fits", false, (draft, dice) => {
    // The model of the core fits into nobody else.
    draft.models = draft.models.map((model, index) => ({ ...model, memory: index === 0 ? 1_000 : 10 * index }));
    for (const each of draft.workers.slice(1)) {
      if (dice.below(2) === 0) Object.assign(each, { models: "fitting", memory: dice.pick([10, 30]) });
    }
  }),
  atWorkers("workers that read prompts", false, (workers, dice) => {
    workers.prompt_token_time = dice.pick(["1ms", "1s"]);
  }),
  atWorkers("workers with clocks that are not true", true, (workers, dice) => {
    const jump = dice.below(2) === 0 ? { ahead: dice.pick(["45s", "119s"]) } : { back: "45s" };
    workers.clock = { drift_ppm: dice.pick([-50_000, 200, 50_000]), jumps: [{ at: inPhase(dice), ...jump }] };
  }),
  atWorkers("workers that run batches", false, (workers) => {
    workers.batching = 0.5;
  }),
  atClients("clients that send again", false, (clients, dice) => {
    clients.retries = { as: dice.pick(["contract", "careless"]), limit: 3 };
  }),
  atClients("clients that hang up", false, (clients, dice) => {
    clients.patience = dice.pick(["1s", "exponential(mean=30s)"]);
  }),
  atClients("clients that dispute everything", true, (clients, dice) => {
    clients.checks = { share: 1, after: dice.pick(DISPUTE_AFTER), accuses: true };
  }),
  atClients("requests raced past the balance", true, (clients, dice) => {
    clients.burst = 2 + dice.below(4);
  }),
  atClients("withdrawals during a lock", true, (clients, dice) => {
    clients.withdraws = dice.pick([0.3, 1]);
  }),
  inWorld("audits before payment", false, (draft, dice) => {
    draft.verification = {
      audit_rate: dice.pick([0.3, 1]),
      false_positive: dice.pick([0, 0.1, 0.5]),
      false_negative: dice.pick([0, 0.5]),
      delay: dice.pick(["1s", "50s"]),
      expel: dice.below(2) === 0,
    };
  }),
  inWorld("compensation by the arbiter", false, (draft, dice) => {
    draft.arbiter = { ...draft.arbiter, compensates: true, delay: dice.pick(["1s", "1h", "24h"]) };
  }),
  inWorld("an arbiter that errs", true, (draft, dice) => {
    draft.arbiter = { ...draft.arbiter, accuracy: dice.pick([0, 0.5, 0.9]) };
  }),
  inWorld("slashes of another size", false, (draft, dice) => {
    draft.arbiter = { ...draft.arbiter, slash: dice.pick([0, 1, 999, 1_000, 100_000]) };
  }),
  inWorld("slow blocks", true, (draft, dice) => {
    draft.chain = { ...draft.chain, block_time: dice.pick(["12s", "30s"]) };
  }),
  inWorld("blocks at once", false, (draft) => {
    draft.chain = { ...draft.chain, block_time: 0 };
  }),
  inWorld("days instead of minutes", false, ({ workers, clients }) => {
    for (const each of workers) {
      if (each.session !== undefined) each.session = { ...each.session, stays: "exponential(mean=5h)", away: "1h" };
    }
    // Verdicts come after 24 hours: only who sends requests after that sees what they do.
    for (const each of clients.slice(1)) {
      each.arrivals = { process: "renewal", gap: "exponential(mean=4h)" };
      each.until = "72h";
    }
  }),
  inWorld("costs that are counted", false, (draft, dice) => {
    draft.token_price = 100;
    draft.chain = { ...draft.chain, gas_price: dice.pick([0, 7]) };
    for (const [index, each] of draft.workers.entries()) {
      Object.assign(each, { name: `workers-${index}`, cost: { per_job: 100, per_1k_tokens: 33 } });
    }
    for (const each of draft.clients) if (each.checks !== undefined) each.checks = { ...each.checks, cost: 5 };
  }),
  inWorld("confirmations", false, (draft, dice) => {
    draft.chain = { ...draft.chain, confirmations: dice.pick([1, 3]) };
  }),
  ...(["crash", "stall", "slow", "drop"] as const).map((fault) =>
    inWorld(`fault of workers: ${fault}`, true, (draft, dice) => {
      const times = { at: inPhase(dice), ...(fault !== "drop" && { for: shortly(dice) }) };
      const strength = { share: dice.pick([0.3, 1]), ...(fault === "slow" && { factor: dice.pick([3, 100]) }) };
      const whom = { workers: dice.pick(["native", "browser", "all"]) };
      draft.faults = [...(draft.faults ?? []), { fault, ...whom, ...times, ...strength }];
    }),
  ),
  ...LINK_CLASSES.map((link) =>
    inWorld(`links of ${link} that take their time`, false, (draft, dice) => {
      onLinks(draft, link, {
        delay: dice.pick<DistributionSpec>(["1ms", "lognormal(median=40ms, sigma=1)", "2s"]),
        ...(dice.below(2) === 0 && { jitter: "exponential(mean=20ms)" }),
        ...(dice.below(2) === 0 && { ordered: true }),
        ...(dice.below(3) === 0 && { bandwidth: dice.pick([10, 100]) }),
      });
    }),
  ),
  ...LINK_CLASSES.map((link) =>
    inWorld(`links of ${link} that lose and double`, true, (draft, dice) => {
      // Sent again so soon that nine losses in a row are over before the 120 s: nobody may time out over that in the calm.
      const troubles = { loss: dice.pick([0.05, 0.2]), resend_after: "200ms", duplication: dice.pick([0, 0.3]) };
      onLinks(draft, link, troubles);
    }),
  ),
  ...(["partition", "clog"] as const).map((fault) =>
    inWorld(`fault of links: ${fault}`, true, (draft, dice) => {
      const link = dice.pick(LINK_CLASSES);
      const one = link === "workers" ? 1 : "clients-0";
      const whom = { link, ...(dice.below(2) === 0 && { party: one }) };
      const times = {
        at: inPhase(dice),
        for: shortly(dice),
        ...(fault === "clog" && { factor: dice.pick([3, 30]) }),
      };
      draft.faults = [...(draft.faults ?? []), { fault, ...whom, ...times }];
    }),
  ),
  inWorld("a gateway's clock that drifts", true, (draft, dice) => {
    const drift_ppm = dice.pick([-50_000, -200, 200, 50_000]);
    draft.network = { ...draft.network, gateway_clock: { ...draft.network?.gateway_clock, drift_ppm } };
  }),
  inWorld("a gateway's clock that jumps", true, (draft, dice) => {
    const jump = dice.below(2) === 0 ? { ahead: dice.pick(["1s", "45s"]) } : { back: dice.pick(["1s", "45s"]) };
    const jumps = [{ at: inPhase(dice), ...jump }];
    draft.network = { ...draft.network, gateway_clock: { ...draft.network?.gateway_clock, jumps } };
  }),
  inWorld("transactions that wait for a block to take them", false, (draft, dice) => {
    draft.chain = { ...draft.chain, mempool_delay: dice.pick(["200ms", "3s"]) };
  }),
  ...CHAIN_FAULTS.map((fault) =>
    inWorld(`fault of the chain: ${fault}`, true, (draft, dice) => {
      // A chain that seals at once has no blocks to be late or to be undone.
      const chain = { ...draft.chain, block_time: draft.chain?.block_time || "2s" };
      const seconds = microseconds(chain.block_time, "block_time") / SECOND;
      const struck = {
        fault,
        at: inPhase(dice),
        ...(fault !== "reorganised" && { for: shortly(dice) }),
        ...(SHARED.includes(fault) && { share: dice.pick([0.3, 1]) }),
        ...(fault === "slow_blocks" && { block_time: `${5 * seconds}s` }),
        ...(fault === "reorganised" && { depth: dice.pick([1, 4, 12, 50]) }),
      };
      draft.chain = { ...chain, faults: [...(draft.chain?.faults ?? []), struck] };
    }),
  ),
];

function onLinks(draft: Draft, link: LinkClass, more: NonNullable<Draft["network"]>[LinkClass]): void {
  draft.network = { ...draft.network, [link]: { ...draft.network?.[link], ...more } };
}

/** Troubles of the chain that strike a share of the transactions. */
const SHARED: readonly string[] = ["dropped", "replaced", "reverted"];

/** A fault's beginning and its length: it is over before the calm. */
function inPhase(dice: Stream): string {
  return `${1 + dice.below(SAFETY_PHASE / 2)}s`;
}

function shortly(dice: Stream): string {
  return `${1 + dice.below(SAFETY_PHASE / 2 - 1)}s`;
}

function inWorld(name: string, fault: boolean, add: Feature["add"]): Feature {
  return { name, fault, add };
}

/** At one class of workers, now and then at all. The healthy core is never touched. */
function atWorkers(name: string, fault: boolean, add: (workers: DraftWorkers, dice: Stream) => void): Feature {
  return {
    name,
    fault,
    add: ({ workers }, dice) => {
      for (const each of someOf(workers.slice(1), dice)) add(each, dice);
    },
  };
}

function atClients(name: string, fault: boolean, add: (clients: DraftClients, dice: Stream) => void): Feature {
  return {
    name,
    fault,
    add: ({ clients }, dice) => {
      for (const each of someOf(clients.slice(1), dice)) add(each, dice);
    },
  };
}

function someOf<T>(all: readonly T[], dice: Stream): readonly T[] {
  return dice.below(3) === 0 ? all : [dice.pick(all)];
}

function someEvents(dice: Stream): readonly (typeof EVENTS)[number][] {
  const chosen = EVENTS.filter(() => dice.below(2) === 0);
  return chosen.length > 0 ? chosen : ["job.completed"];
}
