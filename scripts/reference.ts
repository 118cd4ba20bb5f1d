/**
 * Writes what is made from other parts of the project: the JSON Schemas in `schemas/` and docs/reference.md. With `--check` it writes nothing, and ends
 * with exit code 1 when a file is not what would be written.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileSchemas } from "../bin/schemas.ts";
import { reference } from "./reference-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const files: readonly (readonly [path: string, text: string])[] = [
  ...fileSchemas.map(
    ({ name, schema }) => [`schemas/${name}.schema.json`, `${JSON.stringify(schema(), null, 2)}\n`] as const,
  ),
  ["docs/reference.md", await reference()],
];

for (const [path, text] of files) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  if (process.argv.includes("--check")) {
    console.error(`${path} is not what it is made from. Write it anew with: npm run reference`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
