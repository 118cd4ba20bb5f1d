/**
 * Little's law, exactly: over a run that begins and ends empty, the time-integral of the number of jobs present is the sum of their sojourns.
 *
 * The left side only counts who enters and who leaves, the right side asks each job how long it was there. They part when somebody leaves twice,
 * leaves without having come, or is never seen to leave. Held for the whole network and for the slots of workers.
 */
import type { MakeChecker } from "./checker.ts";

const AWAY = -1;

class Place {
  readonly #name: string;
  readonly #since: number[] = [];
  #present = 0;
  #integral = 0;
  #sojourns = 0;
  #now = 0;

  constructor(name: string) {
    this.#name = name;
  }

  enter(time: number, job: number): void {
    this.#pass(time);
    this.#present++;
    this.#since[job] = time;
  }

  leave(time: number, job: number): void {
    this.#pass(time);
    this.#present--;
    const since = this.#since[job] ?? AWAY;
    if (since !== AWAY) this.#sojourns += time - since;
    this.#since[job] = AWAY;
  }

  /** What is wrong at the end, undefined where the law holds. */
  judge(time: number): string | undefined {
    this.#pass(time);
    for (let job = 0; job < this.#since.length; job++) {
      const since = this.#since[job] ?? AWAY;
      if (since !== AWAY) this.#sojourns += time - since;
    }
    if (this.#present === 0 && this.#integral === this.#sojourns) return undefined;
    return `jobs ${this.#name} add up to ${this.#integral} us by their number, to ${this.#sojourns} us by their sojourns, and ${this.#present} are left`;
  }

  #pass(time: number): void {
    this.#integral += this.#present * (time - this.#now);
    this.#now = time;
  }
}

export const littlesLaw: MakeChecker = (report) => {
  const network = new Place("in the network");
  const slots = new Place("at workers");
  const end = (time: number, job: number): void => network.leave(time, job);
  return {
    on: {
      "job.created": (time, job) => network.enter(time, job),
      "job.settled": end,
      "job.failed": end,
      "job.refunded": end,
      "job.processing": (time, job) => slots.enter(time, job),
      "slot.freed": (time, _worker, job) => slots.leave(time, job),
    },
    finish: (time) => {
      for (const place of [network, slots]) {
        const wrong = place.judge(time);
        if (wrong !== undefined) report(time, wrong);
      }
    },
  };
};
