/** `assay schema`: the JSON Schemas of the files that assay reads and writes, and of the contract. */
import { DEFAULT_BRAND } from "../../fixtures/protocol/index.ts";
import { tableOf } from "../../reports/plain-table.ts";
import { AssayError } from "../../sim/core/index.ts";
import type { Command } from "../command.ts";
import { nearest } from "../nearest.ts";
import { contractSchemas, type FileSchema, fileSchemas } from "../schemas.ts";

interface Options {
  readonly name?: string | undefined;
  readonly brand: string;
  readonly json: boolean;
}

export const schemaCommand: Command<Options> = {
  command: "schema [name]",
  describe: "Print a JSON Schema, of files or of the contract; without a name, list them",
  builder: (yargs) =>
    yargs
      .positional("name", { type: "string", describe: "scenario, settings, openapi, job, event.job.completed, ..." })
      .option("brand", {
        type: "string",
        requiresArg: true,
        default: DEFAULT_BRAND,
        describe: "what stands for `service` in the names of the contract",
      })
      .option("json", { type: "boolean", default: false, describe: "the list as JSON; a schema is JSON anyway" })
      .example("$0 schema", "what there is")
      .example("$0 schema scenario > scenario.schema.json", "for an editor that completes and checks YAML")
      .example("$0 schema openapi --brand acme", "the contract in the words of a deployment"),
  handler({ name, brand, json }) {
    const all = [...fileSchemas, ...contractSchemas(brand)];
    process.stdout.write(name === undefined ? listed(all, json) : `${JSON.stringify(found(name, all), null, 2)}\n`);
  },
};

function listed(all: readonly FileSchema[], json: boolean): string {
  if (json)
    return `${JSON.stringify(
      all.map(({ name, describe }) => ({ name, describe })),
      null,
      2,
    )}\n`;
  return `${tableOf(all.map(({ name, describe }) => [name, describe]))}\n`;
}

function found(name: string, all: readonly FileSchema[]): unknown {
  const one = all.find((each) => each.name === name);
  if (one !== undefined) return one.schema();
  const meant = nearest(
    name,
    all.map((each) => each.name),
  );
  throw new AssayError({
    what: "There is no schema of this name.",
    where: "assay schema <name>",
    seen: name,
    hint: meant === undefined ? "assay schema lists them all" : `did you mean ${meant}?`,
  });
}
