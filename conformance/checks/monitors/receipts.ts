/** Receipt headers (section 4.11): there on every completion, well-formed wherever they are, and of the right job. */
import { brandNames } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { isStream } from "./answers.ts";

const FORMS = {
  jobId: /^job_.+$/,
  txHash: /^0x[0-9a-fA-F]{64}$/,
  settlementTx: /^0x[0-9a-fA-F]{64}$/,
  worker: /^0x[0-9a-fA-F]{40}$/,
  creditsRemaining: /^-?\d+$/,
} as const;

type Name = keyof typeof FORMS;

/** A receipt header, or a trailer of that name: a stream may tell late what it learned late. */
export function receiptOf(exchange: Exchange, brand: string, name: Name): string | null {
  const header = brandNames(brand).headers[name];
  return exchange.headers.get(header) ?? exchange.trailers.get(header);
}

const isCompletion = (exchange: Exchange): boolean =>
  succeeded(exchange) && exchange.endpoint === "POST /v1/chat/completions";

export function receiptsMonitor(): Monitor {
  return {
    name: "receipts",
    rows: [
      ...(["2.1/7", "2.4/2", "4.11/1", "4.11/2", "4.11/3", "4.11/4", "4.11/5", "4.11/6"] as const),
      ...(["4.11/8", "4.11/10", "4.11/11", "4.11/12", "7.2/9"] as const),
    ],
    *see(exchange, { brand }) {
      const names = Object.keys(FORMS) as Name[];
      yield* wellFormed(exchange, brand, names);
      if (isCompletion(exchange)) yield* complete(exchange, brand);
      else if (exchange.ending === "answered" && exchange.endpoint !== null && exchange.status < 500) {
        const found = names.filter((name) => receiptOf(exchange, brand, name) !== null);
        yield { kind: "observed", requirement: "4.11/8", choice: found.length === 0 ? "absent" : "present" };
      }
      yield* timedOut(exchange, brand);
    },
  };
}

function* wellFormed(exchange: Exchange, brand: string, names: readonly Name[]): Iterable<Judgement> {
  for (const name of names) {
    const value = receiptOf(exchange, brand, name);
    if (value === null) continue;
    const header = brandNames(brand).headers[name];
    yield judge("4.11/10", FORMS[name].test(value), {
      title: `the header ${header} is malformed`,
      expected: String(FORMS[name]),
      seen: value,
    });
    if (name === "creditsRemaining") {
      yield judge("2.1/7", !value.startsWith("-"), {
        title: "a balance below zero in a receipt",
        expected: "0 or more",
        seen: value,
      });
    }
  }
}

function* complete(exchange: Exchange, brand: string): Iterable<Judgement> {
  const headers = brandNames(brand).headers;
  const stream = isStream(exchange);
  const due = [
    ["jobId", "4.11/1"],
    ["txHash", "4.11/2"],
    ["worker", "4.11/4"],
    ["creditsRemaining", "4.11/5"],
  ] as const;
  for (const [name, row] of due) {
    const value = receiptOf(exchange, brand, name);
    // A head that was sent at once, before any worker spoke, cannot name the worker: the case `4.11/stream` tells which it was.
    if (name === "worker" && value === null && stream) continue;
    // The balance may come in a trailer, which a stream that broke off has not.
    if (name === "creditsRemaining" && value === null && stream && !readStream(exchange).done) continue;
    yield judge(row, value !== null, { expected: headers[name], seen: "no such header" });
    // The job and its lock are there before the first chunk can be.
    if (stream && (name === "jobId" || name === "txHash")) {
      yield judge("4.11/11", exchange.headers.has(headers[name]), {
        title: `a stream begins without ${headers[name]}`,
        expected: headers[name],
        seen: "no such header",
      });
    }
  }
  if (receiptOf(exchange, brand, "settlementTx") !== null) yield { kind: "passed", requirement: "4.11/3" };
  const jobId = receiptOf(exchange, brand, "jobId");
  const id = at(exchange.json, "id");
  if (typeof id === "string" && jobId !== null) {
    yield judge("4.11/6", id === `chatcmpl-${jobId}`, {
      title: "the job id of the receipt is not the one within the completion's id",
      expected: `chatcmpl-${jobId}`,
      seen: id,
    });
    yield judge("2.4/2", id === `chatcmpl-${jobId}`, { expected: `chatcmpl-${jobId}`, seen: id });
  }
}

function* timedOut(exchange: Exchange, brand: string): Iterable<Judgement> {
  if (exchange.status !== 504) return;
  const told = receiptOf(exchange, brand, "jobId");
  const named = at(exchange.json, "error", "details", "job_id");
  if (told !== null && typeof named === "string") {
    yield judge("4.11/12", told === named, { expected: named, seen: told });
  }
  const [lock, refund] = [receiptOf(exchange, brand, "txHash"), at(exchange.json, "error", "details", "refund_tx")];
  if (lock !== null && typeof refund === "string") {
    yield judge("7.2/9", lock.toLowerCase() !== refund.toLowerCase(), {
      title: "a refund is the transaction of its escrow lock",
      expected: "two transactions",
      seen: refund,
    });
  }
}
