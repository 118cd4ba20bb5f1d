/** Section 7.2: `context_length_exceeded`. How a text is counted is the service's own affair, so the window is met by its own count. */
import { type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel } from "../case.ts";
import { quietBalance } from "../support/money.ts";
import { answered, told } from "../support/refusals.ts";

/** Short common words, each with its space: close to one token by every usual count, by letters or by words. */
const WORDS = ["and", "the", "for", "not", "you", "all", "can", "her", "was", "one", "our", "out", "day", "had"];

const text = (words: number): string =>
  Array.from({ length: words }, (_, index) => WORDS[index % WORDS.length]).join(" ");
const user = (content: string) => ({ role: "user", content });

/** The listed model with the smallest window: the shortest requests that can pass it. */
function narrowest(t: CaseContext): ListedModel {
  const windows = t.models().filter((model) => model.context_window > 0);
  const [first] = [...windows].sort(
    (a, b) => a.context_window - b.context_window || a.credits_per_request - b.credits_per_request,
  );
  return first ?? t.leaveOut("no listed model tells its context window");
}

/** A body that no server takes says nothing of windows: the largest body is open (8/10). */
function tooLarge(exchange: Exchange): boolean {
  const itself = exchange.status === 413 && errorCode(exchange) !== "context_length_exceeded";
  return itself || exchange.ending !== "answered";
}

const WIDEST = 300_000;

type Spread = (words: number) => readonly object[];

/** The ways in which a conversation gets too long: in one message, in many, in the prompt, in what was said. */
const LONG: readonly (readonly [what: string, messages: Spread])[] = [
  ["one message", (words) => [user(text(words))]],
  [
    "many messages",
    (words) => [
      ...Array.from({ length: 8 }, (_, index) => ({
        role: index % 2 === 0 ? "user" : "assistant",
        content: text(Math.ceil(words / 8)),
      })),
      user("And now?"),
    ],
  ],
  ["the system prompt", (words) => [{ role: "system", content: text(words) }, user("And now?")]],
  ["an earlier turn", (words) => [user(text(words)), { role: "assistant", content: "Yes." }, user("And now?")]],
];

/** "Total message length exceeds the model's context window": twice the window, by any count. */
const exceeded = defineCase({
  id: "7.2/context",
  title: "messages of twice the context window are refused with 400 `context_length_exceeded`, however they are spread",
  requirements: ["7.2/12", "7.2/13", "7.2/15", "1/3"],
  alone: true,
  cost: (prices) => prices.flat,
  async run(t) {
    const model = narrowest(t);
    const fits = await t.api.say({ model: model.id, messages: [user(text(Math.floor(model.context_window / 2)))] });
    if (tooLarge(fits)) t.leaveOut("the service takes no body as long as half the context window");
    if (fits.status >= 500 || fits.status === 402) t.giveUp(`a valid chat was answered ${told(fits)}`);
    const accepted = t.check("7.2/13", fits.status === 200, {
      title: "messages of half the context window are refused",
      expected: "200",
      seen: told(fits),
    });
    if (!accepted) return;
    const before = await quietBalance(t);
    for (const [what, messages] of t.home.fresh ? LONG : LONG.slice(0, 2)) {
      for (const stream of t.home.fresh ? [false, true] : [false]) {
        const request = { model: model.id, messages: messages(2 * model.context_window), stream };
        const answer = await t.api.say(request, { cost: 0 });
        if (tooLarge(answer)) continue;
        if (errorCode(answer) === "context_length_exceeded") {
          t.check("7.2/15", answer.status === 400, {
            title: "`context_length_exceeded` comes with another status than its own",
            expected: "400",
            seen: told(answer),
          });
        }
        t.check("7.2/12", answer.status === 400 && errorCode(answer) === "context_length_exceeded", {
          title: `twice the context window in ${what} is not refused as too long${stream ? " in a stream" : ""}`,
          expected: "400 context_length_exceeded",
          seen: told(answer),
        });
      }
    }
    const after = await quietBalance(t);
    t.check("1/3", after === before, {
      title: "a request refused for its length changes the balance",
      expected: `${before} units, as before`,
      seen: after,
    });
  },
});

/** Each window is its own model's: what is too long for a narrow one fits a wide one. */
const ownWindow = defineCase({
  id: "7.2/own-window",
  title: "each model has its own window: what is too long for the narrowest fits one at least four times as wide",
  requirements: ["7.2/12", "7.2/13"],
  needs: ["wallets", "credits"],
  async run(t) {
    const narrow = narrowest(t);
    const wides = t.models().filter((model) => model.context_window >= 4 * narrow.context_window);
    const words = Math.floor(1.6 * narrow.context_window);
    for (const model of t.models().filter((each) => each.context_window === narrow.context_window)) {
      const answer = await t.api.say({ model: model.id, messages: [user(text(words))] }, { cost: 0 });
      if (tooLarge(answer)) t.leaveOut("the service takes no body longer than the narrowest window");
      t.check("7.2/12", answer.status === 400 && errorCode(answer) === "context_length_exceeded", {
        title: "more than the context window is not refused as too long",
        expected: "400 context_length_exceeded",
        seen: told(answer),
      });
    }
    if (wides.length === 0) t.notExercised("7.2/13", "all listed models have windows of about one size");
    for (const wide of wides.filter(({ tier }, at) => wides.findIndex((each) => each.tier === tier) === at)) {
      await judgeWide(t, wide, words);
    }
  },
});

