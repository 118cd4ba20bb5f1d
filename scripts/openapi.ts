/**
 * Writes `fixtures/protocol/openapi.json` from the contract's schemas. With `--check` it writes nothing, and ends with
 * exit code 1 when the file is not what would be written.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openapiText } from "../fixtures/protocol/index.ts";

const file = fileURLToPath(new URL("../fixtures/protocol/openapi.json", import.meta.url));
const text = openapiText();

if (!process.argv.includes("--check")) {
  writeFileSync(file, text);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  console.error("fixtures/protocol/openapi.json is not what the schemas say. Write it anew with: npm run openapi");
  process.exitCode = 1;
}
