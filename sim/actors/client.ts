/**
 * Clients: send requests, keep their wallets filled, check answers and dispute them, and take their unspent units home.
 *
 * Clients come in populations that are alike. Each population has a source of requests; the source says when the next one comes and how long its
 * prompt and its answer are.
 */
import type { EventName } from "../../fixtures/protocol/events.ts";
import { type Distribution, type Stream, stream } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { type ChainPort, TX } from "../ledger/index.ts";
import { bytesOf, type Links } from "../network/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { type Accusing, accuses, race, snatch } from "./adversaries/index.ts";
import { both, deaf, type Ears } from "./ears.ts";
import type { EndpointClass } from "./endpoint.ts";
import type { Gateway } from "./gateway.ts";
import type { Job, JobTable } from "./job.ts";
import { type Manners, Persistence } from "./persistence.ts";
import { CHANCES } from "./worker.ts";

/** A series of requests in order of time. */
export interface RequestSource {
  /** The current request: microseconds since the start of the run, and lengths. Meaningful after `advance` has answered true. */
  readonly time: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Moves to the next request; false when there is none. */
  advance(): boolean;
}

/** How answers are looked at. */
export interface Checks {
  /** How often, counted in `CHANCES`. */
  readonly chance: number;
  /** How long that takes. */
  readonly after: Distribution;
  readonly dice: Stream;
  /** What it costs the client each time, hundredths of a unit; 0 unless told. */
  readonly cost?: number | undefined;
  /** Disputes what it looks at, whatever the hashes say. */
  readonly accuses?: Accusing | undefined;
}

export interface Population {
  /** For reports. */
  readonly name?: string | undefined;
  /** Where they are. */
  readonly region?: string | undefined;
  readonly source: RequestSource;
  readonly wallets: number;
  /** Units that each wallet starts with. */
  readonly units: number;
  /** Draws the model of a request. */
  readonly model: () => number;
  /** Draws which of the population's wallets, counted from 0, sends a request. */
  readonly wallet: () => number;
  /** `max_tokens` for a request whose answer has that many tokens; -1 gives none. */
  readonly maxTokens: (outputTokens: number) => number;
  /** A wallet with fewer than `below` units buys `units`, as long as all that it buys so stays within `budget`. */
  readonly topUp?: { readonly below: number; readonly units: number; readonly budget?: number | undefined } | undefined;
  /** Patience, retries, closed loops; none unless told. */
  readonly manners?: Manners | undefined;
  /** Checks of answers against the worker's proof. */
  readonly checks?: Checks | undefined;
  /** Requests that are sent at once instead of one. */
  readonly burst?: number | undefined;
  /** How often (in `CHANCES`) a request comes together with a withdrawal of all that the wallet has, and the dice for that. */
  readonly withdraws?: { readonly chance: number; readonly dice: Stream } | undefined;
  /** When every wallet redeems what it has not spent; -1 never. */
  readonly redeemsAt: number;
  /** The webhook that hears of the population's jobs and wallets. */
  readonly webhook?: { readonly events: readonly EventName[]; readonly endpoint: EndpointClass } | undefined;
}

export class Clients {
  /** What the clients listen for; nothing unless one of them checks answers. */
  readonly ears: Ears;
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #gateway: Gateway;
  readonly #chain: ChainPort;
  readonly #jobs: JobTable;
  readonly #populations: readonly Population[];
  readonly #labelOf: (worker: number) => number;
  readonly #persistence: Persistence;
  readonly #links: Links | undefined = undefined;
  /** How those behave who are told nothing about it, where messages take time. */
  readonly #plain: Manners | undefined = undefined;
  /** Units that each wallet has bought after its first ones. */
  readonly #bought: number[] = [];
  /** First wallet of each population; the population of each wallet. */
  readonly #first: number[] = [];
  readonly #populationOf: number[] = [];
  readonly #arrival: number;
  readonly #check: number;
  readonly #redemption: number;

