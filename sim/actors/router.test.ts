import { beforeEach, describe, expect, it } from "vitest";
import { Job } from "./job.ts";
import { nativeWorker } from "./native-worker.ts";
import { Router } from "./router.ts";
import { Worker } from "./worker.ts";

let router: Router;
let taken: [job: number, worker: number][];

beforeEach(() => {
  router = new Router(2);
  taken = [];
  router.workers = {
    take: (job, worker) => {
      job.worker = worker.id;
      taken.push([job.job, worker.id]);
    },
    abandon: () => {},
  };
});

function join(id: number, models: readonly number[], slots = 1): Worker {
  const worker = new Worker(id, nativeWorker(models, { slots }), 1);
  worker.active = true;
  router.join(worker);
  return worker;
}

function seek(id: number, model = 0): Job {
  const job = new Job(id);
  job.model = model;
  router.seek(job);
  return job;
}

function free(worker: Worker): void {
  worker.busy--;
  router.freed(worker);
}

describe("router", () => {
  it("takes free workers in turn, beyond one word of bits", () => {
    const workers = Array.from({ length: 70 }, (_, id) => join(id, [0]));
    for (let id = 0; id < 70; id++) seek(id);
    expect(taken.map(([, worker]) => worker)).toEqual(workers.map(({ id }) => id));
    free(workers[69]!);
    free(workers[3]!);
    seek(70);
    seek(71);
    expect(taken.slice(70).map(([, worker]) => worker)).toEqual([3, 69]);
  });

  it("lets a job wait until a worker of its model is free, the longest waiting first", () => {
    const [both, only] = [join(0, [0, 1]), join(1, [1])];
    seek(0, 0);
    seek(1, 1);
    seek(2, 1);
    seek(3, 0);
    expect(taken).toEqual([
      [0, 0],
      [1, 1],
    ]);
    free(both);
    free(only);
    expect(taken.slice(2)).toEqual([[2, 0]]);
    free(both);
    expect(taken.slice(3)).toEqual([[3, 0]]);
  });

  it("forgets a job that has ended, wherever it waits", () => {
    const worker = join(0, [0]);
    seek(0);
    const [first, , last] = [seek(1), seek(2), seek(3)];
    router.abandon(first);
    router.abandon(last);
    free(worker);
    free(worker);
    expect(taken.map(([job]) => job)).toEqual([0, 2]);
  });

  it("gives work to whoever joins, and none to whoever left", () => {
    seek(0);
    const worker = join(0, [0], 2);
    expect(taken).toEqual([[0, 0]]);
    expect(router.hosts(0)).toBe(1);
    worker.active = false;
    router.leave(worker);
    seek(1);
    free(worker);
    expect(router.hosts(0)).toBe(0);
    expect(taken).toHaveLength(1);
  });

  it("holds jobs back while a model is absent", () => {
    join(0, [0, 1]);
    router.setBehaviour(0, "absent");
    expect([router.hosts(0), router.hosts(1)]).toEqual([0, 1]);
    seek(0, 0);
    expect(taken).toEqual([]);
    router.setBehaviour(0, "normal");
    expect(taken).toEqual([[0, 0]]);
  });
});
