import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AssayError, stream } from "../core/index.ts";
import { Kernel } from "./index.ts";

/** A kernel that writes down what fires: `[time, a]`. */
function recording(): { kernel: Kernel; fired: [time: number, a: number][]; note: number } {
  const kernel = new Kernel();
  const fired: [number, number][] = [];
  const note = kernel.handler((a) => fired.push([kernel.now, a]));
  return { kernel, fired, note };
}

describe("order", () => {
  it("runs events by time, and events of one time as they were started", () => {
    const { kernel, fired, note } = recording();
    const lane = kernel.lane(20, note);
    kernel.at(20, note, 1);
    lane.start(2);
    kernel.after(10, note, 3);
    kernel.at(20, note, 4);
    expect(kernel.run()).toBe(4);
    expect(fired).toEqual([
      [10, 3],
      [20, 1],
      [20, 2],
      [20, 4],
    ]);
    expect(kernel.processed).toBe(4);
  });

  it("runs what a handler starts for the same moment after all that stood there before", () => {
    const kernel = new Kernel();
    const fired: number[] = [];
    const second = kernel.handler((a) => fired.push(a));
    const first = kernel.handler((a) => {
      fired.push(a);
      kernel.after(0, second, 3);
    });
    kernel.at(5, first, 1);
    kernel.at(5, second, 2);
    kernel.run();
    expect(fired).toEqual([1, 2, 3]);
  });

  it("carries both numbers of a timer, whole, negative or not", () => {
    const kernel = new Kernel();
    const seen: number[][] = [];
    const handler = kernel.handler((a, b) => seen.push([a, b]));
    kernel.at(1, handler, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
    kernel.at(2, handler);
    kernel.run();
    expect(seen).toEqual([
      [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
      [0, 0],
    ]);
  });
});

describe("run loop", () => {
  it("runs until a time, that time included, and then stands there", () => {
    const { kernel, fired, note } = recording();
    for (const time of [5, 10, 11]) kernel.at(time, note, time);
    kernel.runUntil(10);
    expect(fired.map(([, a]) => a)).toEqual([5, 10]);
    expect(kernel.now).toBe(10);
    kernel.runUntil(10);
    expect(kernel.next()).toBe(11);
  });

  it("stops after the event that says so, and goes on from there", () => {
    const kernel = new Kernel();
    const stop = kernel.handler(() => kernel.stop());
    kernel.at(3, stop);
    kernel.at(3, stop);
    kernel.runUntil(10);
    expect(kernel.now).toBe(3);
    expect(kernel.processed).toBe(1);
    expect(kernel.run()).toBe(1);
    expect(kernel.next()).toBe(Infinity);
  });

  it("steps one event at a time, and runs no more than it is told", () => {
    const { kernel, fired, note } = recording();
    for (let time = 1; time <= 5; time++) kernel.at(time, note, time);
    expect(kernel.step()).toBe(true);
    expect(kernel.run(2)).toBe(2);
    expect(fired).toHaveLength(3);
    kernel.run();
    expect(kernel.step()).toBe(false);
  });

  it("loses nothing when a handler throws", () => {
    const { kernel, fired, note } = recording();
    const fail = kernel.handler(() => {
      throw new Error("a handler's own");
    });
    kernel.at(1, fail);
    kernel.at(2, note, 2);
    expect(() => kernel.run()).toThrow("a handler's own");
    kernel.run();
    expect(fired).toEqual([[2, 2]]);
  });

  it.each([
    ["the past", (kernel: Kernel) => kernel.at(99, 0)],
    ["a fraction", (kernel: Kernel) => kernel.after(0.5, 0)],
    ["NaN", (kernel: Kernel) => kernel.at(Number.NaN, 0)],
    ["the end of time", (kernel: Kernel) => kernel.at(Infinity, 0)],
    ["a lane that goes back", (kernel: Kernel) => kernel.lane(-1, 0)],
    ["a run into the past", (kernel: Kernel) => kernel.runUntil(99)],
  ])("refuses %s", (_, use) => {
    const kernel = new Kernel();
    kernel.runUntil(100);
    expect(() => use(kernel)).toThrow(AssayError);
  });
});

describe("cancelling", () => {
  it("is true once, for what is pending", () => {
    const { kernel, fired, note } = recording();
    const lane = kernel.lane(10, note);
    const timers = [kernel.at(10, note), lane.start(), lane.start(), lane.start()];
    for (const timer of timers) expect(kernel.cancel(timer)).toBe(true);
    for (const timer of timers) expect(kernel.cancel(timer)).toBe(false);
    expect(kernel.next()).toBe(Infinity);
    const last = kernel.at(4, note);
    kernel.run();
    expect(kernel.cancel(last)).toBe(false);
    expect(fired).toHaveLength(1);
  });

  it("takes any number for a handle and is false for those that are none", () => {
    const { kernel, note } = recording();
    kernel.at(1, note);
    for (const timer of [0, -1, 1, 2 ** 53, Number.NaN, Infinity]) expect(kernel.cancel(timer)).toBe(false);
    expect(kernel.run()).toBe(1);
  });

  it("never takes a handle for that of a later timer in the same place", () => {
    const { kernel, note } = recording();
    const old = kernel.at(1, note);
    kernel.run();
    const later = kernel.at(2, note);
    expect(later).not.toBe(old);
    expect(kernel.cancel(old)).toBe(false);
    expect(kernel.run()).toBe(1);
  });

  it("keeps no memory of timers that were cancelled, in a lane or outside", () => {
    const { kernel, note } = recording();
    const lane = kernel.lane(1_000_000, note);
    const slots = new Set<number>();
    for (let i = 0; i < 50_000; i++) {
      const [inLane, outside] = [lane.start(), kernel.after(1_000_000, note)];
      for (const timer of [inLane, outside]) {
        slots.add(timer % 2 ** 24);
        kernel.cancel(timer);
      }
    }
    expect(slots.size).toBeLessThan(5_000);
  });
});

it("keeps the order when most of a large heap is cancelled", () => {
  const { kernel, fired, note } = recording();
  const dice = stream(1, "kernel", "sweep");
  const lane = kernel.lane(500, note);
  lane.start(0);
  const left: [number, number][] = [[500, 0]];
  for (let id = 1; id <= 10_000; id++) {
    const time = dice.below(1_000);
    const timer = kernel.at(time, note, id);
    if (dice.chance(7, 10)) kernel.cancel(timer);
    else left.push([time, id]);
  }
  kernel.run();
  expect(fired).toEqual(left.sort(([time, id], [otherTime, otherId]) => time - otherTime || id - otherId));
});

/** The kernel's promise, said as plainly as possible: a list of pending timers that is sorted whenever one is wanted. */
class Naive {
  now = 0;
  readonly pending: { time: number; sequence: number; id: number }[] = [];
  #sequence = 0;

  start(delay: number, id: number): void {
    this.pending.push({ time: this.now + delay, sequence: this.#sequence++, id });
    this.pending.sort((a, b) => a.time - b.time || a.sequence - b.sequence);
  }

  cancel(id: number): boolean {
    const index = this.pending.findIndex((timer) => timer.id === id);
    if (index >= 0) this.pending.splice(index, 1);
    return index >= 0;
  }

  step(): number | undefined {
    const timer = this.pending.shift();
    if (timer !== undefined) this.now = timer.time;
    return timer?.id;
  }
}

type Action =
  | { readonly do: "after"; readonly delay: number }
  | { readonly do: "lane"; readonly lane: number }
  | { readonly do: "cancel"; readonly which: number }
  | { readonly do: "step" }
  | { readonly do: "wait"; readonly time: number };

const LANES = [0, 3, 3, 12];

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("after" as const), delay: fc.nat(15) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("lane" as const), lane: fc.nat(LANES.length - 1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel" as const), which: fc.nat() }) },
  { weight: 3, arbitrary: fc.constant({ do: "step" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const), time: fc.nat(10) }) },
);

describe("against a naive model", () => {
  /** Timers that are started from within a handler as often as from outside: each one that fires does the next action. */
  function compare(actions: readonly Action[], fromWithin: boolean): void {
    const naive = new Naive();
    const kernel = new Kernel();
    const handles: number[] = [];
    const expected: number[] = [];
    const fired: number[] = [];
    let next = 0;
    const handler = kernel.handler((id) => {
      fired.push(id);
      expected.push(naive.step()!);
      expect(kernel.now).toBe(naive.now);
      if (fromWithin && next < actions.length) perform(actions[next++]!);
    });
    const lanes = LANES.map((delay) => kernel.lane(delay, handler));
    const perform = (todo: Action): void => {
      if (todo.do === "after") {
        naive.start(todo.delay, handles.length);
        handles.push(kernel.after(todo.delay, handler, handles.length));
      } else if (todo.do === "lane") {
        naive.start(LANES[todo.lane]!, handles.length);
        handles.push(lanes[todo.lane]!.start(handles.length));
      } else if (todo.do === "cancel" && handles.length > 0) {
        const id = todo.which % handles.length;
        expect(kernel.cancel(handles[id]!)).toBe(naive.cancel(id));
      }
    };
    while (next < actions.length) {
      const todo = actions[next++]!;
      if (todo.do === "step") {
        const before = fired.length;
        expect(kernel.step()).toBe(fired.length > before);
      } else if (todo.do === "wait") {
        kernel.runUntil(kernel.now + todo.time);
        naive.now = kernel.now;
      } else perform(todo);
      expect(kernel.next()).toBe(naive.pending[0]?.time ?? Infinity);
    }
    kernel.run();
    expect(fired).toEqual(expected);
    expect(naive.pending).toEqual([]);
    expect(new Set(handles).size).toBe(handles.length);
  }

  it("fires the same timers at the same times, whatever is started, cancelled and stepped", () => {
    fc.assert(fc.property(fc.array(action, { maxLength: 200 }), fc.boolean(), compare), { numRuns: 500, seed: 1 });
  });

  it("does so with thousands pending", () => {
    const many = fc.array(action, { minLength: 3_000, maxLength: 4_000 });
    fc.assert(fc.property(many, fc.boolean(), compare), { numRuns: 3, seed: 2, endOnFailure: true });
  });
});
