/** Section 4.1: `stop` sequences, and `seed`. */
import { completedFrom } from "../../checks/completed.ts";
import { at } from "../../exchange/exchange.ts";
import { readStream } from "../../exchange/sse.ts";
import { type CaseContext, type Completed, defineCase, type ListedModel } from "../case.ts";
import { settledJob } from "../support/jobs.ts";
import { modelsToTry } from "../support/money.ts";
import { told as inWords, refusedAsInvalid } from "../support/refusals.ts";

const LONG_ENOUGH = 120;

/** "requests reproducible sampling; best effort, no guarantee". */
const seed = defineCase({
  id: "4.1/seed",
  title: "whether one seed gives one text",
  requirements: ["4.1/14"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const [first, second] = [await t.complete(SEEDED), await t.complete(SEEDED)];
    t.observe("4.1/14", first.text === second.text ? "same" : "different", {
      exchanges: [first.exchange, second.exchange],
    });
  },
});

const SEEDED = { seed: 42, temperature: 0, max_tokens: LONG_ENOUGH };

/** Sequences that occur in a text, the likeliest first: they are what a stop must not let through. */
function sequencesIn(text: string, reproducible: boolean): readonly (string | readonly string[])[] {
  const [common, second] = commonest(text);
  if (common === undefined || second === undefined) return [];
  // Where the text comes again, a sequence that reaches over the border of two words can be asked for, and one that ends it.
  const middle = Math.floor(text.length / 2);
  const border = text.indexOf(" ", middle);
  const spanning = text.slice(Math.max(0, border - 2), border + 3);
  // A word's last letter and the space behind it: in most texts, and mostly of two tokens.
  const [wordEnd] = counted([...text.slice(4).matchAll(/[a-z] /g)].map(([pair]) => pair));
  const wide = /[^\p{ASCII}]/u.exec(text)?.[0];
  return [
    common,
    second,
    [common],
    ["@@never@@", common],
    [second, common],
    [common, second],
    ["@@never@@", "##never##", "%%never%%", second],
    // More than an OpenAI client may send; the last of them is met.
    [...Array.from({ length: 6 }, (_, index) => `@@never ${index}@@`), common],
    ...(wordEnd === undefined ? [] : [wordEnd]),
    ...(reproducible && border > 2 ? [spanning, ["@@never@@", spanning], text.slice(-3), text.slice(0, 3)] : []),
    ...(reproducible && wide !== undefined ? [wide] : []),
  ];
}

/** The two commonest letters of a text, without those it begins with: a text that ends at once tells little. */
function commonest(text: string): readonly string[] {
  const opening = text.slice(0, 4);
  return counted([...text.slice(4)].filter((letter) => /[a-z]/.test(letter) && !opening.includes(letter)));
}

/** Each once, what there is most of first. */
function counted(parts: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([part]) => part);
}

/** "generation stops when a sequence appears": alone, in a list, first or last of it, plain or streamed. */
const stop = defineCase({
  id: "4.1/stop",
  title: "no text contains a `stop` sequence, given alone or in a list, plain or streamed",
  requirements: ["4.1/11", "4.1/16", "4.1/35"],
  needs: ["credits"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const told = await tell(t, t.model());
    if (told.sequences.length === 0) return t.giveUp("the model says too little for a stop sequence to be met");
    // Who pays asks for two: a list whose last is met, and a text, streamed.
    const [, text] = told.sequences;
    const [list] = listsOf(told);
    const asked = t.home.fresh ? told.sequences : [...(list === undefined ? [] : [list]), text ?? ""];
    for (const [index, sequence] of asked.entries()) {
      await tryStop(t, told, sequence, t.home.fresh ? [false, true] : [index === 1]);
    }
  },
});

/** Every tier: a text, and a list whose last sequence is met. */
const stopOfEachTier = defineCase({
  id: "4.1/stop-by-tier",
  title: "every tier heeds `stop`, plain and streamed",
  requirements: ["4.1/11", "4.1/16", "4.1/35"],
  needs: ["wallets"],
  wallet: 20_000,
  async run(t) {
    for (const model of modelsToTry(t).filter(({ id }) => id !== t.model().id)) {
      const told = await tell(t, model);
      const [text] = told.sequences;
      const list = listsOf(told).at(-1);
      for (const sequence of [text, list]) if (sequence !== undefined) await tryStop(t, told, sequence, [false, true]);
    }
  },
});

/** What a model says without `stop`, and what may be asked of it. */
interface Told {
  /** The request, but for `stop` and `stream`. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly tokens: number | null;
  readonly sequences: readonly (string | readonly string[])[];
  /** The forms, streamed or not, whose texts do not depend on `stop`. */
  readonly comparable: readonly boolean[];
}

const listsOf = ({ sequences }: Told): readonly (string | readonly string[])[] =>
  sequences.filter((each) => typeof each !== "string" && each.length > 1);

async function tell(t: CaseContext, model: ListedModel): Promise<Told> {
  if (t.has("behaviours")) await t.behave(model, "normal", LONG_ENOUGH - 20);
  const asked = { ...SEEDED, model: model.id };
  const { text, completionTokens: tokens } = await t.complete(asked);
  const again = t.home.fresh ? await t.complete(asked) : null;
  const comparable = again?.text === text ? await judgeUnmet(t, asked, text) : [];
  return { asked, text, tokens, sequences: sequencesIn(text, again?.text === text), comparable };
}

