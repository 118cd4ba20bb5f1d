import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvariantError } from "../core/index.ts";
import { type Checkpoint, defineKinds, divergence, type Fold, MemoryRecorder, type Recorder, Trace } from "./index.ts";

const kinds = defineKinds({
  begun: [],
  moved: ["from", "to"],
  paid: ["a", "b", "c", "d", "e", "f", "g", "h"],
});
const KIND = kinds.id;

function traced(recorder?: Recorder): { trace: Trace<typeof kinds.definitions>; clock: { now: number } } {
  const clock = { now: 0 };
  return { clock, trace: new Trace(kinds, clock, { checkpointBits: 2, ...(recorder && { recorder }) }) };
}

describe("kinds", () => {
  it("are numbered in the order in which they are written", () => {
    expect(kinds.id).toEqual({ begun: 0, moved: 1, paid: 2 });
    expect(kinds.names[1]).toBe("moved");
    expect(kinds.fields[1]).toEqual(["from", "to"]);
  });

  it.each([
    ["more than eight fields", { x: ["a", "b", "c", "d", "e", "f", "g", "h", "i"] }],
    ["one name twice", { x: ["a", "a"] }],
    ["a name that every event has", { x: ["time"] }],
  ])("refuse %s", (_, definitions) => {
    expect(() => defineKinds(definitions)).toThrow(InvariantError);
  });
});

describe("hash", () => {
  type Step = readonly [time: number, kind: number, fields: readonly number[]];
  const step = fc.oneof(
    fc.tuple(fc.nat(9), fc.constant(KIND.begun), fc.constant<number[]>([])),
    fc.tuple(fc.nat(9), fc.constant(KIND.moved), fc.tuple(fc.maxSafeInteger(), fc.integer())),
  );

  function hashOf(steps: readonly Step[]): string {
    const { trace, clock } = traced();
    for (const [wait, kind, fields] of steps) {
      clock.now += wait;
      trace.emit(kind, ...fields);
    }
    return trace.hash();
  }

  it("is a function of the events", () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        expect(hashOf(steps)).toBe(hashOf(steps));
        expect(hashOf(steps)).toMatch(/^[0-9a-f]{16}$/);
      }),
      { seed: 1 },
    );
  });

  it("changes with the order, the time, the kind and each number", () => {
    const place = fc.nat();
    fc.assert(
      fc.property(fc.array(step, { minLength: 2 }), place, fc.maxSafeInteger(), (steps, at, other) => {
        const index = at % (steps.length - 1);
        const [[wait, kind, fields], next] = [steps[index]!, steps[index + 1]!];
        const changed = (...with_: Step[]): Step[] => [...steps.slice(0, index), ...with_, ...steps.slice(index + 2)];
        const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
        const hash = hashOf(steps);
        if (!same(steps[index], next)) expect(hashOf(changed(next, steps[index]!))).not.toBe(hash);
        expect(hashOf(changed([wait + 1, kind, fields], next))).not.toBe(hash);
        expect(hashOf(changed([wait, kind, fields]))).not.toBe(hash);
        if (fields.length > 0 && fields[0] !== other) {
          expect(hashOf(changed([wait, kind, [other, fields[1]!]], next))).not.toBe(hash);
        }
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  it("tells numbers apart that agree in 32 bits, and signs", () => {
    const numbers = [
      0,
      1,
      -1,
      2 ** 31,
      -(2 ** 31),
      2 ** 32,
      2 ** 32 + 1,
      -(2 ** 32),
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
    ];
    expect(new Set(numbers.map((number) => hashOf([[0, KIND.moved, [number, 0]]]))).size).toBe(numbers.length);
  });

  it("spreads: a hundred thousand nearly equal traces share neither half of a hash more than chance would", () => {
    const halves = [new Set<string>(), new Set<string>()];
    for (let i = 0; i < 100_000; i++) {
      const hash = hashOf([[0, KIND.moved, [i % 317, Math.floor(i / 317)]]]);
      halves[0]!.add(hash.slice(0, 8));
      halves[1]!.add(hash.slice(8));
    }
    // Among 10^5 draws from 2^32 one pair or two are expected to collide.
    for (const half of halves) expect(half.size).toBeGreaterThan(99_990);
  });

  it("gives this hash, on every machine", () => {
    const { trace, clock } = traced();
    trace.emit(KIND.begun);
    clock.now = 5_000_000_000;
    trace.emit(KIND.moved, -7, 2 ** 40);
    trace.emit(KIND.paid, 1, 2, 3, 4, 5, 6, 7, 8);
    expect(trace.hash()).toMatchInlineSnapshot(`"31fcd02e6743b4e1"`);
  });

  it.each([0.5, Number.NaN, Infinity, 2 ** 53])("refuses %d", (number) => {
    expect(() => traced().trace.emit(KIND.moved, 0, number)).toThrow(InvariantError);
  });
});

it("has the compiler count the numbers of an event", () => {
  const { trace } = traced();
  trace.emit(KIND.moved, 1, 2);
  // @ts-expect-error: too few
  trace.emit(KIND.moved, 1);
  // @ts-expect-error: too many
  trace.emit(KIND.moved, 1, 2, 3);
  // @ts-expect-error: unknown kind
  const unknown = KIND.gone;
  expect(unknown).toBeUndefined();
});

describe("folds", () => {
  it("see the kinds that they name, with time and numbers, in the order of subscription", () => {
    const { trace, clock } = traced();
    const seen: unknown[] = [];
    trace.emit(KIND.moved, 0, 0);
    trace.subscribe({ on: { moved: (time, from, to) => seen.push(["first", time, from, to]) } });
    trace.subscribe({
      on: { moved: (time) => seen.push(["second", time]), begun: (time) => seen.push(["begun", time]) },
    });
    clock.now = 9;
    trace.emit(KIND.moved, 1, 2);
    trace.emit(KIND.begun);
    expect(seen).toEqual([
      ["first", 9, 1, 2],
      ["second", 9],
      ["begun", 9],
    ]);
    expect(trace.events).toBe(3);
  });

  it("may emit in turn; what they emit comes later in the record", () => {
    const recorder = new MemoryRecorder(kinds);
    const { trace } = traced(recorder);
    trace.subscribe({ on: { begun: () => trace.emit(KIND.moved, 1, 2) } });
    trace.emit(KIND.begun);
    expect([...recorder].map((event) => event.kind)).toEqual(["begun", "moved"]);
  });

  it("name known kinds only", () => {
    const fold: object = { on: { gone: () => {} } };
    expect(() => traced().trace.subscribe(fold as Fold<typeof kinds.definitions>)).toThrow(InvariantError);
  });
});

describe("checkpoints", () => {
  /** A run of `length` events in which event `odd`, if there is one, differs. */
  function checkpoints(length: number, odd = -1): readonly Checkpoint[] {
    const { trace } = traced();
    for (let i = 0; i < length; i++) trace.emit(KIND.moved, i, i === odd ? 1 : 0);
    return trace.checkpoints;
  }

  it("are kept every 2^n events", () => {
    expect(checkpoints(10).map(({ events }) => events)).toEqual([4, 8]);
  });

  it("show between which events two runs part", () => {
    for (let odd = 0; odd < 40; odd++) {
      const { from, to } = divergence(checkpoints(40), checkpoints(40, odd));
      expect([from, to]).toEqual([odd - (odd % 4), odd - (odd % 4) + 4]);
    }
    expect(divergence(checkpoints(40), checkpoints(24))).toEqual({ from: 24, to: Infinity });
    expect(divergence([], checkpoints(24))).toEqual({ from: 0, to: Infinity });
  });
});
