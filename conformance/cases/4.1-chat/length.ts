/** Section 4.1: `max_tokens`, and why a completion ended. */
import { at } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, type Completed, defineCase } from "../case.ts";
import { settledJob } from "../support/jobs.ts";
import { completeLong } from "../support/long.ts";
import { modelsToTry } from "../support/money.ts";

/** Tokens of a completion, by its own word or, for a stream, by its job's. */
async function tokensOf(t: CaseContext, done: Completed): Promise<number> {
  if (done.completionTokens !== null && !isStream(done)) return done.completionTokens;
  const job = await settledJob(t, done.jobId);
  const tokens = at(job.json, "usage", "completion_tokens");
  return typeof tokens === "number" ? tokens : t.giveUp("a job does not tell its completion tokens");
}

const isStream = (done: Completed): boolean => readStream(done.exchange).chunks.length > 0;

/** `finish_reason`, of a completion or of a stream's last chunk. */
function reasonOf(done: Completed): unknown {
  if (!isStream(done)) return at(done.exchange.json, "choices", 0, "finish_reason");
  const reasons = readStream(done.exchange).chunks.map((chunk) => at(chunk.json, "choices", 0, "finish_reason"));
  return reasons.findLast((reason) => typeof reason === "string");
}

/** "max_tokens: maximum tokens generated", for whatever a model says by itself. */
const bounds = defineCase({
  id: "4.1/max-tokens",
  title: "no completion, plain or streamed, is longer than its `max_tokens`",
  requirements: ["4.1/8", "4.1/35", "4.1/15", "4.1/16"],
  needs: ["credits"],
  cost: (prices) => 5 * prices.flat,
  async run(t) {
    const full: Completed[] = [];
    let longest = 0;
    for (const [max, stream] of [
      [1, false],
      [5, false],
      [2, true],
      [7, true],
      [200, false],
    ] as const) {
      const done = await t.complete({ max_tokens: max, stream });
      const tokens = await tokensOf(t, done);
      t.check(stream ? "4.1/35" : "4.1/8", tokens <= max, {
        title: `a ${stream ? "stream" : "completion"} is longer than its \`max_tokens\``,
        expected: `at most ${max} tokens`,
        seen: tokens,
        exchanges: done.exchange,
      });
      longest = Math.max(longest, tokens);
      if (tokens === max && max <= SMALL) full.push(done);
      // Fewer tokens than allowed: it ended by itself.
      if (tokens < max) {
        t.check("4.1/16", reasonOf(done) === "stop", {
          title: "a completion that ended by itself has not the `finish_reason` `stop`",
          expected: "stop",
          seen: reasonOf(done),
          exchanges: done.exchange,
        });
      }
    }
    // One text may end where it must. That two do, at bounds of their own and though another was longer, is no chance.
    for (const stream of [false, true]) {
      const met = full.filter((done) => isStream(done) === stream);
      if (met.length < 2 || longest <= SMALL + 3) t.notExercised("4.1/15", "too few texts met their bounds");
      else {
        t.check("4.1/15", met.map(reasonOf).includes("length"), {
          title: `no ${stream ? "stream" : "completion"} that is as long as its \`max_tokens\` says that it was cut`,
          expected: "length",
          seen: met.map(reasonOf),
          exchanges: met.map((done) => done.exchange),
        });
      }
    }
  },
});

/** The largest of the small bounds. */
const SMALL = 7;

/** Lengths around a bound: what the model would say, and the bound that it meets or does not. */
const AROUND: readonly (readonly [says: number, max: number | undefined])[] = [
  [50, 1],
  [50, 49],
  [50, 50],
  [50, 51],
  [50, undefined],
  [700, 499],
  [700, 699],
];

/** With the length of the model's own words known: a bound below it cuts to `length`, a bound above it does not. */
const cut = defineCase({
  id: "4.1/cut",
  title:
    "a completion cut by `max_tokens` says `length`, one that ended by itself `stop`, in every tier and both forms",
  requirements: ["4.1/8", "4.1/15", "4.1/16", "4.1/35"],
  async run(t) {
    for (const model of modelsToTry(t)) {
      for (const [says, max] of model === t.model() ? AROUND : AROUND.slice(1, 4)) {
        await t.behave(model, "normal", says);
        for (const stream of [false, true]) {
          const done = await completeLong(t, { model: model.id, max_tokens: max, stream });
          if (done !== null) await judgeCut(t, done, { says, max: max ?? Number.POSITIVE_INFINITY, stream });
        }
      }
    }
  },
});

async function judgeCut(
  t: CaseContext,
  done: Completed,
  { says, max, stream }: { readonly says: number; readonly max: number; readonly stream: boolean },
): Promise<void> {
  const tokens = await tokensOf(t, done);
  const form = stream ? "stream" : "completion";
  if (Number.isFinite(max)) {
    t.check(stream ? "4.1/35" : "4.1/8", tokens <= max, {
      title: `a ${form} is longer than its \`max_tokens\``,
      expected: `at most ${max} tokens`,
      seen: tokens,
      exchanges: done.exchange,
    });
  }
  // Said as much as allowed, and no more to say: either reason is true.
  if (says === max || tokens > max) return;
  const row = says > max ? "4.1/15" : "4.1/16";
  const expected = says > max ? "length" : "stop";
  t.check(row, reasonOf(done) === expected, {
    title: `a ${form} that ${says > max ? "was cut by `max_tokens`" : "ended by itself"} has another \`finish_reason\``,
    expected,
    seen: `${reasonOf(done)} after ${tokens} tokens of ${says}, with max_tokens ${max}`,
    exchanges: done.exchange,
  });
}

export const lengthCases = [bounds, cut];
