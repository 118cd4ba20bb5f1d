/**
 * What a simulated model says, and how its tokens are counted.
 *
 * A token is a run of up to eight word characters, or one other character that is not white space; white space belongs to the token after it.
 * Word characters are the letters and digits of ASCII, the underscore and everything beyond ASCII. Every word that a model says is one token.
 */
import type { Stream } from "../core/index.ts";

// Words of more than one byte a letter are among them, so that a hash over anything but UTF-8 shows.
const WORDS = (
  "the of and to in is it that for on as with was are by at from this be not or an which one all when there can " +
  "more will if time work light water stone river wind house hand north winter summer letter paper number order " +
  "network worker token block proof chain ledger balance signal answer question reason measure second minute hour " +
  "small large quiet early late open closed first last other every same between under above after before while " +
  "café naïve Zürich señor façade œuvre мир свет λόγος 東京 光 fjörd"
).split(" ");

const WORD_LENGTH = 8;

/** A completion before it is told: what the worker is going to say, cut where it must end. */
export interface PlannedText {
  readonly text: string;
  /** End of each token in `text`. */
  readonly ends: readonly number[];
  readonly finishReason: "stop" | "length";
}

/**
 * Plans a completion.
 *
 * @param length tokens that the model would say by itself, >= 1
 * @param maxTokens -1 where there is no bound
 * @param stops sequences before which the text ends; they are never part of it
 */
export function planText(stream: Stream, length: number, maxTokens: number, stops: readonly string[]): PlannedText {
  const cut = maxTokens >= 0 && maxTokens < length;
  const tokens = speak(stream, cut ? maxTokens : length);
  // A text that ends by itself ends in a newline now and then: the hash of section 4.7 leaves it out.
  if (!cut && stream.chance(1, 4)) tokens[tokens.length - 1] += "\n";
  const ends: number[] = [];
  let end = 0;
  for (const token of tokens) {
    end += token.length;
    ends.push(end);
  }
  const whole = tokens.join("");
  const stop = firstStop(whole, stops);
  if (stop === -1) return { text: whole, ends, finishReason: cut ? "length" : "stop" };
  const kept = ends.filter((at) => at < stop);
  if (stop > (kept.at(-1) ?? 0)) kept.push(stop);
  return { text: whole.slice(0, stop), ends: kept, finishReason: "stop" };
}

function firstStop(text: string, stops: readonly string[]): number {
  const found = stops.filter((stop) => stop !== "").map((stop) => text.indexOf(stop));
  return found.reduce((first, at) => (at !== -1 && (first === -1 || at < first) ? at : first), -1);
}

/** Sentences of words, a full stop a token of its own, now and then a new paragraph. */
function speak(stream: Stream, count: number): string[] {
  const tokens: string[] = [];
  let left = 0;
  let gap = "";
  while (tokens.length < count) {
    const begins = left === 0;
    if (begins) left = 4 + stream.below(10);
    const word = stream.pick(WORDS);
    tokens.push(gap + (begins ? word[0]!.toUpperCase() + word.slice(1) : word));
    gap = " ";
    left--;
    if (left > 0 || tokens.length === count) continue;
    tokens.push(".");
    if (stream.chance(1, 5)) gap = "\n\n";
  }
  return tokens;
}

/** Tokens of a text. */
export function countTokens(text: string): number {
  let tokens = 0;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isWord(code)) {
      if (run % WORD_LENGTH === 0) tokens++;
      run++;
      continue;
    }
    run = 0;
    if (code > 32) tokens++;
  }
  return tokens;
}

function isWord(code: number): boolean {
  return (
    code > 127 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

/** Tokens of a conversation: those of its contents, and one for the role of each message. */
export function countPromptTokens(messages: readonly { readonly content: string }[]): number {
  return messages.reduce((sum, message) => sum + countTokens(message.content) + 1, 0);
}
