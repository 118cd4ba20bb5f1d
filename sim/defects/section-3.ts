/** Defects in the states of jobs, webhooks and keys (section 3). */
import { HOUR, SECOND } from "../core/index.ts";
import { view } from "../facade/inside.ts";
import type { JobRecord } from "../facade/jobs.ts";
import type { Key } from "../facade/keys.ts";
import { job, jobViews, leak, rules, status, watch, webhook, within } from "../facade/overrides.ts";
import { boundary, sequence, single } from "./defect.ts";

export const section3Jobs = [
  sequence(
    "failed-shown-refunded",
    "3.1/5",
    "A job whose worker dropped out is `refunded`",
    jobViews((each) => ({
      status: each.status === "failed" ? "refunded" : each.status,
    })),
  ),
  sequence(
    "timeout-shown-failed",
    "3.1/6",
    "A job that timed out is `failed`",
    jobViews((each) => ({
      status: each.status === "refunded" ? "failed" : each.status,
    })),
  ),
  single("equal-hash-marks-disputed", "3.1/7", "A dispute with the worker's own hash makes the job `disputed`", () => {
    const marked = new Set<JobRecord>();
    return {
      door: (honest) => ({
        disputeBody(inside, record, received, opened, tx) {
          if (!opened) marked.add(record);
          return honest.disputeBody(inside, record, received, opened, tx);
        },
        jobBody: (inside, record) =>
          marked.has(record)
            ? { ...honest.jobBody(inside, record), status: "disputed" }
            : honest.jobBody(inside, record),
      }),
    };
  }),
  single(
    "streamed-job-never-settles",
    "3.1/8",
    "A streamed job stays `settling`",
    job((body, _, record) => (record.streamed && body.status === "settled" ? { ...body, status: "settling" } : body)),
  ),
  sequence(
    "status-steps-back",
    "3.1/9",
    "A job that is processing is `pending` again when it is looked at a second time",
    () => {
      const seen = new Set<string>();
      return job((body, _, record) => {
        if (body.status !== "processing") return body;
        if (seen.has(record.id)) return { ...body, status: "pending" };
        seen.add(record.id);
        return body;
      });
    },
  ),
  sequence(
    "failed-job-settlement",
    "3.1/10",
    "A failed job shows the return of its units as its settlement",
    job((body, inside, record) => {
      const { status, refundTx } = view(inside, record);
      if (status !== "failed" && status !== "refunded") return body;
      return within(body, "on_chain", (chain) => ({ ...chain, settlement_tx: inside.network.chain.hash(refundTx) }));
    }),
  ),
  sequence(
    "settled-forgotten-after-hours",
    "3.1/12",
    "A settled job is `failed` twelve hours later",
    job((body, inside, record) => {
      const { completedAt } = view(inside, record);
      const old = body.status === "settled" && inside.network.now - completedAt > 12 * HOUR;
      return old ? { ...body, status: "failed" } : body;
    }),
  ),
  sequence("verdicts-vary", "3.1/15", "The status after a verdict is another every second time", () => {
    let verdicts = 0;
    return rules(() => ({ statusAfterVerdict: () => (verdicts++ % 2 === 0 ? "settled" : "disputed") }));
  }),
  sequence(
    "verdict-pays-half",
    "3.1/16",
    "A verdict of fraud gives the client half of its charge",
    rules(() => ({
      compensation: (fraudulent, charged) => (fraudulent ? Math.ceil(charged / 2) : 0),
    })),
  ),
  sequence("disputed-for-an-hour", "3.1/17", "A disputed job is `settled` an hour later, without a verdict", () => {
    const since = new Map<number, number>();
    return jobViews((each, honest) => {
      if (each.status !== "disputed") return {};
      if (!since.has(each.job)) since.set(each.job, honest.now);
      return { status: honest.now - since.get(each.job)! > HOUR ? "settled" : "disputed" };
    });
  }),
  sequence("failed-job-answered-ok", "3.1/19", "A request whose job failed is answered 200", status("job_failed", 200)),
  sequence("unhosted-model-charges", "3.1/21", "A request to a model that nobody hosts is charged", () => {
    const { take, network: leaking } = leak();
    const around = leaking();
    return {
      network: (honest) => {
        const inner = around(honest);
        return Object.assign(Object.create(inner), {
          submit(...given: Parameters<typeof inner.submit>) {
            const result = inner.submit(...given);
            if (!result.ok && result.error === "no_workers_available") take(given[0].wallet, 2);
            return result;
          },
        });
      },
    };
  }),
];

