/** Section 2.4: the completion, and the chunk of a stream. The form of chunks is judged from the bytes, by `checks/stream-shape.ts`. */
import { at, type Exchange } from "../exchange/exchange.ts";
import { readStream } from "../exchange/sse.ts";
import { type CaseContext, type Completed, defineCase, type RequirementId } from "./case.ts";
import { settledJob } from "./support/jobs.ts";
import { modelsToTry } from "./support/money.ts";

const SHAPE_ROWS = [
  "2.4/1",
  "2.4/2",
  "2.4/3",
  "2.4/4",
  "2.4/5",
  "2.4/6",
  "2.4/7",
  "2.4/8",
  "2.4/9",
  "2.4/11",
] as const satisfies readonly RequirementId[];

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value);

/** Every field of a completion in one piece, and what its values must have to do with one another. */
function judgeCompletion(t: CaseContext, done: Completed, model: string): void {
  const { json } = done.exchange;
  const choice = at(json, "choices", 0);
  const message = at(choice, "message");
  const usage = (name: string): unknown => at(json, "usage", name);
  const [prompt, completion, total] = [usage("prompt_tokens"), usage("completion_tokens"), usage("total_tokens")];
  const shown = { seen: done.exchange.text, exchanges: done.exchange };
  const header = done.exchange.headers.get(`x-${t.brand}-job-id`);

  t.check("2.4/1", at(message, "role") === "assistant" && typeof at(message, "content") === "string", {
    title: "the message of a completion has not the role `assistant` and a string `content`",
    ...shown,
  });
  t.check("2.4/2", at(json, "id") === `chatcmpl-${header ?? done.jobId}` && done.jobId.startsWith("job_"), {
    expected: `chatcmpl-${header ?? "job_..."}`,
    seen: at(json, "id"),
    exchanges: done.exchange,
  });
  t.check(
    "2.4/3",
    at(json, "object") === "chat.completion" &&
      isCount(at(json, "created")) &&
      Number(at(json, "created")) < 100_000_000_000 &&
      typeof at(json, "model") === "string",
    shown,
  );
  t.check("2.4/4", at(json, "model") === model, { expected: model, seen: at(json, "model"), exchanges: done.exchange });
  const choices = at(json, "choices");
  t.check(
    "2.4/5",
    Array.isArray(choices) &&
      choices.length > 0 &&
      isCount(at(choice, "index")) &&
      typeof at(choice, "finish_reason") === "string",
    shown,
  );
  t.check("2.4/6", isCount(prompt) && isCount(completion) && isCount(total), shown);
  t.check("2.4/7", Number(total) === Number(prompt) + Number(completion), {
    expected: "prompt_tokens + completion_tokens",
    seen: at(json, "usage"),
    exchanges: done.exchange,
  });
  t.check("2.4/8", Array.isArray(choices) && choices.length === 1 && at(choice, "index") === 0, shown);
  t.check("2.4/9", at(choice, "finish_reason") === "stop" || at(choice, "finish_reason") === "length", {
    expected: "stop or length",
    seen: at(choice, "finish_reason"),
    exchanges: done.exchange,
  });
  t.check("2.4/11", Number(prompt) >= 1 && Number(completion) >= 0 && Number(total) >= 1, {
    expected: "at least one prompt token, and none negative",
    seen: at(json, "usage"),
    exchanges: done.exchange,
  });
}

/** A completion in each tier, short, cut and stopped: the fields of section 2.4 and no others are promised. */
const completion = defineCase({
  id: "2.4/completion",
  title: "a completion has the fields of section 2.4, whichever model made it and however it ended",
  requirements: SHAPE_ROWS,
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    for (const model of modelsToTry(t)) judgeCompletion(t, await t.complete({ model: model.id }), model.id);
    const { id } = t.model();
    const words = Array.from({ length: 300 }, () => t.random.text(5)).join(" ");
    const [hello, long] = ["Hello.", words].map((content) => ({ role: "user", content }));
    // Every message is of the prompt, one in the midst as well: the monitor `completions` knows how many tokens so many words are at least.
    const among = [hello, { role: "assistant", content: words }, hello];
    judgeCompletion(t, await t.complete({ max_tokens: 1 }), id);
    judgeCompletion(t, await t.complete({ max_tokens: 64, stop: ["e", " "], messages: among }), id);
    if (!t.home.fresh) return;
    for (const model of modelsToTry(t)) {
      const most = model.id === id ? undefined : 16;
      judgeCompletion(t, await t.complete({ model: model.id, messages: [long], max_tokens: most }), model.id);
    }
    for (const role of ["system", "user"]) {
      judgeCompletion(t, await t.complete({ messages: [{ role, content: words }, hello] }), id);
    }
    // A prompt of one letter is not empty either.
    judgeCompletion(t, await t.complete({ messages: [{ role: "user", content: "a" }] }), id);
  },
});

/** How far a service's clock may be from the judge's: nothing where the judge moves it, a minute and a half where nobody knows. */
function skew(t: CaseContext): number {
  if (t.clock.kind === "manual") return 5_000;
  return t.clock.kind === "none" ? 90_000 : 15_000;
}

/** `created` is when the completion was made: near the request, and later for a later one. */
const created = defineCase({
  id: "2.4/created",
  title: "`created` is the time of the request, in seconds, for a later request and a stream as well",
  requirements: ["2.4/10"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const judge = (exchange: Exchange, body: unknown): void => {
      const seconds = Number(at(body, "created"));
      const from = Math.floor((exchange.sentAt - skew(t)) / 1_000);
      const to = Math.ceil((exchange.endedAt + skew(t)) / 1_000);
      t.check("2.4/10", seconds >= from && seconds <= to, {
        expected: `between ${from} and ${to}`,
        seen: at(body, "created"),
        exchanges: exchange,
      });
    };
    const first = await t.complete();
    judge(first.exchange, first.exchange.json);
    if (t.clock.movable) {
      await t.clock.advance(3 * 3_600_000);
      const later = await t.complete();
      judge(later.exchange, later.exchange.json);
    }
    const stream = await t.complete({ stream: true });
    judge(stream.exchange, readStream(stream.exchange).chunks[0]?.json);
  },
});

/** "Whether a stream tells its token usage": not shown. Where it does, it tells that of the job. */
const usageInStream = defineCase({
  id: "2.4/stream-usage",
  title: "a usage within a stream, if any, is the job's",
  requirements: ["2.4/16"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete({ stream: true });
    const told = readStream(done.exchange)
      .chunks.map((chunk) => at(chunk.json, "usage"))
      .filter((usage) => typeof usage === "object" && usage !== null);
    if (told.length === 0) return t.observe("2.4/16", "absent");
    const job = await settledJob(t, done.jobId);
    const last = told.at(-1);
    for (const name of ["prompt_tokens", "completion_tokens", "total_tokens"]) {
      t.check("2.4/16", at(last, name) === at(job.json, "usage", name), {
        title: "the usage told in a stream is not the job's",
        expected: JSON.stringify(at(job.json, "usage")),
        seen: last,
        exchanges: [done.exchange, job],
      });
    }
    t.observe("2.4/16", "chunk");
  },
});

export const section24 = [completion, created, usageInStream];
