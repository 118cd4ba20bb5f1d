/**
 * The order of settlements (sections 1, 2.3). Without a look at the chain no block can be checked; but a settlement that came after a request lies in
 * no block before one that was told already when the request was sent.
 */

import { completedFrom } from "../checks/completed.ts";
import { jobsIn } from "../checks/monitors/jobs.ts";
import { at, type Exchange } from "../exchange/exchange.ts";
import type { Evidence } from "../findings/evidence.ts";

/** A block that a settled job told, and when it was first read there. */
interface Told {
  readonly job: string;
  readonly block: number;
  readonly exchange: Exchange;
}

/** Blocks that a chain may take back, and seal others instead. */
const TAKEN_BACK = 64;
const MOST_SHOWN = 5;

export function auditBlocks(log: readonly Exchange[], brand: string): readonly Evidence[] {
  const told = toldBlocks(log);
  const inOrder = [...told.values()].sort((a, b) => a.exchange.endedAt - b.exchange.endedAt);
  const chats = log
    .filter((exchange) => exchange.endpoint === "POST /v1/chat/completions")
    .sort((a, b) => a.sentAt - b.sentAt);
  const found: Evidence[] = [];
  let latest: Told | null = null;
  let next = 0;
  for (const chat of chats) {
    for (; (inOrder[next]?.exchange.endedAt ?? Number.POSITIVE_INFINITY) <= chat.sentAt; next++) {
      const each = inOrder[next] as Told;
      if (each.block > (latest?.block ?? 0)) latest = each;
    }
    const own = told.get(completedFrom(chat, brand)?.jobId ?? "");
    if (own === undefined || latest === null || own.block >= latest.block - TAKEN_BACK) continue;
    if (found.length < MOST_SHOWN) found.push(failed(chat, own, latest));
  }
  return found;
}

function failed(chat: Exchange, own: Told, latest: Told): Evidence {
  const requirement = "2.3/24" as const;
  const fault = {
    requirement,
    title: "a settlement lies in a block that was sealed before its request",
    expected: `${latest.block} or later: \`${latest.job}\` had told that block when the request was sent`,
    seen: `${own.block} for \`${own.job}\``,
    exchanges: [latest.exchange.number, chat.number, own.exchange.number],
  };
  return { kind: "failed", requirement, source: { case: chat.case, by: "audit:blocks" }, fault };
}

function toldBlocks(log: readonly Exchange[]): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  for (const exchange of log) {
    for (const job of jobsIn(exchange)) {
      const [id, block] = [at(job, "id"), at(job, "on_chain", "block_number")];
      if (typeof id !== "string" || typeof block !== "number" || at(job, "status") !== "settled") continue;
      if (!told.has(id)) told.set(id, { job: id, block, exchange });
    }
  }
  return told;
}
