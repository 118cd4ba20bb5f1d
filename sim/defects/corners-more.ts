/** Defects that hide behind one tier, a field within another, a twin, a list of many: plain requests pass them by. */
import type { Changes } from "../facade/index.ts";
import { view } from "../facade/inside.ts";
import {
  type Body,
  bodyOf,
  disputed,
  eventData,
  instead,
  job,
  network,
  receipt,
  rules,
  within,
} from "../facade/overrides.ts";
import type { ServiceEvent } from "../port.ts";
import { boundary, sequence, single } from "./defect.ts";
import { cutAt } from "./hidden-corners.ts";
import { matching } from "./job-lists.ts";

const error = (code: string): Body => ({
  error: {
    code,
    message: "It cannot be done.",
    type: "request_error",
    param: null,
    docs: "https://docs.example/errors",
  },
});

/** Answers a chat whose body is as `odd` says by itself. */
const chatsInstead = (status: number, code: string, odd: (body: Body) => boolean) =>
  instead((request) => {
    const body = request.target === "/v1/chat/completions" ? bodyOf(request) : undefined;
    return body !== undefined && odd(body) ? { status, body: error(code) } : undefined;
  });

/** Ends texts where `find` says; where it says nothing they end by themselves. */
const stoppedAt = (find: (text: string, stops: readonly string[]) => number | undefined): Changes => ({
  door: (honest) => ({
    planText(draw, length, bound, stops) {
      const plan = honest.planText(draw, length, bound, []);
      const at = find(plan.text, stops);
      return at === undefined ? plan : cutAt(plan, at);
    },
  }),
});

const messagesOf = (body: Body): readonly unknown[] => (Array.isArray(body.messages) ? body.messages : []);
const hasName = (message: unknown): boolean => typeof message === "object" && message !== null && "name" in message;
const stopsOf = (body: Body): readonly unknown[] | null => (Array.isArray(body.stop) ? body.stop : null);

