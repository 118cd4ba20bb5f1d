/** Defects in money that hide: after a top-up, for streams, in one tier, when a client leaves (sections 1, 4.1, 8). */
import { SECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { bodyOf, leak, network, watch } from "../facade/overrides.ts";
import type { JobView, Network, Submission } from "../port.ts";
import type { Rules } from "../rules.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";

type Moment = "settled" | "failed" | "refunded";

/** Units that are lost, or won, when a job ends so; `taken` says how many. */
const leaking =
  (moment: Moment, taken: (job: JobView, request: Submission, honest: Network) => number) => (): Changes => {
    const { take, network: around } = leak();
    return {
      network: around((request, honest) => ({
        [moment]: (job: JobView) => {
          const units = taken(job, request, honest);
          if (units !== 0) take(request.wallet, units);
        },
      })),
    };
  };

/** As `leaking`, for streams only. */
const leakingStreams = (moment: Moment, taken: (job: JobView) => number) => (): Changes => {
  const { streams, middleware } = watch();
  const { take, network: around } = leak();
  return {
    middleware,
    network: around(({ wallet }) => {
      const streamed = streams();
      return { [moment]: (job: JobView) => void (streamed && taken(job) !== 0 && take(wallet, taken(job))) };
    }),
  };
};

const tierOf = (honest: Network, job: JobView) => honest.models[job.model]!.tier;

/** Other charges, locked for in full. */
const charged = (charge: (honest: Rules) => Rules["charge"]): Changes => ({
  rules: (honest) => {
    const other = charge(honest);
    return {
      charge: other,
      estimate: (tier, bound, expected) =>
        Math.max(honest.estimate(tier, bound, expected), other(tier, expected), other(tier, Math.max(0, bound))),
    };
  },
});

export const moreCharging = [
  sequence(
    "failed-stream-keeps-units",
    "1/9",
    "A failed stream gives nothing back",
    leakingStreams("failed", (job) => job.returned),
  ),
  boundary(
    "failed-long-estimate-keeps-rest",
    "1/9",
    "A failed job gives the flat price back, whatever was locked",
    leaking("failed", (job, _request, honest) => {
      const flat = { lite: 2, standard: 8, pro: 18, max: 40 }[tierOf(honest, job)];
      return Math.max(0, job.returned - flat);
    }),
  ),
  sequence(
    "refund-of-stream-missing",
    "4.1/39",
    "A stream that timed out gives nothing back",
    leakingStreams("refunded", (job) => job.returned),
  ),
  boundary(
    "refund-on-max-missing",
    "4.1/39",
    "A job of the largest models that timed out gives nothing back",
    leaking("refunded", (job, _request, honest) => (tierOf(honest, job) === "max" ? job.returned : 0)),
  ),
  sequence(
    "difference-of-stream-kept",
    "4.1/45",
    "A stream's difference between estimate and charge does not come back",
    leakingStreams("settled", (job) => job.returned),
  ),
  boundary(
    "difference-on-pro-kept",
    "4.1/45",
    "On `pro` models the difference between estimate and charge does not come back",
    leaking("settled", (job, _request, honest) => (tierOf(honest, job) === "pro" ? job.returned : 0)),
  ),
  boundary(
    "large-difference-short",
    "4.1/45",
    "Of a difference of more than a hundred units one does not come back",
    leaking("settled", (job) => (job.returned > 100 ? 1 : 0)),
  ),
  boundary(
    "long-with-stop-dearer",
    "4.1/38",
    "A long completion that was asked for with a `stop` takes a unit more than it says",
    () => {
      const { take, network: around } = leak();
      let asked = false;
      return {
        door: (honest) => ({
          planText(draw, length, bound, stops) {
            asked = stops.length > 0;
            return honest.planText(draw, length, bound, stops);
          },
        }),
        network: around(({ wallet }) => {
          const dearer = asked;
          return { settled: (job) => void (dearer && job.outputTokens > 550 && take(wallet, 1)) };
        }),
      };
    },
  ),
  sequence(
    "settlement-overwrites-topup",
    "4.1/38",
    "Units bought while a job is in flight are lost when it settles",
    () => {
      const { take, network: around } = leak();
      const bought = new Map<number, number>();
      const inner = around(({ wallet }) => {
        const before = bought.get(wallet) ?? 0;
        return { settled: () => void take(wallet, (bought.get(wallet) ?? 0) - before) };
      });
      return {
        network: (honest) => {
          const leaky = inner(honest);
          return Object.assign(Object.create(leaky) as Network, {
            topUp(wallet: number, units: number) {
              bought.set(wallet, (bought.get(wallet) ?? 0) + units);
              leaky.topUp(wallet, units);
            },
          });
        },
      };
    },
  ),
  concurrent(
    "overlap-keeps-difference",
    "4.1/45",
    "Of jobs that overlap, only the last one's difference comes back",
    () => {
      const { take, network: around } = leak();
      const open = new Map<number, number>();
      return {
        network: around(({ wallet }) => {
          open.set(wallet, (open.get(wallet) ?? 0) + 1);
          const ended = (job: JobView): void => {
            const left = (open.get(wallet) ?? 1) - 1;
            open.set(wallet, left);
            if (left > 0 && job.status !== "failed" && job.status !== "refunded") take(wallet, job.returned);
          };
          return { settled: ended, failed: ended, refunded: ended };
        }),
      };
    },
  ),
  sequence("locks-lapse", "4.1/36", "Units locked for more than ten seconds pay for another request", () => {
    const held = new Map<number, { since: number; job: number }>();
    return network((honest) => {
      let nobody = -1;
      return {
        submit(request, listener) {
          const result = honest.submit(request, listener);
          const lock = held.get(request.wallet);
          if (result.ok) held.set(request.wallet, { since: honest.now, job: result.job });
          const lapsed =
            !result.ok &&
            result.error === "insufficient_credits" &&
            lock !== undefined &&
            honest.now - lock.since > 10 * SECOND &&
            (honest.job(lock.job)?.completedAt ?? 0) < 0;
          if (!lapsed) return result;
          if (nobody < 0) nobody = honest.openWallet(1_000_000_000);
          return honest.submit({ ...request, wallet: nobody }, listener);
        },
      };
    });
  }),
  sequence("leaver-pays-twice", "4.1/52", "A client that leaves pays twice the charge of its job", () => {
    const { take, network: around } = leak();
    let current: { gone: boolean } | undefined;
    return {
      middleware: () => (request, response, next) => {
        const visit = { gone: false };
        current = bodyOf(request)?.messages === undefined ? undefined : visit;
        try {
          const exchange = next(request, response);
          return {
            abort() {
              visit.gone = true;
              exchange.abort();
            },
          };
        } finally {
          current = undefined;
        }
      },
      network: around(({ wallet }) => {
        const visit = current;
        return { settled: (job: JobView) => void (visit?.gone === true && take(wallet, job.charged)) };
      }),
    };
  }),
  sequence("tenth-job-dearer", "4.1/38", "Every tenth job of a wallet takes a unit more than it says", () => {
    const { take, network: around } = leak();
    const jobs = new Map<number, number>();
    return {
      network: around(({ wallet }) => {
        const count = (jobs.get(wallet) ?? 0) + 1;
        jobs.set(wallet, count);
        return { settled: () => void (count % 10 === 0 && take(wallet, 1)) };
      }),
    };
  }),
  boundary(
    "edges-by-tier",
    "4.1/44",
    "The flat price ends at 460 tokens on `lite` models and at 540 on the others",
    charged((honest) => (tier, tokens) => {
      const edge = tier === "lite" ? 460 : 540;
      return tokens <= edge ? honest.charge(tier, 0) : honest.charge(tier, Math.max(501, tokens));
    }),
  ),
  boundary(
    "thousands-off-by-one",
    "4.1/44",
    "A completion of exactly 1,500 or 2,500 tokens is billed as one of the next thousand",
    charged(
      (honest) => (tier, tokens) => honest.charge(tier, tokens > 500 && tokens % 1_000 === 500 ? tokens + 1 : tokens),
    ),
  ),
  boundary("long-streams-flat", "4.1/34", "Long streams cost the flat price", () => {
    const { streams, middleware } = watch();
    const { take, network: around } = leak();
    return {
      middleware,
      network: (honest) => {
        const long = new Set<number>();
        const inner = around(({ wallet, outputTokens }) => {
          const free = streams() && outputTokens > 550;
          return {
            settled(job) {
              if (!free) return;
              long.add(job.job);
              take(wallet, -(job.charged - flatOf(honest, job)));
            },
          };
        })(honest);
        return Object.assign(Object.create(inner) as Network, {
          job(number: number) {
            const view = inner.job(number);
            if (view === undefined || !long.has(number)) return view;
            return Object.assign(Object.create(view), { charged: flatOf(honest, view) }) as JobView;
          },
        });
      },
    };
  }),
  boundary(
    "exact-balance-refused-for-streams",
    "8/7",
    "A balance of exactly the price does not pay for a stream",
    () => {
      const { streams, middleware } = watch();
      return {
        middleware,
        ...network((honest) => ({
          submit(request, listener) {
            const required = { lite: 2, standard: 8, pro: 18, max: 40 }[honest.models[request.model]!.tier];
            const remaining = honest.available(request.wallet);
            return streams() && remaining === required
              ? { ok: false, error: "insufficient_credits", remaining, required: required + 1 }
              : honest.submit(request, listener);
          },
        })),
      };
    },
  ),
  single("stream-on-standard-dearer", "8/6", "A short stream on a `standard` model costs 9", () => {
    const { streams, middleware } = watch();
    const { take, network: around } = leak();
    return {
      middleware,
      network: (honest) => {
        const dear = new Set<number>();
        const inner = around(({ wallet }) => {
          const streamed = streams();
          return {
            settled(job) {
              if (!streamed || tierOf(honest, job) !== "standard" || job.outputTokens > 400) return;
              dear.add(job.job);
              take(wallet, 1);
            },
          };
        })(honest);
        return Object.assign(Object.create(inner) as Network, {
          job(number: number) {
            const view = inner.job(number);
            if (view === undefined || !dear.has(number)) return view;
            return Object.assign(Object.create(view), { charged: view.charged + 1 }) as JobView;
          },
        });
      },
    };
  }),
];

function flatOf(honest: Network, job: JobView): number {
  return { lite: 2, standard: 8, pro: 18, max: 40 }[tierOf(honest, job)];
}
