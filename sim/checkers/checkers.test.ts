import { describe, expect, it } from "vitest";
import { SECOND } from "../core/index.ts";
import { plantedDefects } from "../planted/index.ts";
import { honestRules, type Rules } from "../rules.ts";
import { runWorld } from "../run.ts";
import { buildScenario, parseScenario } from "../scenario/index.ts";
import { kinds, replay, type TraceEvent, type WorldKinds } from "../trace/index.ts";
import { checkers, Judges } from "./index.ts";

/** A small world in which everything happens: time-outs, failures, frauds and disputes, late work, webhooks that fail, redemption. */
const BUSY = `
seed: 3
duration: 20min
models: [{ id: a, tier: standard }]
workers:
  - { kind: native, count: 2, slots: 2, dishonest: 0.2, failing: 0.05, silent: 0.02, stake: 1500, works_late: true }
  - { kind: browser, count: 1, token_time: 200ms, works_late: true }
clients:
  - name: one
    wallets: 3
    units: 500
    arrivals: { process: poisson, rate: 0.3 }
    max_tokens: 900
    top_up: { below: 100, units: 200 }
    checks: { share: 0.3, after: 20s }
    redeem_at: 25min
    webhook: { events: [job.completed, job.timeout], success: 0.2 }
`;

async function violations(rules: Partial<Rules>, judges = checkers): Promise<readonly string[]> {
  const options = buildScenario(parseScenario(BUSY, "busy.yaml"), { rules: { ...honestRules, ...rules } });
  const { violations } = await runWorld(options, { checkers: judges });
  return violations.map(({ what }) => what);
}

/** What each checker says of a world with one promise broken. */
const planted: readonly (readonly [checker: string, rules: Partial<Rules>, said: RegExp])[] = [
  ["refund-on-time", { jobTimeout: 119 * SECOND }, /refunded 119000000 us after its creation, not 120000000/],
  ["refund-on-time", { jobTimeout: 121 * SECOND }, /refunded 121000000 us after its creation/],
  ["refund-on-time", { refundOnTimeout: () => 0 }, /0 units refunded of \d+ locked/],
  ["refund-on-time", { refundsAtDeadline: () => false }, /still running \d+ us after its creation, and no refund/],
  ["refund-on-time", { endStopsTimer: false, refundsAtDeadline: () => true }, /although it had finished/],
  ["units-conserved", { refundOnTimeout: () => 0 }, /units were locked, 0 returned/],
  ["units-conserved", { refundOnFailure: (locked) => locked - 1 }, /12 units were locked, 11 returned/],
  ["units-conserved", { difference: () => 0 }, /12 units were locked, 8 charged and returned/],
  ["every-job-final", { settlementsPerJob: 0 }, /not final, it waits for its settlement/],
  ["locks-end-once", { settlementsPerJob: 0 }, /its lock never ended/],
  ["locks-end-once", { settlementsPerJob: 2, maySettle: () => true }, /payment from a lock that had ended before/],
  ["every-job-final", { settlementsPerJob: 2, maySettle: () => true }, /ended twice/],
  ["worker-share", { workerShare: () => 80 }, /got 640 hundredths and the treasury 160, not 85 % and the rest/],
  ["charge-by-price", { charge: () => 7 }, /7 units for \d+ tokens, not 8/],
  [
    "staked-to-serve",
    { minimumNativeStake: 1, slash: () => 1_000, arbitration: 60 * SECOND },
    /took job \d+ with a stake of 500 tokens/,
  ],
  ["dispute-window", { arbitration: 1e12 }, /decided 100000\d+ us after the dispute/],
  ["delivery-schedule", { deliveryDelays: [0, 31 * SECOND] }, /attempt 2 after 31000000 us, not 30000000/],
  ["delivery-schedule", { deliveryDelays: [0, 30e6, 300e6, 18e8, 72e8, 1e6] }, /attempt 6 of 5/],
  ["delivery-schedule", { deliveryDelays: [0, 30e6, 300e6, 18e8] }, /webhook 0: failed after 4 attempts/],
];

describe("checkers, in a world with one promise broken", () => {
  it("hold in the honest world", async () => expect(await violations({})).toEqual([]));

  for (const [checker, rules, said] of planted) {
    it(`${checker}: ${Object.entries(rules)
      .map(([name, value]) => `${name} = ${value}`)
      .join(", ")}`, async () => {
      const found = await violations(rules, { [checker]: checkers[checker]! });
      expect(found.some((what) => said.test(what))).toBe(true);
    });
  }
});

