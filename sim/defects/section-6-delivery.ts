/** Defects in how deliveries are signed and when they are attempted (sections 6.3, 6.4). */
import { createHmac } from "node:crypto";
import { SECOND } from "../core/index.ts";
import type { Changes, DeliveryOutcome } from "../facade/index.ts";
import { rules } from "../facade/overrides.ts";
import { boundary, concurrent, sequence, single } from "./defect.ts";

/** Another signature. */
const signed = (sign: (secret: string, unixTime: number, body: string) => string): Changes => ({
  door: () => ({ signature: sign }),
});

const hmac = (secret: string, text: string): string => createHmac("sha256", secret).update(text).digest("hex");

/** Another judgement of whether an attempt has succeeded. */
const succeeds = (change: (outcome: DeliveryOutcome, honest: boolean) => boolean): Changes => ({
  door: (honest) => ({ deliverySucceeded: (outcome) => change(outcome, honest.deliverySucceeded(outcome)) }),
});

/** Another timetable: the wait before each attempt, in seconds. */
const delays = (...seconds: readonly number[]): Changes =>
  rules(() => ({ deliveryDelays: seconds.map((each) => each * SECOND) }));

export const section6Signature = [
  single(
    "signature-unlabelled",
    "6.3/1",
    "The signature header is the bare digest",
    signed((secret, time, body) => hmac(secret, `${time}.${body}`)),
  ),
  single(
    "signature-time-in-ms",
    "6.3/3",
    "The signature's `t` is in milliseconds",
    signed((secret, time, body) => `t=${time * 1_000},v1=${hmac(secret, `${time * 1_000}.${body}`)}`),
  ),
  single(
    "signature-without-time",
    "6.3/2",
    "The signature is over the body alone",
    signed((secret, time, body) => `t=${time},v1=${hmac(secret, body)}`),
  ),
  single(
    "signature-over-sorted-body",
    "6.3/2",
    "The signature is over the body with its keys sorted",
    signed((secret, time, body) => {
      const sorted = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body)).sort()));
      return `t=${time},v1=${hmac(secret, `${time}.${sorted}`)}`;
    }),
  ),
  single(
    "signature-over-pretty-body",
    "6.3/2",
    "The signature is over the body with spaces",
    signed(
      (secret, time, body) => `t=${time},v1=${hmac(secret, `${time}.${JSON.stringify(JSON.parse(body), null, 2)}`)}`,
    ),
  ),
  boundary(
    "signature-secret-trimmed",
    "6.3/2",
    "No more than 32 characters of a secret are used",
    signed((secret, time, body) => `t=${time},v1=${hmac(secret.slice(0, 32), `${time}.${body}`)}`),
  ),
  sequence("signature-time-of-first-attempt", "6.3/4", "Later attempts bear the `t` of the first", () => {
    const first = new Map<string, number>();
    return signed((secret, time, body) => {
      const told = first.get(body) ?? time;
      first.set(body, told);
      return `t=${told},v1=${hmac(secret, `${told}.${body}`)}`;
    });
  }),
  sequence(
    "signature-of-first-webhook",
    "6.3/5",
    "Every delivery is signed with the secret of the first webhook",
    () => {
      let first: string | undefined;
      return signed((secret, time, body) => {
        first ??= secret;
        return `t=${time},v1=${hmac(first, `${time}.${body}`)}`;
      });
    },
  ),
  sequence(
    "signature-of-newest-webhook",
    "6.3/5",
    "A delivery is signed with the secret of the wallet's newest webhook",
    {
      door: (honest) => {
        let newest: string | undefined;
        return {
          webhookBody(inside, shown) {
            newest = inside.webhooks.of(shown.wallet).at(-1)?.secret;
            return honest.webhookBody(inside, shown);
          },
          signature: (secret, time, body) => honest.signature(newest ?? secret, time, body),
        };
      },
    },
  ),
];