export const section3Webhooks = [
  sequence(
    "webhook-never-fails",
    "3.2/1",
    "A webhook stays `active` after the fifth failed attempt",
    webhook((body) => ({ ...body, status: "active" })),
  ),
  boundary(
    "webhook-fails-at-fourth",
    "3.2/3",
    "A webhook shows its failed state after the fourth failed attempt",
    webhook((body, inside, shown) => {
      const worn = inside.deliveries.of(shown).some(({ attempts, state }) => attempts >= 4 && state === "pending");
      return worn ? { ...body, status: "failed" } : body;
    }),
  ),
  sequence(
    "webhook-fails-at-once",
    "3.2/3",
    "A webhook shows its failed state from the first failed attempt on",
    webhook((body, inside, shown) => {
      const worn = inside.deliveries.of(shown).some(({ attempts, state }) => attempts >= 1 && state === "pending");
      return worn ? { ...body, status: "failed" } : body;
    }),
  ),
];

/** The door with a key let in that should not be. */
const admits = (pass: (key: Key, request: { method: string; path: string }, now: number) => boolean) => ({
  door: (honest: import("../facade/index.ts").Door) => ({
    authenticate(...given: Parameters<typeof honest.authenticate>) {
      const [inside, authorization, request] = given;
      const found = inside.keys.find(authorization?.replace(/^\S+ +/, "").trim() ?? "");
      if (found !== undefined && found.state !== "active" && pass(found, request, inside.network.now)) return found;
      return honest.authenticate(...given);
    },
  }),
});

export const section3Keys = [
  sequence(
    "suspended-key-accepted",
    "3.3/3",
    "A suspended key is accepted",
    admits((key) => key.state === "suspended"),
  ),
  sequence("suspended-key-unknown", "7.2/16", "A suspended key is refused with 401", status("key_suspended", 401)),
  sequence(
    "revoked-key-reads",
    "3.3/4",
    "A revoked key may still read",
    admits((key, { method }) => key.state === "revoked" && method === "GET"),
  ),
  sequence(
    "suspended-key-keeps-webhooks",
    "3.3/4",
    "A suspended key may still change webhooks",
    admits((key, { path }) => key.state === "suspended" && path.startsWith("/v1/webhooks")),
  ),
  sequence("revoked-key-streams", "5/10", "A revoked key may still stream", () => {
    const { streams, middleware } = watch();
    return { middleware, ...admits((key) => key.state === "revoked" && streams()) };
  }),
  boundary(
    "revocation-takes-a-minute",
    "5/10",
    "A revoked key is accepted for another minute after it is first seen",
    () => {
      const seen = new Map<Key, number>();
      return admits((key, _, now) => {
        if (key.state !== "revoked") return false;
        if (!seen.has(key)) seen.set(key, now);
        return now - seen.get(key)! < 60 * SECOND;
      });
    },
  ),
  sequence("revoked-key-returns", "5/10", "Every tenth request of a revoked key is accepted", () => {
    let requests = 0;
    return admits((key) => key.state === "revoked" && ++requests % 10 === 0);
  }),
  sequence("suspended-key-pays", "3.3/5", "A refused request of a suspended key takes a unit", () => {
    const { take, network: leaking } = leak();
    return {
      network: leaking(),
      ...admits((key) => {
        if (key.state === "suspended") take(key.wallet, 1);
        return false;
      }),
    };
  }),
];
