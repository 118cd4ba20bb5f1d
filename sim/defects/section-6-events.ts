/** Defects in which events are sent, to whom, and what they say (sections 6, 6.1, 6.2, 9). */

import { MILLISECOND } from "../core/index.ts";
import type { Changes } from "../facade/index.ts";
import { usdg } from "../facade/inside.ts";
import { envelope, eventData, mute, network, retell, rules, without } from "../facade/overrides.ts";
import type { Webhook } from "../facade/webhook-book.ts";
import type { ServiceEvent } from "../port.ts";
import { boundary, sequence, single } from "./defect.ts";

/** Another choice of who hears of an event. */
const heardBy = (
  change: (hearing: readonly Webhook[], event: ServiceEvent, everyone: readonly Webhook[]) => readonly Webhook[],
): Changes => ({
  door: (honest) => ({
    subscribers: (inside, event) => change(honest.subscribers(inside, event), event, inside.webhooks.all()),
  }),
});

const silent = (name: ServiceEvent["event"]): Changes => mute(({ event }) => event === name);

export const section6Names = [
  single(
    "subscription-by-kind",
    "6/3",
    "A webhook that subscribed one event of jobs is sent all of them",
    heardBy((hearing, event, everyone) =>
      "job" in event && "wallet" in event
        ? everyone.filter(
            ({ wallet, events }) => wallet === event.wallet && events.some((name) => name.startsWith("job.")),
          )
        : hearing,
    ),
  ),
  single(
    "unsubscribed-low-credit",
    "6/3",
    "`credit.low` is sent to every webhook of the wallet",
    heardBy((hearing, event, everyone) =>
      event.event === "credit.low" ? everyone.filter(({ wallet }) => wallet === event.wallet) : hearing,
    ),
  ),
  sequence(
    "events-of-everyone",
    "6/4",
    "Events of jobs are sent to the webhooks of every wallet",
    heardBy((hearing, event, everyone) =>
      "wallet" in event && "job" in event ? everyone.filter(({ events }) => events.includes(event.event)) : hearing,
    ),
  ),
  sequence(
    "topups-of-everyone",
    "6/4",
    "`credit.topup` is sent to the webhooks of every wallet",
    heardBy((hearing, event, everyone) =>
      event.event === "credit.topup" ? everyone.filter(({ events }) => events.includes(event.event)) : hearing,
    ),
  ),
  sequence(
    "first-webhook-only",
    "6/5",
    "Of several webhooks only the oldest is sent the event",
    heardBy((hearing) => hearing.slice(0, 1)),
  ),
  single(
    "second-subscription-lost",
    "6/2",
    "A webhook is sent the first of its events only",
    heardBy((hearing, event) => hearing.filter(({ events }) => events[0] === event.event)),
  ),
  single("delivery-as-form", "6/7", "Deliveries have the Content-Type of a form", {
    deliver: (honest) => (delivery, done) =>
      honest(
        { ...delivery, headers: { ...delivery.headers, "content-type": "application/x-www-form-urlencoded" } },
        done,
      ),
  }),
  single("job-submitted-silent", "6.1/1", "`job.submitted` is not sent", silent("job.submitted")),
  single("job-processing-silent", "6.1/2", "`job.processing` is not sent", silent("job.processing")),
  single(
    "job-processing-at-arrival",
    "6.1/2",
    "`job.processing` is sent as soon as a request has come, before a worker has taken its job",
    network((honest) => {
      const hearing: ((event: ServiceEvent) => void)[] = [];
      return {
        onEvent(listener) {
          hearing.push(listener);
          honest.onEvent((event) => (event.event === "job.processing" ? undefined : listener(event)));
        },
        submit(request, listener) {
          const submitted = honest.submit(request, listener);
          if (submitted.ok) {
            const event = { event: "job.processing", wallet: request.wallet, job: submitted.job } as const;
            honest.after(MILLISECOND, () => hearing.forEach((tell) => void tell(event)));
          }
          return submitted;
        },
      };
    }),
  ),
  single("job-completed-silent", "6.1/3", "`job.completed` is not sent", silent("job.completed")),
  single(
    "job-completed-silent-for-one-token",
    "6.1/3",
    "`job.completed` is not sent for jobs of one token",
    mute(
      (event, honest) => event.event === "job.completed" && "job" in event && honest.job(event.job)!.outputTokens === 1,
    ),
  ),
  sequence("job-failed-silent", "6.1/4", "`job.failed` is not sent", silent("job.failed")),
  sequence(
    "job-timeout-called-failed",
    "6.1/5",
    "A job that timed out sends `job.failed`",
    retell((event) =>
      event.event === "job.timeout" && "wallet" in event && "job" in event
        ? [{ ...event, event: "job.failed" }]
        : [event],
    ),
  ),
  boundary(
    "low-credit-skips-the-edge",
    "6.1/7",
    "`credit.low` is not sent where the balance falls to 95 or more",
    rules((honest) => ({
      lowCredit: (before, after, threshold) => honest.lowCredit(before, after, threshold) && after < threshold - 5,
    })),
  ),
  sequence("low-credit-silent", "6.1/7", "`credit.low` is not sent", silent("credit.low")),
  sequence("topup-silent", "6.1/8", "`credit.topup` is not sent", silent("credit.topup")),
  boundary(
    "small-topup-silent",
    "6.1/8",
    "`credit.topup` is not sent for less than 150 units",
    mute((event) => event.event === "credit.topup" && "units" in event && event.units < 150),
  ),
  sequence("worker-registered-silent", "6.1/9", "`worker.registered` is not sent", silent("worker.registered")),
  sequence("worker-slashed-silent", "6.1/10", "`worker.slashed` is not sent", silent("worker.slashed")),
  sequence(
    "timeout-failed-too",
    "6.1/11",
    "A job that timed out sends `job.failed` besides",
    retell((event) =>
      event.event === "job.timeout" && "wallet" in event && "job" in event
        ? [event, { ...event, event: "job.failed" }]
        : [event],
    ),
  ),
  sequence(
    "failed-timed-out-too",
    "6.1/11",
    "A job that failed sends `job.timeout` besides",
    retell((event) =>
      event.event === "job.failed" && "wallet" in event && "job" in event
        ? [event, { ...event, event: "job.timeout" }]
        : [event],
    ),
  ),
  boundary(
    "low-credit-at-the-edge",
    "6.1/12",
    "`credit.low` is sent when the balance falls to exactly the threshold",
    rules(() => ({
      lowCredit: (before, after, threshold) => before > threshold && after <= threshold,
    })),
  ),
  sequence("low-credit-once-ever", "6.1/14", "`credit.low` is sent once for each wallet, whatever is topped up", () => {
    const told = new Set<number>();
    return mute((event) => {
      if (event.event !== "credit.low" || !("wallet" in event)) return false;
      if (told.has(event.wallet)) return true;
      told.add(event.wallet);
      return false;
    });
  }),
  sequence("honest-verdict-slashes", "6.1/16", "A verdict of honesty sends `worker.slashed`", () => {
    let tell = (_: ServiceEvent): void => {};
    return network((honest) => ({
      onEvent(listener) {
        tell = listener;
        honest.onEvent(listener);
      },
      verdict(number, verdict) {
        const given = honest.verdict(number, verdict);
        const { worker, disputeTx } = honest.job(number) ?? { worker: 0, disputeTx: 0 };
        if (given && verdict === "honest") {
          tell({ event: "worker.slashed", worker, job: number, amount: 0, tx: disputeTx, reason: "arbitrated" });
        }
        return given;
      },
    }));
  }),
];