async function tryStop(
  t: CaseContext,
  { asked, text, tokens, comparable }: Told,
  sequence: string | readonly string[],
  forms: readonly boolean[],
): Promise<void> {
  for (const stream of forms) {
    const done = await served(t, { ...asked, stop: sequence, stream });
    if (done === null) continue;
    await judgeStopped(t, done, [sequence].flat(), stream);
    if (!comparable.includes(stream)) continue;
    judgePrefix(t, done, text, stream);
    judgeCount(t, done, text, tokens);
  }
}

/** The most sequences that an OpenAI client may send. */
const OPENAI_STOPS = 4;

/** A completion with `stop`; null where it is refused, which no number of sequences up to four, as an OpenAI client may send, allows. */
async function served(t: CaseContext, changes: Readonly<Record<string, unknown>>): Promise<Completed | null> {
  const answer = await t.api.say(changes);
  if (!refusedAsInvalid(answer)) return completedFrom(answer, t.brand) ?? t.complete(changes);
  if (Array.isArray(changes.stop) && changes.stop.length > OPENAI_STOPS) return null;
  t.fail(changes.stream === true ? "4.1/35" : "4.1/11", {
    title: "a `stop` that is a string or an array of strings is refused",
    expected: "200",
    seen: `${JSON.stringify(changes.stop)}: ${inWords(answer)}`,
    exchanges: answer,
  });
  return null;
}

/**
 * A sequence that does not appear stops nothing. A seed is best effort, and a service may draw another text for each body: then the two say nothing of each
 * other. A text that is the beginning of the whole is no other one. Returns the forms, streamed or not, whose texts do not depend on `stop`.
 */
async function judgeUnmet(
  t: CaseContext,
  asked: Readonly<Record<string, unknown>>,
  whole: string,
): Promise<readonly boolean[]> {
  const stop = unmetIn(whole);
  const comparable: boolean[] = [];
  for (const stream of [false, true]) {
    const done = await served(t, { ...asked, stop, stream });
    if (done === null) continue;
    const [text, expected] = [done.text.trimEnd(), whole.trimEnd()];
    if (text !== expected) {
      if (!expected.startsWith(text)) continue;
      if ((await t.complete({ ...asked, stream })).text !== whole) continue;
    }
    t.check(stream ? "4.1/35" : "4.1/11", text === expected, {
      title: "a `stop` sequence that does not appear changes the text",
      expected: whole,
      seen: done.text,
      exchanges: done.exchange,
    });
    comparable.push(stream);
  }
  return comparable;
}

/**
 * Up to four sequences that a text does not contain, though it would to a reader who takes them otherwise than as they are written: for a pattern, for
 * a word in whichever letters, or for one without the white space around it.
 */
function unmetIn(whole: string): readonly string[] {
  const word = /[a-z]{4,}/.exec(whole.slice(4))?.[0] ?? "never";
  const otherwise = `${word.slice(0, 1)}${word.slice(1).toUpperCase()}`;
  return ["@@never@@", ".{3}", otherwise, `\t${word}\t`].filter((sequence) => !whole.includes(sequence));
}

async function judgeStopped(
  t: CaseContext,
  done: Completed,
  sequences: readonly string[],
  stream: boolean,
): Promise<void> {
  const met = sequences.find((sequence) => done.text.includes(sequence));
  t.check(stream ? "4.1/35" : "4.1/11", met === undefined, {
    title: `a ${stream ? "stream" : "text"} contains a \`stop\` sequence`,
    expected: `no ${JSON.stringify(sequences)}`,
    seen: done.text,
    exchanges: done.exchange,
  });
  const tokens = done.completionTokens ?? at((await settledJob(t, done.jobId)).json, "usage", "completion_tokens");
  if (typeof tokens !== "number" || tokens >= LONG_ENOUGH) return;
  const body = stream ? undefined : done.exchange.json;
  const reason = stream ? lastReason(done) : at(body, "choices", 0, "finish_reason");
  t.check("4.1/16", reason === "stop", {
    title: "a completion that ended at a `stop` sequence has not the `finish_reason` `stop`",
    expected: "stop",
    seen: reason,
    exchanges: done.exchange,
  });
}

const lastReason = (done: Completed): unknown =>
  readStream(done.exchange)
    .chunks.map((chunk) => at(chunk.json, "choices", 0, "finish_reason"))
    .findLast((reason) => typeof reason === "string");

/** Where one seed gives one text, a stopped text is its beginning: a `stop` takes no more away than it must say. */
function judgePrefix(t: CaseContext, done: Completed, whole: string, stream: boolean): void {
  t.check(stream ? "4.1/35" : "4.1/11", whole.startsWith(done.text), {
    title: "a stopped text is not the beginning of the text without `stop`",
    expected: `the beginning of ${JSON.stringify(whole)}`,
    seen: done.text,
    exchanges: done.exchange,
  });
}

/** "Generation stops": of a text that ends before its middle not all tokens of the whole were made. */
function judgeCount(t: CaseContext, done: Completed, whole: string, tokens: number | null): void {
  const counted = done.completionTokens;
  if (tokens === null || counted === null || tokens < FEW_TOKENS || done.text.length > whole.length / 2) return;
  t.check("4.1/11", counted < tokens, {
    title: "a text that a `stop` ended is counted as if it had gone on",
    expected: `fewer than the ${tokens} tokens of the whole text`,
    seen: `${counted} tokens of ${done.text.length} characters`,
    exchanges: done.exchange,
  });
}

const FEW_TOKENS = 10;

export const stopCases = [seed, stop, stopOfEachTier];
