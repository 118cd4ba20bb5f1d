/** Section 4.1, streams: when their chunks come, and clients that do not stay for them. */

import { explainable } from "../../checks/price-reading.ts";
import { at } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, type Completed, defineCase } from "../case.ts";
import { begin } from "../support/in-flight.ts";
import { chargeOf, ENDED, reached, statusOf } from "../support/jobs.ts";
import { completeLong } from "../support/long.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";

/** Milliseconds from a request to its first chunk with text, from there to its last one, and how many they are. */
function timesOf(done: Completed): { readonly first: number; readonly spread: number; readonly pieces: number } {
  const chunks = readStream(done.exchange).chunks.filter((chunk) => {
    const content = at(chunk.json, "choices", 0, "delta", "content");
    return typeof content === "string" && content !== "";
  });
  const [first, last] = [chunks[0]?.at ?? 0, chunks.at(-1)?.at ?? 0];
  return { first: first - done.exchange.sentAt, spread: last - first, pieces: chunks.length };
}

/** How much longer the first chunk of a long stream takes than that of a stream of one token, before the length is blamed for it. */
const SLOWER = 2;
const TRIES = 3;
const LEAST_MS = 100;

/**
 * A stream that comes in one burst may have been made in one: that is no fault. It was held back where the length of the text delays its first
 * chunk, again and again, which a service that sends as it makes cannot show.
 */
const unbuffered = defineCase({
  id: "4.1/unbuffered",
  title: "the first chunk of a long stream comes before its last is made",
  requirements: ["4.1/51"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const long = { stream: true, max_tokens: 400 };
    for (const model of modelsToTry(t)) {
      if (t.has("behaviours")) await t.behave(model, "normal", 400);
      const done = await completeLong(t, { ...long, model: model.id });
      if (done === null) continue;
      // A head that tells the settlement can only be sent after it (4.1/31 is open).
      if (done.exchange.headers.has(`x-${t.brand}-settlement-tx`)) {
        t.leaveOut("the head of a stream tells its settlement, and so comes after it");
      }
      const { first, spread, pieces } = timesOf(done);
      // How much text a chunk holds is not shown: a service that puts all into one has nothing to hold back.
      if (pieces === 1) t.notExercised("4.1/51", "a stream has its whole text in one chunk");
      else if (spread > Math.max(1, first / 20)) t.pass("4.1/51");
      else await compare(t, { ...long, model: model.id });
    }
  },
});

async function compare(t: CaseContext, long: Readonly<Record<string, unknown>>): Promise<void> {
  const [short, slow]: [number[], number[]] = [[], []];
  for (let index = 0; index < TRIES; index++) {
    short.push(timesOf(await t.complete({ ...long, max_tokens: 1 })).first);
    const times = timesOf(await t.complete(long));
    if (times.spread > Math.max(1, times.first / 20)) return t.pass("4.1/51");
    slow.push(times.first);
  }
  const delayed = Math.min(...slow) > SLOWER * Math.max(...short) && Math.min(...slow) - Math.max(...short) > LEAST_MS;
  if (!delayed) return t.notExercised("4.1/51", "tokens take no time that can be seen");
  t.fail("4.1/51", {
    title: "a stream is held back until its last chunk is made",
    expected: `a first chunk after some ${Math.max(...short)} ms, as of a stream of one token`,
    seen: `all chunks at once after ${slow.join(", ")} ms`,
    exchanges: t.exchanges.slice(-2 * TRIES),
  });
}

/** When the client leaves: before anything came, or in the middle of a stream. */
const MOMENTS: readonly {
  readonly what: string;
  readonly stream: boolean;
  readonly chunks: number;
  readonly most?: number;
}[] = [
  { what: "a stream after its first chunks", stream: true, chunks: 3 },
  { what: "a stream before its first chunk", stream: true, chunks: 0 },
  { what: "a completion in one piece", stream: false, chunks: 0 },
  { what: "a completion with a large estimate", stream: false, chunks: 0, most: 2_500 },
];

/** What is charged is not shown; that the balance agrees with the job is. */
const leaving = defineCase({
  id: "4.1/leaving",
  title: "a client that leaves midway pays what its job says it was charged, and nothing for a job without result",
  requirements: ["4.1/52"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const model = t.model();
    for (const { what, stream, chunks, most } of t.home.fresh ? MOMENTS : MOMENTS.slice(0, 1)) {
      const before = await quietBalance(t);
      const { pending, jobId } = await begin(t, { stream, max_tokens: most ?? 300 });
      await t.clock.advanceUntil(() => pending.settled || pending.arrivals.length >= chunks, {
        within: 30_000,
        step: 50,
      });
      const early = !pending.settled;
      pending.abort();
      const left = await pending.done;
      await t.clock.settle();
      const job = await reached(t, jobId, ENDED);
      const after = await quietBalance(t);
      const tokens = at(job.json, "usage", "completion_tokens");
      const charge = statusOf(job) === "settled" ? chargeOf(job) : 0;
      t.check("4.1/52", before - after === charge, {
        title: `who leaves ${what} does not pay what the job was charged`,
        expected: `${charge} units for a job that is ${statusOf(job)}`,
        seen: `${before - after} units${early ? "" : " (the answer had come)"}`,
        exchanges: [left, job],
      });
      if (statusOf(job) !== "settled" || typeof tokens !== "number") continue;
      const { credits_per_request: flat, credits_per_1k_tokens: perThousand } = model;
      t.check("4.1/52", charge === 0 || explainable({ flat, perThousand, tokens, charged: charge }), {
        title: `who leaves ${what} is charged by no price of the list`,
        expected: `a price of ${tokens} tokens`,
        seen: `${charge} units`,
        exchanges: [left, job],
      });
    }
    t.accepted(await t.api.say(), "a chat after clients that left");
  },
});

/** "A stream whose worker never finishes or drops out": an error before any chunk, or a stream that does not end as if it were whole. */
const broken = defineCase({
  id: "4.1/broken-stream",
  title: "a stream whose worker drops out or never finishes does not end as if it were whole",
  requirements: ["4.1/50", "1/9", "4.1/39"],
  async run(t) {
    t.accepted(await t.api.say({ stream: true }));
    for (const behaviour of ["failing", "silent"] as const) {
      const before = await quietBalance(t);
      await t.behave(t.model(), behaviour);
      const answer = await t.api.say({ stream: true, max_tokens: 600 });
      await t.behave(t.model(), "normal");
      const stream = readStream(answer);
      const streamed = answer.status === 200;
      t.check("4.1/50", !(streamed && stream.done), {
        title: `a stream whose worker is ${behaviour} ends as if it were whole`,
        expected: "an error object, or a stream without [DONE]",
        seen: answer.text.slice(-300),
        exchanges: answer,
      });
      t.observe("4.1/50", streamed ? "cut" : "error-object", { exchanges: answer });
      const after = await quietBalance(t);
      t.check(behaviour === "silent" ? "4.1/39" : "1/9", after === before, {
        title: `a stream whose worker is ${behaviour} does not give all its units back`,
        expected: `${before} units, as before`,
        seen: after,
        exchanges: [answer, ...t.exchanges.slice(-1)],
      });
    }
  },
});

export const timeCases = [unbuffered, leaving, broken];
