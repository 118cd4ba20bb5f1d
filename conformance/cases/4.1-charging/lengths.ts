/** Section 4.1 and the price list of section 8: what completions of known lengths cost, in every tier and both forms. */

import {
  type Charge,
  edgeOutside,
  explainable,
  explaining,
  firstUnexplained,
  readingsOf,
} from "../../checks/price-reading.ts";
import { type CaseContext, type Completed, defineCase, type ListedModel } from "../case.ts";
import { completeLong } from "../support/long.ts";
import { chargeFor, modelsToTry, quietBalance } from "../support/money.ts";

/** How the length comes about: the model ends by itself, far below its bound, exactly at it, without one, or is cut. */
const STYLES = ["bounded", "unbounded", "exact", "cut"] as const;

/** Both sides of every border that some reading has, and the whole breadth of "roughly 500". */
const LENGTHS = [1, 449, 500, 501, 551, 1_000, 1_001, 1_450, 1_500, 1_501, 1_551, 2_000, 2_001, 2_500, 2_501];
const FEW = [449, 551, 1_501];
const BOUGHT = 500;

/** The last length that is flat by every reading, and the first that no edge can still make flat. */
const SURELY_FLAT = 449;
const SURELY_LONG = 551;

interface Told extends Charge {
  readonly done: Completed;
  readonly model: ListedModel;
  readonly stream: boolean;
}

/** One completion of exactly that length, and what its job says it cost; null where it did not come about. */
async function completionOf(
  t: CaseContext,
  model: ListedModel,
  length: number,
  style: (typeof STYLES)[number],
  stream: boolean,
): Promise<Told | null> {
  await t.behave(model, "normal", style === "cut" ? length + 700 : length);
  const max = { bounded: length + 1_500, unbounded: undefined, exact: length, cut: length }[style];
  // A stop that is never met changes nothing, the price neither.
  const stop = style === "bounded" ? { stop: "@@never@@" } : {};
  const done = await completeLong(t, { model: model.id, stream, max_tokens: max, ...stop });
  if (done === null) return null;
  const { charge, tokens } = await chargeFor(t, done);
  if (charge === null || tokens === null) return t.giveUp("a settled job tells no charge or no tokens");
  const { credits_per_request: flat, credits_per_1k_tokens: perThousand } = model;
  return { flat, perThousand, tokens, charged: charge, unbounded: max === undefined, done, model, stream };
}

/** All lengths of one model, one after another, each in another style. */
async function allOf(t: CaseContext, model: ListedModel, lengths: readonly number[], shift: number): Promise<Told[]> {
  const charges: Told[] = [];
  for (const [index, length] of lengths.entries()) {
    const style = STYLES[(index + shift) % STYLES.length] ?? "exact";
    const stream = (index + shift) % 3 === 0;
    const charge = await completionOf(t, model, length, style, stream);
    if (charge !== null) charges.push(charge);
  }
  return charges;
}

/** Finds the last flat length of the cheapest model; then both sides of it, of every model and in both forms: there is one edge for all. */
async function aroundEdge(t: CaseContext): Promise<Told[]> {
  const charges: Told[] = [];
  const probe = async (model: ListedModel, length: number, stream: boolean): Promise<boolean> => {
    const told = await completionOf(t, model, length, "exact", stream);
    if (told !== null) charges.push(told);
    return told !== null && told.charged === told.flat;
  };
  let [flat, long] = [SURELY_FLAT, SURELY_LONG];
  while (long - flat > 1) {
    const middle = Math.floor((flat + long) / 2);
    if (await probe(t.model(), middle, middle % 2 === 0)) flat = middle;
    else long = middle;
  }
  const both = async (model: ListedModel): Promise<void> => {
    for (const stream of [false, true]) for (const length of [flat, long]) await probe(model, length, stream);
  };
  await Promise.all(modelsToTry(t).map(both));
  return charges;
}

function judgeOne(t: CaseContext, told: Told): void {
  const { tokens, charged, flat, done, model, stream } = told;
  const shown = { seen: `${charged} units for ${tokens} tokens on ${model.tier}`, exchanges: done.exchange };
  const form = stream ? "stream" : "completion";
  t.check("8/11", Number.isInteger(charged), {
    title: "a charge is no whole number of units",
    expected: "whole units",
    ...shown,
  });
  if (tokens <= SURELY_FLAT) {
    t.check("4.1/41", charged === flat, {
      title: `a ${form} within the flat range does not cost the flat price`,
      expected: `${flat} units`,
      ...shown,
    });
  } else if (tokens >= SURELY_LONG) {
    t.check("4.1/42", explainable(told), {
      title: `a long ${form} is not billed per 1,000 output tokens`,
      expected: `a price of ${tokens} tokens, with ${flat} units flat and ${told.perThousand} per 1,000`,
      ...shown,
    });
  }
}

