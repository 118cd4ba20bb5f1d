/**
 * The world as the HTTP door sees it: `Network` of `port.ts` over a world that retains its jobs.
 */

import { browserWorker } from "./actors/browser-worker.ts";
import {
  deaf,
  type Ears,
  INSUFFICIENT_CREDITS,
  type Job,
  NO_WORKERS,
  nativeWorker,
  type WorkerClass,
} from "./actors/index.ts";
import { distribution, invariant } from "./core/index.ts";
import { address } from "./ledger/index.ts";
import type { JobListener, Network, ServiceEvent, Submission, SubmitResult } from "./port.ts";
import type { World } from "./world.ts";

/** Times to first token that the median of a model is taken over. */
const RECENT = 101;

/**
 * @param world not yet started, with `retain` set
 * @returns the started world behind the port
 */
export function createNetwork(world: World): Network {
  invariant(world.register !== undefined, "a world behind the port retains its jobs");
  const { kernel, gateway, router, workers, arbiter, register, options } = world;
  const { seed, models } = options;
  const { names } = world.behind;
  const listeners = new Map<number, JobListener>();
  const subscribers: ((event: ServiceEvent) => void)[] = [];
  const firstTokens = models.map(() => new RecentTimes());
  const timers = new Timers(world);

  const tell = (event: ServiceEvent): void => {
    for (const subscriber of subscribers) subscriber(event);
  };
  const tellJob = (event: `job.${string}`, job: Job): void => tell({ event, wallet: job.wallet, job: job.job });
  const last = (job: Job): JobListener | undefined => {
    const listener = listeners.get(job.job);
    listeners.delete(job.job);
    return listener;
  };
  const ears: Ears = {
    ...deaf,
    locked(job) {
      tellJob("job.submitted", job);
      listeners.get(job.job)?.locked?.(job);
    },
    processing(job) {
      tellJob("job.processing", job);
      listeners.get(job.job)?.processing?.(job);
    },
    firstToken(job) {
      firstTokens[job.model]!.add(job.firstTokenAt - job.createdAt);
      listeners.get(job.job)?.firstToken?.(job);
    },
    lastToken(job) {
      listeners.get(job.job)?.lastToken?.(job);
    },
    settled(job) {
      tellJob("job.completed", job);
      last(job)?.settled?.(job);
    },
    failed(job) {
      tellJob("job.failed", job);
      last(job)?.failed?.(job);
    },
    refunded(job) {
      tellJob("job.timeout", job);
      last(job)?.refunded?.(job);
    },
    disputed(job) {
      tellJob("job.disputed", job);
    },
    lowCredit(wallet, remaining) {
      tell({ event: "credit.low", wallet, units: 0, remaining });
    },
    toppedUp(wallet, units, remaining) {
      tell({ event: "credit.topup", wallet, units, remaining });
    },
    registered(worker) {
      tell({ event: "worker.registered", worker });
    },
    slashed(worker, job, amount, tx) {
      tell({ event: "worker.slashed", worker, job, amount, tx, reason: "fraudulent_proof" });
    },
  };

  world.start();
  gateway.ears = ears;

  return {
    get now() {
      return kernel.now;
    },
    models,
    activeWorkers: (model) => router.hosts(model),
    medianFirstToken: (model) => firstTokens[model]!.median() ?? configuredFirstToken(world, model),
    setBehaviour: (model, behaviour) => router.setBehaviour(model, behaviour),
    behaviour: (model) => router.behaviour(model),

    openWallet: (units) => gateway.openWallet(units),
    topUp: (wallet, units) => gateway.topUp(wallet, units),
    available: (wallet) => gateway.books.available(wallet),
    lastTopUpAt: (wallet) => gateway.books.lastTopUpAt(wallet),
    walletAddress: (wallet) => address(seed, `wallet ${wallet}`),

    submit(request: Submission, listener: JobListener): SubmitResult {
      const { wallet, model, promptTokens, outputTokens, maxTokens } = request;
      const job = gateway.submit(wallet, model, promptTokens, outputTokens, maxTokens);
      if (job === INSUFFICIENT_CREDITS) {
        const remaining = gateway.books.available(wallet);
        return { ok: false, error: "insufficient_credits", remaining, required: gateway.required };
      }
      if (job === NO_WORKERS) {
        return { ok: false, error: "no_workers_available", retryAfterSeconds: world.rules.retryAfterSeconds };
      }
      listeners.set(job, listener);
      return { ok: true, job };
    },
    job: (job) => world.jobs.find(job),
    dispute(job, hashesDiffer) {
      const found = world.jobs.find(job);
      if (found === undefined) return { ok: false, error: "not_completed" };
      return gateway.dispute(found, hashesDiffer);
    },
    verdict(job, verdict) {
      const found = world.jobs.find(job);
      return found !== undefined && arbiter.decide(found, verdict === "fraudulent");
    },

    registerWorker(kind, hosted) {
      const make = kind === "native" ? nativeWorker : browserWorker;
      return workers.register(make(hosted, paceOf(world, hosted)));
    },
    workerAddress: (worker) => address(seed, `worker ${worker}`),

    chain: {
      escrowAddress: names?.escrowAddress ?? address(seed, "escrow"),
      hash: (tx) => (names ?? register).hash(tx),
      blockOf: (tx) => {
        const block = register.blockOf(tx);
        return block === 0 || names === undefined ? block : names.blockNumber(block);
      },
    },
    onEvent: (listener) => void subscribers.push(listener),

    after: (microseconds, run) => timers.start(microseconds, run),
    cancel: (timer) => timers.cancel(timer),
    runUntil(time) {
      if (world.chain.waiting === undefined) kernel.runUntil(time);
    },
    get waiting() {
      return world.chain.waiting;
    },
    nextDue: () => kernel.next(),
  };
}