/** A wide window takes what is too long for a narrow one, and not twice its own length. */
async function judgeWide(t: CaseContext, wide: ListedModel, words: number): Promise<void> {
  const answer = answered(t, await t.api.say({ model: wide.id, messages: [user(text(words))] }));
  if (answer.status !== 413) {
    t.check("7.2/13", answer.status === 200, {
      title: "messages that fit a wide window are refused as too long",
      expected: "200",
      seen: told(answer),
    });
  }
  // A body of several megabytes would say more of the service's limits than of its windows.
  if (wide.context_window > WIDEST) return;
  const beyond = await t.api.say({ model: wide.id, messages: [user(text(2 * wide.context_window))] }, { cost: 0 });
  if (tooLarge(beyond)) return;
  t.check("7.2/12", beyond.status === 400 && errorCode(beyond) === "context_length_exceeded", {
    title: "twice the context window of a wide model is not refused as too long",
    expected: "400 context_length_exceeded",
    seen: told(beyond),
  });
}

/** Tokens that the service itself counts for so many words. */
async function counted(t: CaseContext, model: ListedModel, words: number): Promise<number> {
  const done = await t.complete({ model: model.id, messages: [user(text(words))], max_tokens: 1 });
  return done.promptTokens ?? t.giveUp("a completion does not tell its prompt tokens");
}

/**
 * To the token, where the service counts words evenly enough to foretell it: what it counts as the whole window is let in, what it counts as one
 * token more is not.
 */
const edge = defineCase({
  id: "7.2/context-edge",
  title: "by the service's own count, a prompt that fills the window is answered, and one that passes it is not",
  requirements: ["7.2/12", "7.2/13", "7.2/17"],
  needs: ["wallets", "credits"],
  async run(t) {
    const model = narrowest(t);
    const window = model.context_window;
    const [few, more, most] = [WORDS.length, 2 * WORDS.length, Math.floor(window / 2)];
    const counts = [await counted(t, model, few), await counted(t, model, more), await counted(t, model, most)];
    const [low = 0, high = 0, highest = 0] = counts;
    const perWord = (high - low) / (more - few);
    const foretold = (words: number): number => low + perWord * (words - few);
    if (perWord !== 1 || foretold(most) !== highest) t.leaveOut("the service's count of words cannot be foretold");
    const wordsFor = (tokens: number): number => few + tokens - low;
    const ask = (tokens: number, max: number): PromiseLike<Exchange> =>
      t.api.say({ model: model.id, messages: [user(text(wordsFor(tokens)))], max_tokens: max });

    const full = await ask(window - 8, 8);
    if (tooLarge(full)) t.leaveOut("the service takes no body as long as the context window");
    t.check("7.2/13", full.status === 200, {
      title: "a prompt that fills the window together with its `max_tokens` is refused",
      expected: "200",
      seen: told(full),
    });
    const beyond = answered(t, await ask(window + 1, 8));
    t.check("7.2/12", beyond.status === 400 && errorCode(beyond) === "context_length_exceeded", {
      title: "a prompt of one token more than the window is not refused as too long",
      expected: "400 context_length_exceeded",
      seen: told(beyond),
    });
    const both = answered(t, await ask(window, 8));
    if (both.status === 200) t.observe("7.2/17", "messages");
    else if (errorCode(both) === "context_length_exceeded") t.observe("7.2/17", "messages-and-max-tokens");
    else t.check("7.2/17", both.status < 500, { expected: "200 or 400", seen: told(both) });
  },
});

/** Messages that fit by far, with a `max_tokens` that does not: open, but nothing to fail at. */
const longAnswer = defineCase({
  id: "7.2/context-of-max-tokens",
  title: "whether `max_tokens` counts against the window",
  requirements: ["7.2/17"],
  needs: ["wallets", "credits"],
  wallet: 100_000,
  async run(t) {
    const model = narrowest(t);
    const answer = answered(t, await t.api.say({ model: model.id, max_tokens: 2 * model.context_window }));
    t.check("7.2/17", answer.status < 500, {
      title: "a `max_tokens` beyond the window makes the service fail",
      expected: "200, 400 or 402",
      seen: told(answer),
    });
    if (answer.status === 200) t.observe("7.2/17", "messages");
    if (errorCode(answer) === "context_length_exceeded") t.observe("7.2/17", "messages-and-max-tokens");
  },
});

export const contextCases = [exceeded, ownWindow, edge, longAnswer];