type Event = TraceEvent<WorldKinds>;
const at = (time: number, kind: Event["kind"], fields: Record<string, number>): Event =>
  ({ time, kind, ...fields }) as Event;
const created = at(0, "job.created", { job: 0, number: 0, wallet: 0, model: 0, promptTokens: 1, units: 8, tx: 1 });
const bought = at(0, "units.bought", { wallet: 0, units: 100, tx: 1 });
const locked = at(1, "job.locked", { job: 0, wallet: 0, units: 8, tx: 2 });
const lastToken = at(2, "job.lastToken", { job: 0, worker: 0, outputTokens: 5 });
const paid = at(3, "job.paid", { job: 0, wallet: 0, worker: 0, charged: 8, returned: 0, paid: 680, fee: 120, tx: 3 });
const settled = at(3, "job.settled", { job: 0 });
const staked = at(0, "stake.deposited", { worker: 0, amount: 1_000, tx: 1 });
const undone = at(8, "tx.undone", { tx: 4, transaction: 3, subject: 0 });
const reorganised = at(8, "chain.reorganised", { height: 1, blocks: 1 });
const slashed = at(5, "stake.slashed", { worker: 0, amount: 100, job: 0, tx: 5 });
const disputed = (time: number): Event => at(time, "job.disputed", { job: 0, worker: 0, tx: 4 });
const calm = at(0, "calm.began", {});
const listed = at(0, "model.listed", { model: 0, tier: 1 });
const joined = at(0, "worker.registered", { worker: 0, native: 1, slots: 1 });
const hosts = at(0, "worker.hosts", { worker: 0, model: 0 });
const taken = (job: number): Event => at(2, "job.processing", { job, worker: 0 });
const freed = at(3, "slot.freed", { worker: 0, job: 0 });
const verdict = (fraudulent: number): Event =>
  at(5, "dispute.decided", { job: 0, worker: 0, fraudulent, units: 0, tx: 5 });

