/** Jobs (section 2.3), wherever they are read: what must hold of each by itself, and what must be the same each time. */
import { type JobStatus, mayFollow } from "../../../fixtures/protocol/index.ts";
import { at, type Exchange, segmentOf, succeeded } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { isValueOf } from "./account.ts";
import { isStream } from "./answers.ts";
import { leastTokens } from "./completions.ts";
import { stillTold } from "./disputed.ts";
import { receiptOf } from "./receipts.ts";

/** What is remembered of a job. */
interface Known {
  /** The chat that made it, with what its receipt said. */
  chat: Exchange | null;
  last: { readonly status: string; readonly exchange: Exchange } | null;
  settled: { readonly facts: string; readonly job: unknown; readonly exchange: Exchange } | null;
  created: { readonly at: string; readonly exchange: Exchange } | null;
  /** A dispute may change what was settled. */
  disputed: boolean;
  /** Its token counts were held against its request: once, since what has settled stays. */
  counted: boolean;
}

/** The fields of the contract that a settled job keeps. What else a service adds, beside them or within them, may change as it likes. */
const LASTING: readonly (readonly string[])[] = [
  ...[
    "id",
    "object",
    "model",
    "tier",
    "credits_charged",
    "usdg_value",
    "worker_address",
    "created_at",
    "completed_at",
  ].map((name) => [name]),
  ...["escrow_tx", "settlement_tx", "escrow_address", "block_number", "proof_hash"].map((name) => ["on_chain", name]),
  ...["prompt_tokens", "completion_tokens", "total_tokens"].map((name) => ["usage", name]),
];

export function jobsMonitor(): Monitor {
  const known = new Map<string, Known>();
  const tiers = new Map<string, unknown>();
  const transactions = new Map<string, Told>();
  const prompts = new Map<string, Told & { readonly tokens: number }>();
  const of = (id: string): Known => {
    const found = known.get(id) ?? {
      chat: null,
      last: null,
      settled: null,
      created: null,
      disputed: false,
      counted: false,
    };
    known.set(id, found);
    return found;
  };
  return {
    name: "jobs",
    rows: [
      ...([
        "1/2",
        "2.3/3",
        "2.3/5",
        "2.3/7",
        "2.3/10",
        "2.3/11",
        "3.1/12",
        "4.6/19",
        "2.4/11",
        "4.1/8",
        "2.3/17",
        "2.3/18",
        "2.3/21",
        "2.3/22",
        "2.3/23",
      ] as const),
      ...(["2.3/27", "2.5/6", "3.1/9", "3.1/10", "4.11/6", "8/11"] as const),
    ],
    *see(exchange, { brand }) {
      const { endpoint } = exchange;
      if (endpoint === "GET /v1/models" && succeeded(exchange)) {
        const data = at(exchange.json, "data");
        for (const model of Array.isArray(data) ? data : [])
          tiers.set(String(at(model, "id")), at(model, brand, "tier"));
      }
      if (endpoint === "POST /v1/chat/completions") yield* made(exchange, brand, of);
      if (endpoint === "POST /v1/jobs/{job_id}/dispute" && at(exchange.json, "dispute_opened") === true) {
        of(segmentOf(exchange, 3)).disputed = true;
      }
      if (exchange.endpoint === "GET /v1/jobs") yield* inOrder(exchange);
      for (const job of jobsIn(exchange)) {
        const id = at(job, "id");
        if (typeof id !== "string") continue;
        yield* byItself(job, tiers, of(id));
        yield* ofItsChat(job, of(id), brand);
        yield* ofItsOwn(job, id, of(id), exchange, transactions);
        yield* ofItsPrompt(job, id, of(id), exchange, prompts);
        yield* overTime(job, of(id), exchange);
      }
    },
  };
}

/** The jobs that an answer shows: one, or a page of them. */
export function jobsIn(exchange: Exchange): readonly unknown[] {
  if (!succeeded(exchange)) return [];
  if (exchange.endpoint === "GET /v1/jobs/{job_id}") return [exchange.json];
  const data = exchange.endpoint === "GET /v1/jobs" ? at(exchange.json, "data") : [];
  return Array.isArray(data) ? data : [];
}

