/** Defects at places that requests of every day do not come to: what is read otherwise than it is written, and what a job tells after its end. */
import type { Changes } from "../facade/index.ts";
import { iso, view } from "../facade/inside.ts";
import { instead, job, model, network, receipt, requests, within } from "../facade/overrides.ts";
import { errorBody, notFound } from "../facade/refusal.ts";
import type { PlannedText } from "../facade/text.ts";
import { boundary, sequence, single } from "./defect.ts";

/** Ends texts where `find` says that a stop sequence begins. */
const stopping = (find: (text: string, stop: string) => number): Changes => ({
  door: (honest) => ({
    planText(draw, length, bound, stops) {
      const plan = honest.planText(draw, length, bound, []);
      const found = stops.map((stop) => find(plan.text, stop)).filter((at) => at >= 0);
      return found.length === 0 ? plan : cutAt(plan, Math.min(...found));
    },
  }),
});

/** A text that ends before the place `stop`. */
export function cutAt({ text, ends }: PlannedText, stop: number): PlannedText {
  const kept = ends.filter((at) => at < stop);
  if (stop > (kept.at(-1) ?? 0)) kept.push(stop);
  return { text: text.slice(0, stop), ends: kept, finishReason: "stop" };
}

export const stopsOtherwise = [
  single(
    "stop-is-a-pattern",
    "4.1/11",
    "A `stop` sequence is taken for a regular expression",
    stopping((text, stop) => text.search(new RegExp(stop))),
  ),
  single(
    "stop-in-any-letters",
    "4.1/11",
    "A `stop` sequence is met in small letters and capitals alike",
    stopping((text, stop) => text.toLowerCase().indexOf(stop.toLowerCase())),
  ),
  single(
    "stop-trimmed",
    "4.1/11",
    "The white space around a `stop` sequence is not heeded",
    stopping((text, stop) => text.indexOf(stop.trim())),
  ),
];

/** Changes the balance that a receipt tells. */
const tellingBalance = (change: (units: number, status: string, returned: number) => number): Changes =>
  receipt((headers, inside, { job: record }) => {
    const name = Object.keys(headers).find((each) => each.endsWith("credits-remaining"));
    if (name === undefined || record === undefined) return headers;
    const { status, returned } = view(inside, record);
    return { ...headers, [name]: String(change(Number(headers[name]), status, returned)) };
  });

export const beforeTheEnd = [
  single(
    "roles-in-any-letters",
    "4.1/3",
    "The role of a message may be written in capitals",
    requests((body) =>
      Array.isArray(body.messages) ? { ...body, messages: body.messages.map((each) => inSmallLetters(each)) } : body,
    ),
  ),
  sequence(
    "unfinished-job-completed-now",
    "2.3/10",
    "A job that is on its way tells the time of the request as that of its completion",
    job((body, inside) =>
      body.status === "pending" || body.status === "processing"
        ? { ...body, completed_at: iso(inside, inside.network.now) }
        : body,
    ),
  ),
];

function inSmallLetters(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("role" in message)) return message;
  return typeof message.role === "string" ? { ...message, role: message.role.toLowerCase() } : message;
}

