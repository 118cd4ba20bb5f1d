/**
 * What clients do about requests that do not go as hoped: they lose patience, try again as the contract tells them to (7.3) or as careless ones do,
 * and, where they are users in a closed loop, think and ask the next thing.
 *
 * The contract knows no way to cancel: a job whose client has hung up goes on and is charged.
 */
import type { Distribution, Stream } from "../core/index.ts";
import { SECOND } from "../core/index.ts";
import type { Kernel } from "../kernel/index.ts";
import { bytesOf, type Link, type Pair } from "../network/index.ts";
import { KIND, type Trace, type WorldKinds } from "../trace/index.ts";
import { deaf, type Ears } from "./ears.ts";
import { type Gateway, INSUFFICIENT_CREDITS, NO_WORKERS } from "./gateway.ts";
import type { Job } from "./job.ts";
import { CHANCES } from "./worker.ts";

/** How a population deals with time and failure. */
export interface Manners {
  readonly dice: Stream;
  /** How long a client waits: for the first token where it streams, else for the last. */
  readonly patience?: Distribution | undefined;
  /** How many of the requests stream, counted in `CHANCES`. */
  readonly streaming: number;
  readonly retries?: Retries | undefined;
  /** Users of a closed loop: each thinks, asks, has its answer, thinks again. No request after `until`. */
  readonly loop?: { readonly think: Distribution; readonly until: number } | undefined;
}

export interface Retries {
  /** As 7.3 tells: 5xx only, after what a 503 says or with exponential backoff. Careless ones try anything again, at once, impatience too. */
  readonly careless: boolean;
  /** Further attempts after the first, at most. */
  readonly limit: number;
  /** The first wait of the backoff, microseconds; doubled each time, plus up to a half drawn by chance. */
  readonly base: number;
}

/** What a careless client waits, lest it asks again in the same microsecond. */
const AT_ONCE = 100_000;

class Request {
  readonly place: number;
  manners!: Manners;
  population = 0;
  wallet = 0;
  model = 0;
  promptTokens = 0;
  outputTokens = 0;
  maxTokens = 0;
  attempts = 0;
  streams = false;
  /** A second copy that the network has made: nobody waits for its answer. */
  copy = false;
  /** What is left of the client's patience, microseconds; Infinity where it has no end. */
  wait = Infinity;
  job = -1;
  patience = 0;

  constructor(place: number) {
    this.place = place;
  }
}

export class Persistence {
  readonly ears: Ears;
  /** Asks the next thing of a closed loop; set by the clients. */
  ask!: (population: number, wallet: number) => void;
  /** The ways of clients to the gateway and back, by population; none where messages take no time. */
  linksOf: ((population: number) => Pair) | undefined = undefined;
  readonly #kernel: Kernel;
  readonly #trace: Trace<WorldKinds>;
  readonly #gateway: Gateway;
  readonly #retryAfter: number;
  readonly #requests: Request[] = [];
  readonly #free: Request[] = [];
  /** By place of the job; undefined where nobody waits for it. */
  readonly #waiting: (Request | undefined)[] = [];
  readonly #again: number;
  readonly #arrival: number;
  readonly #received: number;
  readonly #impatience: number;
  readonly #thought: number;

  /** @param retryAfter what a 503 tells clients to wait, microseconds */
  constructor(kernel: Kernel, trace: Trace<WorldKinds>, gateway: Gateway, retryAfter: number) {
    this.#kernel = kernel;
    this.#trace = trace;
    this.#gateway = gateway;
    this.#retryAfter = retryAfter;
    this.#again = kernel.handler((place) => this.#submit(this.#requests[place]!));
    this.#arrival = kernel.handler((place) => this.#arrive(this.#requests[place]!));
    this.#received = kernel.handler((place) => this.#end(this.#requests[place]!));
    this.#impatience = kernel.handler((place) => this.#hangUp(this.#requests[place]!));
    this.#thought = kernel.handler((population, wallet) => this.ask(population, wallet));
    this.ears = {
      ...deaf,
      firstToken: (job) => this.#heard(job),
      lastToken: (job) => this.#answered(job),
      failed: (job) => this.#failed(job),
      refunded: (job) => this.#failed(job),
    };
  }

  /** A new request. */
  send(
    manners: Manners,
    population: number,
    wallet: number,
    model: number,
    promptTokens: number,
    outputTokens: number,
    maxTokens: number,
  ): void {
    const request = this.#open();
    request.manners = manners;
    request.population = population;
    request.wallet = wallet;
    request.model = model;
    request.promptTokens = promptTokens;
    request.outputTokens = outputTokens;
    request.maxTokens = maxTokens;
    request.attempts = 0;
    request.copy = false;
    request.streams = manners.dice.below(CHANCES) < manners.streaming;
    this.#submit(request);
  }

