/** Further defects in disputes (section 4.7): those of one form, one tier, one order of requests. */
import { SECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { view } from "../facade/inside.ts";
import type { JobRecord } from "../facade/jobs.ts";
import { job, network } from "../facade/overrides.ts";
import type { DisputeResult, JobView, Network } from "../port.ts";
import { boundary, sequence, single } from "./defect.ts";

const expired: DisputeResult = { ok: false, error: "window_expired" };

/** Another answer of the world to a dispute; undefined leaves it to the honest one. */
const hears = (answer: (each: JobView, differ: boolean, honest: Network) => DisputeResult | undefined): Changes =>
  network((honest) => ({
    dispute(number, differ) {
      const each = honest.job(number);
      return (each === undefined ? undefined : answer(each, differ, honest)) ?? honest.dispute(number, differ);
    },
  }));

/** An answer that opens nothing, or says that it did. */
const heard = (each: JobView, opened: boolean): DisputeResult => ({ ok: true, opened, tx: opened ? each.proofTx : 0 });

export const section4DisputesMore = [
  boundary(
    "window-of-max-is-30-seconds",
    "4.7/10",
    "A job of the tier `max` can be disputed for 30 seconds",
    hears((each, _, honest) => {
      const { tier } = honest.models[each.model]!;
      return tier === "max" && each.lastTokenAt >= 0 && honest.now - each.lastTokenAt > 30 * SECOND
        ? expired
        : undefined;
    }),
  ),
  boundary(
    "window-from-first-token",
    "4.7/10",
    "The 60 seconds of a dispute are counted from the first token",
    hears((each, _, honest) =>
      each.lastTokenAt >= 0 && honest.now - each.firstTokenAt > 60 * SECOND ? expired : undefined,
    ),
  ),
  sequence("window-begins-anew-when-asked", "4.7/11", "A dispute with equal hashes begins the 60 seconds anew", () => {
    const asked = new Map<number, number>();
    return hears((each, differ, honest) => {
      const late = each.lastTokenAt >= 0 && honest.now - each.lastTokenAt > 60 * SECOND;
      const since = honest.now - (asked.get(each.job) ?? Number.NEGATIVE_INFINITY);
      if (!differ && !late) asked.set(each.job, honest.now);
      return late && since < 60 * SECOND && each.status === "settled" ? heard(each, differ) : undefined;
    });
  }),
  sequence(
    "malformed-dispute-uses-it-up",
    "4.7/13",
    "After a malformed dispute a job cannot be disputed any more",
    () => {
      const spoiled = new Set<string>();
      return {
        middleware: (inside) => (request, response, next) => {
          const id = /^\/v1\/jobs\/(\w+)\/dispute$/.exec(request.target)?.[1];
          const wellFormed = /"sha256:[0-9a-f]{64}"/i.test(Buffer.from(request.body).toString());
          if (id !== undefined && !wellFormed) spoiled.add(id);
          const gone = id !== undefined && wellFormed && spoiled.has(id) && inside.jobs.find(id) !== undefined;
          const body = gone ? Buffer.from("{}") : request.body;
          return next({ ...request, body }, response);
        },
      };
    },
  ),
  sequence("verdict-allows-another-dispute", "4.7/17", "After its verdict a job can be disputed once more", () => {
    const judged = new Set<number>();
    return network((honest) => ({
      verdict(number, verdict) {
        judged.add(number);
        return honest.verdict(number, verdict);
      },
      dispute(number, differ) {
        const each = honest.job(number);
        return differ && each !== undefined && judged.has(number) ? heard(each, true) : honest.dispute(number, differ);
      },
    }));
  }),
  sequence("third-equal-hash-opens", "4.7/5", "The third dispute with the worker's own hash is opened", () => {
    const asked = new Map<number, number>();
    return hears((each, differ, honest) => {
      if (differ || each.status !== "settled") return undefined;
      const times = (asked.get(each.job) ?? 0) + 1;
      asked.set(each.job, times);
      return times === 3 ? honest.dispute(each.job, true) : undefined;
    });
  }),
  boundary("hashes-compared-by-half", "4.7/3", "Hashes are compared by their first 32 digits", {
    door: (honest) => ({
      hashesDiffer: (inside, record, received) =>
        received.slice(0, 39).toLowerCase() !== inside.door.postedHash(inside, record).slice(0, 39) &&
        honest.hashesDiffer(inside, record, received),
    }),
  }),
  sequence("dispute-marks-the-job-before", "4.7/13", "A dispute also marks the job that the wallet made before", () => {
    const marked = new Set<JobRecord>();
    return {
      door: (honest) => ({
        disputeBody(inside, record, received, opened, tx) {
          const own = inside.jobs.of(record.wallet);
          const before = own[own.indexOf(record) - 1];
          if (opened && before !== undefined) marked.add(before);
          return honest.disputeBody(inside, record, received, opened, tx);
        },
        jobBody(inside, record) {
          const body = honest.jobBody(inside, record);
          return marked.has(record) && body.status === "settled" ? { ...body, status: "disputed" } : body;
        },
      }),
    };
  }),
  sequence(
    "stream-disputable-midway",
    "4.7/19",
    "A job that is being streamed can be disputed before its last token",
    hears((each) =>
      each.firstTokenAt >= 0 && each.lastTokenAt < 0 ? { ok: true, opened: true, tx: each.lockTx } : undefined,
    ),
  ),
  sequence("silent-job-disputable", "4.7/19", "A job that waits becomes `disputed` when it is disputed", () => {
    const marked = new Set<number>();
    const early = hears((each) => {
      if (each.status !== "processing" || each.firstTokenAt >= 0) return undefined;
      marked.add(each.job);
      return { ok: false, error: "not_completed" };
    });
    const shown = job((body, inside, record) =>
      marked.has(record.job) && view(inside, record).completedAt < 0 ? { ...body, status: "disputed" } : body,
    );
    return { ...early, ...shown };
  }),
  single(
    "dispute-of-stream-hashes-chunks",
    "4.7/8",
    "The hash of a streamed text is made of its first thousand letters",
    {
      door: (honest) => ({
        postedHash(inside, record) {
          const short = record.streamed && record.plan.text.length > 1_000 && view(inside, record).honestProof;
          return short ? inside.door.outputHash(record.plan.text.slice(0, 1_000)) : honest.postedHash(inside, record);
        },
      }),
    },
  ),
];
