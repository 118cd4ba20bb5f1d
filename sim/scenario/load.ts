/**
 * Reads a scenario file: its form against the schema, every complaint with its place, what was seen and what may stand there.
 */
import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { AssayError } from "../core/index.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioSchema } from "./schema.ts";
import { type Path, Source } from "./source.ts";
import { suggest } from "./suggest.ts";

/** A scenario and where each of its words stands. */
export interface LoadedScenario {
  readonly scenario: Scenario;
  readonly source: Source;
}

/** @throws AssayError where the file cannot be read or its form is wrong */
export function loadScenario(file: string): LoadedScenario {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new AssayError({
      what: "The scenario cannot be read.",
      where: file,
      seen: (cause as NodeJS.ErrnoException).code ?? String(cause),
      expected: "a YAML file",
      hint: "the scenarios that come with assay lie in scenarios/",
      cause,
    });
  }
  return parseScenario(text, file);
}

let compiled: ValidateFunction | undefined;

/** @throws AssayError where the form is wrong; `file` is named in its message */
export function parseScenario(text: string, file: string): LoadedScenario {
  const source = new Source(text, file);
  compiled ??= new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(scenarioSchema);
  if (compiled(source.data)) return { scenario: source.data as Scenario, source };
  const [worst] = (compiled.errors ?? []).toSorted((a, b) => weight(b) - weight(a));
  throw complaint(source, worst!);
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

function complaint(source: Source, error: ErrorObject): AssayError {
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
        what: "The scenario has a field that is not known.",
        where: source.whereKey(path, name),
        seen: name,
        expected: `one of ${known.join(", ")}`,
        hint: meant(near),
      });
    }
    case "required":
      return new AssayError({
        what: "The scenario lacks a field.",
        where,
        seen: seen === null ? "nothing" : Object.keys(seen as object).join(", "),
        expected: `a field "${params.missingProperty}"`,
      });
    case "enum": {
      const allowed = (params.allowedValues as readonly unknown[]).map(String);
      return new AssayError({
        what: "The scenario has a value that is not one of those known.",
        where,
        seen,
        expected: `one of ${allowed.join(", ")}`,
        hint: meant(typeof seen === "string" ? suggest(seen, allowed) : undefined),
      });
    }
    case "type":
      return new AssayError({
        what: "The scenario has a value of the wrong kind.",
        where,
        seen,
        expected: explained([params.type].flat().join(" or ")),
      });
    default:
      return new AssayError({
        what: "The scenario has a value that is out of range.",
        where,
        seen,
        expected: explained((error.message ?? "another value").replace(/^must (be )?/, "")),
      });
  }
}

function meant(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
