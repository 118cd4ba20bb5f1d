/** The form of a file that people write, against a JSON Schema: of all complaints the one that tells most, with its place. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { AssayError } from "../core/index.ts";
import type { Path, Source } from "./source.ts";
import { suggest } from "./suggest.ts";

/**
 * @param noun what the file is called in messages: `scenario`
 * @returns a function that throws an AssayError where the form of a source is wrong
 */
export function formOf(schema: object, noun: string): (source: Source) => void {
  let compiled: ValidateFunction | undefined;
  return (source) => {
    compiled ??= new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(schema);
    if (compiled(source.data)) return;
    const [worst] = (compiled.errors ?? []).toSorted((a, b) => weight(b) - weight(a));
    throw complaint(source, worst!, noun);
  };
}

/** The deepest complaint is the most exact one; at one place, a field that is not known explains the one that lacks. */
const weight = (error: ErrorObject): number =>
  pathOf(error).length * 2 + (error.keyword === "additionalProperties" ? 1 : 0);

function pathOf({ instancePath }: ErrorObject): Path {
  return instancePath
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")));
}

function complaint(source: Source, error: ErrorObject, noun: string): AssayError {
  const path = pathOf(error);
  const where = source.where(path);
  const { keyword, params, data: seen } = error;
  const schema = error.parentSchema as { readonly description?: string; readonly properties?: object };
  const explained = (expected: string): string =>
    schema.description === undefined ? expected : `${expected}. ${schema.description}`;
  switch (keyword) {
    case "additionalProperties": {
      const name = String(params.additionalProperty);
      const known = Object.keys(schema.properties ?? {});
      const near = suggest(name, known);
      return new AssayError({
        what: `The ${noun} has a field that is not known.`,
        where: source.whereKey(path, name),
        seen: name,
        expected: `one of ${known.join(", ")}`,
        hint: meant(near),
      });
    }
    case "required":
      return new AssayError({
        what: `The ${noun} lacks a field.`,
        where,
        seen: seen === null ? "nothing" : Object.keys(seen as object).join(", "),
        expected: `a field "${params.missingProperty}"`,
      });
    case "enum": {
      const allowed = (params.allowedValues as readonly unknown[]).map(String);
      return new AssayError({
        what: `The ${noun} has a value that is not one of those known.`,
        where,
        seen,
        expected: `one of ${allowed.join(", ")}`,
        hint: meant(typeof seen === "string" ? suggest(seen, allowed) : undefined),
      });
    }
    case "type":
      return new AssayError({
        what: `The ${noun} has a value of the wrong kind.`,
        where,
        seen,
        expected: explained([params.type].flat().join(" or ")),
      });
    default:
      return new AssayError({
        what: `The ${noun} has a value that is out of range.`,
        where,
        seen,
        expected: explained((error.message ?? "another value").replace(/^must (be )?/, "")),
      });
  }
}

function meant(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
