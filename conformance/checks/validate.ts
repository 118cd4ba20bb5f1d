/**
 * The one door to the schema validator. A schema that does not compile is a fault of the judge, and throws when the run begins.
 *
 * The schemas name, part by part, the rows that demand them: what does not fit breaks a row, and what fits is evidence for every row
 * that the data touched.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import {
  isRequirementId,
  type JsonSchema,
  type RequirementId,
  requirementOf,
  schemaId,
  schemas,
} from "../../fixtures/protocol/index.ts";

/** One place where data do not fit. */
export interface Misfit {
  readonly requirement: RequirementId;
  /** Where in the data, and what is wrong there: `usdg_value must be number`. */
  readonly message: string;
}

export interface Validator {
  /** What does not fit the schema of that name, such as `job-list`. */
  misfits(name: string, data: unknown): readonly Misfit[];
  /** All rows that a schema speaks for. */
  rows(name: string): readonly RequirementId[];
  /** The rows that the data put to the test. */
  touched(name: string, data: unknown): ReadonlySet<RequirementId>;
}

const made = new Map<string, Validator>();

/** The validator of a brand. Schemas are compiled when they are first needed, and once. */
export function makeValidator(brand: string): Validator {
  const validator = made.get(brand) ?? compile(brand);
  made.set(brand, validator);
  return validator;
}

function compile(brand: string): Validator {
  const all = schemas(brand);
  const byId = new Map(all.map((schema) => [String(schema.$id), schema] as const));
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  for (const schema of all) ajv.addSchema(schema);
  const compiled = new Map<string, ValidateFunction>();
  const validate = (name: string): ValidateFunction => {
    const known = compiled.get(name) ?? ajv.getSchema(schemaId(name));
    if (known === undefined) throw new Error(`there is no schema ${name}`);
    compiled.set(name, known);
    return known;
  };
  return {
    misfits(name, data) {
      const check = validate(name);
      if (check(data)) return [];
      return (check.errors ?? []).flatMap((error): Misfit[] => {
        const requirement = requirementOf(all, name, error);
        return requirement === null ? [] : [{ requirement, message: describe(error) }];
      });
    },
    rows(name) {
      const rows = new Set<RequirementId>();
      collect(byId.get(schemaId(name)), byId, rows);
      return [...rows];
    },
    touched(name, data) {
      const rows = new Set<RequirementId>();
      walk(byId.get(schemaId(name)), data, byId, rows);
      return rows;
    },
  };
}

function describe(error: ErrorObject): string {
  const place = error.instancePath === "" ? "the body" : error.instancePath.slice(1).replaceAll("/", ".");
  const allowed = error.params.allowedValues ?? error.params.allowedValue;
  return `${place} ${error.message ?? "does not fit"}${allowed === undefined ? "" : ` (${JSON.stringify(allowed)})`}`;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Collects the rows of every part of a schema, whatever the data. */
function collect(schema: unknown, byId: ReadonlyMap<string, JsonSchema>, rows: Set<RequirementId>): void {
  if (Array.isArray(schema)) for (const each of schema) collect(each, byId, rows);
  if (!isObject(schema)) return;
  for (const [keyword, part] of Object.entries(schema)) {
    if (keyword === "$comment" && typeof part === "string" && isRequirementId(part)) rows.add(part);
    else if (keyword === "$ref") collect({ ...byId.get(String(part)), $comment: null }, byId, rows);
    else collect(part, byId, rows);
  }
}

/** Collects the rows of every part of a schema that the data reach. */
function walk(schema: unknown, data: unknown, byId: ReadonlyMap<string, JsonSchema>, rows: Set<RequirementId>): void {
  if (!isObject(schema) || data === undefined) return;
  const { $comment, $ref, properties, items } = schema;
  if (typeof $comment === "string" && isRequirementId($comment)) rows.add($comment);
  // The row of a whole schema says how its own endpoint answers: an entry of a list is no evidence for it.
  if (typeof $ref === "string") walk({ ...byId.get($ref), $comment: null }, data, byId, rows);
  if (isObject(properties) && isObject(data)) {
    for (const [name, part] of Object.entries(properties)) {
      // A null says nothing of the form of what it stands for.
      if (data[name] !== null) walk(part, data[name], byId, rows);
    }
  }
  if (items !== undefined && Array.isArray(data)) for (const each of data) walk(items, each, byId, rows);
  if (isObject(schema.not)) walk({ $comment: schema.not.$comment }, data, byId, rows);
}
