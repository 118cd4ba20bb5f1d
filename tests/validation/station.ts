/**
 * A queueing station on the bare kernel: customers come, wait first come first served for one of `servers` equal servers, are served and leave.
 * Or they leave early: when they lose patience while they wait, or at a limit on their whole stay, which drops them out of service, too.
 *
 * Such stations have known closed forms, so what is tested are the kernel, its lanes and the streams.
 */
import {
  type Distribution,
  type DistributionSpec,
  distribution,
  invariant,
  type Stream,
  stream,
} from "../../sim/core/index.ts";
import { Kernel, type Lane } from "../../sim/kernel/index.ts";

/** Times are integer microseconds, or texts such as "10s", as everywhere. */
export interface StationSpec {
  readonly servers: number;
  /** Between one arrival and the next. */
  readonly gap: DistributionSpec;
  readonly service: DistributionSpec;
  /** How long a customer waits for service to begin: drawn for each, or a number for all. */
  readonly patience?: DistributionSpec;
  /** How long a customer stays at all. */
  readonly limit?: number;
  /** Waits longer than this are counted. */
  readonly mark?: number;
}

/** Counts and sums over a stretch of a run. Sums of times are integer microseconds. */
export interface Figures {
  arrived: number;
  /** Found all servers busy. */
  delayed: number;
  /** Began service after waiting for longer than the mark. */
  marked: number;
  /** Left without having been served to the end. */
  lost: number;
  /** Times from arrival to service, or to leaving the queue. */
  waits: number;
  /** Times from arrival to leaving the station. */
  stays: number;
  /** Integral of the number of customers present over time. */
  presence: number;
  /** Time in which nobody was present. */
  idle: number;
  duration: number;
}

/** More customers are never present at once; a power of two. */
const PLACES = 65_536;
const FREE = 0;
const WAITING = 1;
const IN_SERVICE = 2;
/** Left the station, but its place in the queue has not come up yet. */
const LEFT_QUEUE = 3;

export class Station {
  readonly kernel = new Kernel();
  readonly #servers: number;
  readonly #mark: number;
  readonly #gap: Distribution;
  readonly #service: Distribution;
  readonly #patience: Distribution | undefined;
  readonly #arrivals: Stream;
  readonly #services: Stream;
  readonly #patiences: Stream;
  readonly #arrival: number;
  readonly #departure: number;
  readonly #reneging: number;
  /** Constant patience waits in a lane. */
  readonly #patienceLane: Lane | undefined;
  readonly #limits: Lane | undefined;

  /** By customer. */
  readonly #state = new Uint8Array(PLACES);
  readonly #arrivedAt = new Float64Array(PLACES);
  readonly #timer = new Float64Array(PLACES);
  readonly #limit = new Float64Array(PLACES);
  readonly #queue = new Int32Array(PLACES);
  #head = 0;
  #tail = 0;
  #customers = 0;
  #present = 0;
  #busy = 0;
  #changedAt = 0;
  #open = true;
  #until = 0;
  #figures: Figures = none();

