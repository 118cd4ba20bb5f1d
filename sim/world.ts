/**
 * The world: all parties of a network on one virtual clock. This is the only place where they meet.
 */
import { TIERS } from "../fixtures/protocol/prices.ts";
import {
  Arbiter,
  both,
  CHANCES,
  Clients,
  deaf,
  type Ears,
  Endpoints,
  Gateway,
  JobTable,
  type MakePolicy,
  type Population,
  Receipts,
  Router,
  Sessions,
  Subscriptions,
  type Verification,
  Verifier,
  WebhookSender,
  type WorkerClass,
  Workers,
} from "./actors/index.ts";
import { invariant, SECOND, stream } from "./core/index.ts";
import { type ChainFaultPlan, ChainFaults } from "./faults/chain.ts";
import { announceTroubles } from "./faults/links.ts";
import { type WorkerFault, WorkerFaults } from "./faults/workers.ts";
import { Kernel } from "./kernel/index.ts";
import { type Chain, ChainPort, ChainRegister, type ChainSettings, MemoryChain } from "./ledger/index.ts";
import type { PartyNames } from "./metrics/index.ts";
import { Clock, type ClockSpec, Links, type NetworkPlan } from "./network/index.ts";
import type { ModelInfo } from "./port.ts";
import { honestRules, type Rules } from "./rules.ts";
import { KIND, kinds, type Recorder, Trace, type WorldKinds } from "./trace/index.ts";

/** Events between two chances to pause a run. */
const SLICE = 250_000;

/** Workers of one class. */
export interface WorkerGroup {
  readonly class: WorkerClass;
  readonly count: number;
}

export interface WorldOptions {
  readonly seed: string | number;
  readonly models: readonly ModelInfo[];
  /** Classes of workers with their numbers, present from the start. */
  readonly workers: readonly WorkerGroup[];
  /** Who is who in reports; classes by their place above, populations by theirs. */
  readonly parties?: PartyNames | undefined;
  /** Makes the clients, by population, with fresh dice; none for a server, whose clients come from outside. */
  readonly populations?: (() => readonly Population[]) | undefined;
  /** Who chooses among free workers; workers in turn unless told. */
  readonly routing?: MakePolicy | undefined;
  /** Honest ones unless told. */
  readonly rules?: Rules | undefined;
  /** A block every two seconds and no confirmations unless told. */
  readonly chain?: ChainSettings | undefined;
  /** What goes wrong with the chain, and when; nothing unless told. */
  readonly chainFaults?: ChainFaultPlan | undefined;
  /** What seals blocks: the memory chain unless told. */
  readonly behind?: Chain | undefined;
  /** How long messages take, and what goes wrong with them; no time and nothing unless told. */
  readonly network?: (NetworkPlan & { readonly troubles: Parameters<typeof announceTroubles>[2] }) | undefined;
  /** The gateway's clock, where it is not true. */
  readonly clock?: ClockSpec | undefined;
  /** What goes wrong with workers, and when; nothing unless told. */
  readonly faults?: readonly WorkerFault[] | undefined;
  /** Audits before payment; none unless told. */
  readonly verification?: Verification | undefined;
  /** Probability that the arbiter is right, 0 to 1; 1 unless told. */
  readonly arbiterAccuracy?: number | undefined;
  /** Keeps every job and every transaction, for a server; otherwise memory does not grow with finished jobs. */
  readonly retain?: boolean | undefined;
  /** Keeps or writes the events. */
  readonly recorder?: Recorder | undefined;
  /** Microseconds; from then on no worker misbehaves, and every request is to be served to its end. */
  readonly calmAt?: number | undefined;
  /** Breaks the wired world before its clients begin: how a planted defect gets in that is no override of a rule. */
  readonly plant?: ((world: World) => void) | undefined;
}

