/** Section 4.1: the messages of a request, and the text in them. */
import { completedFrom } from "../../checks/completed.ts";
import { type Exchange, refused } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase } from "../case.ts";
import { honestHashes } from "../support/hash.ts";
import { proofHash, settledJob } from "../support/jobs.ts";
import { accepts, answered, refusedAsInvalid, refuses, told } from "../support/refusals.ts";

const hello = { role: "user", content: "Hello." };

/** Messages that are wrong in one way. Content that is a list of parts is left out: image parts may be answered (1/15). */
export const WRONG_MESSAGES: readonly (readonly [what: string, message: unknown])[] = [
  ["a message without `role`", { content: "Hello." }],
  ["a message without `content`", { role: "user" }],
  ["a `role` that is not one of the three", { role: "wizard", content: "Hello." }],
  ["a `role` that is not one of the three", { role: "tool", content: "Hello." }],
  ["a `role` that is not one of the three", { role: "", content: "Hello." }],
  ["a `role` that is no string", { role: 7, content: "Hello." }],
  ["a `role` that is no string", { role: null, content: "Hello." }],
  ["a `content` that is no string", { role: "user", content: 7 }],
  ["a `content` that is no string", { role: "user", content: true }],
  ["a `content` that is no string", { role: "user", content: null }],
  ["a `content` that is no string", { role: "user", content: { text: "Hello." } }],
  ["a `role` that is not one of the three", { role: "User", content: "Hello." }],
];

/** "roles `system`, `user`, `assistant`", in whichever place of the conversation. */
const roles = defineCase({
  id: "4.1/messages",
  title: "a message with another role or without string content is refused, wherever it stands",
  requirements: ["4.1/3", "4.1/17"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    await accepts(t, "4.1/3", "a message of each role", {
      messages: [{ role: "system", content: "Be brief." }, hello, { role: "assistant", content: "Hello!" }, hello],
    });
    for (const [what, message] of WRONG_MESSAGES) {
      const alone = await refuses(t, "4.1/3", what, { messages: [message] });
      if (refusedAsInvalid(alone)) t.observe("4.1/17", String(alone.status));
    }
    for (const [what, message] of WRONG_MESSAGES) {
      await refuses(t, "4.1/3", `${what}, in the first place,`, { messages: [message, hello] });
      await refuses(t, "4.1/3", `${what}, in the last place,`, { messages: [hello, hello, message] });
    }
    for (const [what, message] of [WRONG_MESSAGES[0], WRONG_MESSAGES[2], WRONG_MESSAGES[7]].filter(
      (each) => each !== undefined,
    )) {
      await refuses(t, "4.1/3", `${what}, in a stream,`, { messages: [hello, message], stream: true });
    }
  },
});

/** Texts that a careless parser, counter or database stumbles over. */
const TEXTS: readonly string[] = [
  "Grüße aus Zürich, señor – “naïve” café",
  "東京の天気は? Привет, мир. مرحبا بالعالم. שלום",
  "👩‍👩‍👧‍👦 🇳🇿 👍🏽 𝒜𝓈𝓈𝒶𝓎",
  "e\u0301 vs é, \u202eright to left\u202c, zero\u200bwidth, \ufeff",
  'quotes " and \\ back\\\\slashes, tabs\tand\nlines, \u0001control',
  "$HOME {{7*7}} '; DROP TABLE jobs; -- <script>alert(1)</script> %s %n %00",
];

/** JSON is UTF-8 both ways. */
const unicode = defineCase({
  id: "4.1/unicode",
  title: "text beyond ASCII is accepted, written out or escaped, and the reply is valid UTF-8",
  requirements: ["4.1/22"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    // Long replies: the more is said, the likelier is a letter beyond ASCII in it.
    if (t.has("behaviours")) await t.behave(t.model(), "normal", 150);
    t.accepted(await t.api.say());
    const texts = t.home.fresh ? TEXTS : [TEXTS.join("\n")];
    for (const [index, content] of texts.entries()) {
      const answer = await accepts(t, "4.1/22", "a message beyond ASCII", {
        messages: [{ role: "user", content }],
        stream: index % 2 === 1,
        max_tokens: 200,
      });
      t.check("4.1/22", isUtf8(answer.body), {
        title: "a reply is not valid UTF-8",
        expected: "valid UTF-8",
        seen: answer.text,
      });
      await judgeLetters(t, answer);
    }
    const body = { model: t.model().id, messages: [{ role: "user", content: "日本 😀" }], max_tokens: 16 };
    const escaped = JSON.stringify(body).replace(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    const answer = answered(t, await t.api.raw({ method: "POST", path: "/v1/chat/completions", body: escaped }));
    t.check("4.1/22", answer.status === 200, {
      title: "a message with escaped characters is refused",
      expected: "200",
      seen: told(answer),
    });
  },
});

/** UTF-8 that was read as Latin-1 and written as UTF-8 again is valid, too; the worker's hash tells it from the text that was said. */
async function judgeLetters(t: CaseContext, answer: Exchange): Promise<void> {
  const done = completedFrom(answer, t.brand);
  if (done === null || /^\p{ASCII}*$/u.test(done.text)) return;
  const posted = proofHash(await settledJob(t, done.jobId)) ?? "";
  const reread = Buffer.from(done.text, "latin1").toString("utf8");
  t.check("4.1/22", honestHashes(done.text).includes(posted) || !honestHashes(reread).includes(posted), {
    title: "a reply is UTF-8 that was read as Latin-1",
    expected: reread,
    seen: done.text,
    exchanges: answer,
  });
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Many messages: how many a request may have is not shown (8/10), so that a refusal accuses nobody; but fewer must do. */
const many = defineCase({
  id: "4.1/many-messages",
  title: "a conversation of many turns is accepted",
  requirements: ["4.1/3"],
  needs: ["wallets"],
  async run(t) {
    const turns = Array.from({ length: 100 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `Turn ${index}.`,
    }));
    await accepts(t, "4.1/3", "a conversation of ten turns", { messages: [...turns.slice(0, 10), hello] });
    const answer = answered(t, await t.api.say({ messages: [...turns, hello] }));
    if (refused(answer)) return t.notExercised("4.1/3", "a hundred turns are more than the service takes");
    await accepts(t, "4.1/3", "a conversation of a hundred turns", { messages: [...turns, hello], stream: true });
  },
});

export const messageCases = [roles, unicode, many];
