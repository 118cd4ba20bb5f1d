/** Section 2.2: models. The monitor `models` judges every model that a run reads; these cases change what there is to read. */
import { at } from "../exchange/exchange.ts";
import { type CaseContext, defineCase, type ListedModel } from "./case.ts";
import { TIERS } from "./support/money.ts";

/** Milliseconds that the list may take to follow its workers. */
const FOLLOWS_WITHIN = 30_000;

/** Entries of the list by their ids. */
async function listing(t: CaseContext): Promise<ReadonlyMap<unknown, unknown>> {
  const exchange = await t.api.models();
  t.accepted(exchange, "listing models");
  const data = at(exchange.json, "data");
  return new Map((Array.isArray(data) ? data : []).map((model) => [at(model, "id"), model]));
}

const isListed = async (t: CaseContext, id: string): Promise<boolean> => (await listing(t)).has(id);

/** One listed model of each tier. */
const oneOfEach = (t: CaseContext): readonly ListedModel[] =>
  TIERS.flatMap((tier) => t.models().find((model) => model.tier === tier) ?? []);

/** A model is listed only while at least one worker hosts it. */
const hosting = defineCase({
  id: "2.2/hosting",
  title: "in every tier a model leaves the list with its last worker and comes back with the next, under the same id",
  requirements: ["2.2/6", "2.2/7"],
  needs: ["behaviours"],
  async run(t) {
    for (const model of oneOfEach(t)) {
      if (!(await isListed(t, model.id))) t.giveUp("a model that was listed is not, and nobody took its workers away");
      await t.behave(model, "absent");
      const gone = await t.clock.advanceUntil(async () => !(await isListed(t, model.id)), { within: FOLLOWS_WITHIN });
      t.check("2.2/6", gone, { expected: "no entry for a model that nobody hosts", seen: `an entry for ${model.id}` });
      // Whether it can still be asked for by its id is open, but not who serves it.
      let alone = await t.api.model(model.id);
      const none = await t.clock.advanceUntil(
        async () => {
          alone = await t.api.model(model.id);
          return !(Number(at(alone.json, t.brand, "active_workers")) > 0);
        },
        { within: FOLLOWS_WITHIN },
      );
      t.check("2.2/6", none || alone.status !== 200, {
        title: "a model that nobody hosts has active workers when it is asked for by its id",
        expected: "`active_workers` 0, or no such model",
        seen: alone.text,
        exchanges: alone,
      });
      await t.behave(model, "normal");
      const back = await t.clock.advanceUntil(() => isListed(t, model.id), { within: FOLLOWS_WITHIN });
      t.check("2.2/7", back, { expected: `an entry for ${model.id}`, seen: "none" });
    }
  },
});

/** When one model goes, the others stay. */
const others = defineCase({
  id: "2.2/others-stay",
  title: "a model that leaves the list takes no other with it",
  requirements: ["2.2/6", "4.2/1"],
  needs: ["behaviours"],
  async run(t) {
    const [first, ...rest] = t.models();
    if (first === undefined || rest.length === 0) return t.leaveOut("needs two listed models");
    await t.behave(first, "absent");
    await t.clock.advanceUntil(async () => !(await isListed(t, first.id)), { within: FOLLOWS_WITHIN });
    const left = await listing(t);
    const missing = rest.filter((model) => !left.has(model.id)).map((model) => model.id);
    t.check("4.2/1", missing.length === 0, {
      title: "models that are hosted are missing from the list",
      expected: rest.map((model) => model.id).join(", "),
      seen: { missing },
    });
    t.check("2.2/6", !left.has(first.id), { expected: "no entry for a model that nobody hosts", seen: first.id });
  },
});

/** `active_workers`: workers serving the model now. */
const workers = defineCase({
  id: "2.2/workers",
  title: "a native or a browser worker that joins with two models raises the `active_workers` of both",
  requirements: ["2.2/8"],
  needs: ["workers"],
  async run(t) {
    const joined = t.models().slice(0, 2);
    const counts = async (): Promise<readonly number[]> => {
      const list = await listing(t);
      return joined.map((model) => Number(at(list.get(model.id), t.brand, "active_workers")));
    };
    for (const kind of ["native", "browser"] as const) {
      const before = await counts();
      await t.controls.addWorker(
        kind,
        joined.map((model) => model.id),
      );
      let after = before;
      const raised = async (): Promise<boolean> => {
        after = await counts();
        return after.every((count, index) => count > (before[index] ?? Number.NaN));
      };
      t.check("2.2/8", await t.clock.advanceUntil(raised, { within: FOLLOWS_WITHIN }), {
        title: `a ${kind} worker that joins does not raise \`active_workers\``,
        expected: `more than ${before.join(", ")}`,
        seen: after,
      });
    }
  },
});

/** Ids, creation and price class are no live data: read again after all that a run may do. */
const constant = defineCase({
  id: "2.2/constant",
  title: "what is no live data of a model is the same after requests, in the list and alone",
  requirements: ["2.2/11", "4.3/2"],
  needs: ["key"],
  async run(t) {
    const facts = (model: unknown): string =>
      JSON.stringify([
        ...["id", "object", "created", "owned_by"].map((name) => at(model, name)),
        at(model, t.brand, "tier"),
      ]);
    const before = await listing(t);
    if (t.has("credits")) await t.complete();
    const after = await listing(t);
    for (const [id, model] of before) {
      if (typeof id !== "string" || !after.has(id)) continue;
      t.check("2.2/11", facts(after.get(id)) === facts(model), { expected: facts(model), seen: facts(after.get(id)) });
      const alone = await t.api.model(id);
      if (alone.status === 200) {
        t.check("4.3/2", facts(alone.json) === facts(model), { expected: facts(model), seen: facts(alone.json) });
      }
    }
  },
});

export const section22 = [hosting, others, workers, constant];