  constructor(
    kernel: Kernel,
    trace: Trace<WorldKinds>,
    gateway: Gateway,
    chain: ChainPort,
    jobs: JobTable,
    populations: readonly Population[],
    labelOf: (worker: number) => number,
    retryAfter: number,
    links?: Links | undefined,
  ) {
    if (links?.has("clients") === true) {
      this.#links = links;
      this.#plain = { dice: stream("", "clients", "no dice are drawn"), streaming: CHANCES };
    }
    this.#labelOf = labelOf;
    this.#persistence = new Persistence(kernel, trace, gateway, retryAfter);
    this.#kernel = kernel;
    this.#trace = trace;
    this.#gateway = gateway;
    this.#chain = chain;
    this.#jobs = jobs;
    this.#populations = populations;
    this.#arrival = kernel.handler((population) => this.#arrive(population));
    this.#check = kernel.handler((job) => this.#compare(jobs.at(job)));
    this.#redemption = kernel.handler((population) => this.#redeem(population));
    const curious = populations.some(({ checks }) => checks !== undefined);
    const mannered = this.#plain !== undefined || populations.some(({ manners }) => manners !== undefined);
    if (this.#links !== undefined) {
      const ways = this.#links;
      this.#persistence.linksOf = (index) => ways.of("clients", index, populations[index]!.region);
    }
    this.#persistence.ask = (index, wallet) => this.#ask(index, wallet);
    this.ears = both(
      curious ? { ...deaf, lastToken: (job) => this.#received(job) } : deaf,
      mannered ? this.#persistence.ears : deaf,
    );
  }

  /** The population that a wallet belongs to. */
  populationOf(wallet: number): number {
    return this.#populationOf[wallet]!;
  }

  /** Opens the wallets. Their first units are bought in the next block. */
  open(): void {
    for (const [index, { wallets, units }] of this.#populations.entries()) {
      this.#first.push(this.#populationOf.length);
      for (let i = 0; i < wallets; i++) {
        this.#gateway.openWallet(units, index);
        this.#populationOf.push(index);
      }
    }
  }

  /** Starts every population's first arrival. */
  start(): void {
    for (const [index, { source, redeemsAt, manners, wallets }] of this.#populations.entries()) {
      if (manners?.loop !== undefined) {
        const first = this.#first[index]!;
        for (let i = 0; i < wallets; i++) this.#persistence.think(manners, index, first + i);
      } else if (source.advance()) this.#kernel.at(source.time, this.#arrival, index);
      if (redeemsAt >= 0) this.#kernel.at(redeemsAt, this.#redemption, index);
    }
  }

  #arrive(index: number): void {
    const population = this.#populations[index]!;
    const { source } = population;
    this.#request(index, population, this.#first[index]! + population.wallet());
    if (source.advance()) this.#kernel.at(source.time, this.#arrival, index);
  }

  /** The next thing that a user of a closed loop wants to know. */
  #ask(index: number, wallet: number): void {
    const population = this.#populations[index]!;
    if (population.source.advance()) this.#request(index, population, wallet);
  }

  #request(index: number, population: Population, wallet: number): void {
    const { burst, withdraws } = population;
    if (withdraws !== undefined && withdraws.dice.below(CHANCES) < withdraws.chance)
      snatch(this.#chain, wallet, this.#gateway.books.available(wallet));
    if (burst === undefined) this.#send(index, population, wallet);
    else race(burst, () => this.#send(index, population, wallet));
    if (population.topUp !== undefined) this.#topUp(population.topUp, wallet);
  }

  #send(index: number, population: Population, wallet: number): void {
    const { promptTokens, outputTokens } = population.source;
    const maxTokens = population.maxTokens(outputTokens);
    const model = population.model();
    const manners = population.manners ?? this.#plain;
    if (manners === undefined) this.#gateway.submit(wallet, model, promptTokens, outputTokens, maxTokens);
    else this.#persistence.send(manners, index, wallet, model, promptTokens, outputTokens, maxTokens);
  }

  #topUp({ below, units, budget }: NonNullable<Population["topUp"]>, wallet: number): void {
    if (this.#gateway.books.available(wallet) >= below) return;
    if (budget !== undefined) {
      const bought = (this.#bought[wallet] ?? 0) + units;
      if (bought > budget) return;
      this.#bought[wallet] = bought;
    }
    this.#gateway.topUp(wallet, units);
  }

  #received(job: Job): void {
    const { checks } = this.#populations[this.#populationOf[job.wallet]!]!;
    if (checks === undefined || checks.dice.below(CHANCES) >= checks.chance) return;
    this.#look(job);
  }

  /** Compares hashes after a while. */
  #look(job: Job): void {
    const population = this.#populationOf[job.wallet]!;
    const { after, dice } = this.#populations[population]!.checks!;
    job.holds++;
    let wait = after.draw(dice);
    if (this.#links !== undefined) {
      // The answer has to come first, and the dispute to get there.
      const { up, down } = this.#links.of("clients", population, this.#populations[population]!.region);
      const seen = this.#kernel.now + down.delay(this.#kernel.now, bytesOf(job.outputTokens)) + wait;
      wait = seen + up.delay(seen) - this.#kernel.now;
    }
    this.#kernel.after(wait, this.#check, job.job);
  }

  #compare(job: Job): void {
    const { cost = 0, accuses: accusing } = this.#populations[this.#populationOf[job.wallet]!]!.checks!;
    if (cost > 0) this.#trace.emit(KIND["client.spent"], job.wallet, job.job, cost);
    const suspect = accusing === undefined ? !job.honestProof : accuses(accusing, this.#labelOf(job.worker));
    const answer = suspect ? this.#gateway.dispute(job, true) : undefined;
    // The worker's hash is not on-chain yet: ask again.
    if (answer?.ok === false && answer.error === "not_completed" && job.completedAt < 0) this.#look(job);
    this.#jobs.release(job);
  }

  #redeem(index: number): void {
    const first = this.#first[index]!;
    for (let wallet = first; wallet < first + this.#populations[index]!.wallets; wallet++) {
      const units = this.#gateway.books.available(wallet);
      if (units > 0) this.#chain.submit(TX.withdraw, wallet, 0, units, 0);
    }
  }
}
