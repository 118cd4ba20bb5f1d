/** Requests of section 4.1, drawn field by field: what is right, what is wrong, and what the contract does not speak of. */
import fc, { type Arbitrary } from "fast-check";

/** A request, and which of its fields are wrong or open. None of either: it is valid. */
export interface Drawn {
  readonly body: Readonly<Record<string, unknown>>;
  readonly wrong: readonly string[];
  readonly open: readonly string[];
}

interface Field {
  readonly right: Arbitrary<unknown>;
  readonly wrong: Arbitrary<unknown>;
  readonly open?: Arbitrary<unknown>;
  readonly required?: boolean;
}

const thousandths = (from: number, to: number): Arbitrary<number> =>
  fc.integer({ min: Math.round(from * 1_000), max: Math.round(to * 1_000) }).map((value) => value / 1_000);

const noText: Arbitrary<unknown> = fc.constantFrom<unknown>(0, 1.5, true, [], {}, ["text"]);
const noNumber: Arbitrary<unknown> = fc.constantFrom<unknown>("1", "", true, false, [], [1], {});
const beyond = (from: number, to: number): Arbitrary<unknown> =>
  fc.oneof(thousandths(from - 50, from - 0.001), thousandths(to + 0.001, to + 50));

const content = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });
const wrongMessage: Arbitrary<unknown> = fc.oneof(
  fc.record({ role: fc.constantFrom<unknown>("wizard", "USER", "", 7, null), content: fc.constant("Hello.") }),
  fc.record({ role: fc.constant("user"), content: fc.constantFrom<unknown>(7, true, null, {}) }),
  fc.constantFrom<unknown>("Hello.", 7, null, [], {}),
);

/** A system prompt or none, then turns that alternate, with a user's at the end: what every model takes. */
const conversation: Arbitrary<readonly unknown[]> = fc
  .tuple(fc.boolean(), fc.array(fc.tuple(content, content), { maxLength: 2 }), content)
  .map(([prompted, turns, last]) => [
    ...(prompted ? [{ role: "system", content: "Be brief." }] : []),
    ...turns.flatMap(([asked, said]) => [
      { role: "user", content: asked },
      { role: "assistant", content: said },
    ]),
    { role: "user", content: last },
  ]);
const wrongConversation: Arbitrary<unknown> = fc
  .tuple(conversation, wrongMessage, fc.nat(5))
  .map(([messages, wrong, place]) => messages.toSpliced(place, 0, wrong));

const penalty: Field = { right: thousandths(-2, 2), wrong: fc.oneof(noNumber, beyond(-2, 2)) };

function fieldsFor(models: readonly string[]): Readonly<Record<string, Field>> {
  return {
    model: { right: fc.constantFrom(...models), wrong: noText, required: true },
    messages: {
      right: conversation,
      wrong: fc.oneof(wrongConversation, fc.constantFrom<unknown>("Hello.", 7, {}, true)),
      required: true,
    },
    stream: { right: fc.boolean(), wrong: fc.constantFrom<unknown>("true", "", 0, 1, [], {}) },
    max_tokens: {
      right: fc.integer({ min: 1, max: 40 }),
      wrong: fc.oneof(
        noNumber,
        thousandths(1, 9).filter((value) => !Number.isInteger(value)),
      ),
      open: fc.integer({ min: -3, max: 0 }),
    },
    temperature: { right: thousandths(0, 2), wrong: fc.oneof(noNumber, beyond(0, 2)) },
    top_p: { right: thousandths(0.001, 1), wrong: noNumber, open: thousandths(1.001, 3) },
    stop: {
      right: fc.oneof(
        fc.constantFrom("@@", "THE END"),
        fc.array(fc.constantFrom("@@", "##"), { minLength: 1, maxLength: 2 }),
      ),
      wrong: fc.constantFrom<unknown>(7, true, {}, [7], ["@@", null], [["@@"]]),
      open: fc.constantFrom<unknown>("", [], [""], ["a", "b", "c", "d", "e", "f"]),
    },
    frequency_penalty: penalty,
    presence_penalty: penalty,
    seed: { right: fc.nat(), wrong: fc.oneof(noNumber, fc.constant(0.5)), open: fc.integer({ min: -9, max: -1 }) },
    x_made_up: { right: fc.constant(undefined), wrong: fc.constant(undefined), open: fc.jsonValue({ maxDepth: 2 }) },
  };
}

type Fate = "absent" | "right" | "wrong" | "open";

/** Most fields are left out, most of the others right: a request with one fault is what tells most. */
function fateOf(field: Field): Arbitrary<Fate> {
  const weights: { arbitrary: Arbitrary<Fate>; weight: number }[] = [
    { arbitrary: fc.constant("right" as const), weight: field.required === true ? 20 : 4 },
    { arbitrary: fc.constant("wrong" as const), weight: 1 },
  ];
  if (field.required !== true) weights.unshift({ arbitrary: fc.constant("absent" as const), weight: 8 });
  if (field.open !== undefined) weights.push({ arbitrary: fc.constant("open" as const), weight: 1 });
  return fc.oneof(...weights);
}

const drawValue = (field: Field, fate: Fate): Arbitrary<unknown> =>
  fate === "wrong" ? field.wrong : fate === "open" ? (field.open ?? field.right) : field.right;

interface DrawnField {
  readonly name: string;
  readonly fate: Fate;
  readonly value: unknown;
}

const drawField = ([name, field]: readonly [string, Field]): Arbitrary<DrawnField> =>
  fateOf(field).chain((fate): Arbitrary<DrawnField> => {
    const value = fate === "absent" ? fc.constant(undefined) : drawValue(field, fate);
    return value.map((drawn) => ({ name, fate, value: drawn }));
  });

/** Draws requests for these models. `max_tokens` is small where nothing else is drawn, so that a right one costs the flat price. */
export function chatRequests(models: readonly string[]): Arbitrary<Drawn> {
  return fc.tuple(...Object.entries(fieldsFor(models)).map(drawField)).map((fields) => {
    const told = fields.filter(({ fate, value }) => fate !== "absent" && value !== undefined);
    const body = Object.fromEntries(told.map(({ name, value }) => [name, value]));
    const named = (wanted: Fate): string[] => told.filter(({ fate }) => fate === wanted).map(({ name }) => name);
    return { body: { max_tokens: 16, ...body }, wrong: named("wrong"), open: named("open") };
  });
}