/** Whoever joins later is as fast as those who serve its models already. */
function paceOf(world: World, hosted: readonly number[]): Partial<WorkerClass> {
  const found = world.options.workers.find(({ class: workers }) =>
    workers.models.some((model) => hosted.includes(model)),
  );
  if (found === undefined) return {};
  const { firstToken, promptTokenTime, tokenTime } = found.class;
  return { firstToken, promptTokenTime, tokenTime };
}

/** Mean time to first token that the first class hosting the model is set to. */
function configuredFirstToken(world: World, model: number): number {
  const found = world.options.workers.find(({ class: workers }) => workers.models.includes(model));
  return Math.round(found?.class.firstToken.mean ?? distribution("200ms").mean);
}

/** The last few of a series of times, for their median. */
class RecentTimes {
  readonly #times: number[] = [];
  #next = 0;

  add(time: number): void {
    this.#times[this.#next] = time;
    this.#next = (this.#next + 1) % RECENT;
  }

  median(): number | undefined {
    return this.#times.toSorted((a, b) => a - b)[this.#times.length >> 1];
  }
}

/** Timers that carry a function: for the door, which has few of them. */
class Timers {
  readonly #world: World;
  readonly #fire: number;
  readonly #pending = new Map<number, { readonly run: () => void; readonly handle: number }>();
  #started = 0;

  constructor(world: World) {
    this.#world = world;
    this.#fire = world.kernel.handler((timer) => {
      const { run } = this.#pending.get(timer)!;
      this.#pending.delete(timer);
      run();
    });
  }

  start(delay: number, run: () => void): number {
    const timer = ++this.#started;
    this.#pending.set(timer, { run, handle: this.#world.kernel.after(delay, this.#fire, timer) });
    return timer;
  }

  cancel(timer: number): void {
    const pending = this.#pending.get(timer);
    if (pending === undefined) return;
    this.#world.kernel.cancel(pending.handle);
    this.#pending.delete(timer);
  }
}
