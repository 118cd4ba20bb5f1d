/** Section 4.1, streams: their text, their settlement, their price. */
import { at } from "../../exchange/exchange.ts";
import { type Completed, defineCase, type ListedModel } from "../case.ts";
import { honestHashes } from "../support/hash.ts";
import { proofHash, settledJob } from "../support/jobs.ts";
import { completeLong } from "../support/long.ts";
import { chargeFor, modelsToTry, takenBy } from "../support/money.ts";

/** What is asked for, so that texts of all kinds are hashed: short, cut, stopped, and in other tongues. */
const ASKED: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { max_tokens: 1 },
  { max_tokens: 120 },
  { max_tokens: 64, stop: ["e"] },
  { max_tokens: undefined },
  { messages: [{ role: "user", content: "Ответь одним словом. 一言で。" }] },
];

/** Chunks, joined, are the text that the worker vouched for. */
const vouched = defineCase({
  id: "4.1/stream-text",
  title: "the contents of a stream, joined, have the hash that its worker posted, as a text in one piece has",
  requirements: ["4.1/32"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const judge = async (done: Completed, form: string): Promise<void> => {
      const job = await settledJob(t, done.jobId);
      const posted = proofHash(job);
      if (posted === null) return t.giveUp("a settled job shows no proof hash");
      const honest = honestHashes(done.text);
      t.check("4.1/32", honest.includes(posted.toLowerCase()), {
        title: `the text of a ${form} has not the hash that its worker posted`,
        expected: honest.join(" or "),
        seen: posted,
        exchanges: [done.exchange, job],
      });
    };
    await judge(await t.complete(), "completion in one piece");
    const asked = t.home.fresh ? ASKED : ASKED.slice(2, 4);
    for (const changes of asked) await judge(await t.complete({ ...changes, stream: true }), "stream");
    if (!t.home.fresh) return;
    for (const model of modelsToTry(t)) await judge(await t.complete({ model: model.id, stream: true }), "stream");
    if (!t.has("behaviours")) return;
    await t.behave(t.model(), "normal", 900);
    const long = await completeLong(t, { stream: true, max_tokens: undefined });
    if (long !== null) await judge(long, "stream");
  },
});

/** "The settlement header is read from the response once the stream has closed." */
const settlement = defineCase({
  id: "4.1/stream-settlement",
  title: "once a stream has closed, its settlement can be read, and is told the same wherever it is told",
  requirements: ["4.1/30", "4.1/31"],
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const name = `x-${t.brand}-settlement-tx`;
    for (const changes of [{}, { max_tokens: 100 }]) {
      const done = await t.complete({ ...changes, stream: true });
      const job = await t.jobWhen(done.jobId, ["settled"], { within: 300_000 });
      const tx = at(job?.json, "on_chain", "settlement_tx");
      const settled = t.check("4.1/30", typeof tx === "string" && tx !== "", {
        title: "the job of a stream never shows its settlement",
        expected: "a settled job with `on_chain.settlement_tx`",
        seen: job?.text ?? "no settled job",
      });
      if (!settled) return;
      const { headers, trailers } = done.exchange;
      for (const place of [headers, trailers]) {
        const told = place.get(name);
        if (told === null) continue;
        t.check("4.1/30", told.toLowerCase() === String(tx).toLowerCase(), {
          title: "a stream tells another settlement than its job",
          expected: String(tx),
          seen: told,
          exchanges: [done.exchange],
        });
      }
      t.observe("4.1/31", headers.has(name) ? "header" : trailers.has(name) ? "trailer" : "job");
    }
  },
});

/** One price for both forms, short in every tier; long ones are compared in `4.1/lengths`. */
const samePrice = defineCase({
  id: "4.1/stream-price",
  title: "a streamed completion is charged as one in one piece",
  requirements: ["4.1/34", "4.1/41"],
  alone: true,
  cost: (prices) => 2 * prices.flat,
  async run(t) {
    const cost = async (model: ListedModel, stream: boolean) => {
      let charge: number | null = null;
      const taken = await takenBy(t, async () => {
        charge = (await chargeFor(t, await t.complete({ model: model.id, stream }))).charge;
      });
      return { charge: charge as number | null, taken };
    };
    for (const model of modelsToTry(t)) {
      const [whole, stream] = [await cost(model, false), await cost(model, true)];
      t.check("4.1/34", whole.charge === stream.charge, {
        title: "a short stream costs another price than a short completion",
        expected: `${whole.charge} units`,
        seen: `${stream.charge} units on ${model.tier}`,
      });
      t.check("4.1/34", whole.taken === stream.taken, {
        title: "a short stream takes other units from the balance than a short completion",
        expected: `${whole.taken} units`,
        seen: `${stream.taken} units on ${model.tier}`,
      });
      t.check("4.1/41", stream.charge === model.credits_per_request, {
        title: "a short stream does not cost the flat price",
        expected: `${model.credits_per_request} units`,
        seen: `${stream.charge} units on ${model.tier}`,
      });
    }
  },
});

export const textCases = [vouched, settlement, samePrice];
