/** The JSON Schemas (2020-12) of the files that assay reads and writes, and of the contract, by name. */

import { reportSchema, settingsSchema } from "../conformance/index.ts";
import { type JsonSchema, openapi, schemaId, schemas } from "../fixtures/protocol/index.ts";
import { scenarioSchema } from "../sim/scenario/index.ts";
import { studySchema } from "../sim/study/index.ts";

export interface FileSchema {
  readonly name: string;
  readonly describe: string;
  readonly schema: () => unknown;
}

const named = (name: string, schema: unknown): unknown => {
  const { $schema, ...rest } = schema as { readonly $schema: string };
  return { $schema, $id: schemaId(name), ...rest };
};

/** Those that are published as `schemas/<name>.schema.json`. */
export const fileSchemas: readonly FileSchema[] = [
  { name: "scenario", describe: "a world to run: assay run", schema: () => named("scenario", scenarioSchema) },
  { name: "study", describe: "factors and points: assay sweep", schema: () => named("study", studySchema) },
  {
    name: "settings",
    describe: "settings of a run of the judge: assay conform --config",
    schema: () => named("settings", settingsSchema()),
  },
  {
    name: "report",
    describe: "what assay conform --json writes",
    schema: () => named("report", reportSchema),
  },
];

/** Those that are made for the brand of a deployment. */
export function contractSchemas(brand: string): readonly FileSchema[] {
  const all: readonly JsonSchema[] = schemas(brand);
  return [
    { name: "openapi", describe: "the whole contract as OpenAPI 3.1", schema: () => openapi(brand) },
    ...all.map((schema) => ({
      name: String(schema.$id).slice(schemaId("").length),
      describe: String(schema.title ?? ""),
      schema: () => schema,
    })),
  ];
}
