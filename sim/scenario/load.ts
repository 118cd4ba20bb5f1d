/**
 * Reads a scenario file: its form against the schema, every complaint with its place, what was seen and what may stand there.
 */
import { readFileSync } from "node:fs";
import { AssayError } from "../core/index.ts";
import { formOf } from "./form.ts";
import type { Scenario } from "./scenario.ts";
import { scenarioSchema } from "./schema.ts";
import { Source } from "./source.ts";

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

const checkForm = formOf(scenarioSchema, "scenario");

/** @throws AssayError where the form is wrong; `file` is named in its message */
export function parseScenario(text: string, file: string): LoadedScenario {
  const source = new Source(text, file);
  checkForm(source);
  return { scenario: source.data as Scenario, source };
}
