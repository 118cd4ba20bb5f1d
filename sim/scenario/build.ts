/**
 * From a scenario to the options of a world. Says what the schema cannot: words that do not fit together.
 */
import { dirname, resolve } from "node:path";
import { MINIMUM_NATIVE_STAKE, MINIMUM_PURCHASE } from "../../fixtures/protocol/limits.ts";
import { CONVERSATION_2023 } from "../../fixtures/workloads/conversation-2023.ts";
import { browserWorker, CHANCES, nativeWorker, type Population, type WorkerClass } from "../actors/index.ts";
import {
  AssayError,
  type Distribution,
  type DistributionSpec,
  distribution,
  microseconds,
  SECOND,
  stream,
} from "../core/index.ts";
import { launchModels } from "../default-world.ts";
import type { ModelInfo } from "../port.ts";
import { honestRules, type Rules } from "../rules.ts";
import type { WorldOptions } from "../world.ts";
import { type ArrivalTrace, loadArrivalTrace } from "./arrival-trace.ts";
import type { LoadedScenario } from "./load.ts";
import { drawnRequests, replayedRequests } from "./request-sources.ts";
import { routingPolicy } from "./routing.ts";
import type { ScenarioArrivals, ScenarioClients, ScenarioWorkers } from "./scenario.ts";
import type { Path, Source } from "./source.ts";
import { suggest } from "./suggest.ts";

export interface BuildOptions {
  /** Goes before the scenario's own. */
  readonly seed?: string | number | undefined;
  /** CSV file of recorded arrivals; goes before the scenario's own. */
  readonly trace?: string | undefined;
  /** What the service promises; the honest rules unless told. */
  readonly rules?: Rules | undefined;
}

/** @throws AssayError where words of the scenario do not fit together, with their place */
export function buildScenario(loaded: LoadedScenario, options: BuildOptions = {}): WorldOptions {
  return new Builder(loaded, options).build();
}

class Builder {
  readonly #scenario: LoadedScenario["scenario"];
  readonly #source: Source;
  readonly #options: BuildOptions;
  readonly #seed: string | number;
  readonly #models: readonly ModelInfo[];
  readonly #traces = new Map<string, ArrivalTrace>();

  constructor({ scenario, source }: LoadedScenario, options: BuildOptions) {
    this.#scenario = scenario;
    this.#source = source;
    this.#options = options;
    this.#seed = options.seed ?? scenario.seed ?? 1;
    this.#models =
      scenario.models?.map(({ id, tier, parameters = "", context_window = 32_768 }) => {
        return { id, tier, parameters, contextWindow: context_window, createdAt: 0 };
      }) ?? launchModels;
  }

