/** Section 7.2: a model that is not known, and one that nobody hosts now. */
import { at, type Exchange, errorCode } from "../../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel } from "../case.ts";
import { modelsToTry, quietBalance } from "../support/money.ts";
import { answered, isErrorObject, told } from "../support/refusals.ts";

/** Names that are no model's: made up, near a real one, and words that mean something to a language or a file system. */
function unknownIds(t: CaseContext): readonly string[] {
  const { id } = t.model();
  const names = ["no-such-model", `${id}-x`, id.slice(0, -1), `${id}/${id}`, "constructor", "__proto__", "toString"];
  const others = ["length", "0", "*", "%", "..", "モデル", "x".repeat(300)];
  const known = new Set(t.models().map((model) => model.id));
  return [...names, ...others].filter((name) => name !== "" && !known.has(name));
}

/** "model_not_found, 400: `model` matches no known ID." */
const unknown = defineCase({
  id: "7.2/unknown-model",
  title: "a model that matches no known id is refused with 400 `model_not_found`, plain and streamed",
  requirements: ["7.2/3"],
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const model of unknownIds(t)) {
      for (const stream of [false, true]) {
        const answer = answered(t, await t.api.say({ model, stream }, { cost: 0 }));
        t.check("7.2/3", answer.status === 400 && errorCode(answer) === "model_not_found", {
          title: `an unknown model is not refused as such${stream ? " in a stream" : ""}`,
          expected: "400 model_not_found",
          seen: `${model}: ${told(answer)}`,
        });
      }
    }
  },
});

/** One 503, field by field. */
function judgeAbsence(t: CaseContext, answer: Exchange, model: ListedModel, form: string): void {
  const detail = (name: string): unknown => at(answer.json, "error", "details", name);
  const wait = detail("retry_after");
  const is503 = t.check("7.2/4", answer.status === 503 && errorCode(answer) === "no_workers_available", {
    title: `a ${form} from a model that nobody hosts is not answered with 503`,
    expected: "503 no_workers_available",
    seen: `${told(answer)} on ${model.tier}`,
  });
  if (!is503) return;
  t.check("7/7", at(answer.json, "error", "type") === "capacity_error", {
    expected: "capacity_error",
    seen: at(answer.json, "error", "type"),
  });
  const wellFormed = typeof detail("model") === "string" && (wait === undefined || Number.isInteger(wait));
  t.check("7.2/5", wellFormed, {
    expected: "a string `model`, and an integer `retry_after` if any",
    seen: at(answer.json, "error", "details"),
  });
  t.check("7.2/6", detail("model") === model.id, {
    title: `\`details.model\` of a 503 for a ${form} is another model`,
    expected: model.id,
    seen: detail("model"),
  });
  if (typeof wait === "number") t.check("7.3/3", wait >= 0, { expected: "0 or more seconds", seen: wait });
  else t.notExercised("7.3/3", "no `retry_after` was given");
  t.observe("7.3/2", wait === undefined ? "absent" : "given");
}