export const afterTheEnd = [
  sequence(
    "receipt-of-a-timeout-lacks-the-refund",
    "4.11/7",
    "The receipt of a 504 tells the balance without the units that came back",
    tellingBalance((units, status, returned) => (status === "refunded" ? units - returned : units)),
  ),
  sequence(
    "receipt-of-a-failure-lacks-the-units",
    "4.11/7",
    "The receipt of a request whose job failed tells the balance without the units that came back",
    tellingBalance((units, status, returned) => (status === "failed" ? units - returned : units)),
  ),
  sequence(
    "failed-job-shows-one-unit",
    "1/9",
    "A job that failed shows a charge of one unit, though all came back",
    job((body) => (body.status === "failed" ? { ...body, credits_charged: 1, usdg_value: 0.01 } : body)),
  ),
  sequence(
    "refunded-job-shows-half",
    "4.1/39",
    "A job that timed out shows half of what had been locked as its charge",
    job((body, inside, record) => {
      const units = Math.ceil(view(inside, record).locked / 2);
      return body.status === "refunded" ? { ...body, credits_charged: units, usdg_value: units / 100 } : body;
    }),
  ),
  sequence(
    "disputed-job-worth-nothing",
    "2.3/7",
    "A disputed job has a charge and no value",
    job((body) => (body.status === "disputed" ? { ...body, usdg_value: 0 } : body)),
  ),
  sequence(
    "disputed-job-forgets-its-usage",
    "2.3/23",
    "A job that is disputed tells its tokens no more",
    job((body) => (body.status === "disputed" ? { ...body, usage: null } : body)),
  ),
  sequence(
    "disputed-job-forgets-its-proof",
    "2.3/23",
    "A job that is disputed tells no proof any more",
    job((body) =>
      body.status === "disputed" ? within(body, "on_chain", (chain) => ({ ...chain, proof_hash: null })) : body,
    ),
  ),
  sequence("slash-by-the-settlement", "6.2/9", "`worker.slashed` tells its job's settlement as its transaction", {
    door: (honest) => ({
      eventData(inside, event) {
        const data = honest.eventData(inside, event);
        if (event.event !== "worker.slashed" || !("job" in event)) return data;
        const tx = inside.network.job(event.job)?.settlementTx ?? 0;
        return tx === 0 ? data : { ...data, slash_tx: inside.network.chain.hash(tx) };
      },
    }),
  }),
  sequence(
    "untaken-job-unanswered",
    "7.2/8",
    "The request of a job that times out before a worker has taken it is never answered",
    network((honest) => ({
      submit: (request, listener) =>
        honest.submit(request, {
          ...listener,
          refunded: (ended) => (ended.worker >= 0 ? listener.refunded?.(ended) : undefined),
        }),
    })),
  ),
];

export const ofManyJobs = [
  boundary("negative-limit-gives-all", "4.6/5", "A negative `limit` gives every job there is", () => {
    let all = false;
    return {
      middleware: () => (request, response, next) => {
        const target = request.target.replace(/([?&]limit=)-\d+/, "$1100");
        all = target !== request.target;
        try {
          return next({ ...request, target }, response);
        } finally {
          all = false;
        }
      },
      door: (honest) => ({
        pageOf: (inside, jobs, query) => honest.pageOf(inside, jobs, all ? { ...query, limit: Infinity } : query),
      }),
    };
  }),
  boundary(
    "hundredth-job-back-unreadable",
    "4.5/1",
    "A job cannot be read by its id any more once its wallet has made a hundred others",
    instead(({ method, target }, inside) => {
      const id = /^\/v1\/jobs\/([^/?]+)$/.exec(target)?.[1];
      const found = method === "GET" && id !== undefined ? inside.jobs.find(id) : undefined;
      if (found === undefined) return undefined;
      const own = inside.jobs.of(found.wallet);
      const refused = notFound(inside.shape, "job", found.id);
      const body = errorBody(refused, inside.shape, inside.brand);
      return own.length - own.indexOf(found) > 100 ? { status: 404, body } : undefined;
    }),
  ),
];

export const unitsOtherwise = [
  sequence(
    "unhosted-model-served-by-two",
    "2.2/6",
    "A model that nobody hosts has two active workers when it is asked for by its id",
    model((body, { brand }) =>
      within(body, brand.extension, (live) => ({ ...live, active_workers: Math.max(2, Number(live.active_workers)) })),
    ),
  ),
  single(
    "latency-in-nanoseconds",
    "2.2/10",
    "The latency of models is in nanoseconds",
    model((body, { brand }) =>
      within(body, brand.extension, (live) => ({
        ...live,
        median_latency_ms: Number(live.median_latency_ms) * 1_000_000,
      })),
    ),
  ),
];

export const secretsOtherwise = [
  boundary("secret-trimmed", "6.3/2", "The white space around a webhook's secret is not part of it", {
    door: (honest) => ({
      signature: (secret, time, body) => honest.signature(secret.trim(), time, body),
    }),
  }),
];
