/** Webhooks: kept, told, and told again when they did not listen. */
import { createHmac } from "node:crypto";
import { request } from "node:https";
import type { Choices } from "./choices.ts";
import type { FlawId } from "./flaws.ts";
import type { Job, Wallet } from "./state.ts";
import { digest } from "./text.ts";
import type { Time } from "./time.ts";

const DELAYS = [0, 30_000, 300_000, 1_800_000, 7_200_000];
const LIMIT = 10_000;

export interface Hook {
  readonly id: string;
  readonly wallet: Wallet;
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
  readonly createdAt: number;
  status: string;
  /** Failed attempts of any event. */
  failures: number;
  deleted: boolean;
  deletedAt: number | null;
  readonly deliveries: Delivery[];
}

export interface Delivery {
  readonly id: string;
  eventId: string;
  readonly event: string;
  readonly at: number;
  readonly data: Record<string, unknown>;
  attempts: number;
  state: "pending" | "delivered" | "failed";
}

export interface Hooks {
  readonly all: readonly Hook[];
  add(wallet: Wallet, given: { url: string; events: readonly string[]; secret: string }): Hook;
  remove(hook: Hook): void;
  /** Null tells every wallet. */
  emit(event: string, wallet: Wallet | null, data: Record<string, unknown>, job?: Job): void;
  replay(hook: Hook, delivery: Delivery): void;
  /** Resolves when every attempt has been answered, or when half a second of waiting is used up. */
  quiet(patience: { left: number }): Promise<void>;
}

export interface HooksWorld {
  readonly choices: Choices;
  readonly time: Time;
  readonly flawed: (id: FlawId) => boolean;
}