/** "no_workers_available, 503: no worker hosts the model now; temporary." */
const absent = defineCase({
  id: "7.2/no-workers",
  title:
    "a known model that nobody hosts is answered 503, plain and streamed, in every tier, and 200 once it is hosted again",
  requirements: ["7.2/4", "7.2/5", "7.2/6", "7.2/7", "7/7", "7.3/2", "7.3/3", "3.1/20", "3.1/21"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    for (const model of modelsToTry(t)) {
      const before = await quietBalance(t);
      await t.behave(model, "absent");
      for (const stream of [false, true]) {
        const answer = answered(t, await t.api.say({ model: model.id, stream }));
        judgeAbsence(t, answer, model, stream ? "stream" : "completion");
        const job = answer.headers.get(`x-${t.brand}-job-id`);
        const status = job === null ? "no-job" : at((await t.api.job(job)).json, "status");
        t.observe("3.1/20", String(status));
      }
      // Whoever else is there still serves: "or choose another model".
      const other = t.models().find((each) => each.id !== model.id && each.tier === model.tier);
      if (other !== undefined && t.home.fresh) {
        const done = answered(t, await t.api.say({ model: other.id }));
        t.check("7.2/7", done.status === 200, {
          title: "another model of the tier does not answer while one has no workers",
          expected: "200",
          seen: told(done),
        });
      }
      await t.behave(model, "normal");
      const paid = other !== undefined && t.home.fresh ? other.credits_per_request : 0;
      const after = await quietBalance(t);
      t.check("3.1/21", after === before - paid, {
        title: "a request to a model that nobody hosts takes units",
        expected: `${before - paid} units`,
        seen: after,
      });
      for (const stream of t.home.fresh ? [false, true] : [false]) {
        const again = answered(t, await t.api.say({ model: model.id, stream }));
        t.check("7.2/7", again.status === 200, {
          title: "a model that is hosted again does not answer",
          expected: "200",
          seen: told(again),
        });
      }
    }
  },
});

/** "429: per-IP burst limit ... (unrelated to network capacity)". */
const notCapacity = defineCase({
  id: "7.1/no-429",
  title: "neither a missing worker nor many jobs in flight are answered with 429",
  requirements: ["7.1/6"],
  needs: ["credits"],
  cost: (prices) => 3 * prices.flat,
  async run(t) {
    const model = t.model();
    // A burst limit is waited out by every request; what still is 429 then has another cause.
    const chats = Array.from({ length: t.home.fresh ? 12 : 3 }, (_, index) => t.api.say({ stream: index % 2 === 0 }));
    for (const answer of await Promise.all(chats)) {
      t.check("7.1/6", answer.status !== 429, {
        title: "jobs in flight are answered with 429",
        expected: "200",
        seen: told(answer),
        exchanges: answer,
      });
    }
    if (!t.has("behaviours")) return;
    await t.behave(model, "absent");
    const answer = await t.api.say({ model: model.id });
    t.check("7.1/6", answer.status !== 429, {
      title: "a model without workers is answered with 429",
      expected: "503",
      seen: told(answer),
    });
  },
});

/** "Code and body for 429: not shown." Seen only where somebody sends faster than a run does. */
const burst = defineCase({
  id: "7.1/burst",
  title: "a burst of reads: whether there is a limit, and how it is told",
  requirements: ["7.1/7", "8/10"],
  needs: ["wallets"],
  async run(t) {
    const answers = await Promise.all(Array.from({ length: 40 }, () => t.api.models().start().done));
    const limited = answers.find((answer) => answer.status === 429);
    if (limited === undefined) t.observe("7.1/7", "not-met");
    else t.observe("7.1/7", isErrorObject(limited) ? "error-object" : "other");
    t.observe("8/10", limited === undefined ? "no limit within 40 reads at once" : "a limit within 40 reads at once");
    // What is left of the limit is not the next case's trouble.
    t.accepted(await t.api.models(), "a read after a burst");
  },
});

/** A wallet that is empty and a model that is away: nothing is taken either way. */
const awayAndPoor = defineCase({
  id: "7.2/away-and-poor",
  title: "a request that lacks both units and workers is refused for one of the two",
  requirements: ["4.1/21"],
  needs: ["wallets", "behaviours"],
  async run(t) {
    await t.behave(t.model(), "absent");
    const poor = await t.wallet({ credits: 0 });
    const answer = answered(t, await poor.api.say());
    t.check("4.1/21", answer.status === 402 || answer.status === 503, {
      title: "a lack of units and of workers: refused for neither",
      expected: "402 or 503",
      seen: told(answer),
    });
    t.check("4.1/21", (await quietBalance(t, poor)) === 0, { title: "an empty wallet changed", expected: "0 units" });
  },
});

export const capacityCases = [unknown, absent, notCapacity, burst, awayAndPoor];
