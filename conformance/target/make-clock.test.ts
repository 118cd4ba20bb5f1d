import { describe, expect, it } from "vitest";
import { Stop } from "../errors.ts";
import { type ClockOptions, openClock, rateOf, reachOf } from "./make-clock.ts";
import { PATIENCE, patienceFrom } from "./patience.ts";

const EPOCH = Date.UTC(2026, 5, 1);

/** A manual clock, and what was asked of it. */
function manual(changes: Partial<ClockOptions> = {}) {
  let now = EPOCH;
  const advances: number[] = [];
  const port = {
    read: () => Promise.resolve(now),
    advance: (milliseconds: number) => {
      advances.push(milliseconds);
      now += milliseconds;
      return Promise.resolve(now);
    },
  };
  const options: ClockOptions = {
    kind: "manual",
    port,
    patience: PATIENCE.none,
    activity: () => 0,
    inProcess: true,
    signal: new AbortController().signal,
    ...changes,
  };
  return { options, advances };
}

describe("a manual clock", () => {
  it("is moved by whole milliseconds, to a moment, or until something holds", async () => {
    const { options, advances } = manual();
    const clock = await openClock(options);
    expect(clock.now()).toBe(EPOCH);
    expect(await clock.advance(1_500)).toBe(EPOCH + 1_500);
    expect(await clock.until(EPOCH + 2_000)).toBe(EPOCH + 2_000);
    expect(await clock.until("2026-06-01T00:00:01Z")).toBe(EPOCH + 2_000);
    expect(await clock.advanceUntil(() => clock.now() >= EPOCH + 2_700, { within: 1_000 })).toBe(true);
    expect(await clock.advanceUntil(() => false, { within: 600 })).toBe(false);
    expect(advances).toEqual([1_500, 500, 250, 250, 250, 250, 250, 100]);
    expect(clock.affords(Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it("stops on the way where the receiver has to answer, and tells it each time", async () => {
    let due: number | null = EPOCH + 400;
    const told: number[] = [];
    const { options, advances } = manual({
      nextDue: () => due,
      onTime: (now) => {
        told.push(now - EPOCH);
        if (due !== null && now >= due) due = null;
      },
    });
    await (await openClock(options)).advance(1_000);
    expect(advances).toEqual([400, 600]);
    expect(told).toEqual([400, 1_000]);
  });

  it("tells between which moments something arrives while it is being moved", async () => {
    const seen: { earliest: number; at: number }[] = [];
    const { options } = manual();
    const { advance } = options.port as NonNullable<typeof options.port>;
    const clock = await openClock({
      ...options,
      port: {
        ...(options.port as NonNullable<typeof options.port>),
        advance: (milliseconds) => {
          seen.push(clock.window());
          return advance(milliseconds);
        },
      },
    });
    await clock.advance(50);
    expect(seen).toEqual([{ earliest: EPOCH, at: EPOCH + 50 }]);
    expect(clock.window()).toEqual({ earliest: EPOCH + 50, at: EPOCH + 50 });
  });

  it("waits for what is still on the wire in many small pieces before it moves on", async () => {
    let pieces = 0;
    const { options } = manual({ inProcess: false, activity: () => (pieces < 400 ? ++pieces : pieces) });
    await (await openClock(options)).advance(100);
    expect(pieces).toBe(400);
  });

  it("moves no more when the run is over", async () => {
    const over = new AbortController();
    const clock = await openClock(manual({ signal: over.signal }).options);
    over.abort();
    await expect(clock.advance(1)).rejects.toBeInstanceOf(Stop);
  });
});

describe("without a clock that can be moved", () => {
  it("waits within its patience, and refuses more", async () => {
    const { options } = manual({ kind: "none", port: null, patience: { each: 20, total: 30 } });
    const clock = await openClock(options);
    expect(clock.affords(21)).toBe(false);
    await clock.advance(20);
    expect(clock.affords(11)).toBe(false);
    await expect(clock.advance(11)).rejects.toMatchObject({ kind: "not-exercised" });
  });

  it("calls nothing late that it has not waited for", async () => {
    const { options } = manual({ kind: "none", port: null, patience: { each: 20, total: 30 } });
    const clock = await openClock(options);
    await expect(clock.advanceUntil(() => false, { within: 500, step: 10 })).rejects.toMatchObject({
      kind: "not-exercised",
    });
  });

  it("waits as often as the wait is not in vain", async () => {
    const { options } = manual({ kind: "none", port: null, patience: { each: 20, total: 30 } });
    const clock = await openClock(options);
    for (let time = 0; time < 5; time++) {
      let looks = 0;
      expect(await clock.advanceUntil(() => ++looks === 3, { within: 100, step: 5 })).toBe(true);
    }
    expect(clock.affords(20)).toBe(true);
  });

  it("reads patience by name or in seconds", () => {
    expect(patienceFrom("long")).toBe(PATIENCE.long);
    expect(patienceFrom("2")).toEqual({ each: 2_000, total: 20_000 });
    expect(() => patienceFrom("soon")).toThrow("no length of time");
  });
});

describe("a clock that runs faster than the wall", () => {
  it("is measured, and read but not moved", async () => {
    const began = Date.now();
    const port = {
      read: () => Promise.resolve(EPOCH + (Date.now() - began) * 60),
      advance: () => Promise.reject(new Error("moved")),
    };
    const rate = await rateOf(port);
    expect(rate).toBeGreaterThan(30);
    const clock = await openClock({
      ...manual().options,
      kind: "offset",
      port,
      rate,
      inProcess: false,
      patience: PATIENCE.short,
    });
    expect(clock).toMatchObject({ kind: "wall", movable: false });
    const before = clock.now();
    await clock.advance(3_000);
    expect(clock.now() - before).toBeGreaterThanOrEqual(2_000);
    await expect(clock.advance(3_600_000)).rejects.toThrow(Stop);
    // 60 milliseconds of the service are one here, less than any answer takes.
    const asked = Date.now();
    expect(await clock.advanceUntil(() => Date.now() - asked > 40, { within: 60 * 5, step: 60 })).toBe(true);
  });

  it("is told from one that flows as on the wall", async () => {
    expect(await rateOf({ read: () => Promise.resolve(Date.now() + 5_000), advance: () => Promise.resolve(0) })).toBe(
      1,
    );
  });
});

describe("the waits before a jump", () => {
  it("are short next door, long far away, and never longer", () => {
    expect(reachOf(0.5)).toEqual({ fine: 150, soon: 60, between: 5 });
    expect(reachOf(4)).toEqual({ fine: 240, soon: 100, between: 12 });
    expect(reachOf(300)).toEqual({ fine: 600, soon: 250, between: 15 });
  });
});
