import { describe, expect, it } from "vitest";
import { makePump, stepAfter } from "./pump.ts";

/** A world in which things fall due at moments of a clock that only the pump moves. */
function world() {
  let now = 0;
  const due: { at: number; run: () => void }[] = [];
  const moves: number[] = [];
  const pump = makePump({
    now: () => now,
    settle: () => new Promise(setImmediate),
    arrive: () => new Promise(setImmediate),
    move: async (milliseconds) => {
      moves.push(milliseconds);
      now += milliseconds;
      for (const each of due.splice(0).sort((a, b) => a.at - b.at)) {
        if (each.at <= now) each.run();
        else due.push(each);
      }
    },
  });
  const answerAt = (at: number): Promise<number> => new Promise((resolve) => due.push({ at, run: () => resolve(at) }));
  return { pump, moves, answerAt, now: () => now };
}

describe("the pump", () => {
  it("moves no time for what is answered at once", async () => {
    const { pump, moves } = world();
    expect(await pump.during(Promise.resolve(7), 1_000, () => {})).toBe(7);
    expect(moves).toEqual([]);
  });

  it("moves time for all who wait together, and stops with the last", async () => {
    const { pump, answerAt, now } = world();
    const both = [answerAt(900), answerAt(300)].map((work) => pump.during(work, 10_000, () => {}));
    expect(await Promise.all(both)).toEqual([900, 300]);
    expect(now()).toBe(1_000);
  });

  it("starts again for whoever comes after it has stopped", async () => {
    const { pump, answerAt, now } = world();
    await pump.during(answerAt(100), 10_000, () => {});
    await pump.during(answerAt(300), 10_000, () => {});
    expect(now()).toBe(300);
  });

  it("gives up at the limit, on the service's clock", async () => {
    const { pump, now } = world();
    let expire: () => void = () => {};
    const work = new Promise<string>((resolve) => {
      expire = () => resolve("expired");
    });
    expect(await pump.during(work, 5_000, () => expire())).toBe("expired");
    expect(now()).toBeGreaterThanOrEqual(5_000);
    expect(now()).toBeLessThan(5_300);
  });

  it("leaves nobody waiting when the clock cannot be moved", async () => {
    const pump = makePump({
      now: () => 0,
      settle: () => Promise.resolve(),
      arrive: () => Promise.resolve(),
      move: () => Promise.reject(new Error("no control")),
    });
    let expired = false;
    const never = new Promise<never>(() => {});
    const waiting = pump.during(never, 1_000, () => {
      expired = true;
    });
    await expect(waiting).rejects.toThrow("no control");
    expect(expired).toBe(true);
  });

  it("takes fine steps first and coarse ones later", () => {
    const waits = [0, 499, 500, 9_999, 10_000];
    expect(waits.map((waited) => stepAfter(waited, true))).toEqual([100, 100, 250, 250, 1_000]);
    expect(waits.map((waited) => stepAfter(waited, false))).toEqual([500, 500, 500, 500, 1_000]);
  });
});