export const cornersMore = [
  single(
    "named-message-crashes",
    "4.1/18",
    "A message with a field outside the contract is answered with a 500",
    chatsInstead(500, "internal_error", (body) => messagesOf(body).some(hasName)),
  ),
  boundary(
    "no-stops-crash",
    "4.1/18",
    "An empty array as `stop` is answered with a 500",
    chatsInstead(500, "internal_error", (body) => stopsOf(body)?.length === 0),
  ),
  boundary(
    "great-seed-crashes",
    "4.1/4",
    "A `seed` beyond 32 bits is answered with a 500",
    chatsInstead(500, "internal_error", (body) => Math.abs(Number(body.seed ?? 0)) > 2 ** 32),
  ),
  sequence("one-transaction-for-all-disputes", "2.8/3", "Every dispute tells the transaction of the first", () => {
    let first: unknown;
    return disputed((body) => {
      first ??= body.dispute_tx;
      return body.dispute_tx === undefined ? body : { ...body, dispute_tx: first };
    });
  }),
  boundary(
    "sixth-attempt-after-silence",
    "6.4/8",
    "After five attempts of which the last was not answered a sixth is made",
    {
      door: (honest) => ({
        nextAttemptAt: (inside, delivery, started) =>
          honest.nextAttemptAt(inside, delivery, started) ??
          (delivery.attempts === 5 && inside.network.now - started >= 10_000_000 ? started + 7_200_000_000 : undefined),
      }),
    },
  ),
  boundary(
    "four-stops-refused",
    "4.1/11",
    "More than three `stop` sequences are refused",
    chatsInstead(400, "invalid_request", (body) => (stopsOf(body)?.length ?? 0) > 3),
  ),
  sequence(
    "failed-jobs-of-a-tier-not-filtered",
    "4.6/13",
    "The filter `status=failed` leaves out the jobs of the tier `pro`",
    matching((record, query, inside, honest) => {
      const tier = inside.network.models[view(inside, record).model]?.tier;
      return honest(query) && !(query.status === "failed" && tier === "pro");
    }),
  ),
  sequence("deletion-takes-its-twins", "4.10/1", "Deleting a webhook deletes all of its wallet with the same URL", {
    door: (honest) => ({
      removeWebhook(inside, webhook) {
        for (const each of [...inside.webhooks.of(webhook.wallet)]) {
          if (each.url === webhook.url) honest.removeWebhook(inside, each);
        }
      },
    }),
  }),
  sequence("honest-verdict-tells-of-failure", "6.1/11", "A verdict of honesty sends `job.failed`", () => {
    let tell = (_: ServiceEvent): void => {};
    return network((honest) => ({
      onEvent(listener) {
        tell = listener;
        honest.onEvent(listener);
      },
      verdict(number, verdict) {
        const given = honest.verdict(number, verdict);
        const wallet = honest.job(number)?.wallet;
        if (given && verdict === "honest" && wallet !== undefined) tell({ event: "job.failed", wallet, job: number });
        return given;
      },
    }));
  }),
  sequence("credit-events-by-kind", "6/3", "A webhook that subscribed one event of credits is sent the other, too", {
    door: (honest) => ({
      subscribers: (inside, event) =>
        event.event === "credit.low" || event.event === "credit.topup"
          ? inside.webhooks
              .of(event.wallet)
              .filter(({ active, events }) => active && events.some((name) => name.startsWith("credit.")))
          : honest.subscribers(inside, event),
    }),
  }),
  sequence("sixth-event-of-a-webhook-lost", "6/2", "Of a webhook's events no more than five are heeded", {
    door: (honest) => ({
      subscribers: (inside, event) =>
        honest.subscribers(inside, event).filter(({ events }) => events.slice(0, 5).includes(event.event)),
    }),
  }),
  boundary("wide-window-without-end", "7.2/12", "Models with the widest window let in any prompt", {
    door: (honest) => ({
      fitsContext(inside, model, tokens, bound) {
        const windows = inside.network.models.map(({ contextWindow }) => contextWindow);
        const widest = inside.network.models[model]?.contextWindow === Math.max(...windows);
        return widest || honest.fitsContext(inside, model, tokens, bound);
      },
    }),
  }),
  sequence("last-stop-counts", "4.1/11", "Of several `stop` sequences only the last counts", {
    door: (honest) => ({
      planText: (draw, length, bound, stops) => honest.planText(draw, length, bound, stops.slice(-1)),
    }),
  }),
  sequence(
    "blocks-of-a-tier-lag",
    "2.3/24",
    "The block that a job of the tier `max` tells was sealed long before its settlement",
    job((body) =>
      body.tier !== "max"
        ? body
        : within(body, "on_chain", (chain) =>
            typeof chain.block_number === "number" ? { ...chain, block_number: chain.block_number - 10_000 } : chain,
          ),
    ),
  ),
  boundary("sixth-stop-unheeded", "4.1/11", "Of more than five `stop` sequences those after the fifth are not heeded", {
    door: (honest) => ({
      planText: (draw, length, bound, stops) => honest.planText(draw, length, bound, stops.slice(0, 5)),
    }),
  }),
  sequence(
    "first-listed-stop-counts",
    "4.1/11",
    "Of the `stop` sequences that a text has the first of the list counts",
    stoppedAt((text, stops) => stops.map((stop) => text.indexOf(stop)).find((at) => at >= 0)),
  ),
  boundary(
    "stop-unheeded-at-the-start",
    "4.1/11",
    "A `stop` sequence that a text begins with is not heeded",
    stoppedAt((text, stops) => {
      const places = stops.map((stop) => text.indexOf(stop)).filter((at) => at > 0);
      return places.length === 0 ? undefined : Math.min(...places);
    }),
  ),
  single("stopped-text-counted-whole", "4.1/11", "A text that ended at a `stop` is counted as if it had gone on", {
    door: (honest) => ({
      planText(draw, length, bound, stops) {
        const plan = honest.planText(draw, length, bound, stops);
        const made = bound < 0 ? length : Math.min(length, bound);
        const uncounted = Math.max(0, made - plan.ends.length);
        return { ...plan, ends: [...plan.ends, ...Array.from({ length: uncounted }, () => plan.text.length)] };
      },
    }),
  }),
  boundary(
    "low-credit-silent-at-zero",
    "6.1/7",
    "`credit.low` is not sent where one charge takes the balance to exactly 0",
    rules((honest) => ({
      lowCredit: (before, after, threshold) => honest.lowCredit(before, after, threshold) && after > 0,
    })),
  ),
  sequence("webhook-of-one-address", "4.9/1", "Of several webhooks with one address only the newest is listed", {
    door: (honest) => ({
      listedWebhooks(inside, wallet) {
        const all = honest.listedWebhooks(inside, wallet);
        const newest = new Map(all.map((webhook) => [webhook.url, webhook.id]));
        return all.filter(({ url, id }) => newest.get(url) === id);
      },
    }),
  }),
  single("streams-broken-off", "4.1/27", "The connection of each stream is broken off instead of its last line", {
    middleware: () => (request, response, next) => {
      let streamed = false;
      return next(request, {
        head(code, headers) {
          streamed = (headers["content-type"] ?? "").startsWith("text/event-stream");
          response.head(code, headers);
        },
        write(part) {
          if (!streamed || !new TextDecoder().decode(part).includes("[DONE]")) response.write(part);
        },
        end: (trailers) => (streamed ? response.cut() : response.end(trailers)),
        cut: () => response.cut(),
      });
    },
  }),
  sequence(
    "stream-receipt-a-unit-high",
    "4.11/5",
    "The receipt of a stream tells one unit more than there is",
    receipt((headers, _inside, { job: record }) => {
      const name = Object.keys(headers).find((each) => each.endsWith("credits-remaining"));
      return record?.streamed !== true || name === undefined
        ? headers
        : { ...headers, [name]: String(Number(headers[name]) + 1) };
    }),
  ),
  sequence(
    "slash-names-another-job",
    "6.2/9",
    "`worker.slashed` names a job that never was",
    eventData("worker.slashed", (data) => ({ ...data, related_job_id: "job_0000000000000000" })),
  ),
  sequence("refused-chat-told", "6.1/1", "A chat that is refused for lack of units sends `job.submitted`", () => {
    let tell = (_: ServiceEvent): void => {};
    return {
      ...network((honest) => ({
        onEvent(listener) {
          tell = listener;
          honest.onEvent(listener);
        },
      })),
      door: (honest) => ({
        eventData: (inside, event) =>
          "job" in event && event.job === NO_JOB ? { job_id: "job_refused" } : honest.eventData(inside, event),
      }),
      middleware: (inside) => (request, response, next) =>
        next(request, {
          head(code, headers) {
            const path = request.target;
            const key = inside.door.authenticate(inside, request.headers.authorization, { method: "POST", path });
            if (code === 402 && "wallet" in key) tell({ event: "job.submitted", wallet: key.wallet, job: NO_JOB });
            response.head(code, headers);
          },
          write: (part) => response.write(part),
          end: (trailers) => response.end(trailers),
          cut: () => response.cut(),
        }),
    };
  }),
];

const NO_JOB = -1;
