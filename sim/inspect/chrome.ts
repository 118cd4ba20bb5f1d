/**
 * A trace in Chrome's trace event format, for `chrome://tracing` or Perfetto: jobs at their workers, queues, deliveries and disputes as spans on rows of
 * their own, blocks and broken stakes as moments, jobs in the network and units in escrow as counters.
 *
 * Times are microseconds there as here. Spans that may overlap on one row are asynchronous ones, told apart by the job's number.
 */
import { EVENTS } from "../../fixtures/protocol/events.ts";
import type { WorldEvent } from "./life.ts";

/** One entry of `traceEvents`: phase, name, category, row. */
export interface ChromeEvent {
  readonly name: string;
  readonly cat?: string;
  readonly ph: "b" | "e" | "n" | "i" | "C" | "M";
  readonly ts: number;
  readonly pid: number;
  readonly tid: number;
  readonly id?: string;
  readonly s?: "g";
  readonly args?: Readonly<Record<string, unknown>>;
}

const JOBS = 1;
const WORKERS = 2;
const DELIVERIES = 3;
const CHAIN = 4;
const PROCESSES: readonly (readonly [pid: number, name: string])[] = [
  [JOBS, "jobs"],
  [WORKERS, "workers"],
  [DELIVERIES, "webhooks"],
  [CHAIN, "chain"],
];

/** Each event of the trace as none, one or more of Chrome's. */
export function* chromeEvents(events: Iterable<WorldEvent>): Generator<ChromeEvent> {
  for (const [pid, name] of PROCESSES) {
    yield { name: "process_name", ph: "M", ts: 0, pid, tid: 0, args: { name } };
  }
  const number = new Map<number, number>();
  /** The open span of a job's stage. */
  const stage = new Map<number, string>();
  const attempts = new Map<number, string>();
  let present = 0;
  let locked = 0;
  const lockOf = new Map<number, number>();

  const counter = (ts: number, name: string, value: number): ChromeEvent => {
    return { name, ph: "C", ts, pid: JOBS, tid: 0, args: { value } };
  };
  function* enter(ts: number, job: number, name: string | undefined, args: object = {}): Generator<ChromeEvent> {
    const id = `job ${number.get(job) ?? -1}`;
    const open = stage.get(job);
    if (open !== undefined) yield { name: open, cat: "job", ph: "e", ts, pid: JOBS, tid: 1, id };
    stage.delete(job);
    if (name === undefined) return;
    stage.set(job, name);
    yield { name, cat: "job", ph: "b", ts, pid: JOBS, tid: 1, id, args: { ...args } };
  }
  for (const event of events) {
    const ts = event.time;
    switch (event.kind) {
      case "job.created": {
        const id = `job ${event.number}`;
        number.set(event.job, event.number);
        const { wallet, model, units } = event;
        yield { name: id, cat: "job", ph: "b", ts, pid: JOBS, tid: 1, id, args: { wallet, model, units } };
        yield* enter(ts, event.job, "waits for its lock");
        yield counter(ts, "jobs in the network", ++present);
        break;
      }
      case "job.locked":
        lockOf.set(event.job, event.units);
        locked += event.units;
        yield counter(ts, "units in escrow", locked);
        yield* enter(ts, event.job, "waits for a worker");
        break;
      case "job.processing": {
        const id = `job ${number.get(event.job)}`;
        yield* enter(ts, event.job, "to the first token", { worker: event.worker });
        yield { name: id, cat: "worker", ph: "b", ts, pid: WORKERS, tid: event.worker + 1, id };
        break;
      }
      case "slot.freed": {
        const id = `job ${number.get(event.job)}`;
        yield { name: id, cat: "worker", ph: "e", ts, pid: WORKERS, tid: event.worker + 1, id };
        break;
      }
      case "job.firstToken":
        yield* enter(ts, event.job, "to the last token");
        break;
      case "job.lastToken":
        yield* enter(ts, event.job, "waits for its proof");
        break;
      case "job.settling":
        yield* enter(ts, event.job, "waits for its settlement");
        break;
      case "job.settled":
      case "job.failed":
      case "job.refunded": {
        const id = `job ${number.get(event.job)}`;
        yield* enter(ts, event.job, undefined);
        yield { name: id, cat: "job", ph: "e", ts, pid: JOBS, tid: 1, id, args: { end: event.kind.slice(4) } };
        yield counter(ts, "jobs in the network", --present);
        break;
      }
      case "job.paid":
      case "job.returned":
        locked -= lockOf.get(event.job) ?? 0;
        lockOf.delete(event.job);
        yield counter(ts, "units in escrow", locked);
        break;
      case "job.disputed":
        yield {
          name: "dispute",
          cat: "dispute",
          ph: "b",
          ts,
          pid: JOBS,
          tid: 2,
          id: `dispute ${number.get(event.job)}`,
        };
        break;
      case "dispute.decided": {
        const args = { fraudulent: event.fraudulent === 1 };
        const id = `dispute ${number.get(event.job)}`;
        yield { name: "dispute", cat: "dispute", ph: "e", ts, pid: JOBS, tid: 2, id, args };
        break;
      }
      case "delivery.created": {
        const id = `delivery ${ts}/${event.delivery}`;
        attempts.set(event.delivery, id);
        const name = EVENTS[event.event] ?? "event";
        yield { name, cat: "delivery", ph: "b", ts, pid: DELIVERIES, tid: event.webhook + 1, id };
        break;
      }
      case "delivery.attempted": {
        const id = attempts.get(event.delivery) ?? "";
        const args = { attempt: event.attempt };
        yield { name: "attempt", cat: "delivery", ph: "n", ts, pid: DELIVERIES, tid: 1, id, args };
        break;
      }
      case "delivery.ended": {
        const id = attempts.get(event.delivery) ?? "";
        const args = { delivered: event.delivered === 1 };
        yield { name: "delivery", cat: "delivery", ph: "e", ts, pid: DELIVERIES, tid: 1, id, args };
        break;
      }
      case "block.sealed": {
        const args = { transactions: event.transactions };
        yield { name: `block ${event.block}`, ph: "i", s: "g", ts, pid: CHAIN, tid: 1, args };
        break;
      }
      case "stake.slashed":
      case "worker.left":
      case "webhook.failed":
      case "calm.began":
      case "fault.began":
      case "fault.ended": {
        const { time: _, kind, notes: __, ...args } = event;
        yield { name: kind, ph: "i", s: "g", ts, pid: WORKERS, tid: 0, args };
        break;
      }
    }
  }
}
