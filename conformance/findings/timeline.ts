/**
 * A finding's story in time: the exchanges around its evidence, the deliveries that arrived meanwhile, and the transactions that the answers
 * named, each at the first answer that named it. What the chain itself says is no part of it.
 */
import type { Exchange } from "../exchange/exchange.ts";
import type { Secrets } from "../exchange/redact.ts";
import type { Delivery, Reply } from "../receiver/receiver.ts";
import type { Moment } from "./report.ts";

/** Exchanges of the same case that are told before the evidence, and moments in all. */
const MOST_BEFORE = 8;
const MOST_MOMENTS = 40;
const LONGEST_TEXT = 120;
const TRANSACTION = /^0x[0-9a-f]{64}$/i;

type Timed = Moment & { readonly order: number };

/**
 * @param shown numbers of the exchanges that show the fault
 * @param log every exchange of the run
 * @param deliveries every delivery of the run
 */
export function timelineOf(
  shown: readonly number[],
  log: readonly Exchange[],
  deliveries: readonly Delivery[],
  secrets: Secrets,
): readonly Moment[] {
  const evidence = log.filter((exchange) => shown.includes(exchange.number));
  const [first] = evidence;
  const last = evidence.at(-1);
  if (first === undefined || last === undefined) return [];
  const before = log.filter((each) => each.case === first.case && each.number < first.number).slice(-MOST_BEFORE);
  const between = log.filter(
    (each) => each.case === first.case && each.number > first.number && each.number < last.number,
  );
  const exchanges = [...new Set([...before, ...evidence, ...between])].sort((a, b) => a.number - b.number);
  const start = Math.min(...exchanges.map((each) => each.sentAt));
  const end = Math.max(...exchanges.map((each) => each.endedAt));
  const known = new Set<string>();
  const moments: Timed[] = exchanges.flatMap((exchange) => [
    httpMoment(exchange, start, shown.includes(exchange.number)),
    ...chainMoments(exchange, start, known),
  ]);
  const heard = deliveries.filter((delivery) => delivery.at >= start && delivery.at <= end);
  moments.push(...heard.map((delivery) => webhookMoment(delivery, start)));
  moments.sort((a, b) => a.at - b.at || a.order - b.order);
  return thinned(moments).map(({ order: _, ...moment }) => ({
    ...moment,
    what: shorten(secrets.hide(moment.what)),
    outcome: shorten(secrets.hide(moment.outcome)),
  }));
}

function httpMoment(exchange: Exchange, start: number, shown: boolean): Timed {
  const { request, status, ending, number } = exchange;
  return {
    lane: "http",
    at: Math.round(exchange.sentAt - start),
    until: Math.round(exchange.endedAt - start),
    what: `${request.method} ${request.path}`,
    outcome: ending === "answered" ? String(status) : status === 0 ? ending : `${status}, ${ending}`,
    number,
    shown,
    order: number,
  };
}

/** Transactions that no earlier answer named. */
function chainMoments(exchange: Exchange, start: number, known: Set<string>): Timed[] {
  const at = Math.round(exchange.endedAt - start);
  return named(exchange).flatMap(([name, hash], index) => {
    if (known.has(hash)) return [];
    known.add(hash);
    const order = exchange.number + (index + 1) / 100;
    return [{ lane: "chain", at, what: name, outcome: hash, number: exchange.number, shown: false, order }];
  });
}

function named(exchange: Exchange): (readonly [name: string, hash: string])[] {
  const headers = exchange.headers.entries.filter(
    ([name, value]) => /-tx(-hash)?$/i.test(name) && TRANSACTION.test(value),
  );
  const found = headers.map(([name, value]) => [name.toLowerCase(), value.toLowerCase()] as const);
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || depth > 5) return;
    for (const [key, each] of Object.entries(value)) {
      if (typeof each !== "string") walk(each, depth + 1);
      else if (/_tx$/.test(key) && TRANSACTION.test(each)) found.push([key, each.toLowerCase()]);
    }
  };
  walk(exchange.json, 0);
  return found;
}

function webhookMoment(delivery: Delivery, start: number): Timed {
  return {
    lane: "webhook",
    at: Math.round(delivery.at - start),
    what: delivery.event ?? "a body without an event name",
    outcome: replyText(delivery.reply),
    number: delivery.number,
    shown: false,
    // Deliveries come after the exchange that they follow from.
    order: Number.MAX_SAFE_INTEGER,
  };
}

function replyText(reply: Reply): string {
  switch (reply.kind) {
    case "answer":
      return `answered ${reply.status}${reply.afterMs === undefined ? "" : ` after ${reply.afterMs} ms`}`;
    case "hang":
      return "left without an answer";
    case "drop":
      return "connection dropped";
    case "garbage":
      return "answered with no HTTP";
  }
}

/** A long story keeps its evidence and its end. */
function thinned(moments: readonly Timed[]): readonly Timed[] {
  if (moments.length <= MOST_MOMENTS) return moments;
  const kept = new Set([
    ...moments.filter((each) => each.shown).slice(-MOST_MOMENTS / 2),
    ...moments.slice(-MOST_MOMENTS / 2),
  ]);
  return moments.filter((each) => kept.has(each));
}

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}...`;
}
