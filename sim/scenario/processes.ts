/** Processes of arrivals: when the next request comes, given when the last one came. */
import { type Distribution, HOUR, SECOND, type Stream, stream } from "../core/index.ts";

export interface ArrivalProcess {
  /** The time of the next arrival, integer microseconds, not before `time`; Infinity when there is none. Asked with times that never go back. */
  after(time: number): number;
}

/** Independent gaps; exponential ones make it a Poisson process. */
export function renewal(gap: Distribution, dice: Stream): ArrivalProcess {
  return { after: (time) => time + gap.draw(dice) };
}

/** One state of a Markov-modulated Poisson process. */
export interface BurstState {
  /** Requests a second; 0 is silence. */
  readonly rate: number;
  /** Microseconds that it lasts on average; exponential. */
  readonly stay: number;
}

/**
 * A Poisson process whose rate changes with a hidden state (MMPP). When a state ends another follows, each of the others equally likely; two
 * states take turns. The first one listed is that of the start. The mean rate is the sum of rate * stay over the sum of stay.
 */
export function bursts(states: readonly BurstState[], seed: string | number, name: string): ArrivalProcess {
  const stays = stream(seed, name, "burst states");
  const gaps = stream(seed, name, "arrivals");
  let state = 0;
  let ends = stays.exponential(states[0]!.stay);
  const move = (): void => {
    const other = states.length === 2 ? 0 : stays.below(states.length - 1);
    state = other < state ? other : other + 1;
    ends += stays.exponential(states[state]!.stay);
  };
  return {
    after(time) {
      let from = time;
      for (;;) {
        const { rate } = states[state]!;
        const next = rate === 0 ? Infinity : from + gaps.exponential(SECOND / rate);
        if (next <= ends) return next;
        // Memory is lost at the change: the gap begins anew there.
        from = ends;
        move();
      }
    },
  };
}

/** Hours of a day. */
export const HOURS = 24;

/**
 * A Poisson process whose rate follows the hours of a day, by thinning (Lewis and Shedler, 1979): candidates come at the highest rate, and each
 * stays with the share that the rate then has of the highest. Between full hours the rate runs straight.
 *
 * @param rate requests a second on the mean of a day
 * @param curve relative rates at the 24 full hours
 * @param startsAt the time of day at which the run begins, microseconds since midnight
 */
export function daily(
  rate: number,
  curve: readonly number[],
  startsAt: number,
  seed: string | number,
  name: string,
): ArrivalProcess {
  const candidates = stream(seed, name, "arrivals");
  const thinning = stream(seed, name, "thinning");
  const sum = curve.reduce((total, weight) => total + weight, 0);
  const highest = Math.max(...curve);
  // The mean of straight pieces between full hours is the mean of the hours.
  const gap = (SECOND * sum) / (rate * HOURS * highest);
  const share = (time: number): number => {
    const clock = (time + startsAt) % (HOURS * HOUR);
    const hour = Math.floor(clock / HOUR);
    const [from, to] = [curve[hour]!, curve[(hour + 1) % HOURS]!];
    return (from + ((to - from) * (clock - hour * HOUR)) / HOUR) / highest;
  };
  return {
    after(time) {
      let next = time;
      do next += candidates.exponential(gap);
      while (thinning.float() >= share(next));
      return next;
    },
  };
}