export const section6Delivery = [
  sequence(
    "only-200-succeeds",
    "6.4/1",
    "A delivery answered 204 or 202 has failed",
    succeeds((outcome) => "status" in outcome && outcome.status === 200),
  ),
  sequence(
    "attempt-after-success",
    "6.4/2",
    "A delivery that succeeded at the second attempt is attempted once more",
    () => {
      const seen = new Map<string, number>();
      return {
        deliver: (honest) => (delivery, done) => {
          const name = `${delivery.url} ${Buffer.from(delivery.body).toString()}`;
          const attempt = (seen.get(name) ?? 0) + 1;
          seen.set(name, attempt);
          return honest(delivery, (outcome) => {
            const succeeded = "status" in outcome && outcome.status >= 200 && outcome.status < 300;
            done(succeeded && attempt === 2 ? { error: "forgotten" } : outcome);
          });
        },
      };
    },
  ),
  sequence("success-repeated", "6.4/2", "Every delivery is attempted twice, half a minute apart", () => {
    const seen = new Set<string>();
    return {
      deliver: (honest) => (delivery, done) => {
        const name = `${delivery.url} ${Buffer.from(delivery.body).toString()}`;
        const first = !seen.has(name);
        seen.add(name);
        return honest(delivery, (outcome) => done(first ? { error: "forgotten" } : outcome));
      },
    };
  }),
  sequence(
    "client-errors-not-retried",
    "6.4/3",
    "A delivery answered 4xx is not attempted again",
    succeeds((outcome, honest) => honest || ("status" in outcome && outcome.status >= 400 && outcome.status < 500)),
  ),
  sequence(
    "unavailable-means-success",
    "6.4/3",
    "A delivery answered 503 has succeeded",
    succeeds((outcome, honest) => honest || ("status" in outcome && outcome.status === 503)),
  ),
  boundary(
    "slow-answers-wait-15-seconds",
    "6.4/4",
    "A delivery may be answered within 15 seconds",
    rules(() => ({ deliveryTimeout: 15 * SECOND })),
  ),
  boundary(
    "slow-answers-cut-at-9-seconds",
    "6.4/4",
    "A delivery must be answered within 9 seconds",
    rules(() => ({ deliveryTimeout: 9 * SECOND })),
  ),
  sequence(
    "silence-not-retried",
    "6.4/4",
    "A delivery that is not answered is not attempted again",
    succeeds((outcome, honest) => honest || ("error" in outcome && outcome.error === "timed out")),
  ),
  single(
    "first-attempt-late",
    "6.4/5",
    "The first attempt is made after twenty seconds",
    delays(20, 30, 300, 1_800, 7_200),
  ),
  sequence(
    "second-attempt-after-a-minute",
    "6.4/6",
    "The second attempt is made after 60 seconds",
    delays(0, 60, 300, 1_800, 7_200),
  ),
  sequence(
    "third-attempt-after-ten-minutes",
    "6.4/7",
    "The third attempt is made after 10 minutes",
    delays(0, 30, 600, 1_800, 7_200),
  ),
  sequence(
    "fourth-attempt-after-an-hour",
    "6.4/7",
    "The fourth attempt is made after an hour",
    delays(0, 30, 300, 3_600, 7_200),
  ),
  sequence(
    "fifth-attempt-after-three-hours",
    "6.4/7",
    "The fifth attempt is made after 3 hours",
    delays(0, 30, 300, 1_800, 10_800),
  ),
  sequence("fifth-attempt-missing", "6.4/7", "There is no fifth attempt", delays(0, 30, 300, 1_800)),
  sequence(
    "sixth-attempt",
    "6.4/8",
    "There is a sixth attempt, five hours after the fifth",
    delays(0, 30, 300, 1_800, 7_200, 18_000),
  ),
  sequence("two-readings-of-delays", "6.4/10", "Every second delivery counts its delays from its first attempt", {
    door: (honest) => {
      const numbers = new Map<string, number>();
      return {
        nextAttemptAt(inside, delivery, started) {
          if (!numbers.has(delivery.id)) numbers.set(delivery.id, numbers.size);
          const retriesCountFrom = numbers.get(delivery.id)! % 2 === 0 ? "previous" : "first";
          return honest.nextAttemptAt({ ...inside, shape: { ...inside.shape, retriesCountFrom } }, delivery, started);
        },
      };
    },
  }),
  sequence("attempts-tell-the-present", "6.4/11", "A later attempt tells of the balance as it is by then", {
    door: (honest) => ({
      envelope(inside, id, event, at, data) {
        const job = inside.jobs.find(String(data.job_id));
        const stale = job !== undefined && "credits_remaining" in data;
        const told = stale ? { ...data, credits_remaining: inside.door.balance(inside, job.wallet) } : data;
        return honest.envelope(inside, id, event, at, { ...told, ...(stale ? { sent_at: inside.network.now } : {}) });
      },
    }),
  }),
  concurrent("slow-webhook-delays-others", "6.4/12", "A delivery waits until the one before it was answered", {
    deliver: (honest) => {
      let queue: (() => void)[] = [];
      let busy = false;
      return (delivery, done) => {
        let open: ReturnType<typeof honest> | undefined;
        const run = (): void => {
          busy = true;
          let over = false;
          const finish = (outcome: DeliveryOutcome): void => {
            if (over) return;
            over = true;
            busy = false;
            done(outcome);
            queue.shift()?.();
          };
          open = honest(delivery, finish);
          abort = () => {
            open?.abort();
            finish({ error: "timed out" });
          };
        };
        let abort = (): void => {
          queue = queue.filter((waiting) => waiting !== run);
        };
        if (busy) queue.push(run);
        else run();
        return { abort: () => abort() };
      };
    },
  }),
  sequence(
    "redirect-is-success",
    "6.4/13",
    "A delivery answered with a redirect has succeeded",
    succeeds((outcome, honest) => honest || ("status" in outcome && outcome.status >= 300 && outcome.status < 400)),
  ),
];
