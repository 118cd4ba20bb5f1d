/** Defects in disputes (section 4.7). */

import { createHash } from "node:crypto";
import { SECOND } from "../core/index.ts";
import { optional, required, text } from "../facade/fields.ts";
import type { Changes } from "../facade/index.ts";
import { view } from "../facade/inside.ts";
import type { JobRecord } from "../facade/jobs.ts";
import { disputed, job, leak, mute, network, rules, status } from "../facade/overrides.ts";
import type { DisputeResult, Network } from "../port.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";

/** Another answer of the world to a dispute. */
const disputes = (
  change: (result: DisputeResult, job: number, differ: boolean, honest: Network) => DisputeResult,
): Changes =>
  network((honest) => ({
    dispute: (number, differ) => change(honest.dispute(number, differ), number, differ, honest),
  }));

const expired: DisputeResult = { ok: false, error: "window_expired" };

export const section4Disputes = [
  single("dispute-without-hash", "4.7/1", "A dispute without a hash is heard", {
    door: () => ({
      disputeFields: { received_output_hash: optional(text) },
      hashesDiffer: (inside, record, received) => (received ?? "") !== inside.door.postedHash(inside, record),
    }),
  }),
  single("dispute-with-any-text", "4.7/2", "A dispute with a hash of any form is heard", {
    door: () => ({ disputeFields: { received_output_hash: required(text) } }),
  }),
  boundary("dispute-with-short-hash", "4.7/2", "A dispute with a hash one digit short is heard", {
    door: (honest) => ({
      disputeFields: {
        received_output_hash: required((value, param, shape) =>
          typeof value === "string" && /^sha256:[0-9a-f]{63}$/.test(value)
            ? undefined
            : honest.disputeFields.received_output_hash!.rule(value, param, shape),
        ),
      },
    }),
  }),
  single(
    "opened-dispute-denied",
    "4.7/3",
    "A dispute that was opened is said not to be",
    disputed((body) => ({ ...body, dispute_opened: false })),
  ),
  single(
    "disputed-job-looks-settled",
    "4.7/4",
    "A disputed job is shown as `settled`",
    job((body) => ({
      ...body,
      status: body.status === "disputed" ? "settled" : body.status,
    })),
  ),
  single(
    "equal-hash-opens",
    "4.7/5",
    "A dispute with the worker's own hash is opened",
    rules(() => ({ opensDispute: () => true })),
  ),
  single(
    "equal-hash-has-transaction",
    "4.7/6",
    "The answer to equal hashes names a dispute transaction",
    disputed((body, inside, record, _received, opened) =>
      opened ? body : { ...body, dispute_tx: inside.network.chain.hash(view(inside, record).proofTx) },
    ),
  ),
  sequence("newline-hashed", "4.7/8", "A dispute is judged by the hash of the text with its trailing newline", {
    door: () => ({
      hashesDiffer: (inside, record, received) =>
        received !==
        (record.plan.text.endsWith("\n") && view(inside, record).honestProof
          ? `sha256:${createHash("sha256").update(record.plan.text).digest("hex")}`
          : inside.door.postedHash(inside, record)),
    }),
  }),
  boundary(
    "window-of-59-seconds",
    "4.7/10",
    "A dispute is heard within 59 seconds",
    rules(() => ({ disputeWindow: 59 * SECOND })),
  ),
  boundary(
    "window-from-creation",
    "4.7/10",
    "The 60 seconds of a dispute are counted from the job's creation",
    network((honest) => ({
      dispute: (number, differ) =>
        honest.now - (honest.job(number)?.createdAt ?? 0) > 60 * SECOND ? expired : honest.dispute(number, differ),
    })),
  ),
  boundary(
    "window-of-61-seconds",
    "4.7/11",
    "A dispute is heard within 61 seconds",
    rules(() => ({ disputeWindow: 61 * SECOND })),
  ),
  boundary(
    "window-from-settlement",
    "4.7/11",
    "The 60 seconds of a dispute are counted from the settlement",
    rules((honest) => ({
      // Proof and settlement take a block or two each.
      mayDispute: (now, lastTokenAt, window) => honest.mayDispute(now - 0.4 * SECOND, lastTokenAt, window),
    })),
  ),
  sequence(
    "window-never-ends",
    "4.7/11",
    "A dispute is heard whenever it comes",
    rules(() => ({ mayDispute: () => true })),
  ),
  sequence(
    "late-equal-hash-heard",
    "4.7/12",
    "A late dispute with the worker's own hash is answered as one on time",
    disputes((result, _job, differ) =>
      !result.ok && result.error === "window_expired" && !differ ? { ok: true, opened: false, tx: 0 } : result,
    ),
  ),
  sequence(
    "late-dispute-marks",
    "4.7/13",
    "A dispute that was refused as late makes the job `disputed` all the same",
    () => {
      const marked = new Set<number>();
      const hearing = disputes((result, number) => {
        if (!result.ok && result.error === "window_expired") marked.add(number);
        return result;
      });
      return {
        ...hearing,
        ...job((body, _, record: JobRecord) => (marked.has(record.job) ? { ...body, status: "disputed" } : body)),
      };
    },
  ),
  single(
    "dispute-of-unknown-422",
    "4.7/14",
    "A dispute of an unknown job is answered 422",
    status("job_not_found", 422),
  ),
  single("foreign-job-disputable", "4.7/15", "A job of another wallet can be disputed", {
    door: (honest) => ({
      owns: (owner, wallet, purpose) => purpose === "dispute" || honest.owns(owner, wallet, purpose),
    }),
  }),
  sequence(
    "second-dispute-opens",
    "4.7/17",
    "A second dispute of a job has a transaction of its own",
    disputes((result, number, _differ, honest) =>
      !result.ok && result.error === "already_disputed"
        ? { ok: true, opened: true, tx: honest.job(number)!.proofTx }
        : result,
    ),
  ),
  concurrent("dispute-twice-at-once", "4.7/17", "Two disputes of a job in the same moment are both opened", () => {
    const first = new Map<number, number>();
    return disputes((result, number, _differ, honest) => {
      if (result.ok && result.opened) first.set(number, honest.now);
      const again = !result.ok && result.error === "already_disputed" && first.get(number) === honest.now;
      return again ? { ok: true, opened: true, tx: honest.job(number)!.proofTx } : result;
    });
  }),
  sequence(
    "failed-job-disputable",
    "4.7/19",
    "A job that failed or timed out can be disputed",
    disputes((result, number, _differ, honest) => {
      const each = honest.job(number);
      const over = each?.status === "failed" || each?.status === "refunded";
      return !result.ok && over ? { ok: true, opened: true, tx: each.lockTx } : result;
    }),
  ),
  sequence(
    "job-disputed-silent",
    "6.1/6",
    "`job.disputed` is not sent",
    mute(({ event }) => event === "job.disputed"),
  ),
  sequence(
    "dispute-half-opened",
    "4.7/21",
    "A job whose dispute was opened is still `settled` when it is first looked at",
    () => {
      const since = new Map<string, number>();
      return job((body, inside, record) => {
        if (body.status !== "disputed") return body;
        if (!since.has(record.id)) since.set(record.id, inside.network.now);
        return inside.network.now === since.get(record.id) ? { ...body, status: "settled" } : body;
      });
    },
  ),
  sequence(
    "fraud-overlooked",
    "4.7/22",
    "The client's hash is compared with the one that the worker should have posted",
    {
      door: () => ({
        hashesDiffer: (inside, record, received) => received !== inside.door.outputHash(record.plan.text),
      }),
    },
  ),
  sequence("dispute-costs-units", "4.7/24", "Opening a dispute takes ten units", () => {
    const { take, network: leaking } = leak();
    const charging = disputes((result, number, _differ, honest) => {
      if (result.ok && result.opened) take(honest.job(number)!.wallet, 10);
      return result;
    });
    return { network: (honest) => charging.network!(leaking()(honest)) };
  }),
  single("late-dispute-is-400", "7.2/14", "A late dispute is refused with 400", status("dispute_window_expired", 400)),
  sequence("late-dispute-heard-again", "7.2/18", "A late dispute that is sent again is heard", () => {
    const refused = new Set<number>();
    return network((honest) => ({
      dispute(number, differ) {
        const result = honest.dispute(number, differ);
        if (result.ok || result.error !== "window_expired") return result;
        if (refused.has(number)) return { ok: true, opened: differ, tx: differ ? honest.job(number)!.proofTx : 0 };
        refused.add(number);
        return result;
      },
    }));
  }),
  single(
    "arbitration-of-48-hours",
    "8/1",
    "A dispute's result tells a window of 48 hours",
    disputed((body) => ({
      ...body,
      arbitration_window_hours: 48,
    })),
  ),
];
