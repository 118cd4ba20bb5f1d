/** Completions in one piece and streams (sections 2.4, 4.1): what must hold of each by itself and of its request. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type Judgement, judge, type Monitor } from "../monitor.ts";
import { judgeStream, STREAM_ROWS } from "../stream-shape.ts";
import { isStream } from "./answers.ts";

export function completionsMonitor(): Monitor {
  return {
    name: "completions",
    rows: [...STREAM_ROWS, "2.4/4", "2.4/7", "2.4/11", "4.1/8"],
    *see(exchange, { brand }) {
      if (exchange.endpoint !== "POST /v1/chat/completions" || exchange.status !== 200) return;
      if (isStream(exchange)) {
        // A stream whose worker dropped out may end early: only one that says so is whole, by its end or by why it ended.
        const { done, chunks, broke } = readStream(exchange);
        const finished = broke === null && chunks.some(({ json }) => ENDINGS.includes(reasonOf(json)));
        if (exchange.ending === "answered" && chunks.length > 0) {
          yield* judgeStream(exchange, brand, done || finished);
          const asked = at(exchange.request.json, "model");
          const strange = chunks.map(({ json }) => at(json, "model")).find((model) => model !== asked);
          yield judge("2.4/4", strange === undefined, {
            title: "a stream's `model` is not the one that was asked for",
            expected: String(asked),
            seen: strange,
          });
        }
      } else if (succeeded(exchange)) yield* judgeCompletion(exchange);
    },
  };
}

const ENDINGS: readonly unknown[] = ["stop", "length"];
const reasonOf = (chunk: unknown): unknown => at(chunk, "choices", 0, "finish_reason");

function* judgeCompletion(exchange: Exchange): Iterable<Judgement> {
  const field = (...path: (string | number)[]): unknown => at(exchange.json, ...path);
  const asked = (name: string): unknown => at(exchange.request.json, name);
  yield judge("2.4/4", field("model") === asked("model"), {
    expected: String(asked("model")),
    seen: field("model"),
  });
  const choices = field("choices");
  // `n` is outside of the contract: a target that takes it may answer with as many choices.
  if (Array.isArray(choices) && asked("n") === undefined) {
    yield judge("2.4/8", choices.length === 1 && at(choices[0], "index") === 0, {
      expected: "one choice, whose index is 0",
      seen: choices.map((choice) => at(choice, "index")),
    });
  }
  const reason = field("choices", 0, "finish_reason");
  if (typeof reason === "string") {
    yield judge("2.4/9", reason === "stop" || reason === "length", { expected: "stop or length", seen: reason });
  }
  yield* judgeUsage(field("usage"), asked("max_tokens"), leastTokens(asked("messages")));
}

/** Prompts of so many words are long; and so many plain words are one token at least, whoever counts. */
const MANY_WORDS = 200;
const WORDS_A_TOKEN = 4;

/**
 * The fewest tokens that any tokenizer can find in a prompt. White space and signs may be none, and no message at all is an empty prompt, where it is
 * answered (4.1/4 is open).
 */
export function leastTokens(messages: unknown): number {
  if (!Array.isArray(messages)) return 1;
  const contents = messages.map((message) => at(message, "content")).filter((content) => typeof content === "string");
  if (contents.length < messages.length) return 1;
  const words = contents.join(" ").match(/[A-Za-z0-9]+/g) ?? [];
  const plain = words.filter((word) => word.length > 2).length;
  return plain >= MANY_WORDS ? Math.floor(plain / WORDS_A_TOKEN) : Math.min(1, words.length);
}

function* judgeUsage(usage: unknown, most: unknown, leastPrompt: number): Iterable<Judgement> {
  const [prompt, completion, total] = ["prompt_tokens", "completion_tokens", "total_tokens"].map((name) =>
    at(usage, name),
  );
  if (typeof prompt !== "number" || typeof completion !== "number" || typeof total !== "number") return;
  yield judge("2.4/7", prompt + completion === total, { expected: `${prompt} + ${completion}`, seen: total });
  yield judge("2.4/11", prompt >= leastPrompt && completion >= 0, {
    title: leastPrompt > 1 ? "a long prompt counts as next to nothing" : undefined,
    expected: `at least ${leastPrompt} tokens of prompt, and none below zero`,
    seen: usage,
  });
  if (typeof most === "number" && Number.isInteger(most) && most > 0) {
    yield judge("4.1/8", completion <= most, {
      title: "a completion is longer than its `max_tokens`",
      expected: `at most ${most} tokens`,
      seen: completion,
    });
  }
}