/** Traces that no rule brings about, each with what its checker says. */
const handMade: readonly (readonly [checker: string, said: string, events: readonly Event[]])[] = [
  ["balances-not-negative", "wallet 0: a balance of -8 units", [created, locked]],
  [
    "balances-not-negative",
    "wallet 0: a balance of -1 units",
    [bought, at(1, "units.redeemed", { wallet: 0, units: 101, tx: 2 })],
  ],
  ["locks-end-once", "job 0: payment from a lock that did not exist", [created, paid]],
  ["locks-end-once", "job 0: locked twice", [created, locked, locked]],
  ["locks-end-once", "job 0: forgotten while its lock is held", [created, locked, created]],
  ["paid-after-proof", "job 0: worker 0 was paid, but no proof is on-chain", [created, locked, paid]],
  [
    "paid-after-proof",
    "job 0: worker 0 was paid, but the proof is worker 1's",
    [created, locked, at(2, "job.settling", { job: 0, worker: 1, honest: 1, tx: 3 }), paid],
  ],
  ["dispute-window", "job 0: disputed before it was complete", [created, disputed(3)]],
  [
    "dispute-window",
    "job 0: disputed 60000001 us after its last token, not within 60000000",
    [created, lastToken, disputed(60 * SECOND + 3)],
  ],
  ["dispute-window", "job 0: disputed twice", [created, lastToken, disputed(3), disputed(4)]],
  ["dispute-window", "job 0: a verdict without a dispute", [created, lastToken, verdict(1)]],
  [
    "settled-follows-chain",
    "job 0: still told as settled, after its settlement was undone",
    [created, paid, at(7, "job.settled", { job: 0 }), undone, reorganised],
  ],
  [
    "settled-follows-chain",
    "job 0: was settled and never came back to it after its settlement was undone",
    [created, paid, at(7, "job.settled", { job: 0 }), undone, at(8, "job.unsettled", { job: 0, tx: 4 }), reorganised],
  ],
  [
    "settled-follows-chain",
    "job 0: told as settled, while no block holds its settlement",
    [created, at(7, "job.settled", { job: 0 })],
  ],
  ["slashed-for-fraud", "worker 0: 100 tokens slashed without a verdict on job 0", [created, slashed]],
  ["slashed-for-fraud", "worker 0: 100 tokens slashed without a verdict on job 0", [created, verdict(0), slashed]],
  [
    "slashed-for-fraud",
    "worker 0: 100 tokens slashed without a verdict on job 0",
    [created, verdict(1), slashed, slashed],
  ],
  ["stake-conserved", "worker 0: a stake of -100 tokens", [slashed]],
  [
    "stake-conserved",
    "the chain says 999 tokens active, its transactions say 1000",
    [staked, at(9, "stakes.closed", { staked: 1_000, active: 999, slashed: 0, unstaked: 0 })],
  ],
  [
    "units-conserved",
    "the chain says 99 units available, its transactions say 100",
    [bought, at(9, "books.closed", { bought: 100, available: 99, locked: 0, settled: 0, redeemed: 0 })],
  ],
  ["every-job-final", "job 0: forgotten before its end", [created, created]],
  ["every-job-final", "job 0: not final, it waits for a worker", [created, locked]],
  ["every-job-final", "job 0: ended twice", [created, settled, settled]],
  [
    "littles-law",
    "jobs in the network add up to -999999999993 us by their number, to 3 us by their sojourns, and -1 are left",
    [created, settled, at(4, "job.settled", { job: 0 })],
  ],
  [
    "littles-law",
    "jobs at workers add up to 999999999998 us by their number, to 999999999998 us by their sojourns, and 1 are left",
    [created, taken(0)],
  ],
  [
    "served-in-calm",
    "job 0: timed out although nothing was at fault any more",
    [calm, created, at(120 * SECOND, "job.refunded", { job: 0, worker: -1, units: 8, tx: 3 })],
  ],
  ["served-in-calm", "job 0: never settled although nothing was at fault any more", [calm, created]],
  [
    "served-in-calm",
    "wallet 0: no worker for model 0 although nothing was at fault any more",
    [calm, at(1, "request.refused", { wallet: 0, model: 0, reason: 2, required: 0 })],
  ],
  [
    "nobody-starves",
    "job 0: waits for a worker of model 0 while worker 0 idles",
    [listed, joined, hosts, created, locked],
  ],
  ["slots-respected", "worker 0: 2 jobs at once, with 1 slots", [joined, taken(0), taken(1)]],
  [
    "slots-respected",
    "worker 0: took job 0 after it had left",
    [joined, at(1, "worker.left", { worker: 0 }), taken(0)],
  ],
  ["slots-respected", "worker 0: let go of job 0, which it does not hold", [joined, created, freed]],
  ["moves-in-order", "job 0: let go by its worker while processing", [created, locked, taken(0), freed]],
  ["moves-in-order", "job 0: disputed while created", [created, disputed(3)]],
  ["transactions-answered", "job 0: its lock was sent and never answered", [created]],
  [
    "refund-on-time",
    "job 0: still running 120000001 us after its creation, and no refund",
    [created, at(120 * SECOND + 1, "job.lastToken", { job: 0, worker: 0, outputTokens: 5 })],
  ],
  [
    "delivery-schedule",
    "delivery 0: attempted after its end",
    [
      at(0, "delivery.created", { delivery: 0, webhook: 0, event: 0, subject: 0 }),
      at(0, "delivery.attempted", { delivery: 0, attempt: 1 }),
      at(1, "delivery.succeeded", { delivery: 0, attempt: 1 }),
      at(30 * SECOND, "delivery.attempted", { delivery: 0, attempt: 2 }),
    ],
  ],
  [
    "delivery-schedule",
    "delivery 0: neither delivered nor given up",
    [at(0, "delivery.created", { delivery: 0, webhook: 0, event: 0, subject: 0 })],
  ],
];

describe("checkers, over traces made by hand", () => {
  for (const [checker, said, events] of handMade) {
    it(`${checker}: ${said}`, () => {
      const judges = new Judges({ [checker]: checkers[checker]! });
      replay(kinds, events, judges.folds);
      judges.finish(1e12);
      expect(judges.violations.map(({ what }) => what)).toContain(said);
    });
  }

  it("each is seen to fail", () => {
    const byHunt = plantedDefects.map(({ checker }) => checker).filter((checker) => checker in checkers);
    const seen = new Set([...[...planted, ...handMade].map(([checker]) => checker), ...byHunt]);
    expect([...seen].toSorted()).toEqual(Object.keys(checkers).toSorted());
  });
});
