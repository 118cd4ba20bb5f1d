/**
 * The world: all parties of a network on one virtual clock. This is the only place where they meet.
 */
import {
  Arbiter,
  CHANCES,
  Gateway,
  JobTable,
  Router,
  readReceipts,
  type WorkerClass,
  Workers,
} from "./actors/index.ts";
import { invariant, SECOND, stream } from "./core/index.ts";
import { Kernel } from "./kernel/index.ts";
import { type Chain, ChainPort, ChainRegister, type ChainSettings, MemoryChain } from "./ledger/index.ts";
import type { ModelInfo } from "./port.ts";
import { honestRules, type Rules } from "./rules.ts";
import { KIND, kinds, type Recorder, Trace, type WorldKinds } from "./trace/index.ts";

export interface WorldOptions {
  readonly seed: string | number;
  readonly models: readonly ModelInfo[];
  /** Classes of workers with their numbers, present from the start. */
  readonly workers: readonly { readonly class: WorkerClass; readonly count: number }[];
  /** Honest ones unless told. */
  readonly rules?: Rules | undefined;
  /** A block every two seconds and no confirmations unless told. */
  readonly chain?: ChainSettings | undefined;
  /** What seals blocks: the memory chain unless told. */
  readonly behind?: Chain | undefined;
  /** Probability that the arbiter is right, 0 to 1; 1 unless told. */
  readonly arbiterAccuracy?: number | undefined;
  /** Keeps every job and every transaction, for a server; otherwise memory does not grow with finished jobs. */
  readonly retain?: boolean | undefined;
  /** Keeps or writes the events. */
  readonly recorder?: Recorder | undefined;
}

export class World {
  readonly options: WorldOptions;
  readonly rules: Rules;
  readonly kernel = new Kernel();
  readonly trace: Trace<WorldKinds>;
  readonly jobs: JobTable;
  readonly chain: ChainPort;
  readonly register: ChainRegister | undefined;
  readonly gateway: Gateway;
  readonly router: Router;
  readonly workers: Workers;
  readonly arbiter: Arbiter;

  constructor(options: WorldOptions) {
    const { seed, models, rules = honestRules, retain = false } = options;
    const settings = options.chain ?? { blockTime: 2 * SECOND, confirmations: 0 };
    const { kernel } = this;
    this.options = options;
    this.rules = rules;
    this.trace = new Trace(kinds, kernel, options.recorder === undefined ? {} : { recorder: options.recorder });
    this.jobs = new JobTable(retain);
    this.register = retain ? new ChainRegister(seed) : undefined;
    this.chain = new ChainPort(
      kernel,
      options.behind ?? new MemoryChain(rules),
      settings.blockTime,
      (block) => readReceipts(block, this.trace, this.gateway, this.jobs),
      this.register,
    );
    this.gateway = new Gateway(kernel, this.trace, this.chain, settings, this.jobs, rules, models);
    this.router = new Router(models.length);
    this.workers = new Workers(kernel, this.trace, this.chain, this.jobs, rules, seed);
    const accuracy = Math.round((options.arbiterAccuracy ?? 1) * CHANCES);
    this.arbiter = new Arbiter(kernel, this.chain, this.jobs, this.workers, rules, seed, accuracy);
    this.gateway.router = this.router;
    this.gateway.arbiter = this.arbiter;
    this.workers.gateway = this.gateway;
    this.workers.router = this.router;
    this.router.workers = this.workers;
  }

  /** The first events: the run's name, and the workers that are there from the start, their stakes in a first block. */
  start(): void {
    invariant(this.trace.events === 0, "a world starts once");
    this.trace.emit(KIND["run.started"], stream(this.options.seed, "run", "fingerprint").uint32());
    for (const { class: workerClass, count } of this.options.workers) {
      for (let i = 0; i < count; i++) this.workers.register(workerClass);
    }
    this.chain.seal();
  }

  /** Runs everything due up to `time`, waiting at sealed blocks where the chain is a real one. */
  async runUntil(time: number): Promise<void> {
    do {
      if (this.chain.waiting !== undefined) await this.chain.waiting;
      this.kernel.runUntil(time);
    } while (this.chain.waiting !== undefined);
  }
}

export function createWorld(options: WorldOptions): World {
  return new World(options);
}