  build(): WorldOptions {
    const { workers, clients, chain, arbiter } = this.#scenario;
    const rules = this.#options.rules ?? honestRules;
    const slash = arbiter?.slash;
    this.#unique(
      ["models"],
      this.#models.map(({ id }) => id),
      "id",
    );
    this.#unique(
      ["clients"],
      clients.map(({ name }) => name),
      "name",
    );
    const populations = (): Population[] => clients.map((each, index) => this.#population(each, ["clients", index]));
    // Made once now, so that a wrong word is said before the run begins.
    populations();
    return {
      seed: this.#seed,
      models: this.#models,
      workers: workers.map((each, index) => ({
        class: this.#workerClass(each, ["workers", index]),
        count: each.count,
      })),
      populations,
      chain: {
        blockTime: this.#time(chain?.block_time, ["chain", "block_time"]) ?? 2 * SECOND,
        confirmations: chain?.confirmations ?? 0,
      },
      routing: routingPolicy(this.#scenario.routing, this.#source),
      arbiterAccuracy: arbiter?.accuracy ?? 1,
      rules: slash === undefined ? rules : { ...rules, slash: (stake) => Math.min(stake, slash) },
    };
  }

  #workerClass(workers: ScenarioWorkers, path: Path): WorkerClass {
    const { kind, models = "all", slots, stake, works_late } = workers;
    if (kind === "native" && stake !== undefined && stake < MINIMUM_NATIVE_STAKE) {
      throw this.#wrong(
        [...path, "stake"],
        "A native worker stakes too little.",
        stake,
        `${MINIMUM_NATIVE_STAKE} tokens or more`,
      );
    }
    if (typeof models === "string" && models !== "all") {
      throw this.#wrong(
        [...path, "models"],
        "This is neither a list of models nor all of them.",
        models,
        'a list, or "all"',
      );
    }
    const hosted =
      models === "all"
        ? this.#models.map((_, index) => index)
        : models.map((id, at) => this.#model(id, [...path, "models", at]));
    const given = {
      slots,
      stake,
      worksLate: works_late,
      firstToken: this.#draws(workers.first_token, [...path, "first_token"]),
      promptTokenTime: this.#time(workers.prompt_token_time, [...path, "prompt_token_time"]),
      tokenTime: this.#draws(workers.token_time, [...path, "token_time"]),
      service: this.#draws(workers.service, [...path, "service"]),
      dishonest: chances(workers.dishonest),
      silent: chances(workers.silent),
      failing: chances(workers.failing),
    };
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    return (kind === "native" ? nativeWorker : browserWorker)(hosted, changes);
  }

  #population(clients: ScenarioClients, path: Path): Population {
    const { name, wallets = 1, units = 10_000, top_up, checks, webhook } = clients;
    if (top_up !== undefined && top_up.units < MINIMUM_PURCHASE) {
      throw this.#wrong(
        [...path, "top_up", "units"],
        "A purchase is too small.",
        top_up.units,
        `${MINIMUM_PURCHASE} units or more`,
      );
    }
    const whose = stream(this.#seed, `clients ${name}`, "wallets");
    return {
      source: this.#requests(clients, path),
      wallets,
      units,
      model: this.#mix(clients, path),
      wallet: () => whose.below(wallets),
      maxTokens: this.#maxTokens(clients, path),
      topUp: top_up,
      checks: checks && {
        chance: chances(checks.share)!,
        after: this.#draws(checks.after ?? "5s", [...path, "checks", "after"])!,
        dice: stream(this.#seed, `clients ${name}`, "checks"),
      },
      redeemsAt: this.#time(clients.redeem_at, [...path, "redeem_at"]) ?? -1,
      webhook: webhook && {
        events: webhook.events,
        endpoint: {
          success: chances(webhook.success ?? 1)!,
          latency: this.#draws(webhook.latency ?? "lognormal(median=80ms, sigma=0.5)", [
            ...path,
            "webhook",
            "latency",
          ])!,
        },
      },
    };
  }

  #requests(clients: ScenarioClients, path: Path): Population["source"] {
    const { name, arrivals, requests = Infinity } = clients;
    const { duration } = this.#scenario;
    const until = this.#time(duration, ["duration"]) ?? Infinity;
    const at = [...path, "arrivals"];
    const bounds = { until, requests };
    if (arrivals.process === "trace") {
      const file = this.#options.trace ?? (arrivals.file === undefined ? undefined : this.#beside(arrivals.file));
      if (file !== undefined) return replayedRequests(this.#trace(file), bounds);
      throw new AssayError({
        what: "The arrival trace is not given.",
        where: this.#source.where(at),
        expected: "a CSV file with the columns TIMESTAMP, ContextTokens, GeneratedTokens",
        hint: "give its path with --trace, or as `file`",
      });
    }
    if (until === Infinity && requests === Infinity) {
      throw this.#wrong(at, "These requests never end.", "neither duration nor requests", "one of both");
    }
    const gap = this.#gap(arrivals, at);
    const prompts = this.#draws(clients.prompt_tokens ?? asRecorded(CONVERSATION_2023.promptTokens), [
      ...path,
      "prompt_tokens",
    ])!;
    const outputs = this.#draws(clients.output_tokens ?? asRecorded(CONVERSATION_2023.outputTokens), [
      ...path,
      "output_tokens",
    ])!;
    return drawnRequests(this.#seed, name, gap, prompts, outputs, bounds);
  }

  #trace(file: string): ArrivalTrace {
    const known = this.#traces.get(file) ?? loadArrivalTrace(file);
    this.#traces.set(file, known);
    return known;
  }

  /** Time between two requests. */
  #gap(arrivals: ScenarioArrivals, path: Path): Distribution {
    const needed = { poisson: "rate", renewal: "gap", deterministic: "every", trace: "file" } as const;
    const field = needed[arrivals.process];
    const given = arrivals[field];
    if (given === undefined) {
      throw this.#wrong(path, "The process of arrivals lacks its parameter.", arrivals.process, `a field "${field}"`);
    }
    if (field === "rate") {
      const mean = SECOND / (given as number);
      return { mean, draw: (dice) => dice.exponential(mean) };
    }
    const gap = this.#draws(given, [...path, field])!;
    if (gap.mean > 0) return gap;
    throw this.#wrong([...path, field], "These requests come all at once.", given, "a time above 0");
  }

  #mix({ name, models }: ScenarioClients, path: Path): () => number {
    const weights = Object.entries(models ?? Object.fromEntries(this.#models.map(({ id }) => [id, 1])));
    const chosen = weights.map(([id]) => this.#model(id, [...path, "models"], true));
    if (chosen.length === 1) return () => chosen[0]!;
    const dice = stream(this.#seed, `clients ${name}`, "models");
    const table = distribution({ kind: "empirical", values: chosen, weights: weights.map(([, weight]) => weight) });
    return () => table.draw(dice);
  }

  #maxTokens({ max_tokens = "none" }: ScenarioClients, path: Path): Population["maxTokens"] {
    if (max_tokens === "none") return () => -1;
    if (max_tokens === "exact") return (outputTokens) => outputTokens;
    if (typeof max_tokens === "number" && max_tokens >= 1) return () => max_tokens;
    throw this.#wrong(
      [...path, "max_tokens"],
      "This is no number of tokens.",
      max_tokens,
      '1 or more, "none" or "exact"',
    );
  }

  #model(id: string, path: Path, isKey = false): number {
    const index = this.#models.findIndex((model) => model.id === id);
    if (index >= 0) return index;
    const ids = this.#models.map((model) => model.id);
    const near = suggest(id, ids);
    throw new AssayError({
      what: "There is no such model.",
      where: isKey ? this.#source.whereKey(path, id) : this.#source.where(path),
      seen: id,
      expected: `one of ${ids.join(", ")}`,
      hint: near === undefined ? undefined : `did you mean "${near}"?`,
    });
  }

  #draws(spec: DistributionSpec | undefined, path: Path): Distribution | undefined {
    return spec === undefined ? undefined : distribution(spec, this.#source.where(path));
  }

  #time(duration: string | number | undefined, path: Path): number | undefined {
    return duration === undefined ? undefined : microseconds(duration, this.#source.where(path));
  }

  #unique(path: Path, names: readonly string[], field: string): void {
    const twice = names.findIndex((name, index) => names.indexOf(name) < index);
    if (twice >= 0)
      throw this.#wrong([...path, twice, field], `This ${field} stands twice.`, names[twice], "another one");
  }

  #wrong(path: Path, what: string, seen: unknown, expected: string): AssayError {
    return new AssayError({ what, where: this.#source.where(path), seen, expected });
  }

  #beside(file: string): string {
    return resolve(dirname(this.#source.file), file);
  }
}

function chances(share: number | undefined): number | undefined {
  return share === undefined ? undefined : Math.round(share * CHANCES);
}

/** Lengths of a recorded hour of conversations: what people's prompts and answers are like. */
const asRecorded = (values: readonly number[]): DistributionSpec => ({ kind: "empirical", values });