export class World {
  readonly options: WorldOptions;
  readonly rules: Rules;
  readonly kernel = new Kernel();
  readonly trace: Trace<WorldKinds>;
  readonly jobs: JobTable;
  readonly chain: ChainPort;
  readonly behind: Chain;
  readonly register: ChainRegister | undefined;
  readonly gateway: Gateway;
  readonly router: Router;
  readonly workers: Workers;
  readonly arbiter: Arbiter;
  readonly clients: Clients;
  /** From the start on, where a population has a webhook. */
  sender: WebhookSender | undefined;
  readonly #verifier: Verifier | undefined;
  readonly #trouble: ChainFaults | undefined;
  readonly #populations: readonly Population[];
  readonly #sessions: Sessions;
  readonly #links: Links | undefined;
  readonly #faults: WorkerFaults | undefined;

  constructor(options: WorldOptions) {
    const { seed, models, retain = false } = options;
    const truth = options.rules ?? honestRules;
    const clock = options.clock && new Clock(options.clock);
    const rules = clock === undefined ? truth : byClock(truth, clock);
    const settings = options.chain ?? { blockTime: 2 * SECOND, confirmations: 0 };
    const { kernel } = this;
    this.options = options;
    this.rules = rules;
    this.trace = new Trace(kinds, kernel, options.recorder === undefined ? {} : { recorder: options.recorder });
    this.jobs = new JobTable(retain);
    this.register = retain ? new ChainRegister(seed) : undefined;
    this.behind = options.behind ?? new MemoryChain(rules);
    const plan = options.chainFaults;
    const trouble = plan && new ChainFaults(plan, settings.blockTime, seed);
    const receipts = new Receipts({
      trace: this.trace,
      jobs: this.jobs,
      names: this.behind.names,
      gateway: () => this.gateway,
      port: () => this.chain,
      staked: (worker) => this.workers.staked(worker),
    });
    this.chain = new ChainPort(kernel, this.behind, receipts, { settings, register: this.register, trouble });
    this.#trouble = trouble;
    this.gateway = new Gateway(kernel, this.trace, this.chain, settings, this.jobs, rules, models);
    this.router = new Router(models.length, options.routing, seed);
    this.workers = new Workers(kernel, this.trace, this.chain, this.jobs, rules, seed);
    const accuracy = Math.round((options.arbiterAccuracy ?? 1) * CHANCES);
    const { verification } = options;
    const expels = verification?.expel ?? false;
    this.arbiter = new Arbiter(kernel, this.chain, this.jobs, this.workers, rules, seed, accuracy, expels);
    if (verification !== undefined) {
      this.#verifier = new Verifier(kernel, this.trace, this.jobs, this.gateway, verification, seed);
      this.gateway.verifier = this.#verifier;
    }
    this.#populations = options.populations?.() ?? [];
    this.#links = options.network && new Links(options.network, seed);
    if (this.#links?.has("workers") === true) this.workers.links = this.#links;
    this.workers.gatewayClock = clock;
    this.clients = new Clients(
      kernel,
      this.trace,
      this.gateway,
      this.chain,
      this.jobs,
      this.#populations,
      (worker) => {
        return this.workers.all[worker]!.class.label ?? -1;
      },
      rules.retryAfterSeconds * SECOND,
      this.#links,
    );
    this.gateway.router = this.router;
    this.gateway.arbiter = this.arbiter;
    this.workers.gateway = this.gateway;
    this.workers.router = this.router;
    this.router.workers = this.workers;
    this.#sessions = new Sessions(kernel, this.workers, seed);
    const { faults = [] } = options;
    if (faults.length > 0) this.#faults = new WorkerFaults(kernel, this.trace, this.workers, faults, seed);
  }

  /** The first events: the run's name, workers and wallets that are there from the start, their stakes and units in a first block. */
  start(): void {
    invariant(this.trace.events === 0, "a world starts once");
    const { seed, models, workers } = this.options;
    this.trace.emit(KIND["run.started"], stream(seed, "run", "fingerprint").uint32());
    for (const [index, { tier }] of models.entries()) this.trace.emit(KIND["model.listed"], index, TIERS.indexOf(tier));
    if (this.options.clock !== undefined) this.#tellSkew(new Clock(this.options.clock));
    for (const { class: workerClass, count } of workers) {
      for (let i = 0; i < count; i++) {
        if (workerClass.session === undefined) this.workers.register(workerClass);
        else this.#sessions.open(workerClass);
      }
    }
    this.clients.open();
    this.chain.seal();
    this.#trouble?.start(this.kernel, this.chain, this.trace);
    this.#faults?.start();
    announceTroubles(this.kernel, this.trace, this.options.network?.troubles ?? []);
    const begin = (): void => {
      this.gateway.ears = both(this.clients.ears, this.#subscriptions());
      this.#awaitCalm();
      this.options.plant?.(this);
      this.clients.start();
    };
    const { waiting } = this.chain;
    // Clients of the world's own begin when the first block has been read, however long the chain takes over it.
    if (waiting === undefined || this.options.populations === undefined) begin();
    else this.chain.waiting = waiting.then(begin);
  }

  /** Runs everything due up to `time`, waiting at sealed blocks where the chain is a real one. */
  async runUntil(time: number): Promise<void> {
    do {
      if (this.chain.waiting !== undefined) await this.chain.waiting;
      this.kernel.runUntil(time);
    } while (this.chain.waiting !== undefined);
  }

  /**
   * Runs until nothing is due any more, in slices of a quarter of a million events, or from block to block where the chain is a real one.
   *
   * @param pause called after each slice; an answer of false ends the run there
   * @returns whether the run came to its end
   */
  async run(pause?: () => Promise<boolean>): Promise<boolean> {
    for (;;) {
      if (this.chain.waiting !== undefined) await this.chain.waiting;
      this.kernel.run(SLICE);
      if (this.kernel.next() === Infinity && this.chain.waiting === undefined) return true;
      if (pause !== undefined && !(await pause())) return false;
    }
  }

  /** The last events: what the chain has in its books. */
  finish(): void {
    const totals = this.behind.totals();
    if (totals === undefined) return;
    const { bought, available, locked, settled, redeemed, staked, active, slashed, unstaked } = totals;
    this.trace.emit(KIND["books.closed"], bought, available, locked, settled, redeemed);
    this.trace.emit(KIND["stakes.closed"], staked, active, slashed, unstaked);
  }

  /** Lets workers be faultless from the scenario's `calm_at` on. */
  #awaitCalm(): void {
    const { calmAt } = this.options;
    if (calmAt === undefined) return;
    const calm = this.kernel.handler(() => {
      this.workers.calm();
      this.#verifier?.calm();
      this.trace.emit(KIND["calm.began"]);
    });
    this.kernel.at(calmAt, calm);
  }

  #tellSkew(clock: Clock): void {
    const { jobTimeout, disputeWindow } = this.options.rules ?? honestRules;
    this.trace.emit(KIND["clock.skewed"], clock.timerError(jobTimeout), clock.spanError(disputeWindow));
  }

