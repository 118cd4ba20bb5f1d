/** Whether a recorded trace is that of a whole run, so far as can be seen from it: what is told later rests on what was told before. */
import { AssayError } from "../core/index.ts";
import type { WorldEvent } from "./life.ts";

/** By field: the kind of event that tells of each for the first time. */
const FIRST = {
  wallet: "wallet.opened",
  worker: "worker.registered",
  job: "job.created",
  webhook: "webhook.created",
  delivery: "delivery.created",
} as const;

/**
 * Goes through the events once.
 *
 * @throws AssayError where there are none, the first is not the run's beginning, time goes back, or an event speaks of a party that nobody has told of
 */
export function checkWhole(events: Iterable<WorldEvent>): void {
  const known = Object.entries(FIRST).map(([field, kind]) => ({ field, kind, seen: new Set<number>() }));
  let count = 0;
  let time = 0;
  for (const event of events) {
    count++;
    const broken = (what: string, expected: string): AssayError =>
      new AssayError({
        what,
        where: `event ${count}`,
        seen: JSON.stringify(event),
        expected,
        hint: "record the run again",
      });
    if (count === 1 && event.kind !== "run.started") {
      throw broken("The trace does not begin where its run began.", "run.started, the first event of every run");
    }
    if (event.time < time) throw broken("The trace goes back in time.", `${time} us or later`);
    time = event.time;
    const fields = event as unknown as Readonly<Record<string, number>>;
    for (const { field, kind, seen } of known) {
      const number = fields[field];
      if (number === undefined || number < 0) continue;
      if (event.kind === kind) seen.add(number);
      else if (!seen.has(number)) {
        throw broken("A part of the trace is missing.", `${kind} of ${field} ${number} before this event`);
      }
    }
  }
  if (count === 0) {
    throw new AssayError({
      what: "The trace is empty.",
      expected: "events, one JSON object a line",
      hint: "assay run --record writes them",
    });
  }
}
