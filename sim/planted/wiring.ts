/** Defects of routing, deliveries, timers and the gateway's bookkeeping: a part of the wired world does its work wrongly. */

import type { Job } from "../actors/index.ts";
import { SECOND } from "../core/index.ts";
import { TX } from "../ledger/index.ts";
import { around, everyNth, type PlantedDefect } from "./defect.ts";

export const wiring: readonly PlantedDefect[] = [
  {
    id: "freed-slot-forgotten",
    what: "the router does not hear of every second slot that becomes free: jobs starve",
    checker: "nobody-starves",
    plant: ({ router }) => {
      const forgets = everyNth(2);
      around(router, "freed", (right) => (worker) => {
        if (!forgets()) right(worker);
      });
    },
  },
  {
    id: "sought-late",
    what: "a worker for every second job is sought five seconds late, and others overtake it",
    checker: "first-come-first-served",
    plant: ({ router, kernel, jobs }) => {
      const late = everyNth(2);
      around(router, "seek", (right) => {
        const seek = kernel.handler((number) => {
          const job = jobs.at(number);
          if (job.completedAt < 0) right(job);
          jobs.release(job);
        });
        return (job) => {
          if (!late()) return right(job);
          job.holds++;
          kernel.after(5 * SECOND, seek, job.job);
        };
      });
    },
  },
  {
    id: "one-slot-too-many",
    what: "workers run one job more than they have slots",
    checker: "slots-respected",
    plant: ({ workers }) => {
      for (const worker of workers.all) (worker as { slots: number }).slots++;
    },
  },
  {
    id: "routed-unlocked",
    what: "a job goes to a worker before its units are in escrow",
    checker: "moves-in-order",
    plant: ({ gateway, router, jobs }) => {
      around(router, "seek", (right) => (job) => {
        if (!job.working && !job.queued && job.startedAt < 0) right(job);
      });
      around(gateway, "submit", (right) => (...request) => {
        const job = right(...request);
        if (job >= 0) router.seek(jobs.at(job));
        return job;
      });
    },
  },
  {
    id: "run-twice",
    what: "a job is given to two workers at once",
    checker: "moves-in-order",
    plant: ({ router }) =>
      around(router, "seek", (right) => (job) => {
        right(job);
        if (job.working) right(job);
      }),
  },
  {
    id: "drop-unnoticed",
    what: "a worker drops a job and nobody notices until its time-out",
    checker: "moves-in-order",
    plant: ({ gateway }) => around(gateway, "dropped", () => () => {}),
  },
  {
    id: "proof-unread",
    what: "every third proof is sealed and not read",
    checker: "every-job-final",
    plant: ({ gateway, jobs }) => {
      const lost = everyNth(3);
      around(
        gateway,
        "proofSealed",
        (right) =>
          (job, ...receipt) =>
            lost() ? jobs.release(job) : right(job, ...receipt),
      );
    },
  },
  {
    id: "settlement-unread",
    what: "every third settlement is sealed and not read",
    checker: "every-job-final",
    plant: ({ gateway, jobs }) => {
      const lost = everyNth(3);
      around(
        gateway,
        "settlementSealed",
        (right) =>
          (job, ...receipt) =>
            lost() ? jobs.release(job) : right(job, ...receipt),
      );
    },
  },
  {
    id: "lock-unread",
    what: "every third lock is sealed and not read",
    checker: "transactions-answered",
    plant: ({ gateway, jobs }) => {
      const lost = everyNth(3);
      around(
        gateway,
        "lockSealed",
        (right) =>
          (job, ...receipt) =>
            lost() ? jobs.release(job) : right(job, ...receipt),
      );
    },
  },
  {
    id: "return-unread",
    what: "units given back by the chain are not read",
    checker: "transactions-answered",
    plant: ({ gateway, jobs }) => around(gateway, "returnSealed", () => (job) => jobs.release(job)),
  },
  {
    id: "difference-to-stranger",
    what: "the difference goes to the first wallet, whosever the job was",
    checker: "own-wallet",
    plant: ({ gateway }) =>
      around(gateway, "settlementSealed", (right) => (job, ...receipt) => {
        const { wallet } = job;
        job.wallet = 0;
        right(job, ...receipt);
        job.wallet = wallet;
      }),
  },
  {
    id: "refund-counted-twice",
    what: "the gateway's books count every return twice",
    checker: "units-suffice",
    plant: ({ gateway: { books } }) =>
      around(books, "move", (right) => (wallet, units) => right(wallet, units > 0 ? units * 2 : units)),
  },
  {
    id: "place-reused-early",
    what: "a job that has timed out is forgotten before its refund is sealed, and another takes its place",
    checker: "crash",
    plant: ({ router }) =>
      around(router, "abandon", (right) => (job) => {
        right(job);
        if (!job.working) job.holds = 1;
      }),
  },
  {
    id: "cancel-ignored",
    what: "every fourth timer that is cancelled fires all the same",
    checker: "crash",
    plant: ({ kernel }) => {
      const ignores = everyNth(4);
      around(kernel, "cancel", (right) => (timer) => (timer !== 0 && ignores() ? true : right(timer)));
    },
  },
  {
    id: "retry-from-failure",
    what: "waits between attempts count from the failure, not from the attempt",
    checker: "delivery-schedule",
    plant: ({ sender, kernel }) => {
      if (sender === undefined) return;
      around(sender, "answered", (right) => (delivery, attempt, success) => {
        if (!success) (sender.delivery(delivery) as { startedAt?: number }).startedAt = kernel.now;
        right(delivery, attempt, success);
      });
    },
  },
  {
    id: "verdict-forgotten",
    what: "disputes are never decided",
    checker: "dispute-window",
    plant: ({ arbiter }) => around(arbiter, "decide", () => () => true),
  },
  {
    id: "disputed-unproven",
    what: "a dispute is heard before there is a proof to compare with",
    checker: "moves-in-order",
    plant: ({ gateway }) =>
      around(gateway, "dispute", (right) => (job, differ) => {
        const { status } = job;
        const waits = (job as Job).lastTokenAt >= 0 && status === "processing";
        if (waits) job.status = "settling";
        return right(job, differ);
      }),
  },
  {
    id: "paid-before-proof",
    what: "the worker is paid at the first token",
    checker: "paid-after-proof",
    rules: { maySettle: (lock) => lock.held },
    plant: ({ gateway, chain, rules, options }) =>
      around(gateway, "firstToken", (right) => (job) => {
        right(job);
        const charged = rules.charge(options.models[job.model]!.tier, job.outputTokens);
        job.holds++;
        chain.submit(TX.settle, job.job, job.worker, charged, job.locked - charged);
      }),
  },
];
