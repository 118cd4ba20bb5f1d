/** Builds the clock of a run from what the controls offer. */
import { Stop } from "../errors.ts";
import type { Clock, ClockKind } from "./clock.ts";
import type { Patience } from "./patience.ts";
import { makePump, stepAfter } from "./pump.ts";

/** The clock, with what only the exchange needs. */
export interface RunClock extends Clock {
  /**
   * Waits for `work`, moving time where time must be moved: in small steps where the times of its pieces matter (`fine`). `quick` says that the
   * answer needs no time of the service, so that none is moved before the network had its chance. After `limit` milliseconds calls `expire`.
   */
  during<T>(
    work: Promise<T>,
    options: {
      readonly quick: boolean;
      readonly fine?: boolean | undefined;
      readonly limit: number;
      readonly expire: () => void;
    },
  ): Promise<T>;
  /** Between which moments something that arrives now arrives: apart while a manual clock is being moved. */
  window(): { readonly earliest: number; readonly at: number };
  /** Lets time pass before trying again. Costs no patience: the caller bounds it. */
  pause(milliseconds: number): Promise<void>;
}

/** The clock's part of the controls. */
export interface ClockPort {
  /** Milliseconds since 1970. */
  read(): Promise<number>;
  advance(milliseconds: number): Promise<number>;
}

export interface ClockOptions {
  readonly kind: ClockKind;
  /** Null when `kind` is `none`. */
  readonly port: ClockPort | null;
  readonly patience: Patience;
  /** Counts everything that moves on the wire and at the receiver. */
  readonly activity: () => number;
  readonly inProcess: boolean;
  /** Told each new time of a movable clock: the receiver answers what has come due. */
  readonly onTime?: ((now: number) => void) | undefined;
  /** When the receiver next answers something late; a manual clock stops there. Null when nothing is due. */
  readonly nextDue?: (() => number | null) | undefined;
  /**
   * How many times as fast as this machine's the service's time flows; 1 when left out. Any other clock is not moved: no moment of it can be met
   * exactly, and what needs that is left unexercised.
   */
  readonly rate?: number | undefined;
  /** Aborted when the run is over: no more waiting, no more moving. */
  readonly signal: AbortSignal;
}

/** Real milliseconds between two looks at a clock whose rate is measured, and between later looks that keep it right. */
const LOOK_MS = 150;
/** A clock this much slower or faster than this machine's does not flow as on the wall. */
const SAME_RATE = 0.2;

/** How many times as fast as this machine's a flowing clock runs: exactly 1 where no difference shows. */
export async function rateOf(port: ClockPort): Promise<number> {
  const look = async (): Promise<{ readonly theirs: number; readonly ours: number }> => {
    const before = Date.now();
    const theirs = await port.read();
    return { theirs, ours: (before + Date.now()) / 2 };
  };
  const first = await look();
  await sleep(LOOK_MS);
  const second = await look();
  const rate = (second.theirs - first.theirs) / (second.ours - first.ours);
  return Math.abs(rate - 1) <= SAME_RATE ? 1 : rate;
}

const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Real time that a quick answer may take before a manual clock is moved for it: long, as a busy machine must not move time. */
const QUICK_MS = 4_000;
/** Where quick answers do take time of the service, the wait for them is halved each time, down to this. */
const LEAST_QUICK_MS = 250;
/**
 * How long an offset clock really waits for an answer before it begins to jump: long where it needs no time, some while where the times of its
 * pieces matter (and then in small steps), else as long as a request may be on its way.
 */
const JUMP_LATE_MS = 3_000;

/** Real milliseconds that depend on how far away the target is. */
interface Reach {
  /** Before the first jump for a stream, and for any other chat. */
  readonly fine: number;
  readonly soon: number;
  /** Between jumps, so that what a jump set going can arrive. */
  readonly between: number;
}

/** From a target next door to one on the other side of the world. */
const NEAR: Reach = { fine: 150, soon: 60, between: 5 };
const FAR: Reach = { fine: 600, soon: 250, between: 15 };

/** By a round trip to the controls, milliseconds. */
export function reachOf(roundTrip: number): Reach {
  const within = (name: keyof Reach, trips: number): number =>
    Math.min(FAR[name], Math.max(NEAR[name], trips * roundTrip));
  return { fine: within("fine", 60), soon: within("soon", 25), between: within("between", 3) };
}

