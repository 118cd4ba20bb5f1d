/**
 * From a scenario to the options of a world. Says what the schema cannot: words that do not fit together.
 */
import type { Population, Verification } from "../actors/index.ts";
import { type DistributionSpec, SECOND } from "../core/index.ts";
import { launchModels } from "../default-world.ts";
import type { PartyNames } from "../metrics/index.ts";
import { honestRules, type Rules } from "../rules.ts";
import type { WorldOptions } from "../world.ts";
import { chainFaults, chainSettings, gasCosts } from "./chain.ts";
import { population } from "./clients.ts";
import type { Context } from "./context.ts";
import { workerFaults } from "./faults.ts";
import type { LoadedScenario } from "./load.ts";
import { gatewayClock, networkPlan } from "./network.ts";
import { chances, Reader } from "./reader.ts";
import { routingPolicy } from "./routing.ts";
import type { Scenario } from "./scenario.ts";
import { workerClass } from "./workers.ts";

export interface BuildOptions {
  /** Goes before the scenario's own. */
  readonly seed?: string | number | undefined;
  /** CSV file of recorded arrivals; goes before the scenario's own. */
  readonly trace?: string | undefined;
  /** What the service promises; the honest rules unless told. */
  readonly rules?: Rules | undefined;
}

/** @throws AssayError where words of the scenario do not fit together, with their place */
export function buildScenario({ scenario, source }: LoadedScenario, options: BuildOptions = {}): WorldOptions {
  const reader = new Reader(source);
  const { workers, clients, arbiter } = scenario;
  const models =
    scenario.models?.map(({ id, tier, parameters = "", context_window = 32_768 }) => {
      return { id, tier, parameters, contextWindow: context_window, createdAt: 0 };
    }) ?? launchModels;
  const seed = options.seed ?? scenario.seed ?? 1;
  const context: Context = { scenario, reader, seed, models, trace: options.trace, traces: new Map() };
  const names = <T>(of: readonly T[], name: (each: T) => string | undefined) => of.map(name);
  reader.unique(
    ["models"],
    names(models, ({ id }) => id),
    "id",
  );
  reader.unique(
    ["clients"],
    names(clients, ({ name }) => name),
    "name",
  );
  reader.unique(
    ["workers"],
    names(workers, ({ name }) => name),
    "name",
  );
  const named = workers.some(({ name }) => name !== undefined);
  const populations = (): Population[] => clients.map((each, index) => population(context, each, ["clients", index]));
  // Made once now, so that a wrong word is said before the run begins.
  populations();
  return {
    seed,
    models,
    workers: workers.map((each, index) => ({
      class: workerClass(context, each, ["workers", index], named ? index : undefined),
      count: each.count,
    })),
    parties: parties(scenario),
    populations,
    chain: chainSettings(context),
    chainFaults: chainFaults(context),
    routing: routingPolicy(scenario.routing, source),
    faults: workerFaults(context),
    network: networkPlan(context),
    clock: gatewayClock(context),
    verification: verification(scenario, reader),
    arbiterAccuracy: arbiter?.accuracy ?? 1,
    calmAt: reader.time(scenario.calm_at, ["calm_at"]),
    rules: rulesOf(scenario, reader, options.rules ?? honestRules),
  };
}

/** What of the service's promises the scenario leaves open to itself: the contract shows no slash and no compensation. */
function rulesOf({ arbiter }: Scenario, reader: Reader, rules: Rules): Rules {
  if (arbiter === undefined) return rules;
  const { slash, delay, compensates } = arbiter;
  const path = ["arbiter", "delay"];
  const arbitration = reader.time(delay, path);
  if (arbitration !== undefined && arbitration > rules.arbitration) {
    throw reader.wrong(path, "Arbitration takes longer than its window.", delay, "24h or less (section 8)");
  }
  return {
    ...rules,
    ...(slash !== undefined && { slash: (stake: number) => Math.min(stake, slash) }),
    ...(arbitration !== undefined && { arbitration }),
    ...(compensates === true && {
      compensation: (fraudulent: boolean, charged: number) => (fraudulent ? charged : 0),
    }),
  };
}

/** After that a dispute is not heard any more, and the refusal of a proof is one. */
const LATEST_AUDIT = 50 * SECOND;

function verification({ verification: written }: Scenario, reader: Reader): Verification | undefined {
  if (written === undefined) return undefined;
  const { audit_rate, false_positive = 0, false_negative = 0, delay = "5s", cost = 0, expel = true } = written;
  const path = ["verification", "delay"];
  const drawn = reader.draws(delay as DistributionSpec, path);
  if (drawn.mean > LATEST_AUDIT) {
    throw reader.wrong(path, "An audit takes too long for its refusal to be heard.", delay, "50s or less on average");
  }
  return {
    auditRate: chances(audit_rate),
    falsePositive: chances(false_positive),
    falseNegative: chances(false_negative),
    delay: drawn,
    cost,
    expel,
  };
}

function parties(scenario: Scenario): PartyNames {
  const { workers, clients, token_price } = scenario;
  const named = workers.some(({ name }) => name !== undefined);
  return {
    workers: named
      ? workers.map(({ name, kind, operator }, index) => ({ name: name ?? `${kind} ${index}`, operator }))
      : [],
    clients: clients.map(({ name, operator }) => ({ name, operator })),
    tokenPrice: token_price,
    gas: gasCosts(scenario),
  };
}
