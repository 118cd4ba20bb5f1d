/**
 * What single operations cost, in nanoseconds: draws, timers, events of the trace.
 */
import { SECOND, stream } from "../../sim/core/index.ts";
import { Kernel } from "../../sim/kernel/index.ts";
import { defineKinds, Trace } from "../../sim/trace/index.ts";

export interface Part {
  readonly name: string;
  readonly nanoseconds: number;
}

const OPERATIONS = 2_000_000;
const PENDING = 100_000;

/** Best of five, after one that warms up. `work` does the operation as often as it is told. */
function timed(name: string, work: (times: number) => void): Part {
  let best = Infinity;
  for (let round = 0; round <= 5; round++) {
    const began = process.cpuUsage();
    work(OPERATIONS);
    if (round > 0) best = Math.min(best, process.cpuUsage(began).user);
  }
  return { name, nanoseconds: (best / OPERATIONS) * 1e3 };
}

/** A kernel in which as many timers are pending as a busy world has. */
function busyKernel(): { kernel: Kernel; idle: number } {
  const kernel = new Kernel();
  const idle = kernel.handler(() => {});
  const dice = stream(1, "bench", "pending");
  for (let i = 0; i < PENDING; i++) kernel.at(HORIZON + dice.below(HORIZON), idle);
  return { kernel, idle };
}
const HORIZON = 1_000_000 * SECOND;

export function measureParts(): Part[] {
  const dice = stream(1, "bench", "draws");
  const kinds = defineKinds({ paid: ["job", "wallet", "worker", "units"] });
  const trace = new Trace(kinds, { now: 0 });
  const own = busyKernel();
  const lane = own.kernel.lane(120 * SECOND, own.idle);
  for (let i = 0; i < PENDING; i++) lane.start();
  const hold = busyKernel();
  const next = hold.kernel.handler(() => hold.kernel.after(dice.below(2 * HORIZON), next));
  hold.kernel.after(0, next);
  for (let i = 1; i < PENDING; i++) hold.kernel.after(dice.below(2 * HORIZON), next);

  return [
    timed("an integer below 1000", (times) => {
      for (let i = 0; i < times; i++) dice.below(1_000);
    }),
    timed("an exponential time", (times) => {
      for (let i = 0; i < times; i++) dice.exponential(SECOND);
    }),
    timed("a timer in a lane, started and cancelled, 100,000 pending", (times) => {
      for (let i = 0; i < times; i++) own.kernel.cancel(lane.start(i));
    }),
    timed("a timer in the heap, started and cancelled, 100,000 pending", (times) => {
      for (let i = 0; i < times; i++) own.kernel.cancel(own.kernel.after(120 * SECOND, own.idle, i));
    }),
    timed("an event run and its successor started, 200,000 pending", (times) => {
      hold.kernel.run(times);
    }),
    timed("an event of four fields into the trace's hash", (times) => {
      for (let i = 0; i < times; i++) trace.emit(kinds.id.paid, i, 2, 3, 4);
    }),
  ];
}