/** The way alone, without what a busy machine adds now and then. */
async function quickestTrip(port: ClockPort): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let trip = 0; trip < 4; trip++) {
    const began = performance.now();
    await port.read();
    quickest = Math.min(quickest, performance.now() - began);
  }
  return quickest;
}

/** How often is looked whether anything still moves, whatever the target. */
const LOOKS = 50;
/** A target that writes in small pieces has its bytes on the way for longer than that: so long may one wait for them take, and all waits of a run. */
const SLOW_WIRE_MS = 3_000;
const SLOW_WIRES_MS = 60_000;

/** The first step of a real wait for something, in real time; each later one is half as long again, up to what was asked for. */
const FIRST_STEP_MS = 60;

/** A fast clock leaves the network and the target less time than a wait says: that long, in real time, is waited for anything to happen. */
const LEAST_REAL_MS = 2_000;

/** Opens the clock. Reads the service's time once. */
export async function openClock(options: ClockOptions): Promise<RunClock> {
  const { port, patience, signal, rate = 1 } = options;
  const kind = rate === 1 ? options.kind : "wall";
  const movable = kind === "manual" || kind === "offset";
  /** The service's time when it was last told, and this machine's at that moment. */
  let time = Date.now();
  let told = time;
  const set = (now: number): number => {
    time = now;
    told = Date.now();
    return now;
  };
  if (port !== null) set(await port.read());
  const reach = port !== null && kind === "offset" ? reachOf(await quickestTrip(port)) : FAR;
  const now = (): number => (kind === "manual" ? time : time + Math.round((Date.now() - told) * rate));
  /** A measured rate is not exact: the time is asked for again before the error grows. */
  const keepRight = async (): Promise<void> => {
    if (rate !== 1 && port !== null && Date.now() - told > LOOK_MS) set(await port.read());
  };

  const over = (): void => {
    if (signal.aborted) throw new Stop("inconclusive", "the run's time was over");
  };

  let onTheWire = 0;
  /** Until nothing moves any more. What arrives while time is moved on looks later than it was sent. */
  const quiet = async (look: () => Promise<unknown>): Promise<void> => {
    let began = 0;
    for (let round = 0; ; round++) {
      const before = options.activity();
      await look();
      if (options.activity() === before) break;
      if (round < LOOKS) continue;
      if (options.inProcess) break;
      if (began === 0) began = Date.now();
      else if (Date.now() - began > Math.min(SLOW_WIRE_MS, SLOW_WIRES_MS - onTheWire)) break;
    }
    if (began > 0) onTheWire += Date.now() - began;
  };
  const echo = async (): Promise<void> => {
    if (kind === "manual") await port?.read();
  };
  const turns = async (): Promise<void> => {
    await turn();
    await turn();
  };
  /** In process: until nothing has moved for two turns of the event loop. Over HTTP: until two echoes bring nothing new, as what was sent needs its way. */
  const settle = (): Promise<void> =>
    quiet(
      options.inProcess
        ? turns
        : async () => {
            await sleep(1);
            await echo();
            await echo();
          },
    );
  /** After a move, which was answered when all that fell due had happened: what came of it is here, or as near as one echo. */
  const arrive = (): Promise<void> =>
    options.inProcess || kind !== "manual"
      ? settle()
      : quiet(async () => {
          await turns();
          await echo();
        });

  let queue: Promise<unknown> = Promise.resolve();
  let target: number | null = null;
  const step = async (milliseconds: number): Promise<void> => {
    over();
    if (port === null) throw new Error("no clock to move");
    target = now() + milliseconds;
    try {
      set(await port.advance(milliseconds));
    } finally {
      target = null;
    }
    options.onTime?.(now());
  };
  /** Stops on the way wherever the receiver has to answer something, and lets the answer arrive. */
  const move = (milliseconds: number): Promise<number> => {
    const turnOf = queue.then(async () => {
      const end = now() + milliseconds;
      for (
        let due = options.nextDue?.() ?? null;
        kind === "manual" && due !== null;
        due = options.nextDue?.() ?? null
      ) {
        if (due >= end) break;
        await step(Math.max(1, Math.ceil(due - now())));
        // What the receiver answered has yet to reach the service.
        await settle();
      }
      if (end > now()) await step(Math.max(1, Math.ceil(end - now())));
      return now();
    });
    queue = turnOf.catch(() => {});
    return turnOf;
  };

  const pump = makePump({ now, move, settle, arrive });
  let waited = 0;
  /** Patience is real time, whatever the rate of the service's clock. */
  const real = (milliseconds: number): number => Math.ceil(milliseconds / Math.max(1, rate));
  const affords = (milliseconds: number): boolean =>
    movable || (real(milliseconds) <= patience.each && waited + real(milliseconds) <= patience.total);

  const advance = async (milliseconds: number): Promise<number> => {
    const span = Math.max(1, Math.ceil(milliseconds));
    over();
    if (movable) {
      await move(span);
      await arrive();
      return now();
    }
    if (!affords(span)) {
      throw new Stop("not-exercised", `needs to wait ${seconds(span)}: a clock (--control), or more --patience`);
    }
    waited += real(span);
    await abortable(Math.ceil(span / rate), signal);
    await keepRight();
    over();
    return now();
  };

  let quick = QUICK_MS;
  const during: RunClock["during"] = async (work, limits) => {
    let done = false;
    const mark = (): void => {
      done = true;
    };
    work.then(mark, mark);
    await keepRight();
    if (kind !== "manual") return await timed(work, limits, kind === "offset" ? move : null, reach);
    if (limits.quick && !options.inProcess) {
      await within(work, quick);
      if (!done) quick = Math.max(LEAST_QUICK_MS, quick / 2);
    } else await settle();
    try {
      return done ? await work : await pump.during(work, limits.limit, limits.expire, limits.fine);
    } finally {
      // The answer may have come while time was being moved, and only the end of the move tells what time it is.
      await queue;
    }
  };

  return {
    kind,
    movable,
    rate,
    now,
    affords,
    advance,
    settle,
    during,
    window: () =>
      target === null
        ? { earliest: now(), at: now() }
        : { earliest: kind === "manual" ? time : now(), at: Math.max(target, now()) },
    async pause(milliseconds) {
      if (movable) await advance(milliseconds);
      else await abortable(milliseconds, signal);
      over();
    },
    async until(moment) {
      const target = typeof moment === "number" ? moment : Date.parse(moment);
      return target > now() ? await advance(target - now()) : now();
    },
    async advanceUntil(condition, { within, step = 250 }) {
      const end = now() + within;
      let spent = 0;
      // What can only be waited for is looked for often at first: most of it comes soon.
      let next = FIRST_STEP_MS * rate;
      const leastUntil = rate > 1 ? Date.now() + Math.min(within, LEAST_REAL_MS) : 0;
      for (;;) {
        if (await condition()) {
          // Only waits in vain use up the patience: a slow service is waited for as often as it answers.
          waited -= spent;
          return true;
        }
        const left = Math.max(end - now(), (leastUntil - Date.now()) * rate);
        if (left <= 0) return false;
        const span = Math.min(movable ? step : Math.min(step, next), left);
        next *= 1.5;
        await advance(span);
        if (!movable) spent += real(Math.max(1, Math.ceil(span)));
      }
    },
  };
}

/** Waits as time flows; a clock that can jump does so once the answer is long in coming. */
async function timed<T>(
  work: Promise<T>,
  limits: Parameters<RunClock["during"]>[1],
  jump: ((milliseconds: number) => Promise<number>) | null,
  reach: Reach,
): Promise<T> {
  let done = false;
  const expiry = setTimeout(limits.expire, limits.limit);
  try {
    if (jump !== null) {
      const mark = (): void => {
        done = true;
      };
      work.then(mark, mark);
      const fine = limits.fine === true;
      await within(work, limits.quick ? JUMP_LATE_MS : fine ? reach.fine : reach.soon);
      for (let jumped = 0; !done && jumped < limits.limit; ) {
        const span = stepAfter(jumped, fine);
        await jump(span);
        jumped += span;
        await within(work, reach.between);
      }
    }
    return await work;
  } finally {
    clearTimeout(expiry);
  }
}

/** Waits for `work`, but no longer than so much real time. */
async function within(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** A real wait that ends early when the run does. */
function abortable(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
