import { inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KIND, kinds, MemoryRecorder, Trace } from "../../sim/trace/index.ts";
import { ByteReader, ByteWriter } from "./codec.ts";
import { type MotionLimits, MotionRecorder } from "./record.ts";
import { ENDED, Tape } from "./tape.ts";

const NAMES = { models: ["small"], populations: ["crowd"], classes: [], faults: { 2: "stalled chain" } };
const ALL: MotionLimits = { events: 1_000_000, from: 0, to: Infinity };

/** Jobs in places that are given again: what happens next, and how much later. */
const steps = fc.array(
  fc.record({ place: fc.nat({ max: 3 }), after: fc.nat({ max: 5_000_000 }), end: fc.nat({ max: 2 }) }),
  {
    maxLength: 120,
  },
);

type Step = { place: number; after: number; end: number };

/** Each step moves the job in its place on; a job that has ended is followed by a new one. */
function played(list: readonly Step[], limits: MotionLimits = ALL) {
  const clock = { now: 0 };
  const memory = new MemoryRecorder(kinds);
  const recorder = new MotionRecorder(limits, memory);
  const trace = new Trace(kinds, clock, { recorder });
  trace.emit(KIND["wallet.opened"], 0, 0);
  trace.emit(KIND["worker.registered"], 0, 1, 4);
  const stage = [0, 0, 0, 0];
  let number = 0;
  for (const { place, after, end } of list) {
    clock.now += after;
    const at = stage[place] ?? 0;
    if (at === 0) trace.emit(KIND["job.created"], place, number++, 0, 0, 10, 5, 0);
    else if (at === 1) trace.emit(KIND["job.locked"], place, 0, 5, 0);
    else if (at === 2) trace.emit(KIND["job.processing"], place, 0);
    else if (end === 0) trace.emit(KIND["job.settled"], place);
    else if (end === 1) trace.emit(KIND["job.failed"], place, 0, 1, 5, 0);
    else trace.emit(KIND["job.refunded"], place, 0, 5, 0);
    stage[place] = at === 3 ? 0 : at + 1;
  }
  const data = recorder.data(clock.now, NAMES);
  const tape = new Tape(data, inflateRawSync(Buffer.from(data.bytes, "base64")));
  return { data, tape, events: [...memory], end: clock.now };
}

describe("the codec", () => {
  it("reads what it wrote, whatever safe integers it was", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (numbers) => {
        const writer = new ByteWriter();
        // Twice the largest safe integer is none: fields are within half of it.
        const halves = numbers.map((number) => Math.trunc(number / 2));
        for (const number of halves) writer.integer(number);
        const reader = new ByteReader(writer.bytes());
        expect(halves.map(() => reader.integer() + 0)).toEqual(halves.map((number) => number + 0));
        expect(reader.done).toBe(true);
      }),
    );
  });
});

describe("a tape", () => {
  it("holds every event with its time and fields", () => {
    fc.assert(
      fc.property(steps, (list) => {
        const { tape, events } = played(list);
        expect(tape.count).toBe(events.length);
        events.forEach((event, index) => {
          const { time, kind, ...fields } = event as unknown as Record<string, number>;
          expect([tape.time[index], tape.kindName(index)]).toEqual([time, kind]);
          for (const [name, value] of Object.entries(fields)) expect(tape.field(index, name)).toBe(value);
        });
      }),
      { numRuns: 60 },
    );
  });

  it("knows at any moment which jobs there are, as a fold over the events knows", () => {
    fc.assert(
      fc.property(steps, fc.nat({ max: 400_000_000 }), (list, moment) => {
        const { tape, events } = played(list);
        const running = new Map<number, number>();
        let settled = 0;
        for (const event of events) {
          if (event.time > moment) break;
          if (event.kind === "job.created") running.set(event.job, event.number);
          if (event.kind === "job.settled" || event.kind === "job.failed" || event.kind === "job.refunded")
            running.delete(event.job);
          if (event.kind === "job.settled") settled++;
        }
        const { jobs } = tape;
        const numbers: number[] = [];
        let ended = 0;
        for (let job = 0; job < jobs.count; job++) {
          if ((jobs.created[job] ?? 0) <= moment && (jobs.ended[job] ?? 0) > moment)
            numbers.push(jobs.number[job] ?? -1);
          if ((jobs.ended[job] ?? 0) <= moment && jobs.how[job] === ENDED.settled) ended++;
        }
        expect(numbers.sort((a, b) => a - b)).toEqual([...running.values()].sort((a, b) => a - b));
        expect(ended).toBe(settled);
        expect(tape.after(moment)).toBe(events.filter((event) => event.time <= moment).length);
      }),
      { numRuns: 60 },
    );
  });

  it("speaks of jobs by their number, not by their place", () => {
    const list = [0, 0, 0, 0, 0, 0].map((place) => ({ place, after: 1_000, end: 0 }));
    const { tape } = played(list);
    const last = tape.count - 1;
    expect([tape.kindName(last), tape.text(last)]).toEqual(["job.locked", "job 1 · wallet 0 · units 5"]);
  });

  it("is cut where it is told to be, says so, and still knows who was there before", () => {
    const list = Array.from({ length: 40 }, (_, index) => ({ place: index % 4, after: 1_000_000, end: 0 }));
    const first = played(list, { events: 10, from: 0, to: Infinity });
    expect(first.tape.count).toBe(10);
    expect(first.data.cut).toBe(
      "The first 10 events are here; 32 more are not (--motion takes a larger number, or a window of time).",
    );
    const window = played(list, { events: 1_000, from: 10_500_000, to: 20_500_000 });
    expect(window.tape.count).toBe(2 + 10);
    expect(window.tape.workers.count).toBe(1);
    expect([window.data.from, window.data.to]).toEqual([10_500_000, 20_500_000]);
    expect(window.data.cut).toContain("Only a window");
    expect(played(list).data.cut).toBeNull();
  });
});
