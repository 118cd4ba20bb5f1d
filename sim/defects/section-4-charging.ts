/** Defects in what completions cost, lock and give back (sections 4.1, 8). */
import { MILLISECOND, SECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { jobViews, leak, model, network, rules, within } from "../facade/overrides.ts";
import type { Network, Submission } from "../port.ts";
import type { Rules } from "../rules.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";

/** Other charges, with locks that cover them. */
const charges = (charge: (honest: Rules) => Rules["charge"]) =>
  rules((honest) => {
    const other = charge(honest);
    return {
      charge: other,
      estimate: (tier, maxTokens, expected) =>
        Math.max(
          honest.estimate(tier, maxTokens, expected),
          other(tier, expected),
          other(tier, Math.max(0, maxTokens)),
        ),
    };
  });

/** Lets a submission that the balance does not cover be paid by nobody, where `passes` says so. */
function unpaid(passes: (request: Submission, required: number, honest: Network) => boolean) {
  return network((honest) => {
    let nobody = -1;
    return {
      submit(request, listener) {
        const result = honest.submit(request, listener);
        if (result.ok || result.error !== "insufficient_credits") return result;
        if (!passes(request, result.required, honest)) return result;
        if (nobody < 0) nobody = honest.openWallet(1_000_000_000);
        return honest.submit({ ...request, wallet: nobody }, listener);
      },
    };
  });
}

/** The balance is looked at, and the units are locked later: a request that comes within `window` microseconds sees them still there. */
function doubleSpend(window: number): Changes {
  const locks = new Map<number, { at: number; before: number; job: number }>();
  const stale = unpaid(({ wallet }, required, honest) => {
    const last = locks.get(wallet);
    if (last === undefined || honest.now - last.at > window || last.before < required) return false;
    return (honest.job(last.job)?.completedAt ?? 0) < 0;
  });
  return {
    network(honest) {
      const inner = stale.network!(honest);
      return Object.assign(Object.create(inner) as Network, {
        submit(request, listener) {
          const before = honest.available(request.wallet);
          const result = inner.submit(request, listener);
          const paid = before !== honest.available(request.wallet);
          if (result.ok && paid) locks.set(request.wallet, { at: honest.now, before, job: result.job });
          return result;
        },
      } satisfies Partial<Network>);
    },
  };
}

export const section4Charging = [
  sequence("units-never-deducted", "4.1/38", "The units of every third settled job of a wallet come back", () => {
    const { take, network: leaking } = leak();
    const settled = new Map<number, number>();
    return {
      network: leaking(({ wallet }) => ({
        settled(job) {
          const count = (settled.get(wallet) ?? 0) + 1;
          settled.set(wallet, count);
          if (count % 3 === 0) take(wallet, -job.charged);
        },
      })),
    };
  }),
  sequence("refund-missing", "4.1/39", "The refund of a job that timed out is announced and never comes", () => {
    const { take, network: leaking } = leak();
    return { network: leaking(({ wallet }) => ({ refunded: (job) => take(wallet, job.returned) })) };
  }),
  sequence("refund-all-but-one", "4.1/39", "A job that timed out gives back all units but one", () => {
    const { take, network: leaking } = leak();
    return { network: leaking(({ wallet }) => ({ refunded: () => take(wallet, 1) })) };
  }),
  sequence(
    "refund-lost-after-topup",
    "4.1/39",
    "A refund is lost where the wallet was topped up while the job was in flight",
    () => {
      const { take, network: leaking } = leak();
      return {
        network: leaking(({ wallet }, honest) => ({
          refunded: (job) => void (honest.lastTopUpAt(wallet) > job.createdAt && take(wallet, job.returned)),
        })),
      };
    },
  ),
  sequence("refund-twice", "4.4/3", "A job that timed out is refunded twice", () => {
    const { take, network: leaking } = leak();
    return { network: leaking(({ wallet }) => ({ refunded: (job) => take(wallet, -job.returned) })) };
  }),
  sequence(
    "topup-releases-locks",
    "4.4/3",
    "A top-up gives back the units of jobs in flight, which settle all the same",
    () => {
      const open = new Map<number, number>();
      const { take, network: leaking } = leak();
      const around = leaking(({ wallet }) => {
        const move = (by: number): void => void open.set(wallet, (open.get(wallet) ?? 0) + by);
        let locked = 0;
        return {
          locked(job) {
            locked = job.locked;
            move(locked);
          },
          settled: () => move(-locked),
          failed: () => move(-locked),
          refunded: () => move(-locked),
        };
      });
      return {
        network: (honest) => {
          const inner = around(honest);
          return Object.assign(Object.create(inner), {
            topUp(wallet: number, units: number) {
              take(wallet, -(open.get(wallet) ?? 0));
              inner.topUp(wallet, units);
            },
          });
        },
      };
    },
  ),
  boundary(
    "timeout-after-119-seconds",
    "4.1/40",
    "A job times out after 119 seconds",
    rules(() => ({ jobTimeout: 119 * SECOND })),
  ),
  boundary(
    "timeout-just-early",
    "4.1/40",
    "A job times out 10 ms before its 120 seconds are over",
    rules(() => ({
      jobTimeout: 120 * SECOND - 10 * MILLISECOND,
    })),
  ),
  boundary(
    "timeout-after-135-seconds",
    "7.2/8",
    "A job times out after 135 seconds",
    rules(() => ({ jobTimeout: 135 * SECOND })),
  ),
  boundary(
    "timeout-after-two-and-a-half-minutes",
    "7.2/8",
    "A job times out after 150 seconds",
    rules(() => ({
      jobTimeout: 150 * SECOND,
    })),
  ),
  single(
    "pro-costs-one-more",
    "4.1/41",
    "A short completion on a `pro` model costs 19 units",
    charges((honest) => (tier, tokens) => honest.charge(tier, tokens) + (tier === "pro" && tokens <= 500 ? 1 : 0)),
  ),
  boundary(
    "flat-only-to-250",
    "4.1/41",
    "The flat price holds up to 250 output tokens only",
    charges((honest) => (tier, tokens) => honest.charge(tier, tokens > 250 ? tokens + 250 : tokens)),
  ),
  boundary(
    "flat-up-to-800",
    "4.1/42",
    "The flat price holds up to 800 output tokens",
    charges((honest) => (tier, tokens) => honest.charge(tier, Math.max(0, tokens - 300))),
  ),
  boundary(
    "always-flat",
    "4.1/42",
    "Long completions cost the flat price",
    charges((honest) => (tier) => honest.charge(tier, 0)),
  ),
  boundary(
    "price-by-started-500",
    "4.1/44",
    "Past 500 output tokens each started 500 are billed as 1,000",
    charges(
      (honest) => (tier, tokens) =>
        tokens <= 500
          ? honest.charge(tier, tokens)
          : honest.charge(tier, 0) +
            (honest.charge(tier, 501) - honest.charge(tier, 0)) * Math.ceil((tokens - 500) / 500),
    ),
  ),
  boundary(
    "max-tier-read-otherwise",
    "4.1/44",
    "Long completions on `max` follow another reading of the price than the others",
    charges(
      (honest) => (tier, tokens) =>
        tier === "max" && tokens > 500 ? 20 * Math.ceil(tokens / 1_000) : honest.charge(tier, tokens),
    ),
  ),
  boundary(
    "lite-long-price-doubled",
    "4.1/44",
    "Long completions on `lite` pay twice the price past the flat one",
    charges(
      (honest) => (tier, tokens) =>
        tier === "lite" && tokens > 500
          ? 2 * honest.charge(tier, tokens) - honest.charge(tier, 0)
          : honest.charge(tier, tokens),
    ),
  ),
  sequence("difference-kept", "4.1/45", "What was locked beyond the charge does not come back", () => {
    const { take, network: leaking } = leak();
    return { network: leaking(({ wallet }) => ({ settled: (job) => take(wallet, job.returned) })) };
  }),
  sequence(
    "difference-kept-when-stopped",
    "4.1/45",
    "What was locked beyond the charge does not come back where `stop` ended the text",
    () => {
      const { take, network: leaking } = leak();
      let stopped = false;
      return {
        door: (honest) => ({
          planText(draw, length, bound, stops) {
            const plan = honest.planText(draw, length, bound, stops);
            stopped = stops.length > 0 && plan.finishReason === "stop" && plan.ends.length < length;
            return plan;
          },
        }),
        network: leaking(({ wallet }) => {
          const kept = stopped;
          return { settled: (job) => void (kept && take(wallet, job.returned)) };
        }),
      };
    },
  ),
  sequence(
    "charge-above-lock",
    "4.1/46",
    "A completion of more than half of its `max_tokens` is charged a unit above its lock",
    () => {
      const { take, network: leaking } = leak();
      const charged = jobViews((job) => ({
        charged: job.charged + (job.settlementTx !== 0 && job.returned === 0 && job.outputTokens > 500 ? 1 : 0),
      }));
      return {
        network: (honest) =>
          charged.network!(
            leaking(({ wallet }) => ({
              settled: (job) => void (job.returned === 0 && job.outputTokens > 500 && take(wallet, 1)),
            }))(honest),
          ),
      };
    },
  ),
  concurrent(
    "double-spend",
    "4.1/48",
    "Requests that come while another is in flight see the units that it has locked",
    () => doubleSpend(Number.MAX_SAFE_INTEGER),
  ),
  concurrent(
    "double-spend-at-once",
    "4.1/48",
    "Requests that come within 50 ms of another see the units that it has locked",
    () => doubleSpend(50 * MILLISECOND),
  ),
  concurrent(
    "second-in-flight-free",
    "4.4/3",
    "Of two requests of one wallet in the same moment the second is not charged",
    () => {
      const { take, network: leaking } = leak();
      const last = new Map<number, number>();
      return {
        network: leaking(({ wallet }, honest) => {
          const twin = last.get(wallet) === honest.now;
          last.set(wallet, honest.now);
          return { settled: (job) => void (twin && take(wallet, -job.charged)) };
        }),
      };
    },
  ),
  sequence("refund-frozen", "7.3/5", "Units that were refunded can be spent a minute later only", () => {
    const until = new Map<number, number>();
    return network((honest) => ({
      submit(request, listener) {
        const { wallet } = request;
        const frozen = honest.now < (until.get(wallet) ?? 0);
        const remaining = honest.available(wallet);
        if (frozen) return { ok: false, error: "insufficient_credits", remaining, required: remaining + 1 };
        return honest.submit(request, {
          ...listener,
          refunded(job) {
            until.set(wallet, honest.now + 60 * SECOND);
            listener.refunded?.(job);
          },
        });
      },
    }));
  }),
  single(
    "price-list-of-yesterday",
    "8/5",
    "The list shows 17 units for `pro` models",
    model((body, inside) =>
      within(body, inside.brand.extension, (live) =>
        live.tier === "pro" ? { ...live, credits_per_request: 17 } : live,
      ),
    ),
  ),
  single(
    "thousand-price-of-max",
    "8/5",
    "The list shows 25 units per 1,000 tokens for `max` models",
    model((body, inside) =>
      within(body, inside.brand.extension, (live) =>
        live.tier === "max" ? { ...live, credits_per_1k_tokens: 25 } : live,
      ),
    ),
  ),
  single("one-model-dearer", "8/6", "One of the two 8-unit models costs 9", () => {
    const { take, network: leaking } = leak();
    const dear = (honest: Network, job: { model: number }): boolean => honest.models[job.model]!.parameters === "7B";
    return {
      network: (honest) =>
        jobViews((job) => ({ charged: job.charged + (job.settlementTx !== 0 && dear(honest, job) ? 1 : 0) })).network!(
          leaking(({ wallet }) => ({ settled: (job) => void (dear(honest, job) && take(wallet, 1)) }))(honest),
        ),
    };
  }),
  boundary(
    "exact-balance-refused",
    "8/7",
    "A balance of exactly the price does not pay",
    rules(() => ({
      covers: (balance, required) => balance > required,
    })),
  ),
  boundary("one-unit-short-accepted", "8/7", "A balance one unit below the price pays", () =>
    unpaid(({ wallet }, required, honest) => required - honest.available(wallet) === 1),
  ),
  single(
    "tier-of-14b",
    "8/9",
    "The 14B model is in the tier `standard`",
    model((body, inside) =>
      within(body, inside.brand.extension, (live) =>
        live.parameters === "14B" ? { ...live, tier: "standard" } : live,
      ),
    ),
  ),
  boundary(
    "long-charges-in-fractions",
    "8/11",
    "Long completions are charged in fractions of a unit",
    jobViews((job) => ({
      charged: job.outputTokens > 500 && job.settlementTx !== 0 ? job.charged + 0.5 : job.charged,
    })),
  ),
  sequence("quota-of-thirty", "8/4", "The thirty-first request of a wallet within a minute is refused", () => {
    const times = new Map<number, number[]>();
    return network((honest) => ({
      submit(request, listener) {
        const recent = (times.get(request.wallet) ?? []).filter((at) => honest.now - at < 60 * SECOND);
        if (recent.length >= 30) return { ok: false, error: "no_workers_available", retryAfterSeconds: 30 };
        times.set(request.wallet, [...recent, honest.now]);
        return honest.submit(request, listener);
      },
    }));
  }),
];