/** One reading, one edge, for everything: tiers, forms and ways to end. */
function judgeTogether(t: CaseContext, charges: readonly Told[]): void {
  const left = explaining(charges);
  const beyond = left.length === 0 ? edgeOutside(charges) : null;
  if (beyond !== null) {
    t.fail(beyond > SURELY_FLAT ? "4.1/42" : "4.1/41", {
      title: "the flat price ends far from 500 output tokens",
      expected: "an edge between 450 and 550 tokens",
      seen: `an edge at ${beyond} tokens or so`,
      exchanges: charges.filter((each) => each.tokens >= SURELY_LONG).map((each) => each.done.exchange),
    });
  }
  const odd = left.length === 0 ? firstUnexplained(charges) : null;
  t.check("4.1/44", left.length > 0, {
    title: "no single reading of the price explains all charges",
    expected: "one reading with one edge between 450 and 550 tokens",
    seen: charges.map((each) => `${each.model.tier} ${each.tokens}: ${each.charged}`).join(", "),
    exchanges: charges.filter((each) => each === odd).map((each) => each.done.exchange),
  });
  const readings = readingsOf(left);
  if (readings.length > 0 && charges.some((each) => each.tokens > SURELY_LONG))
    t.observe("4.1/43", readings.join(" or "));
}

const lengths = defineCase({
  id: "4.1/lengths",
  title:
    "completions from 1 to 2,501 tokens, in every tier, plain and streamed, are charged by one reading of the price",
  requirements: ["4.1/38", "4.1/41", "4.1/42", "4.1/43", "4.1/44", "4.1/45", "8/11"],
  wallet: 50_000,
  cost: (prices) => 3 * (prices.flat + 3 * prices.perThousand),
  async run(t) {
    const before = await quietBalance(t);
    const runs = modelsToTry(t).map((model, index) => allOf(t, model, t.home.fresh ? LENGTHS : FEW, index));
    const charges = (await Promise.all(runs)).flat();
    let bought = 0;
    if (t.home.fresh && charges.length > 0) {
      charges.push(...(await aroundEdge(t)));
      // A purchase changes what there is, and no price.
      bought = BOUGHT;
      await t.home.topUp(bought);
      charges.push(...(await allOf(t, t.models().at(-1) ?? t.model(), FEW, 1)));
    }
    if (charges.length === 0) t.giveUp("no completion of a known length came about");
    for (const charge of charges) judgeOne(t, charge);
    judgeTogether(t, charges);
    if (!charges.some((each) => each.tokens >= SURELY_LONG)) {
      t.notExercised("4.1/42", "no completion past the flat range came about");
      t.notExercised("4.1/43", "no completion past the flat range came about");
    }
    const sum = charges.reduce((total, each) => total + each.charged, 0);
    const after = (await quietBalance(t)) - bought;
    const shown = {
      expected: `${sum} units, the sum of ${charges.length} charges`,
      seen: `${before - after} units`,
      exchanges: t.exchanges.slice(-1),
    };
    // Every one of them had another estimate: what was not used has come back, and no more than that.
    t.check("4.1/38", before - after === sum, {
      title: "the balance has not fallen by the sum of the charges",
      ...shown,
    });
    t.check("4.1/45", before - after === sum, {
      title: "differences between estimates and charges are lost",
      ...shown,
    });
  },
});

/** The same length twice, once in each form: one price. */
const sameLong = defineCase({
  id: "4.1/long-stream-price",
  title: "a long stream costs what a completion of the same length costs, in every tier",
  requirements: ["4.1/34"],
  needs: ["credits", "behaviours"],
  cost: (prices) => 4 * (prices.flat + 2 * prices.perThousand),
  async run(t) {
    const compare = async (model: ListedModel): Promise<void> => {
      for (const length of t.home.fresh ? [551, 1_501] : [1_501]) {
        const whole = await completionOf(t, model, length, "exact", false);
        const stream = await completionOf(t, model, length, "exact", true);
        if (whole === null || stream === null || whole.tokens !== stream.tokens) continue;
        t.check("4.1/34", whole.charged === stream.charged, {
          title: "a long stream costs another price than a completion of its length",
          expected: `${whole.charged} units for ${whole.tokens} tokens on ${model.tier}`,
          seen: `${stream.charged} units`,
          exchanges: [whole.done.exchange, stream.done.exchange],
        });
      }
    };
    await Promise.all(modelsToTry(t).map(compare));
  },
});

export const lengthPriceCases = [lengths, sameLong];
