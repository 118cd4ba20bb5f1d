/** Section 4.7: the hash of what was delivered, and an answer that opens no dispute because the hashes are equal. */
import { at, type Exchange, succeeded } from "../../exchange/exchange.ts";
import { type CaseContext, type Completed, defineCase } from "../case.ts";
import { disputeOf } from "../support/disputed.ts";
import { honestHashes, sha256 } from "../support/hash.ts";
import { balanceOf, opened, proofHash, readJob, settledJob, statusOf } from "../support/jobs.ts";
import { mayOpenDisputes } from "../support/may.ts";

const rows = ["3.1/7", "4.7/5", "4.7/6", "4.7/7", "4.7/8", "4.7/24"] as const;

/** Disputes with the hash that the judge itself makes of the text: nothing is opened, and nothing changes. */
async function judgeEqual(t: CaseContext, done: Completed): Promise<boolean> {
  const job = await settledJob(t, done.jobId);
  const hashes = honestHashes(done.text);
  // Which newlines are removed is open where there are several: the worker's own choice is asked about.
  const mine = hashes.find((hash) => hash === proofHash(job)?.toLowerCase()) ?? (hashes[0] as string);
  const before = await t.home.balance();
  const answer = await disputeOf(t, done, mine);
  const exchanges = [done.exchange, job, answer];
  const told = { seen: `${answer.status} ${answer.text}`, exchanges };
  const heard = succeeded(answer) && answer.json !== undefined;
  const equal = heard && !opened(answer);
  if (!t.check("4.7/8", equal, { ...told, expected: `no dispute: ${mine} is the hash of the text` })) return false;
  t.check("4.7/5", equal, { ...told, expected: "a 2xx that says that no dispute was opened" });
  const tx = at(answer.json, "dispute_tx");
  const claims = tx !== undefined && tx !== null && tx !== "";
  t.check("4.7/6", equal && !claims, { ...told, expected: "neither `dispute_opened` true nor a `dispute_tx`" });
  observeBody(t, answer);
  const after = await readJob(t, done.jobId);
  const kept = { expected: "settled", seen: after.text, exchanges: [answer, after] };
  if (!t.check("3.1/7", statusOf(after) === statusOf(job), kept)) return false;
  if (!t.home.fresh) return true;
  return t.check("4.7/24", (await t.home.balance()) === before, {
    title: "A dispute that was not opened moved the balance.",
    expected: String(before),
    seen: await t.home.balance(),
    exchanges,
  });
}

function observeBody(t: CaseContext, answer: Exchange): void {
  const body = answer.json;
  const names = typeof body === "object" && body !== null ? Object.keys(body).sort().join(", ") : typeof body;
  t.observe("4.7/7", `${answer.status} with ${names === "" ? "an empty object" : names}`);
}

/** The hash is of the whole text in UTF-8: for a reply in one piece and for the joined pieces of a stream. */
const equal = defineCase({
  id: "4.7/equal",
  title: "the hash of the text that was delivered, plain or streamed, opens no dispute",
  requirements: rows,
  needs: ["credits"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    for (const stream of [false, true]) if (!(await judgeEqual(t, await t.complete({ stream })))) return;
  },
});

/** How much a model says, and what is asked of it. */
type Shape = readonly [tokens: number, changes: Readonly<Record<string, unknown>>];

const inBothForms = (shape: Shape | undefined): readonly Shape[] =>
  shape === undefined ? [] : [false, true].map((stream): Shape => [shape[0], { ...shape[1], stream }]);

/** Texts of other lengths and other models: one letter, thousands of tokens, cut off, stopped, ended by themselves with a newline, not ASCII. */
const texts = defineCase({
  id: "4.7/equal-texts",
  title: "the hash is right for short, long, cut, stopped, newline-ended and non-ASCII texts of every model",
  requirements: rows,
  needs: ["wallets", "behaviours"],
  async run(t) {
    const shapes: readonly Shape[] = [
      [1, { max_tokens: 1 }],
      [12, { max_tokens: 64 }],
      [2_500, { max_tokens: 3_000 }],
      [2_500, { max_tokens: 3_000, stream: true }],
      [64, { max_tokens: 9 }],
      [64, { max_tokens: 9, stream: true }],
      [90, { max_tokens: 128, stop: ["e"] }],
      [90, { max_tokens: 128, stop: "a", stream: true }],
    ];
    for (const [index, model] of t.models().entries()) {
      // The cheapest model says all of them, each other one a text of its own in both forms.
      for (const [tokens, changes] of index === 0 ? shapes : inBothForms(shapes[index % shapes.length])) {
        await t.behave(model, "normal", tokens);
        if (!(await judgeEqual(t, await t.complete({ model: model.id, ...changes })))) return;
      }
    }
    // Texts that end by themselves: some end in a newline, most hold letters beyond ASCII.
    const kinds = new Set<string>();
    await t.behave(t.model(), "normal", 30);
    for (let tries = 0; tries < 24 && kinds.size < 4; tries++) {
      const stream = tries % 2 === 1;
      const done = await t.complete({
        max_tokens: 200,
        stream,
        messages: [{ role: "user", content: `Tell me more: ${tries}` }],
      });
      const form = stream ? "streamed" : "plain";
      if (done.text.endsWith("\n")) kinds.add(`newline, ${form}`);
      if ([...done.text].some((letter) => letter > "\u007f")) kinds.add(`beyond ASCII, ${form}`);
      if (!(await judgeEqual(t, done))) return;
    }
  },
});

