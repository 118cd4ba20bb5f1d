/**
 * Rules for the fields of a request body, written as data: each field of an object has a rule, and the first rule that is broken refuses the
 * request, naming the field in `param`.
 */
import { isObject } from "./http.ts";
import { invalid, outOfRange, type Refusal } from "./refusal.ts";
import type { Shape } from "./shape.ts";

/** What a value breaks, or undefined. `param` is the value's place. */
export type Rule = (value: unknown, param: string, shape: Shape) => Refusal | undefined;

export interface Field {
  readonly required: boolean;
  readonly rule: Rule;
}

/** The fields of an object. */
export type Fields = Readonly<Record<string, Field>>;

export const required = (rule: Rule): Field => ({ required: true, rule });
export const optional = (rule: Rule): Field => ({ required: false, rule });

export const text: Rule = (value, param) =>
  typeof value === "string" ? undefined : invalid(param, `${param} is a string.`);

export const flag: Rule = (value, param) =>
  typeof value === "boolean" ? undefined : invalid(param, `${param} is a boolean.`);

export const integer: Rule = (value, param) =>
  Number.isInteger(value) ? undefined : invalid(param, `${param} is an integer.`);

/** A number, from `min` to `max`, both included. */
export const number =
  (min = -Infinity, max = Infinity): Rule =>
  (value, param, shape) => {
    if (typeof value !== "number") return invalid(param, `${param} is a number.`);
    if (value >= min && value <= max) return undefined;
    return outOfRange(shape, param, `${param} is from ${min} to ${max}.`);
  };

/** One of some words. */
export const oneOf =
  (words: readonly string[]): Rule =>
  (value, param, shape) => {
    if (typeof value !== "string") return invalid(param, `${param} is a string.`);
    if (words.includes(value)) return undefined;
    return outOfRange(shape, param, `${param} is one of ${words.join(", ")}.`);
  };

/** An array, each item by the rule. */
export const arrayOf =
  (rule: Rule): Rule =>
  (value, param, shape) => {
    if (!Array.isArray(value)) return invalid(param, `${param} is an array.`);
    for (let i = 0; i < value.length; i++) {
      const broken = rule(value[i], `${param}[${i}]`, shape);
      if (broken !== undefined) return broken;
    }
    return undefined;
  };

/** An object with these fields. */
export const objectOf =
  (fields: Fields): Rule =>
  (value, param, shape) =>
    isObject(value) ? checkFields(value, fields, shape, `${param}.`) : invalid(param, `${param} is an object.`);

/** The first rule that an object breaks. */
export function checkFields(
  object: Readonly<Record<string, unknown>>,
  fields: Fields,
  shape: Shape,
  prefix = "",
): Refusal | undefined {
  for (const [name, field] of Object.entries(fields)) {
    const param = `${prefix}${name}`;
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (value === undefined || (value === null && (field.required || shape.nullOptional === "absent"))) {
      if (field.required) return invalid(param, `${param} is required.`);
      continue;
    }
    const broken = field.rule(value, param, shape);
    if (broken !== undefined) return broken;
  }
  if (shape.foreignFields === "ignored") return undefined;
  const foreign = Object.keys(object).find((name) => !Object.hasOwn(fields, name));
  return foreign === undefined ? undefined : invalid(`${prefix}${foreign}`, `${prefix}${foreign} is not supported.`);
}
