/** The reference in docs/reference.md, made from the commands, the settings, the schemas and the lists: what is not there is not in assay. */
import { readFileSync } from "node:fs";
import { commandNames } from "../bin/commands/index.ts";
import { main } from "../bin/main.ts";
import { fileSchemas } from "../bin/schemas.ts";
import { SETTINGS, type Setting } from "../conformance/index.ts";
import { checkers } from "../sim/checkers/index.ts";
import { metrics } from "../sim/study/index.ts";

/** The whole page. */
export async function reference(): Promise<string> {
  const help: string[] = [];
  for (const name of commandNames) {
    help.push(`### assay ${name}\n\n\`\`\`text\n${await helpOf(name)}\n\`\`\``);
  }
  const parts = [
    "# Reference",
    "Made by `npm run reference` from the program itself; a test holds that it is fresh.",
    "Exit codes of every command: 0 done; 1 the judged service does not conform, or a run broke an invariant; 2 usage or input; 3 inconclusive, or a fault of assay itself; 130 ended by Ctrl-C.",
    "Every command takes `--json` and `--quiet`, and `--help` with examples. Colours are for terminals; `NO_COLOR` and `FORCE_COLOR` are heard. `assay completion` prints a script for your shell.",
    "## Commands",
    ...help,
    "## Settings of assay conform",
    "A flag goes before an environment variable, and that before the key in the file of `--config`.",
    table(["setting", "variable", "what", "default"], SETTINGS.map(settingRow)),
    "## Files",
    ...fileSchemas.flatMap(({ name, describe, schema }) => [
      `### ${name}`,
      `${describe}. JSON Schema: [\`schemas/${name}.schema.json\`](../schemas/${name}.schema.json), \`assay schema ${name}\`.`,
      table(["field", "type", "what"], fieldRows(schema() as Schema, "")),
    ]),
    "## Metrics of studies",
    table(
      ["metric", "unit", "what"],
      metrics.map((each) => [`\`${each.name}\``, each.unit, each.what]),
    ),
    "## Invariants of every run",
    table(
      ["checker", "what it holds"],
      Object.keys(checkers).map((name) => [`\`${name}\``, firstSentence(`../sim/checkers/${name}.ts`)]),
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** What a command's --help prints, as wide as a page and the same on every machine. */
async function helpOf(name: string): Promise<string> {
  const { log } = console;
  const { columns } = process.stdout;
  let told = "";
  console.log = (text: unknown) => {
    told += String(text);
  };
  process.stdout.columns = 110;
  try {
    await main([name, "--help"]);
  } finally {
    console.log = log;
    process.stdout.columns = columns;
  }
  // As many as the machine has; `verify` alone has a number of its own.
  if (name === "verify") return told.trimEnd();
  return told.replace(/^( +--threads .*)\[default: \d+\]$/gm, "$1[default: one a core]").trimEnd();
}

/** The first sentence of the comment that a file opens with. */
function firstSentence(file: string): string {
  const text = readFileSync(new URL(file, import.meta.url), "utf8");
  const comment = /^\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? "";
  const words = comment
    .replace(/^ *\* ?/gm, "")
    .replace(/\s+/g, " ")
    .trim();
  return words.split(/(?<=\.) /, 1)[0] ?? "";
}

function settingRow(setting: Setting): readonly string[] {
  const variables = setting.env ?? [`ASSAY_${setting.name.replaceAll("-", "_").toUpperCase()}`];
  return [
    `\`${setting.name}\``,
    variables.map((each) => `\`${each}\``).join(", "),
    setting.describe,
    setting.shown ?? "",
  ];
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly $ref?: string;
}

/** A row a field, those of inner objects by their path: `workers[].count`. */
function fieldRows(schema: Schema, path: string): readonly (readonly string[])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.items ?? field;
    const at = `${path}${name}`;
    const type = field.enum?.map(String).join(", ") ?? [field.type ?? []].flat().join(" or ");
    const needed = schema.required?.includes(name) ? " (needed)" : "";
    const rows = fieldRows(inner, `${at}${field.items === undefined ? "" : "[]"}.`);
    return [[`\`${at}\`${needed}`, type, field.description ?? ""], ...rows];
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
