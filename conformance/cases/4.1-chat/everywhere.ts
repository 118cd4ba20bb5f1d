/** Section 4.1: the same faults and the same ends of ranges on every model and in both forms. A check that stands in several places is forgotten in one. */
import type { Json } from "../api.ts";
import { type CaseContext, defineCase, type ListedModel, type RequirementId } from "../case.ts";
import { modelsToTry } from "../support/money.ts";
import { accepts, refuses } from "../support/refusals.ts";
import { OTHER_MESSAGES, WRONG_TYPES } from "./form.ts";
import { WRONG_MESSAGES } from "./messages.ts";
import { RANGES } from "./ranges.ts";

interface Fault {
  readonly row: RequirementId;
  readonly what: string;
  readonly changes: Readonly<Record<string, Json>>;
}

const HELLO = { role: "user", content: "Hello." };

/** Every fault that has a value of its own. `stream` is what the form is told by. */
const FAULTS: readonly Fault[] = [
  { row: "4.1/1", what: "a chat without `messages`", changes: { messages: undefined } },
  ...OTHER_MESSAGES.map((messages): Fault => {
    return { row: "4.1/2", what: "`messages` that are no array of objects", changes: { messages } };
  }),
  ...WRONG_MESSAGES.map(([what, message]): Fault => {
    return { row: "4.1/3", what, changes: { messages: [HELLO, message] } };
  }),
  ...Object.entries(WRONG_TYPES).flatMap(([field, values]) =>
    (field === "stream" ? [] : values).map((value): Fault => {
      return { row: "4.1/7", what: `a \`${field}\` of another type`, changes: { [field]: value } };
    }),
  ),
  ...RANGES.flatMap(({ field, beyond, outside }) =>
    outside.map((value): Fault => {
      return { row: beyond, what: `a \`${field}\` out of its range`, changes: { [field]: value } };
    }),
  ),
];

/** One value of each field and kind: somebody's own wallet pays for what is not refused. */
const FEW = FAULTS.filter(({ what }, index) => FAULTS.findIndex((each) => each.what === what) === index);

const where = (t: CaseContext, model: ListedModel, stream: boolean): string =>
  `${model.id === t.model().id ? "" : ", on another model"}${stream ? ", in a stream" : ""}`;

/** Each model, as a value may be looked after for one of them only; each form, as the two may be read by different hands. */
const faults = defineCase({
  id: "4.1/faults-everywhere",
  title: "what is refused of one model is refused of every other, plain and streamed",
  requirements: ["4.1/1", "4.1/2", "4.1/3", "4.1/7", "4.1/10", "4.1/13"],
  wallet: 50_000,
  cost: (prices) => prices.flat,
  async run(t) {
    t.accepted(await t.api.say());
    const tiers = t.models().filter(({ tier }, index, all) => all.findIndex((each) => each.tier === tier) === index);
    const { fresh } = t.home;
    for (const [index, model] of (fresh ? t.models() : tiers).entries()) {
      const whole = fresh && tiers.includes(model);
      for (const stream of whole ? [false, true] : [index % 2 === 0]) {
        for (const { row, what, changes } of whole ? FAULTS : FEW) {
          const request = { ...changes, model: model.id, stream: stream ? true : undefined };
          const answer = await refuses(t, row, `${what}${where(t, model, stream)},`, request);
          if (answer.status === 200 && !fresh) return;
        }
      }
    }
  },
});

/** The ends of all ranges, on every model. */
const ends = defineCase({
  id: "4.1/ranges-everywhere",
  title: "both ends of each range are accepted on every model, plain and streamed",
  requirements: ["4.1/9", "4.1/12"],
  needs: ["wallets"],
  wallet: 50_000,
  async run(t) {
    for (const model of modelsToTry(t).filter(({ id }) => id !== t.model().id)) {
      for (const { field, within, inside } of RANGES) {
        for (const value of inside.slice(0, 2)) {
          for (const stream of [false, true]) {
            const changes = { [field]: value, model: model.id, stream };
            await accepts(t, within, `a \`${field}\` at the end of its range${where(t, model, stream)},`, changes);
          }
        }
      }
    }
  },
});

export const everywhereCases = [faults, ends];
