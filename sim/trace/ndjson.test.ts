import fc from "fast-check";
import { expect, it } from "vitest";
import { AssayError } from "../core/index.ts";
import {
  defineKinds,
  MemoryRecorder,
  NdjsonRecorder,
  type Recorder,
  readNdjson,
  replay,
  Trace,
  type TraceEvent,
} from "./index.ts";

const kinds = defineKinds({ begun: [], moved: ["from", "to"], sealed: ["block"] });
const KIND = kinds.id;
type Event = TraceEvent<typeof kinds.definitions>;

/** What a run writes, keeps in memory, and hashes to. */
function record(run: (trace: Trace<typeof kinds.definitions>, clock: { now: number }) => void) {
  let text = "";
  const clock = { now: 0 };
  const ndjson = new NdjsonRecorder(kinds, { write: (piece) => (text += piece) });
  const memory = new MemoryRecorder(kinds);
  const both: Recorder = {
    record(event, notes) {
      ndjson.record(event, notes);
      memory.record(event, notes);
    },
  };
  const trace = new Trace(kinds, clock, { recorder: both });
  run(trace, clock);
  ndjson.flush();
  return { text, lines: text.split("\n"), kept: [...memory], hash: trace.hash() };
}

it("writes an event a line, with its notes", () => {
  const { text } = record((trace, clock) => {
    trace.emit(KIND.begun);
    clock.now = 1_500_000;
    trace.emit(KIND.moved, -1, Number.MAX_SAFE_INTEGER);
    trace.annotate("hash", '0x"1f"');
    trace.annotate("parent", "0x00");
    trace.emit(KIND.sealed, 3);
    trace.emit(KIND.begun);
  });
  expect(text).toMatchInlineSnapshot(`
    "{"time":0,"kind":"begun"}
    {"time":1500000,"kind":"moved","from":-1,"to":9007199254740991}
    {"time":1500000,"kind":"sealed","block":3,"notes":{"hash":"0x\\"1f\\"","parent":"0x00"}}
    {"time":1500000,"kind":"begun"}
    "
  `);
});

it("gives back what was written, by text and by memory, under the same hash", () => {
  const moved = fc.tuple(fc.nat(1_000), fc.maxSafeInteger(), fc.maxSafeInteger(), fc.option(fc.string()));
  fc.assert(
    fc.property(fc.array(moved), (moves) => {
      const { lines, kept, hash } = record((trace, clock) => {
        for (const [wait, from, to, note] of moves) {
          clock.now += wait;
          if (note !== null) trace.annotate("note", note);
          trace.emit(KIND.moved, from, to);
        }
      });
      const read = [...readNdjson(kinds, lines)];
      expect(read).toEqual(kept);
      expect(read).toHaveLength(moves.length);
      expect(replay(kinds, read).hash()).toBe(hash);
    }),
    { seed: 1 },
  );
});

it("keeps notes out of the hash", () => {
  const plain = record((trace) => trace.emit(KIND.begun));
  const noted = record((trace) => {
    trace.annotate("hash", "0x1");
    trace.emit(KIND.begun);
  });
  expect(noted.hash).toBe(plain.hash);
  expect(noted.text).not.toBe(plain.text);
});

it("shows a recorded run to folds as if it were running", () => {
  const events: Event[] = [
    { time: 4, kind: "moved", from: 1, to: 2 },
    { time: 9, kind: "sealed", block: 7 },
  ];
  const seen: number[][] = [];
  const fold = { on: { moved: (time: number, from: number, to: number) => void seen.push([time, from, to]) } };
  expect(replay(kinds, events, [fold]).events).toBe(2);
  expect(seen).toEqual([[4, 1, 2]]);
});

it.each([
  ["no JSON", "{"],
  ["no object", "null"],
  ["an unknown kind", '{"time":0,"kind":"gone"}'],
  ["a missing field", '{"time":0,"kind":"moved","from":1}'],
  ["a fraction", '{"time":0.5,"kind":"begun"}'],
])("says in which line it found %s", (_, line) => {
  const read = (): Event[] => [...readNdjson(kinds, ['{"time":0,"kind":"begun"}', "", line])];
  expect(read).toThrow(AssayError);
  expect(read).toThrow("line 3");
});

it("flushes long records in pieces", () => {
  const pieces: number[] = [];
  const recorder = new NdjsonRecorder(kinds, { write: (piece) => pieces.push(piece.length) });
  const trace = new Trace(kinds, { now: 0 }, { recorder });
  for (let i = 0; i < 5_000; i++) trace.emit(KIND.moved, i, i);
  recorder.flush();
  recorder.flush();
  expect(pieces.length).toBeGreaterThan(1);
  expect(Math.max(...pieces)).toBeLessThan(70_000);
});
