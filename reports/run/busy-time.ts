/**
 * The part of a run in which jobs come and go. Verdicts fall a day after the last job: charts of load over all that time would show one thin line at
 * their left edge.
 */
import type { SeriesFold } from "../../sim/metrics/series.ts";
import type { Fold, WorldKinds } from "../../sim/trace/index.ts";

type Listeners = Fold<WorldKinds>["on"];

export class BusyTime implements Fold<WorldKinds> {
  readonly on: Listeners;
  readonly series: SeriesFold;
  /** Just after the last moment at which something happened to a job that was under way, in microseconds. */
  end = 0;

  /** @param series measures this part only */
  constructor(series: SeriesFold) {
    this.series = series;
    const all = series.on;
    /** What happened to workers waits for the next job: after the last one it tells nothing of load. */
    let waiting: (() => void)[] = [];
    const busy =
      <Fields extends readonly number[]>(listen: ((time: number, ...fields: Fields) => void) | undefined) =>
      (time: number, ...fields: Fields): void => {
        for (const tell of waiting) tell();
        waiting = [];
        this.end = time + 1;
        listen?.(time, ...fields);
      };
    const later =
      <Fields extends readonly number[]>(listen: ((time: number, ...fields: Fields) => void) | undefined) =>
      (time: number, ...fields: Fields): void => {
        waiting.push(() => listen?.(time, ...fields));
      };
    this.on = {
      "request.refused": busy(all["request.refused"]),
      "job.created": busy(all["job.created"]),
      "job.processing": busy(all["job.processing"]),
      "slot.freed": busy(all["slot.freed"]),
      "job.lastToken": busy(all["job.lastToken"]),
      "job.paid": busy(all["job.paid"]),
      "job.settled": busy(all["job.settled"]),
      "job.failed": busy(all["job.failed"]),
      "job.refunded": busy(all["job.refunded"]),
      "worker.registered": later(all["worker.registered"]),
      "worker.left": later(all["worker.left"]),
    };
  }
}
