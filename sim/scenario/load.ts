/**
 * Reads a scenario file: its form against the schema, every complaint with its place, what was seen and what may stand there.
 */
import { readFileSync } from "node:fs";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
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

/** @throws AssayError where the form is wrong; `file` is named in its message */
export function parseScenario(text: string, file: string): LoadedScenario {
  const source = new Source(text, file);
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true, verbose: true }).compile(scenarioSchema);
  if (validate(source.data)) return { scenario: source.data as Scenario, source };
  // The deepest complaint is the most exact one; among equals, the first in the file's order.
  const errors = validate.errors ?? [];
  const worst = errors.reduce((a, b) => (depth(b) > depth(a) ? b : a));
  throw complaint(source, worst);
}

const depth = (error: ErrorObject): number => pathOf(error).length;

function pathOf({ instancePath }: ErrorObject): Path {
  return instancePath
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step.replaceAll("~1", "/").replaceAll("~0", "~")));
}

function complaint(source: Source, error: ErrorObject): AssayError {
  const path = pathOf(error);
  const where = source.where(path);
  const { keyword, params, data: seen, parentSchema } = error;
  const hint = (written: unknown, words: readonly string[]): string | undefined => {
    const near = typeof written === "string" ? suggest(written, words) : undefined;
    return near === undefined ? (parentSchema as { description?: string }).description : `did you mean "${near}"?`;
  };
  switch (keyword) {
    case "additionalProperties": {
      const name = String(params.additionalProperty);
      const known = Object.keys((parentSchema as { properties?: object }).properties ?? {});
      const near = suggest(name, known);
      return new AssayError({
        what: "The scenario has a field that is not known.",
        where: source.whereKey(path, name),
        seen: name,
        expected: `one of ${known.join(", ")}`,
        hint: near === undefined ? undefined : `did you mean "${near}"?`,
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
        hint: hint(seen, allowed),
      });
    }
    case "type":
      return new AssayError({
        what: "The scenario has a value of the wrong kind.",
        where,
        seen,
        expected: [params.type].flat().join(" or "),
        hint: hint(undefined, []),
      });
    default:
      return new AssayError({
        what: "The scenario has a value that is out of range.",
        where,
        seen,
        expected: error.message?.replace(/^must (be|NOT have|match) ?/, (_, verb) => (verb === "be" ? "" : `${verb} `)),
        hint: hint(undefined, []),
      });
  }
}