/** Each accepted chat has a job of its own. */
function* made(exchange: Exchange, brand: string, of: (id: string) => Known): Iterable<Judgement> {
  const id = receiptOf(exchange, brand, "jobId");
  if (id === null || exchange.ending !== "answered") return;
  const job = of(id);
  const { chat } = job;
  if (chat !== null && chat !== exchange) {
    const told = { title: "two chats have one job", expected: "a job of its own", seen: id, with: [chat] };
    yield { kind: "failed", requirement: "2.3/21", ...told };
    yield { kind: "failed", requirement: "1/2", ...told };
  } else if (succeeded(exchange)) {
    yield { kind: "passed", requirement: "2.3/21" };
    yield { kind: "passed", requirement: "1/2" };
  }
  job.chat ??= exchange;
}

function* byItself(job: unknown, tiers: ReadonlyMap<string, unknown>, { disputed }: Known): Iterable<Judgement> {
  const field = (...path: (string | number)[]): unknown => at(job, ...path);
  const status = field("status");
  const charged = field("credits_charged");
  const [created, completed] = [field("created_at"), field("completed_at")].map((time) =>
    typeof time === "string" ? Date.parse(time) : Number.NaN,
  ) as [number, number];
  if (typeof charged === "number") {
    yield judge("2.3/27", charged >= 0, { expected: "0 or more", seen: charged });
    yield judge("8/11", Number.isInteger(charged), {
      title: "a charge is no whole number",
      expected: "an integer",
      seen: charged,
    });
    const value = field("usdg_value");
    // A job that is unfinished may tell of its charge as it likes; one that has ended tells one and the same thing twice.
    if (status === "settled" || (ENDS.includes(String(status)) && typeof value === "number")) {
      yield judge("2.3/7", isValueOf(value, charged), {
        expected: `${charged / 100} for ${charged} units`,
        seen: value,
      });
    }
  }
  if (status === "pending" || status === "processing") {
    yield judge("2.3/10", !Number.isFinite(completed), {
      title: `a job that is ${status} tells when it was completed`,
      expected: "no `completed_at` yet",
      seen: field("completed_at"),
    });
  }
  const tier = tiers.get(String(field("model")));
  if (tier !== undefined && field("tier") !== undefined) {
    yield judge("2.3/5", field("tier") === tier, { expected: String(tier), seen: field("tier") });
  }
  if (Number.isFinite(created) && Number.isFinite(completed)) {
    yield judge("2.3/10", completed >= created, {
      expected: "`completed_at` not before `created_at`",
      seen: { created_at: field("created_at"), completed_at: field("completed_at") },
    });
  }
  const [prompt, completion, total] = ["prompt_tokens", "completion_tokens", "total_tokens"].map((name) =>
    field("usage", name),
  );
  if (typeof prompt === "number" && typeof completion === "number" && typeof total === "number") {
    yield judge("2.3/17", prompt + completion === total, { expected: `${prompt} + ${completion}`, seen: total });
  }
  const [escrow, settlement] = [field("on_chain", "escrow_tx"), field("on_chain", "settlement_tx")];
  if (typeof escrow === "string" && typeof settlement === "string") {
    yield judge("2.3/22", escrow !== settlement, { expected: "two transactions", seen: escrow });
  }
  // A verdict may call a job so that had settled, and been paid for, before (3.1/14 is open).
  if ((status === "failed" || status === "refunded") && !disputed) {
    yield judge("3.1/10", typeof settlement !== "string", {
      title: `a ${status} job has a settlement transaction`,
      expected: "none",
      seen: settlement,
    });
  }
}