  constructor(spec: StationSpec, seed: string | number) {
    const kernel = this.kernel;
    this.#servers = spec.servers;
    this.#mark = spec.mark ?? Infinity;
    this.#gap = distribution(spec.gap);
    this.#service = distribution(spec.service);
    this.#arrivals = stream(seed, "station", "arrivals");
    this.#services = stream(seed, "station", "services");
    this.#patiences = stream(seed, "station", "patience");
    this.#arrival = kernel.handler(() => this.#arrive());
    this.#departure = kernel.handler((customer) => this.#depart(customer));
    this.#reneging = kernel.handler((customer) => this.#renege(customer));
    const expiry = kernel.handler((customer) => this.#expire(customer));
    if (typeof spec.patience === "number") this.#patienceLane = kernel.lane(spec.patience, this.#reneging);
    else if (spec.patience !== undefined) this.#patience = distribution(spec.patience);
    if (spec.limit !== undefined) this.#limits = kernel.lane(spec.limit, expiry);
    kernel.after(this.#gap.draw(this.#arrivals), this.#arrival);
  }

  /** Runs until `customers` more have come. Returns the figures of this stretch. */
  run(customers: number): Figures {
    this.#figures = none();
    this.#until = customers;
    const from = this.kernel.now;
    this.kernel.run();
    return this.#close(from);
  }

  /** Admits `customers`, then nobody any more, and runs until the last one has left. To be called on a new station. */
  runOut(customers: number): Figures {
    this.run(customers);
    this.#open = false;
    this.kernel.run();
    invariant(this.#present === 0, "everybody has left");
    return this.#close(0);
  }

  #close(from: number): Figures {
    this.#observe();
    this.#figures.duration = this.kernel.now - from;
    return this.#figures;
  }

  /** Adds up what has not changed since the last call. */
  #observe(): void {
    const elapsed = this.kernel.now - this.#changedAt;
    this.#changedAt = this.kernel.now;
    this.#figures.presence += elapsed * this.#present;
    if (this.#present === 0) this.#figures.idle += elapsed;
  }

  #arrive(): void {
    if (!this.#open) return;
    this.#observe();
    this.kernel.after(this.#gap.draw(this.#arrivals), this.#arrival);
    const customer = this.#customers++ & (PLACES - 1);
    invariant(this.#state[customer] === FREE, "there is a place for everybody");
    this.#arrivedAt[customer] = this.kernel.now;
    this.#present++;
    if (this.#limits !== undefined) this.#limit[customer] = this.#limits.start(customer);
    if (this.#busy < this.#servers) this.#serve(customer);
    else this.#enqueue(customer);
    if (++this.#figures.arrived === this.#until) this.kernel.stop();
  }

  #enqueue(customer: number): void {
    this.#figures.delayed++;
    this.#state[customer] = WAITING;
    this.#queue[this.#tail++ & (PLACES - 1)] = customer;
    if (this.#patienceLane !== undefined) this.#timer[customer] = this.#patienceLane.start(customer);
    else if (this.#patience !== undefined) {
      const patience = this.#patience.draw(this.#patiences);
      this.#timer[customer] = this.kernel.after(patience, this.#reneging, customer);
    }
  }

  #serve(customer: number): void {
    const waited = this.kernel.now - this.#arrivedAt[customer]!;
    this.#figures.waits += waited;
    if (waited > this.#mark) this.#figures.marked++;
    this.kernel.cancel(this.#timer[customer]!);
    this.#state[customer] = IN_SERVICE;
    this.#busy++;
    this.#timer[customer] = this.kernel.after(this.#service.draw(this.#services), this.#departure, customer);
  }

  #depart(customer: number): void {
    this.#leave(customer, FREE);
    this.#serveNext();
  }

  #renege(customer: number): void {
    this.#figures.lost++;
    this.#figures.waits += this.kernel.now - this.#arrivedAt[customer]!;
    this.#leave(customer, LEFT_QUEUE);
  }

  #expire(customer: number): void {
    if (this.#state[customer] === WAITING) {
      this.kernel.cancel(this.#timer[customer]!);
      this.#renege(customer);
    } else {
      this.#figures.lost++;
      this.kernel.cancel(this.#timer[customer]!);
      this.#depart(customer);
    }
  }

  #leave(customer: number, state: number): void {
    this.#observe();
    this.#state[customer] = state;
    this.#figures.stays += this.kernel.now - this.#arrivedAt[customer]!;
    this.#present--;
    this.kernel.cancel(this.#limit[customer]!);
  }

  #serveNext(): void {
    this.#busy--;
    while (this.#head < this.#tail) {
      const customer = this.#queue[this.#head++ & (PLACES - 1)]!;
      if (this.#state[customer] === WAITING) {
        this.#serve(customer);
        return;
      }
      this.#state[customer] = FREE;
    }
  }
}

function none(): Figures {
  return { arrived: 0, delayed: 0, marked: 0, lost: 0, waits: 0, stays: 0, presence: 0, idle: 0, duration: 0 };
}