  /** Endpoints and webhooks of the populations that have one. */
  #subscriptions(): Ears {
    const populations = this.#populations;
    if (populations.every(({ webhook }) => webhook === undefined)) return deaf;
    const endpoints = new Endpoints(this.kernel, this.options.seed, this.rules.deliveryTimeout);
    const sender = new WebhookSender(this.kernel, this.trace, this.rules, endpoints, false);
    const subscriptions = new Subscriptions(sender, (wallet) => this.clients.populationOf(wallet));
    endpoints.sender = sender;
    if (this.#links?.has("webhooks") === true) endpoints.links = this.#links;
    this.sender = sender;
    for (const [population, { webhook: wanted }] of populations.entries()) {
      if (wanted === undefined) continue;
      const webhook = sender.create(-1);
      endpoints.attach(webhook, wanted.endpoint);
      subscriptions.add(population, { webhook, events: wanted.events });
    }
    return subscriptions;
  }
}

/** What a gateway promises whose clock is not true: its timer of 120 s drifts, and it reads the 60 s off the time of day. */
function byClock(rules: Rules, clock: Clock): Rules {
  return {
    ...rules,
    jobTimeout: clock.lasts(rules.jobTimeout),
    mayDispute: (now, lastTokenAt, window) => rules.mayDispute(clock.read(now), clock.read(lastTokenAt), window),
  };
}

export function createWorld(options: WorldOptions): World {
  return new World(options);
}
