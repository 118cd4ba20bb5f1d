/**
 * No job waits while a fit worker idles: one that is in the network, hosts the job's model and has a free slot.
 *
 * What happens in one moment happens in some order, so a state counts only when the clock moves on from it.
 */
import type { MakeChecker } from "./checker.ts";

interface Host {
  readonly models: number[];
  readonly slots: number;
  busy: number;
  present: boolean;
  idle: boolean;
}

export const nobodyStarves: MakeChecker = (report) => {
  const workers: Host[] = [];
  /** By model: jobs that wait, and workers that idle. */
  const waiting: number[] = [];
  const idle: number[] = [];
  /** Models with both. */
  let starving = 0;
  const modelOf: number[] = [];
  const waits: boolean[] = [];
  let now = 0;

  const look = (time: number): void => {
    if (time === now) return;
    if (starving > 0) {
      const model = waiting.findIndex((jobs, index) => jobs > 0 && idle[index]! > 0);
      const worker = workers.findIndex((host) => host.idle && host.models.includes(model));
      const job = waits.findIndex((isWaiting, index) => isWaiting && modelOf[index] === model);
      report(now, `job ${job}: waits for a worker of model ${model} while worker ${worker} idles`);
    }
    now = time;
  };
  const moveWaiting = (model: number, by: number): void => {
    const before = waiting[model]!;
    waiting[model] = before + by;
    if (idle[model]! > 0) starving += (before + by > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
  };
  const moveIdle = (model: number, by: number): void => {
    const before = idle[model]!;
    idle[model] = before + by;
    if (waiting[model]! > 0) starving += (before + by > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
  };
  const refresh = (host: Host): void => {
    const isIdle = host.present && host.busy < host.slots;
    if (isIdle === host.idle) return;
    host.idle = isIdle;
    for (let i = 0; i < host.models.length; i++) moveIdle(host.models[i]!, isIdle ? 1 : -1);
  };
  /** Whether the job has timed out or failed: a slow chain may seal its lock afterwards. */
  const ended: boolean[] = [];
  const waitNoMore = (time: number, job: number): void => {
    look(time);
    if (!waits[job]) return;
    waits[job] = false;
    moveWaiting(modelOf[job]!, -1);
  };
  const end = (time: number, job: number): void => {
    waitNoMore(time, job);
    ended[job] = true;
  };
  return {
    on: {
      "model.listed": (_time, model) => {
        waiting[model] = 0;
        idle[model] = 0;
      },
      "worker.registered": (time, worker, _native, slots) => {
        look(time);
        workers[worker] = { models: [], slots, busy: 0, present: true, idle: true };
      },
      "worker.hosts": (time, worker, model) => {
        look(time);
        workers[worker]!.models.push(model);
        if (workers[worker]!.idle) moveIdle(model, 1);
      },
      "worker.left": (time, worker) => {
        look(time);
        workers[worker]!.present = false;
        refresh(workers[worker]!);
      },
      "worker.down": (time, worker) => {
        look(time);
        workers[worker]!.present = false;
        refresh(workers[worker]!);
      },
      "worker.up": (time, worker) => {
        look(time);
        workers[worker]!.present = true;
        refresh(workers[worker]!);
      },
      "job.created": (_time, job, _number, _wallet, model) => {
        modelOf[job] = model;
        waits[job] = false;
        ended[job] = false;
      },
      "job.locked": (time, job) => {
        look(time);
        if (waits[job] || ended[job]) return;
        waits[job] = true;
        moveWaiting(modelOf[job]!, 1);
      },
      "job.processing": (time, job, worker) => {
        waitNoMore(time, job);
        workers[worker]!.busy++;
        refresh(workers[worker]!);
      },
      "slot.freed": (time, worker) => {
        look(time);
        workers[worker]!.busy--;
        refresh(workers[worker]!);
      },
      "job.failed": end,
      "job.refunded": end,
    },
    finish: (time) => look(time + 1),
  };
};
