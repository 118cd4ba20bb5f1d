/** Wallets (section 5): nothing of one is shown to another's key, in any answer. */
import { at, type Exchange, segmentOf, succeeded } from "../../exchange/exchange.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { jobsIn } from "./jobs.ts";
import { receiptOf } from "./receipts.ts";

interface Owned {
  readonly key: string;
  readonly exchange: Exchange;
}

export function isolationMonitor(): Monitor {
  const jobs = new Map<string, Owned>();
  const webhooks = new Map<string, Owned>();
  const wallets = new Map<string, string>();

  /** Whether two keys are known to belong to different wallets: keys alone may be of one. */
  const apart = (one: string, other: string): boolean => {
    const [mine, theirs] = [wallets.get(one), wallets.get(other)];
    return mine !== undefined && theirs !== undefined && mine !== theirs;
  };
  return {
    name: "isolation",
    rows: ["4.5/3", "4.5/4", "4.6/3", "4.7/15", "4.9/2", "4.10/4", "4.11/9"],
    *see(exchange, { brand }) {
      const { key } = exchange.request;
      if (key === null || exchange.ending !== "answered") return;
      if (succeeded(exchange)) remember(exchange, key, brand);
      for (const job of jobsIn(exchange)) {
        const owner = jobs.get(String(at(job, "id")));
        if (owner === undefined) continue;
        const row = exchange.endpoint === "GET /v1/jobs" ? "4.6/3" : "4.5/3";
        if (apart(owner.key, key)) yield* shown(row, "a job of another wallet is shown", owner);
        // Only a read by somebody else puts the rule to the test; the list of somebody who has none does not.
      }
      yield* known(exchange, key);
      if (exchange.endpoint === "POST /v1/jobs/{job_id}/dispute" && succeeded(exchange)) {
        const owner = jobs.get(segmentOf(exchange, 3));
        if (owner !== undefined && apart(owner.key, key)) {
          yield* shown("4.7/15", "a job of another wallet is disputed", owner);
        }
      }
      if (exchange.endpoint === "GET /v1/webhooks" && succeeded(exchange)) {
        for (const [id, owner] of webhooks) {
          if (apart(owner.key, key)) {
            yield judge("4.9/2", !exchange.text.includes(`"${id}"`), {
              title: "a webhook of another wallet is shown",
              expected: "only webhooks of the key's wallet",
              seen: id,
              with: [owner.exchange],
            });
          }
        }
      }
      if (exchange.endpoint === "DELETE /v1/webhooks/{webhook_id}" && succeeded(exchange)) {
        const owner = webhooks.get(segmentOf(exchange, 3));
        if (owner !== undefined && apart(owner.key, key)) {
          yield* shown("4.10/4", "a webhook of another wallet is deleted", owner);
        }
      }
    },
  };

  function remember(exchange: Exchange, key: string, brand: string): void {
    const wallet = exchange.endpoint === "GET /v1/account" ? at(exchange.json, "wallet") : undefined;
    if (typeof wallet === "string") wallets.set(key, wallet.toLowerCase());
    const job = exchange.endpoint === "POST /v1/chat/completions" ? receiptOf(exchange, brand, "jobId") : null;
    if (job !== null && !jobs.has(job)) jobs.set(job, { key, exchange });
    const webhook = exchange.endpoint === "POST /v1/webhooks" ? at(exchange.json, "id") : undefined;
    if (typeof webhook === "string" && !webhooks.has(webhook)) webhooks.set(webhook, { key, exchange });
  }

  /** A job that a receipt named is known to the key that was given the receipt. */
  function* known(exchange: Exchange, key: string): Iterable<Judgement> {
    if (exchange.endpoint !== "GET /v1/jobs/{job_id}") return;
    const owner = jobs.get(segmentOf(exchange, 3));
    if (owner?.key !== key || (exchange.status !== 200 && exchange.status !== 404)) return;
    const told = {
      title: "a job that a receipt names is not known",
      expected: "200",
      seen: exchange.status,
      with: [owner.exchange],
    };
    yield judge("4.5/4", exchange.status === 200, told);
    yield judge("4.11/9", exchange.status === 200, told);
  }
}

function* shown(
  requirement: "4.5/3" | "4.6/3" | "4.7/15" | "4.10/4",
  title: string,
  owner: Owned,
): Iterable<Judgement> {
  const expected = "answered as if there were no such thing";
  yield { kind: "failed", requirement, title, expected, seen: title, with: [owner.exchange] };
}