/** The job tells what its chat's receipt and body told. */
function* ofItsChat(job: unknown, { chat }: Known, brand: string): Iterable<Judgement> {
  if (chat === null) return;
  const asked = at(chat.request.json, "model");
  if (typeof asked === "string") {
    yield judge("2.3/3", at(job, "model") === asked, { expected: asked, seen: at(job, "model"), with: [chat] });
  }
  if (!succeeded(chat)) return;
  const pairs = [
    ["txHash", "escrow_tx", at(job, "on_chain", "escrow_tx")],
    ["settlementTx", "settlement_tx", at(job, "on_chain", "settlement_tx")],
    ["worker", "worker_address", at(job, "worker_address")],
  ] as const;
  for (const [name, field, value] of pairs) {
    const told = receiptOf(chat, brand, name);
    if (told === null || typeof value !== "string") continue;
    yield judge("4.11/6", told.toLowerCase() === value.toLowerCase(), {
      title: `a receipt and its job tell of another ${field}`,
      expected: value,
      seen: told,
      with: [chat],
    });
  }
  // A stream need not tell its usage (2.4/16 is open); where it does, it is its job's, too.
  const told = isStream(chat)
    ? readStream(chat).chunks.findLast(({ json }) => at(json, "usage", "total_tokens") !== undefined)?.json
    : chat.json;
  const usage = ["prompt_tokens", "completion_tokens", "total_tokens"].map((name) => [
    at(told, "usage", name),
    at(job, "usage", name),
  ]);
  if (usage.every(([told, recorded]) => typeof told === "number" && typeof recorded === "number")) {
    yield judge(
      "2.3/18",
      usage.every(([told, recorded]) => told === recorded),
      {
        expected: JSON.stringify(at(told, "usage")),
        seen: at(job, "usage"),
        with: [chat],
      },
    );
  }
}

/** The job that showed a transaction first. */
interface Told {
  readonly id: string;
  readonly exchange: Exchange;
}

/** What the contract's own fields of a chat say of its prompt; other fields (tools, images) may be told to the model, too. */
const CHAT_FIELDS: readonly string[] = [
  ...["model", "messages", "stream", "max_tokens", "temperature", "top_p", "stop", "seed"],
  ...["frequency_penalty", "presence_penalty"],
];

/** A stream need not tell its usage, but its job does: bounded as the request says, and the same prompt counts the same each time. */
function* ofItsPrompt(
  job: unknown,
  id: string,
  known: Known,
  exchange: Exchange,
  prompts: Map<string, Told & { readonly tokens: number }>,
): Iterable<Judgement> {
  const { chat, counted } = known;
  const [prompt, completion] = [at(job, "usage", "prompt_tokens"), at(job, "usage", "completion_tokens")];
  const body = chat?.request.json;
  if (counted || chat === null || at(job, "status") !== "settled" || typeof body !== "object" || body === null) return;
  known.counted = true;
  const [messages, most] = [at(body, "messages"), at(body, "max_tokens")];
  if (typeof completion === "number" && typeof most === "number" && Number.isInteger(most) && most > 0) {
    yield judge("4.1/8", completion <= most, {
      title: "a job has more tokens than its request's `max_tokens`",
      expected: `at most ${most}`,
      seen: completion,
      with: [chat],
    });
  }
  if (typeof prompt !== "number" || !Object.keys(body).every((name) => CHAT_FIELDS.includes(name))) return;
  const least = leastTokens(messages);
  yield judge("2.4/11", prompt >= least, {
    title: "a job's prompt counts fewer tokens than it has",
    expected: `at least ${least}`,
    seen: prompt,
    with: [chat],
  });
  const text = JSON.stringify([at(body, "model"), messages]);
  const before = prompts.get(text);
  if (before === undefined) prompts.set(text, { id, exchange, tokens: prompt });
  else if (before.id !== id) {
    yield judge("2.4/11", prompt === before.tokens, {
      title: "one prompt counts differently from one job to the next",
      expected: String(before.tokens),
      seen: prompt,
      with: [before.exchange, chat],
    });
  }
}