export function makeHooks({ choices, time, flawed }: HooksWorld): Hooks {
  const all: Hook[] = [];
  const open = new Set<Promise<void>>();
  const hanging = new Set<Hook>();
  let count = 0;
  let events = 0;

  const eventId = (of: string): string => `evt_${digest(`event ${of}`).slice(0, 20)}`;
  const signatureName = `${choices.brand.charAt(0).toUpperCase()}${choices.brand.slice(1)}-Signature`;

  const waiting = (hook: Hook): boolean =>
    flawed("head-of-line") && [...hanging].some((each) => each !== hook && each.wallet === hook.wallet);

  const deliver = (hook: Hook, delivery: Delivery, firstAt: number): void => {
    if (waiting(hook)) {
      time.after(1_000, () => deliver(hook, delivery, firstAt));
      return;
    }
    if (hook.deleted && !(flawed("retries-after-delete") && delivery.attempts > 0)) return;
    if (delivery.state === "failed") return;
    const before = hook.deliveries.slice(0, hook.deliveries.indexOf(delivery));
    if (flawed("retries-hold-back") && before.some((each) => each.state === "pending" && each.attempts > 0)) {
      time.after(1_000, () => deliver(hook, delivery, firstAt));
      return;
    }
    delivery.attempts += 1;
    const attempt = delivery.attempts;
    if (choices.eventIds === "new") delivery.eventId = eventId(`${delivery.id} ${attempt}`);
    const short = flawed("timeout-version-short") && delivery.event === "job.timeout";
    const asNumber = flawed("topup-created-number") && delivery.event === "credit.topup";
    const told = JSON.stringify({
      ...{ id: delivery.eventId, event: delivery.event },
      created_at: asNumber
        ? delivery.at
        : new Date(flawed("event-created-at-boot") ? Date.UTC(2026, 0) : delivery.at).toISOString(),
      api_version: short ? "2026-6-1" : "2026-06-01",
      data: flawed("fourth-without-data") && attempt === 4 ? {} : delivery.data,
      ...(choices.extras ? { attempt, livemode: false } : {}),
    });
    const body =
      choices.eventHex === "same" ? told : told.replace(/0x[0-9a-f]+/gi, (hex) => `0x${hex.slice(2).toUpperCase()}`);
    const startedAt = time.now();
    const flight = send(hook, body, attempt, delivery, firstAt);
    hanging.add(hook);
    const done = flight.then((ok) => {
      open.delete(done);
      hanging.delete(hook);
      if (ok) {
        delivery.state = "delivered";
        if (flawed("success-ends-others")) {
          for (const each of hook.deliveries) if (each.state === "pending") each.state = "failed";
        }
        return;
      }
      hook.failures += 1;
      if (flawed("failures-add-up") && hook.failures >= 5) hook.status = choices.failedHook;
      const once =
        (flawed("topup-not-retried") && delivery.event === "credit.topup") ||
        (flawed("timeout-not-retried") && delivery.event === "job.timeout");
      const last = once ? 1 : flawed("fails-at-fourth") ? 4 : flawed("sixth-attempt") ? 6 : DELAYS.length;
      if (attempt >= last) {
        delivery.state = "failed";
        if (!hook.deleted) hook.status = choices.failedHook;
        if (flawed("failed-hook-recovers")) {
          time.after(86_400_000, () => {
            hook.status = "active";
          });
        }
        return;
      }
      const early = flawed("third-after-four-minutes") && attempt === 2 ? -60_000 : 0;
      const late = flawed("second-after-forty") && attempt === 1 ? 10_000 : 0;
      const delay = (DELAYS[attempt] ?? 7_200_000) + early + late;
      const from =
        choices.retriesFrom === "first" ? firstAt : choices.retriesFrom === "failure" ? time.now() : startedAt;
      time.after(Math.max(0, from + delay - time.now()), () => deliver(hook, delivery, firstAt));
    });
    open.add(done);
  };

  const secretOf = (hook: Hook): string => {
    const first = all.find((each) => each.wallet === hook.wallet);
    return flawed("second-secret") && first !== undefined ? first.secret : hook.secret;
  };

  /** Whether it was answered 2xx in time. */
  const send = (hook: Hook, body: string, attempt: number, delivery: Delivery, firstAt: number): Promise<boolean> => {
    const at = flawed("stale-signature") ? firstAt : time.now();
    const t = flawed("third-signed-in-milliseconds") && attempt >= 3 ? at : Math.floor(at / 1_000);
    const again = flawed("signed-anew-serialised") && delivery.event === "credit.topup";
    const other = again ? JSON.stringify(JSON.parse(body), null, 1) : body;
    const signed = flawed("fifth-unsigned-body") && attempt === 5 ? `${body} ` : other;
    const mac = createHmac("sha256", secretOf(hook)).update(`${t}.${signed}`).digest("hex");
    return new Promise((resolve) => {
      const outgoing = request(hook.url, {
        method: "POST",
        rejectUnauthorized: false,
        agent: false,
        headers: {
          ...{ "content-type": "application/json", "content-length": Buffer.byteLength(body) },
          ...{ [signatureName]: `t=${t},v1=${mac}`, "user-agent": "alien-hooks/2" },
        },
      });
      const more =
        (flawed("late-2xx-counts") ? 5_000 : 0) +
        (flawed("limit-of-eleven") ? 1_000 : 0) -
        (flawed("limit-of-nine") ? 600 : 0);
      const limit = time.after(LIMIT + more, () => end(false));
      const end = (ok: boolean): void => {
        limit.cancel();
        resolve(ok);
        outgoing.destroy();
      };
      outgoing.on("response", (answer) => {
        answer.resume();
        const status = answer.statusCode ?? 0;
        const fine = status >= 200 && status < 300 && !(flawed("204-fails") && status === 204);
        end(fine || (flawed("redirect-counts") && status === 302) || (flawed("gone-counts") && status === 410));
      });
      outgoing.on("error", () => end(false));
      outgoing.end(body);
    });
  };

  const tell = (hook: Hook, event: string, data: Record<string, unknown>, id: string): void => {
    const unasked = flawed("failed-told-unasked") && event === "job.failed" && hook.events.includes("job.completed");
    if (hook.deleted || (!hook.events.includes(event) && !unasked)) return;
    if (hook.status !== "active" && !choices.failedHookHears) return;
    count += 1;
    const at = time.now();
    const delivery: Delivery = {
      ...{ id: `dlv_${count}`, eventId: id, event, at, data, attempts: 0, state: "pending" },
    };
    hook.deliveries.push(delivery);
    const wait = { none: 0, slow: 1_500, shuffled: Number.parseInt(digest(delivery.id).slice(0, 2), 16) * 8 }[
      choices.queue
    ];
    if (wait === 0) deliver(hook, delivery, at);
    else time.after(wait, () => deliver(hook, delivery, time.now()));
  };

  return {
    all,
    add(wallet, given) {
      const id = `wh_${digest(`hook ${all.length}`).slice(0, 18)}`;
      const hook: Hook = {
        id,
        wallet,
        ...given,
        createdAt: time.now(),
        status: "active",
        failures: 0,
        deleted: false,
        deletedAt: null,
        deliveries: [],
      };
      all.push(hook);
      return hook;
    },
    remove(hook) {
      hook.deleted = true;
      hook.deletedAt = time.now();
    },
    emit(event, wallet, data, job) {
      events += 1;
      const bare = choices.eventData === "bare" && !["job.completed", "credit.low", "worker.slashed"].includes(event);
      const told = bare ? {} : { ...(job === undefined ? {} : { job_id: job.id }), ...data };
      const concerned = [...all].filter((hook) => wallet === null || hook.wallet === wallet);
      const first = concerned.filter((hook) => !hook.deleted && hook.events.includes(event)).slice(0, 1);
      for (const hook of flawed("first-hook-only") ? first : concerned)
        tell(hook, event, told, eventId(String(events)));
    },
    replay(hook, delivery) {
      delivery.attempts = 0;
      delivery.state = "pending";
      deliver({ ...hook, deleted: false }, delivery, time.now());
    },
    async quiet(patience) {
      while (open.size > 0 && patience.left > 0) {
        const began = Date.now();
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise((resolve) => {
          timer = setTimeout(resolve, patience.left);
        });
        await Promise.race([Promise.all(open), late]);
        clearTimeout(timer);
        patience.left -= Date.now() - began;
      }
      // What came of it has its turn before time goes on.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
