/**
 * A link between two parties: how long a message is under way.
 *
 * A link delays, loses, doubles and, while it is partitioned, holds messages back; it can be narrow, and clogged for a while. It schedules nothing: it answers with a delay in integer
 * microseconds, and whoever sends starts the timer. Loss is followed by a resend, as in TCP, so every message arrives in the end.
 */
import {
  AssayError,
  type Distribution,
  type DistributionSpec,
  type Duration,
  distribution,
  invariant,
  microseconds,
  SECOND,
  type Stream,
  stream,
} from "../core/index.ts";

export interface LinkSpec {
  /** Time under way. */
  readonly delay: DistributionSpec;
  /** Added to the delay of each message. */
  readonly jitter?: DistributionSpec | undefined;
  /** Probability that a transmission is lost, 0 to 0.99; resolved to one in 10^9. */
  readonly loss?: number | undefined;
  /** Time after which a lost transmission is sent again; doubled with each further loss. One second unless told. */
  readonly resendAfter?: Duration | undefined;
  /** Probability that a message arrives twice, 0 to 1. */
  readonly duplication?: number | undefined;
  /** Whether messages arrive in the order in which they were sent; a later one waits for an earlier. False unless told. */
  readonly ordered?: boolean | undefined;
  /** Bytes a second; messages with a size leave one after the other. Unlimited unless told. */
  readonly bandwidth?: number | undefined;
}

/** From `from` up to, but not including, `until` nothing passes. */
interface Partition {
  readonly from: number;
  readonly until: number;
}

/** From `from` up to, but not including, `until` whatever leaves is under way that many times as long. */
interface Clog {
  readonly from: number;
  readonly until: number;
  readonly factor: number;
}

const BILLION = 1_000_000_000;

export class Link {
  readonly #delay: Distribution;
  readonly #jitter: Distribution | undefined;
  readonly #loss: number;
  readonly #resendAfter: number;
  readonly #duplication: number;
  readonly #ordered: boolean;
  readonly #delays: Stream;
  /** Draws of their own for each trouble: turning one on moves nothing else. */
  readonly #jitters: Stream;
  readonly #losses: Stream;
  readonly #duplications: Stream;
  #partitions: Partition[] = [];
  readonly #clogs: Clog[] = [];
  readonly #bandwidth: number;
  /** When the last message that had a size has left. */
  #freeAt = 0;
  #lastArrival = 0;

  /**
   * @param name names the link's streams, together with the seed
   * @param where the place of the spec, for messages
   * @throws AssayError where a distribution or a probability is out of range
   */
  constructor(spec: LinkSpec, seed: string | number, name: string, where = name) {
    this.#delay = distribution(spec.delay, `${where}.delay`);
    this.#jitter = spec.jitter === undefined ? undefined : distribution(spec.jitter, `${where}.jitter`);
    this.#loss = perBillion(spec.loss ?? 0, 0.99, `${where}.loss`);
    this.#resendAfter = microseconds(spec.resendAfter ?? SECOND, `${where}.resendAfter`);
    this.#duplication = perBillion(spec.duplication ?? 0, 1, `${where}.duplication`);
    this.#ordered = spec.ordered ?? false;
    this.#bandwidth = spec.bandwidth ?? Infinity;
    this.#delays = stream(seed, name, "delay");
    this.#jitters = stream(seed, name, "jitter");
    this.#losses = stream(seed, name, "loss");
    this.#duplications = stream(seed, name, "duplication");
  }

  /** Mean time under way without loss and partitions. */
  get meanDelay(): number {
    return this.#delay.mean + (this.#jitter?.mean ?? 0);
  }

  /** Nothing sent from `from` up to `until` passes before `until`. Messages that are under way already arrive. */
  partition(from: number, until: number): void {
    invariant(from < until, "a partition begins before it is healed");
    this.#partitions.push({ from, until });
    this.#partitions.sort((a, b) => a.from - b.from);
  }

  /** What leaves from `from` up to `until` takes `factor` times as long. */
  clog(from: number, until: number, factor: number): void {
    invariant(from < until && factor > 0, "a clog lasts some time, and has a factor");
    this.#clogs.push({ from, until, factor });
  }

  /**
   * Integer microseconds from `now`, when a message is sent, to its arrival. On a link that keeps the order, or has a bandwidth, times of sending
   * never go back.
   *
   * @param bytes size of the message, which counts where the link has a bandwidth
   */
  delay(now: number, bytes = 0): number {
    const departure = this.#departure(this.#bandwidth === Infinity ? now : this.#sent(now, bytes));
    let arrival = departure + this.#clogged(departure, this.#transit());
    if (this.#ordered) {
      arrival = Math.max(arrival, this.#lastArrival);
      this.#lastArrival = arrival;
    }
    return arrival - now;
  }

  /** The delay of a second copy of a message sent at `now`; -1 when there is none. To be asked once for each message. */
  duplicate(now: number): number {
    if (this.#duplication === 0 || !this.#duplications.chance(this.#duplication, BILLION)) return -1;
    return this.#departure(now) + this.#duplicateTransit() - now;
  }

  #transit(): number {
    return this.#delay.draw(this.#delays) + (this.#jitter === undefined ? 0 : this.#jitter.draw(this.#jitters));
  }

  #duplicateTransit(): number {
    const draws = this.#duplications;
    return this.#delay.draw(draws) + (this.#jitter === undefined ? 0 : this.#jitter.draw(draws));
  }

  /** When the transmission that gets through leaves. */
  #departure(now: number): number {
    let time = this.#healed(now);
    if (this.#loss === 0) return time;
    let wait = this.#resendAfter;
    while (this.#losses.chance(this.#loss, BILLION)) {
      time = this.#healed(time + wait);
      wait *= 2;
    }
    return time;
  }

  /** When the last byte of a message is out, behind those that were sent before. */
  #sent(now: number, bytes: number): number {
    this.#freeAt = Math.max(now, this.#freeAt) + Math.ceil((bytes * SECOND) / this.#bandwidth);
    return this.#freeAt;
  }

  #clogged(departure: number, transit: number): number {
    let slow = transit;
    for (const { from, until, factor } of this.#clogs) {
      if (from <= departure && departure < until) slow = Math.round(slow * factor);
    }
    return slow;
  }

  /** The first moment from `time` on that no partition covers. */
  #healed(time: number): number {
    if (this.#partitions.length === 0) return time;
    let free = time;
    for (const { from, until } of this.#partitions) if (from <= free && free < until) free = until;
    return free;
  }
}

function perBillion(probability: number, most: number, where: string): number {
  if (probability >= 0 && probability <= most) return Math.round(probability * BILLION);
  throw new AssayError({
    what: "A probability is out of range.",
    where,
    seen: probability,
    expected: `a number from 0 to ${most}`,
  });
}
