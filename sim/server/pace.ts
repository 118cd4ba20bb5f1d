/**
 * How a served network's time moves: with the wall (as fast, or so many times faster), or only when the test controls say so.
 */
import type { ClockControl, Facade, Patience } from "../facade/index.ts";
import { type WallClock, withinWall } from "./wall-clock.ts";

export type ClockMode = "real" | "manual";

export interface Pace {
  /** Brings the network to the present. Called before anything from outside reaches it. */
  sync(): void;
  /** Sees to it that what is due next happens in time. Called after anything from outside has reached it. */
  arm(): void;
  stop(): void;
}

/** How long an advancing clock waits for each webhook receiver, real milliseconds (test-controls/1). */
const RECEIVER_PATIENCE = { fresh: 500, slow: 20 };

export interface PaceOptions {
  readonly facade: () => Facade;
  readonly wall: WallClock;
  readonly mode: ClockMode;
  /** Virtual seconds a real second. */
  readonly speed: number;
  /** Told when a real chain behind the network has failed: time stands still from then on. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * A pace, and the clock that the test controls show of it. `offered` is what the controls call the clock: a real one is `offset`, which jumps
 * ahead when told to, or `wall`, which does not.
 */
export function createPace(options: PaceOptions, offered: "offset" | "wall"): { pace: Pace; clock: ClockControl } {
  const { facade, wall, mode, speed, onFailure = () => {} } = options;
  const patience: Patience = (work, attempts) => withinWall(wall, RECEIVER_PATIENCE[attempts], work);
  let moving: Promise<void> = Promise.resolve();

  /** One advance after the other: each starts where the one before has ended. */
  const inTurn = (move: () => Promise<void>): Promise<void> => {
    moving = moving.then(move, move);
    return moving;
  };

  if (mode === "manual") {
    const advance = (micros: number): Promise<void> =>
      inTurn(() => facade().advanceTo(facade().inside.network.now + micros, patience));
    return { pace: { sync() {}, arm() {}, stop() {} }, clock: { kind: "manual", advance } };
  }

  const microsPerMs = 1_000 * speed;
  let base = 0;
  let since = wall.elapsed();
  let jumps = 0;
  let cancel = (): void => {};
  const virtualNow = (): number => base + Math.floor((wall.elapsed() - since) * microsPerMs);

  const pace: Pace = {
    sync() {
      const { network } = facade().inside;
      const time = virtualNow();
      if (jumps === 0 && time > network.now) network.runUntil(time);
    },
    arm() {
      cancel();
      const { network } = facade().inside;
      if (network.waiting !== undefined) {
        network.waiting.then(resume, onFailure);
        return;
      }
      const due = network.nextDue();
      if (due === Infinity || jumps > 0) return;
      cancel = wall.after((due - virtualNow()) / microsPerMs, resume);
    },
    stop: () => cancel(),
  };

  const resume = (): void => {
    pace.sync();
    pace.arm();
  };

  const jump = async (micros: number): Promise<void> => {
    pace.sync();
    jumps++;
    const target = facade().inside.network.now + micros;
    try {
      await facade().advanceTo(target, patience);
    } finally {
      jumps--;
      base = facade().inside.network.now;
      since = wall.elapsed();
      pace.arm();
    }
  };
  const clock: ClockControl =
    offered === "wall" ? { kind: "wall" } : { kind: "offset", advance: (micros) => inTurn(() => jump(micros)) };
  return { pace, clock };
}