export const section6Payloads = [
  single(
    "api-version-v1",
    "6.2/1",
    "An event's `api_version` is `v1`",
    envelope((body) => ({ ...body, api_version: "v1" })),
  ),
  single(
    "api-version-of-last-year",
    "9/2",
    "An event's `api_version` is 2025-06-01",
    envelope((body) => ({
      ...body,
      api_version: "2025-06-01",
    })),
  ),
  sequence(
    "api-versions-differ",
    "9/5",
    "Events of credits have an older `api_version` than those of jobs",
    envelope((body) => (String(body.event).startsWith("credit.") ? { ...body, api_version: "2026-05-01" } : body)),
  ),
  single(
    "completed-without-tier",
    "6.2/2",
    "`job.completed` has no tier",
    eventData("job.completed", (data) => without(data, "tier")),
  ),
  single(
    "completed-block-text",
    "6.2/2",
    "`job.completed` has its block as a string",
    eventData("job.completed", (data) => ({
      ...data,
      block_number: String(data.block_number),
    })),
  ),
  sequence("completed-charge-is-the-lock", "6.2/3", "`job.completed` tells what was locked as the charge", {
    door: (honest) => ({
      eventData(inside, event) {
        const data = honest.eventData(inside, event);
        if (event.event !== "job.completed" || !("job" in event)) return data;
        const { locked } = inside.network.job(event.job)!;
        return { ...data, credits_charged: locked, usdg_value: usdg(locked) };
      },
    }),
  }),
  single(
    "completed-tokens-of-prompt",
    "6.2/3",
    "`job.completed` takes the tokens of prompt and completion for each other",
    eventData("job.completed", (data) => ({
      ...data,
      prompt_tokens: data.completion_tokens,
      completion_tokens: data.prompt_tokens,
    })),
  ),
  single(
    "completed-balance-before",
    "6.2/4",
    "`job.completed` tells the balance as it was before the charge",
    eventData("job.completed", (data) => ({
      ...data,
      credits_remaining: Number(data.credits_remaining) + Number(data.credits_charged),
    })),
  ),
  sequence(
    "completed-balance-without-difference",
    "6.2/4",
    "`job.completed` tells a balance without the difference that came back",
    {
      door: (honest) => ({
        eventData(inside, event) {
          const data = honest.eventData(inside, event);
          if (event.event !== "job.completed" || !("job" in event)) return data;
          return {
            ...data,
            credits_remaining: Number(data.credits_remaining) - inside.network.job(event.job)!.returned,
          };
        },
      }),
    },
  ),
  sequence(
    "low-credit-without-threshold",
    "6.2/5",
    "`credit.low` has no threshold",
    eventData("credit.low", (data) => without(data, "threshold")),
  ),
  sequence(
    "low-credit-value-in-units",
    "6.2/6",
    "`credit.low` tells the stablecoin value in units",
    eventData("credit.low", (data) => ({
      ...data,
      usdg_value: data.credits_remaining,
    })),
  ),
  sequence(
    "low-credit-balance-before",
    "6.2/7",
    "`credit.low` tells the balance as it was before it fell",
    eventData("credit.low", (data) => ({
      ...data,
      credits_remaining: 100 + (Number(data.credits_remaining) % 10),
      usdg_value: usdg(100 + (Number(data.credits_remaining) % 10)),
    })),
  ),
  sequence(
    "slash-amount-text",
    "6.2/8",
    "`worker.slashed` has its amount as a string",
    eventData("worker.slashed", (data) => ({
      ...data,
      slash_amount_thea: String(data.slash_amount_thea),
    })),
  ),
  sequence(
    "slash-without-job",
    "6.2/8",
    "`worker.slashed` does not name the job",
    eventData("worker.slashed", (data) => without(data, "related_job_id")),
  ),
  sequence(
    "slash-of-another-worker",
    "6.2/9",
    "`worker.slashed` names another worker than the job's",
    eventData("worker.slashed", (data, inside) => {
      const other = inside.network.workerAddress(0);
      return { ...data, worker_address: other === data.worker_address ? inside.network.workerAddress(1) : other };
    }),
  ),
  sequence(
    "low-threshold-of-fifty",
    "8/2",
    "`credit.low` is sent below 50 units",
    rules((honest) => ({
      lowCredit: (before, after) => honest.lowCredit(before, after, 50),
    })),
  ),
];
