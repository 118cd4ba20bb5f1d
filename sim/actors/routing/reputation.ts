/**
 * A free worker drawn in proportion to the square of its good name.
 *
 * A name is the share of jobs that went well, (good + 1) / (good + bad + 2), in thousandths, so a newcomer stands at one half. A job that was
 * dropped or timed out counts as `UNRELIABLE` bad ones, a job found out to be cheated as `CHEATED`: it takes hundreds of good jobs to live that
 * down. Squares make a worker with half the name get a quarter of the work, and nobody none at all.
 */
import type { Stream } from "../../core/index.ts";
import type { Candidate, JobEnd, RoutingPolicy } from "./policy.ts";
import { WeightedDraw } from "./weighted.ts";

const UNRELIABLE = 4;
const CHEATED = 200;
/** Old deeds fade: both counts are halved whenever they reach this sum. */
const MEMORY = 1_024;

export class Reputation implements RoutingPolicy {
  readonly #dice: Stream;
  readonly #weights = new WeightedDraw();
  /** By worker. */
  readonly #good: number[] = [];
  readonly #bad: number[] = [];
  readonly #free: boolean[] = [];

  constructor(dice: Stream) {
    this.#dice = dice;
  }

  add({ id }: Candidate): void {
    this.#free[id] = true;
    this.#weights.set(id, this.weight(id));
  }

  remove({ id }: Candidate): void {
    this.#free[id] = false;
    this.#weights.set(id, 0);
  }

  choose(): number {
    return this.#weights.draw(this.#dice);
  }

  ended({ id }: Candidate, end: JobEnd): void {
    let good = this.#good[id] ?? 0;
    let bad = this.#bad[id] ?? 0;
    if (end === "finished") good++;
    else bad += end === "cheated" ? CHEATED : UNRELIABLE;
    if (good + bad >= MEMORY) {
      good = Math.floor(good / 2);
      bad = Math.ceil(bad / 2);
    }
    this.#good[id] = good;
    this.#bad[id] = bad;
    if (this.#free[id] === true) this.#weights.set(id, this.weight(id));
  }

  /** In millionths; never 0. */
  weight(id: number): number {
    const good = this.#good[id] ?? 0;
    const name = Math.floor((1_000 * (good + 1)) / (good + (this.#bad[id] ?? 0) + 2));
    return Math.max(1, name * name);
  }
}
