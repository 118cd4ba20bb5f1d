/** Section 4.1, streams: what their bytes are. The rules themselves are in `checks/stream-shape.ts`. */

import { judgeStream, STREAM_ROWS } from "../../checks/stream-shape.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { completeLong } from "../support/long.ts";
import { modelsToTry } from "../support/money.ts";
import { answered, told } from "../support/refusals.ts";

/** Gives every judgement of a stream as evidence of the case. */
function judgeShape(t: CaseContext, exchange: Exchange): void {
  for (const judgement of judgeStream(exchange, t.brand)) {
    if (judgement.kind === "observed") t.observe(judgement.requirement, judgement.choice, { exchanges: exchange });
    else if (judgement.kind === "passed") t.pass(judgement.requirement);
    else {
      const { title, expected, seen } = judgement;
      t.fail(judgement.requirement, { ...(title && { title }), expected, seen, exchanges: exchange });
    }
  }
}

/** A valid streamed chat whose answer came whole; a service that cannot answer is another case's business. */
async function streamOf(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<Exchange> {
  const first = await t.api.say({ stream: true, ...changes });
  if (first.ending === "cut") await judgeCut(t, changes);
  const answer = answered(t, first);
  if (answer.status !== 200) t.giveUp(`a streamed chat was answered ${told(answer)}`);
  return answer;
}

const ROUNDS = 3;

/** A connection may break at any time. A stream that breaks off again and again, each time beside a completion that comes whole, never ends. */
async function judgeCut(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<void> {
  const again: Exchange[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const beside = await t.api.say(changes);
    const answer = await t.api.say({ stream: true, ...changes });
    if (beside.ending !== "answered" || beside.status !== 200 || answer.ending !== "cut") return;
    again.push(beside, answer);
  }
  t.fail("4.1/27", {
    title: "the connection of each stream is broken off before its end",
    expected: "`data: [DONE]`, and the end of the answer",
    seen: again.at(-1)?.text.slice(-200),
    exchanges: again,
  });
}

/**
 * "Each event is a line `data: <chunk JSON>` followed by a blank line. The first chunk's delta carries `role` `assistant` and content; later chunks
 * carry `content`; every chunk's `finish_reason` is null until the final content-less chunk ...; the stream ends with the line `data: [DONE]`."
 */
const shape = defineCase({
  id: "4.1/stream",
  title:
    "a stream has the lines, chunks, order and end of section 4.1, from every tier, short, cut, stopped and in any tongue",
  requirements: STREAM_ROWS,
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    for (const model of modelsToTry(t)) judgeShape(t, await streamOf(t, { model: model.id }));
    judgeShape(t, await streamOf(t, { max_tokens: 1 }));
    judgeShape(t, await streamOf(t, { max_tokens: 64, stop: ["e"] }));
    if (!t.home.fresh) return;
    judgeShape(t, await streamOf(t, { stop: [" ", "."], max_tokens: undefined }));
    judgeShape(t, await streamOf(t, { messages: [{ role: "user", content: 'Привет, 世界! 😀 "quoted"' }] }));
    judgeShape(t, await streamOf(t, { max_tokens: 2 }));
  },
});

/** Lengths at which buffers and counters turn over. */
const LENGTHS = [1, 2, 33, 257, 1_025];

const longer = defineCase({
  id: "4.1/stream-lengths",
  title: "a stream keeps its form from one token to a thousand, ended and cut",
  requirements: STREAM_ROWS,
  needs: ["credits", "behaviours"],
  cost: (prices) => 6 * (prices.flat + 2 * prices.perThousand),
  async run(t) {
    for (const length of LENGTHS) {
      await t.behave(t.model(), "normal", length);
      const done = await completeLong(t, { stream: true, max_tokens: undefined });
      if (done !== null) judgeShape(t, done.exchange);
    }
    const cut = await completeLong(t, { stream: true, max_tokens: 600 });
    if (cut !== null) judgeShape(t, cut.exchange);
  },
});

/** Several at once: the chunks of one must not come to another. */
const together = defineCase({
  id: "4.1/streams-together",
  title: "streams at the same time keep apart",
  requirements: [...STREAM_ROWS, "1/2"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const answers = await Promise.all([1, 2, 3].map((seed) => streamOf(t, { seed, max_tokens: 24 })));
    for (const answer of answers) judgeShape(t, answer);
    const ids = answers.map((answer) => answer.headers.get(`x-${t.brand}-job-id`));
    t.check("1/2", new Set(ids).size === ids.length, {
      title: "streams at the same time share a job",
      expected: "a job each",
      seen: ids,
      exchanges: answers,
    });
  },
});

export const shapeCases = [shape, longer, together];