/** Jobs in flight together may settle in one transaction; but none that was on the chain before a request can be of its job. */
function* ofItsOwn(
  job: unknown,
  id: string,
  { chat }: Known,
  exchange: Exchange,
  transactions: Map<string, Told>,
): Iterable<Judgement> {
  for (const name of ["escrow_tx", "settlement_tx"]) {
    const tx = at(job, "on_chain", name);
    if (typeof tx !== "string") continue;
    const first = transactions.get(tx.toLowerCase());
    if (first === undefined) transactions.set(tx.toLowerCase(), { id, exchange });
    else if (first.id !== id && chat !== null && chat.number > first.exchange.number) {
      yield judge("2.3/22", chat.sentAt <= first.exchange.endedAt, {
        title: `a job's ${name} was an earlier job's`,
        expected: "a transaction made after the request",
        seen: tx,
        with: [first.exchange, chat],
      });
    }
  }
}

/** Jobs that were created at once, and their times as told, come in no particular order. */
const AT_ONCE = 1_000;

/** A page is newest or oldest first throughout, by the times that its jobs tell. */
function* inOrder(exchange: Exchange): Iterable<Judgement> {
  const times = jobsIn(exchange).map((job) => Date.parse(String(at(job, "created_at"))));
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined || times.some(Number.isNaN)) return;
  const sign = first < last ? 1 : -1;
  const turn = times.findIndex((time, index) => index > 0 && sign * (time - (times[index - 1] ?? time)) < -AT_ONCE);
  if (turn === -1 && Math.abs(last - first) <= AT_ONCE) return;
  yield judge("4.6/19", turn === -1, {
    title: "the jobs of a page are not in the order of their `created_at`",
    expected: sign > 0 ? "oldest first throughout" : "newest first throughout",
    seen: `otherwise at job ${turn + 1} of ${times.length}`,
  });
}

/** What a job has come to once it is no longer on its way. */
const ENDS: readonly string[] = ["settled", "failed", "refunded", "disputed"];

/** The end that a job has come to is its end, but for a dispute of what was settled. */
const KEPT: readonly string[] = ["settled", "failed", "refunded"];

/** A status never goes back, and what is settled stays as it is. */
function* overTime(job: unknown, known: Known, exchange: Exchange): Iterable<Judgement> {
  const status = at(job, "status");
  if (typeof status !== "string") return;
  if (status === "disputed") known.disputed = true;
  const created = at(job, "created_at");
  if (typeof created === "string") {
    known.created ??= { at: created, exchange };
    yield judge("2.3/11", created === known.created.at, {
      title: "a job's `created_at` changes",
      expected: known.created.at,
      seen: created,
      with: [known.created.exchange],
    });
  }
  const { last } = known;
  // Answers that were on their way at the same time come in no particular order.
  if (last !== null && exchange.sentAt >= last.exchange.endedAt && exchange.number > last.exchange.number) {
    yield judge("3.1/9", mayFollow(last.status as JobStatus, status as JobStatus), {
      title: `a job goes from \`${last.status}\` to \`${status}\``,
      expected: `a status that may follow \`${last.status}\``,
      seen: status,
      with: [last.exchange],
    });
    if (KEPT.includes(last.status) && !known.disputed) {
      yield judge("3.1/12", status === last.status, {
        title: `a job that was \`${last.status}\` does not stay so`,
        expected: last.status,
        seen: status,
        with: [last.exchange],
      });
    }
  }
  if (last === null || exchange.number > last.exchange.number) known.last = { status, exchange };
  if (status === "disputed" && known.settled !== null) yield* stillTold(job, known.settled);
  if (status !== "settled" || known.disputed) return;
  const facts = JSON.stringify(LASTING.map((path) => at(job, ...path) ?? null));
  const { settled } = known;
  if (settled === null) {
    known.settled = { facts, job, exchange };
    return;
  }
  const elsewhere = settled.exchange.endpoint !== exchange.endpoint;
  yield judge(elsewhere ? "2.5/6" : "2.3/23", settled.facts === facts, {
    title: elsewhere ? "a settled job reads otherwise in a page than on its own" : "a settled job changed",
    expected: settled.facts,
    seen: facts,
    with: [settled.exchange],
  });
}
