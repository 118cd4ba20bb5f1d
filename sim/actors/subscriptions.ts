/**
 * Who of a scenario's clients hears what by webhook: turns what the gateway does into deliveries.
 */
import { EVENTS, type EventName } from "../../fixtures/protocol/events.ts";
import type { Ears } from "./ears.ts";
import type { Job } from "./job.ts";
import type { WebhookSender } from "./webhook-sender.ts";

/** An event's number is its place in the contract's list. */
const EVENT = Object.fromEntries(EVENTS.map((name, index) => [name, index])) as Readonly<Record<EventName, number>>;

/** A webhook and the events that it is sent: of one population's wallets, or of everybody where an event belongs to no wallet. */
export interface Subscription {
  readonly webhook: number;
  readonly events: readonly EventName[];
}

export class Subscriptions implements Ears {
  readonly #sender: WebhookSender;
  readonly #populationOf: (wallet: number) => number;
  /** By population. */
  readonly #webhook: number[] = [];
  readonly #wanted: boolean[][] = [];

  constructor(sender: WebhookSender, populationOf: (wallet: number) => number) {
    this.#sender = sender;
    this.#populationOf = populationOf;
  }

  add(population: number, { webhook, events }: Subscription): void {
    this.#webhook[population] = webhook;
    this.#wanted[population] = EVENTS.map((name) => events.includes(name));
  }

  locked(job: Job): void {
    this.#tell(EVENT["job.submitted"], job.wallet, job.job);
  }
  processing(job: Job): void {
    this.#tell(EVENT["job.processing"], job.wallet, job.job);
  }
  firstToken(): void {}
  lastToken(): void {}
  settled(job: Job): void {
    this.#tell(EVENT["job.completed"], job.wallet, job.job);
  }
  failed(job: Job): void {
    this.#tell(EVENT["job.failed"], job.wallet, job.job);
  }
  refunded(job: Job): void {
    this.#tell(EVENT["job.timeout"], job.wallet, job.job);
  }
  disputed(job: Job): void {
    this.#tell(EVENT["job.disputed"], job.wallet, job.job);
  }
  lowCredit(wallet: number): void {
    this.#tell(EVENT["credit.low"], wallet, wallet);
  }
  toppedUp(wallet: number): void {
    this.#tell(EVENT["credit.topup"], wallet, wallet);
  }
  registered(worker: number): void {
    this.#tellAll(EVENT["worker.registered"], worker);
  }
  slashed(worker: number): void {
    this.#tellAll(EVENT["worker.slashed"], worker);
  }

  #tell(event: number, wallet: number, subject: number): void {
    this.#queue(this.#populationOf(wallet), event, subject);
  }

  #tellAll(event: number, subject: number): void {
    for (let population = 0; population < this.#webhook.length; population++) this.#queue(population, event, subject);
  }

  #queue(population: number, event: number, subject: number): void {
    const webhook = this.#webhook[population];
    if (webhook !== undefined && this.#wanted[population]![event]) this.#sender.enqueue(webhook, event, subject);
  }
}
