/** Further defects in the lives of jobs (section 3): those that hide in one form, one tier, one moment. */
import { MINUTE, SECOND } from "../core/index.ts";
import { view } from "../facade/inside.ts";
import { job, jobViews, leak, network, rules, watch, within } from "../facade/overrides.ts";
import type { JobView, Network } from "../port.ts";
import { boundary, concurrent, sequence } from "./defect.ts";

/** Units that are taken, or given where negative, when a job comes to an end that `of` knows. */
function atTheEnd(
  of: (job: JobView, honest: Network, streamed: boolean) => number,
  end: "failed" | "refunded" | "settled",
  later = 0,
) {
  return () => {
    const { take, network: leaking } = leak();
    const { streams, middleware } = watch();
    return {
      middleware,
      network: leaking((_, honest) => {
        const streamed = streams();
        return {
          [end](each: JobView) {
            const { wallet } = each;
            const units = of(each, honest, streamed);
            if (units !== 0) honest.after(later, () => take(wallet, units));
          },
        };
      }),
    };
  };
}

const tierOf = (each: JobView, honest: Network): string => honest.models[each.model]!.tier;

export const section3Held = [
  sequence(
    "worker-of-processing-is-another",
    "3.1/2",
    "A job that is processing names another worker than the one that finishes it",
    job((body, inside, record) => {
      const { worker } = view(inside, record);
      return body.status === "processing"
        ? { ...body, worker_address: inside.network.workerAddress(worker + 1) }
        : body;
    }),
  ),
  sequence(
    "proof-told-as-settlement",
    "3.1/3",
    "A job that is settling shows the transaction of its proof as its settlement",
    job((body, inside, record) => {
      if (body.status !== "settling") return body;
      const { proofTx } = view(inside, record);
      return within(body, "on_chain", (chain) => ({ ...chain, settlement_tx: inside.network.chain.hash(proofTx) }));
    }),
  ),
  concurrent(
    "locked-units-spent-once-more",
    "3.1/1",
    "A wallet whose units are all locked is served once more",
    rules((honest) => ({ covers: (balance, required) => balance === 0 || honest.covers(balance, required) })),
  ),
];

export const section3Settled = [
  boundary(
    "settled-stream-given-back-at-limit",
    "3.1/4",
    "Two minutes after a stream has settled its charge is given back",
    atTheEnd((each, _, streamed) => (streamed ? -each.charged : 0), "settled", 2 * MINUTE),
  ),
  sequence(
    "settled-charged-again-after-a-minute",
    "3.1/4",
    "A minute after a job has settled its charge is taken once more",
    atTheEnd((each) => each.charged, "settled", MINUTE),
  ),
];

export const section3Unpaid = [
  boundary(
    "failed-job-returned-twice",
    "1/9",
    "The units of a failed job are given back once more when its 120 seconds are over",
    atTheEnd((each) => -each.locked, "failed", 119 * SECOND),
  ),
  sequence(
    "failed-stream-keeps-estimate",
    "1/9",
    "A stream that failed gives back its flat price and not what was locked beyond it",
    atTheEnd((each, _, streamed) => (streamed && each.locked > 40 ? 5 : 0), "failed"),
  ),
  sequence(
    "refund-of-pro-halved",
    "4.1/39",
    "A job of the tier `pro` that timed out gives back half of its units",
    atTheEnd((each, honest) => (tierOf(each, honest) === "pro" ? Math.ceil(each.locked / 2) : 0), "refunded"),
  ),
  sequence(
    "refund-of-streams-missing",
    "4.1/39",
    "A stream that timed out gives nothing back",
    atTheEnd((each, _, streamed) => (streamed ? each.locked : 0), "refunded"),
  ),
  concurrent(
    "refund-of-two-paid-once",
    "4.1/39",
    "Of two jobs that time out together only one gives its units back",
    () => {
      const last = new Map<number, number>();
      return atTheEnd((each, honest) => {
        const before = last.get(each.wallet);
        last.set(each.wallet, honest.now);
        return before !== undefined && honest.now - before < SECOND ? each.locked : 0;
      }, "refunded")();
    },
  ),
  boundary(
    "late-work-charged",
    "4.1/39",
    "A worker that is at work when the time is over is paid half a minute later after all",
    atTheEnd((each) => (each.firstTokenAt >= 0 ? each.locked : 0), "refunded", 30 * SECOND),
  ),
  boundary(
    "late-work-settles",
    "3.1/12",
    "A refunded job whose worker was at work is `settled` half a minute later",
    jobViews((each, honest) =>
      each.status === "refunded" && each.firstTokenAt >= 0 && honest.now - each.completedAt > 30 * SECOND
        ? { status: "settled" }
        : {},
    ),
  ),
  boundary(
    "timeout-after-126-seconds",
    "3.1/6",
    "A job times out after 126 seconds",
    rules(() => ({ jobTimeout: 126 * SECOND })),
  ),
];

export const section3Arbitration = [
  boundary(
    "disputed-until-the-time-limit",
    "3.1/17",
    "A disputed job is `settled` again two minutes after it was created",
    jobViews((each, honest) =>
      each.status === "disputed" && honest.now - each.createdAt > 2 * MINUTE ? { status: "settled" } : {},
    ),
  ),
  sequence(
    "settlement-undoes-dispute",
    "3.1/17",
    "A job that is disputed while it is settling becomes `settled` with its settlement",
    () => {
      const early = new Set<number>();
      const views = jobViews((each) =>
        early.has(each.job) && each.status === "disputed" ? { status: "settled" } : {},
      );
      return {
        network(honest) {
          const settled = (number: number): boolean => {
            const tx = honest.job(number)?.settlementTx ?? 0;
            return tx !== 0 && honest.chain.blockOf(tx) > 0;
          };
          const shown = network(() => ({
            dispute(number, differ) {
              const unsettled = !settled(number);
              const result = honest.dispute(number, differ);
              if (result.ok && result.opened && unsettled) honest.after(SECOND, () => early.add(number));
              return result;
            },
          })).network!(honest);
          return views.network!(shown);
        },
      };
    },
  ),
  sequence(
    "verdict-on-streams-differs",
    "3.1/15",
    "After a verdict a streamed job is `refunded`, any other `settled`",
    () => {
      const judged = new Set<number>();
      return {
        ...network((honest) => ({
          verdict(number, verdict) {
            const given = honest.verdict(number, verdict);
            if (given) judged.add(number);
            return given;
          },
        })),
        ...job((body, _, record) =>
          judged.has(record.job) && record.streamed ? { ...body, status: "refunded" } : body,
        ),
      };
    },
  ),
  sequence("verdict-honest-charges-again", "3.1/16", "A verdict for the worker takes the charge a second time", () => {
    const { take, network: leaking } = leak();
    return {
      network(honest) {
        const inner = leaking()(honest);
        return Object.assign(Object.create(inner) as Network, {
          verdict(number, verdict) {
            const each = honest.job(number);
            const [wallet, charged] = [each?.wallet ?? 0, each?.charged ?? 0];
            const given = inner.verdict(number, verdict);
            if (given && verdict === "honest") take(wallet, charged);
            return given;
          },
        } satisfies Partial<Network>);
      },
    };
  }),
];

export const section3More = [...section3Held, ...section3Settled, ...section3Unpaid, ...section3Arbitration];