  /** Begins a user's thinking. */
  think({ loop, dice }: Manners, population: number, wallet: number): void {
    const at = this.#kernel.now + loop!.think.draw(dice);
    if (at <= loop!.until) this.#kernel.at(at, this.#thought, population, wallet);
  }

  #submit(request: Request): void {
    const { wallet, manners } = request;
    if (request.attempts++ > 0) this.#trace.emit(KIND["request.retried"], wallet, request.attempts - 1);
    request.job = -1;
    request.wait = manners.patience?.draw(manners.dice) ?? Infinity;
    if (this.linksOf === undefined) this.#arrive(request);
    else this.#transmit(request, this.linksOf(request.population).up);
  }

  #transmit(request: Request, up: Link): void {
    const { now } = this.#kernel;
    const delay = up.delay(now, bytesOf(request.promptTokens));
    // Patience runs from the sending on.
    request.wait = Math.max(0, request.wait - delay);
    this.#kernel.after(delay, this.#arrival, request.place);
    const again = up.duplicate(now);
    if (again < 0) return;
    const copy = this.#open();
    const { place: _, ...same } = request;
    Object.assign(copy, same);
    copy.copy = true;
    this.#kernel.after(again, this.#arrival, copy.place);
  }

  /** The request is at the gateway. */
  #arrive(request: Request): void {
    const { wallet, model, promptTokens, outputTokens, maxTokens, manners } = request;
    if (request.copy) {
      this.#trace.emit(KIND["request.duplicated"], wallet);
      this.#gateway.submit(wallet, model, promptTokens, outputTokens, maxTokens);
      this.#free.push(request);
      return;
    }
    const job = this.#gateway.submit(wallet, model, promptTokens, outputTokens, maxTokens);
    if (job === NO_WORKERS) {
      this.#tryAgain(request, manners.retries?.careless === true ? AT_ONCE : this.#retryAfter);
      return;
    }
    if (job === INSUFFICIENT_CREDITS) {
      // A 4xx is a fault in the request: only the careless send it again unchanged.
      if (manners.retries?.careless === true) this.#tryAgain(request, AT_ONCE);
      else this.#end(request);
      return;
    }
    request.job = job;
    this.#waiting[job] = request;
    if (request.wait !== Infinity) request.patience = this.#kernel.after(request.wait, this.#impatience, request.place);
  }

  #open(): Request {
    let request = this.#free.pop();
    if (request === undefined) {
      request = new Request(this.#requests.length);
      this.#requests.push(request);
    }
    return request;
  }

  #heard(job: Job): void {
    const request = this.#waiting[job.job];
    if (request?.streams === true) this.#calm(request);
  }

  #answered(job: Job): void {
    const request = this.#let(job);
    if (request === undefined) return;
    if (this.linksOf === undefined) this.#end(request);
    else {
      const { down } = this.linksOf(request.population);
      this.#kernel.after(down.delay(this.#kernel.now, bytesOf(job.outputTokens)), this.#received, request.place);
    }
  }

  #failed(job: Job): void {
    const request = this.#let(job);
    if (request === undefined) return;
    const { retries, dice } = request.manners;
    if (retries === undefined || retries.careless) this.#tryAgain(request, AT_ONCE);
    else {
      const wait = retries.base * 2 ** (request.attempts - 1);
      this.#tryAgain(request, wait + dice.below(Math.floor(wait / 2) + 1));
    }
  }

  #hangUp(request: Request): void {
    request.patience = 0;
    this.#waiting[request.job] = undefined;
    this.#trace.emit(KIND["client.gaveUp"], request.wallet, request.job);
    if (request.manners.retries?.careless === true) this.#tryAgain(request, AT_ONCE);
    else this.#end(request);
  }

  /** Nobody waits for the job any more. */
  #let(job: Job): Request | undefined {
    const request = this.#waiting[job.job];
    this.#waiting[job.job] = undefined;
    if (request !== undefined) this.#calm(request);
    return request;
  }

  #calm(request: Request): void {
    this.#kernel.cancel(request.patience);
    request.patience = 0;
  }

  #tryAgain(request: Request, wait: number): void {
    const { retries } = request.manners;
    if (retries === undefined || request.attempts > retries.limit) this.#end(request);
    else this.#kernel.after(wait, this.#again, request.place);
  }

  #end(request: Request): void {
    this.#free.push(request);
    const { manners, population, wallet } = request;
    if (manners.loop !== undefined) this.think(manners, population, wallet);
  }
}

/** Microseconds of whole seconds, as a 503 tells them. */
export const secondsToWait = (seconds: number): number => seconds * SECOND;