/** A trailing newline is removed before hashing, so the hash of the text with its newline is another hash. */
const newline = defineCase({
  id: "4.7/newline",
  title: "the hash that leaves the trailing newline in is not the worker's",
  requirements: ["4.7/8"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 16 * prices.flat,
  async run(t) {
    await t.behave(t.model(), "normal", 8);
    for (let tries = 0; tries < 16; tries++) {
      const done = await t.complete({ max_tokens: 64, stream: tries % 2 === 1 });
      if (!/\n$/.test(done.text) || /\n\n$/.test(done.text)) continue;
      const job = await settledJob(t, done.jobId);
      const whole = sha256(done.text);
      const posted = proofHash(job)?.toLowerCase();
      const told = { expected: "the hash without the trailing newline", seen: posted, exchanges: [done.exchange, job] };
      t.check("4.7/8", posted !== whole && honestHashes(done.text).includes(posted ?? ""), told);
      if (!mayOpenDisputes(t)) return;
      const answer = await disputeOf(t, done, whole);
      t.check("4.7/8", opened(answer), { expected: "a dispute: the newline counts in this hash", seen: answer.text });
      return;
    }
    t.notExercised("4.7/8", "no text ended in a newline");
  },
});

/** Asking again with the worker's own hash changes nothing, however often; and the right to dispute is not used up by it. */
const again = defineCase({
  id: "4.7/equal-again",
  title: "equal hashes may be sent again and again, and a different one still opens a dispute afterwards",
  requirements: ["3.1/7", "4.7/3", "4.7/5"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    const done = await t.complete();
    const job = await settledJob(t, done.jobId);
    const posted = proofHash(job) ?? t.giveUp("the job tells no hash");
    for (let time = 1; time <= 3; time++) {
      const answer = await disputeOf(t, done, posted);
      const told = {
        expected: "a 2xx without a dispute",
        seen: `${answer.status} ${answer.text}`,
        exchanges: [job, answer],
      };
      if (!t.check("4.7/5", succeeded(answer) && !opened(answer), told)) return;
      const after = await readJob(t, done.jobId);
      if (!t.check("3.1/7", statusOf(after) === "settled", { expected: "settled", seen: after.text })) return;
    }
    if (!mayOpenDisputes(t)) return;
    const answer = await disputeOf(t, done, sha256("something else"));
    t.check("4.7/3", opened(answer), { expected: "a dispute opened", seen: `${answer.status} ${answer.text}` });
    const balance = await t.home.balance();
    if (t.home.fresh) await balanceOf(t, t.home, balance, 1_000);
  },
});

/** Whether a hash in capital digits equals the same hash in small ones is open; it is nobody's 5xx. */
const capitals = defineCase({
  id: "4.7/capitals",
  title: "the worker's own hash in capital digits is taken or refused, and upsets nothing",
  requirements: ["4.7/23"],
  needs: ["credits"],
  cost: (prices) => prices.flat,
  async run(t) {
    if (!mayOpenDisputes(t))
      t.leaveOut("where capitals differ it opens a dispute, which needs test controls (--control)");
    const done = await t.complete();
    const posted = proofHash(await settledJob(t, done.jobId)) ?? t.giveUp("the job tells no hash");
    const answer = await disputeOf(t, done, `sha256:${posted.slice("sha256:".length).toUpperCase()}`);
    if (answer.status >= 500 || answer.status === 0) {
      t.fail("4.7/23", { expected: "a 2xx or a 4xx", seen: `${answer.status} ${answer.text}` });
    } else
      t.observe("4.7/23", opened(answer) ? "different" : succeeded(answer) ? "equal" : `refused with ${answer.status}`);
  },
});

export const equalCases = [equal, texts, newline, again, capitals];
